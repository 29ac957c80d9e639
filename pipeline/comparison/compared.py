"""The comparison document: what every candidate changed against the baseline, and how sure."""

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from pipeline.comparison.comparable import changed
from pipeline.comparison.family import family
from pipeline.comparison.gathered import Gathered
from pipeline.contract import CONTRACT_VERSION
from pipeline.contract.results import Deltas, present
from pipeline.contract.sides import Side
from pipeline.contract.uncertainty import Uncertainty
from pipeline.scoring.deltas import causes_of, deltas, deltas_at
from pipeline.scoring.findings import findings

SCHEMA_VERSION = 2
"""Version of the layout of comparison.json."""


def compared(
    baseline: Side,
    candidates: Sequence[Side],
    gathered: Gathered,
    *,
    uncertainty: Uncertainty,
    seed: int,
    also: Iterable[tuple[str, str, str]] = (),
) -> tuple[pl.DataFrame, dict[str, Any]]:
    """Set every candidate against the baseline.

    Args:
        baseline: the side that the others are set against.
        candidates: the others, in the order in which they are shown.
        gathered: the scored rows of all of them.
        uncertainty: how intervals and p-values are made.
        seed: of their draws.
        also: metric, attribute and value of intervals that a policy reads beside these.

    Returns:
        Deltas of all candidates, and the document, on which no policy has ruled yet and which does
        not say how often held-out questions were opened, nor what its judge is worth.
    """
    rows = _deltas(gathered, baseline.name)
    if uncertainty.metrics is not None:
        same = gathered.cutoffs.same
        named = tuple(same.get(name, name) for name in uncertainty.metrics)
        uncertainty = dataclasses.replace(uncertainty, metrics=named)
    method, sure = family(rows, gathered.attributes, uncertainty, seed, also)
    found = {}
    for candidate in candidates:
        of = rows.filter(candidate=candidate.name)
        differs = changed(baseline.parts, candidate.parts)
        found[candidate.name] = {
            **_named(candidate),
            "differs": differs,
            "controlled": len(differs) <= 1,
            **findings(of, gathered.values),
            "uncertainty": sure[candidate.name],
            "acceptance": None,
        }
    cutoffs = gathered.cutoffs.document()
    return rows, {
        "schema_version": SCHEMA_VERSION,
        "contract_version": CONTRACT_VERSION,
        "baseline": {"name": baseline.name, **_named(baseline)},
        "common": _common(gathered),
        **({"cutoffs": cutoffs} if cutoffs else {}),
        "heldout": None,
        "judge": None,
        "method": method,
        "candidates": found,
        "acceptance": None,
        "verdict": None,
    }


def _deltas(gathered: Gathered, against: str) -> pl.DataFrame:
    """Deltas of PerQuestion, and of Judged and Ranked where there is something in them."""
    parts = [deltas(gathered.values, against)]
    causes = causes_of(gathered.values)
    if metrics := present(gathered.judged):
        parts.append(deltas(gathered.judged, against, metrics=metrics, causes=causes))
    parts += deltas_at(gathered.ranked, against, gathered.cutoffs.compared, causes)
    return parts[0] if len(parts) == 1 else pl.concat(parts).sort(Deltas.key)


def _named(side: Side) -> dict[str, Any]:
    return {
        "spec": side.spec,
        "system": side.system,
        "fingerprint": side.fingerprint,
        "run_id": side.run_id,
    }


def _common(gathered: Gathered) -> dict[str, Any] | None:
    if gathered.common is None:
        return None
    return {
        "questions": len(gathered.common.questions),
        "left_out": sorted(gathered.common.left_out),
        "why": gathered.common.left_out,
    }
