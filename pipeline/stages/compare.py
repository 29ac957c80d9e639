"""Set the systems of this run against a baseline, question by question.

Reads   freeze to score of this run, and of a baseline that lies elsewhere;
        compose/baseline.json, which pins that baseline; compose/ledger.json and the ledger,
        which say how often held-out questions were opened; compose/people.json and people
        (their rulings), which say what a judge is worth
Writes  compare/deltas (Parquet and CSV), compare/comparison.json, compare/report.html
"""

import dataclasses
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipeline.contract.errors import ConfigError, nearest
from pipeline.contract.files import read_json, replacing, write_json
from pipeline.contract.ports import Tracker
from pipeline.contract.sides import OUTSIDE, Side
from pipeline.manifest import scored
from pipeline.rulings.pinned import label_files
from pipeline.rulings.validation import validation
from pipeline.settings import Acceptance, Uncertainty
from pipeline.sides import heldout
from pipeline.sides.folder import names_in, one_in
from pipeline.sides.resolve import Places, told_apart
from pipeline.sides.ruled import timestamp, weighed
from pipeline.sides.written import write_comparison


def run(
    data: Path,
    *,
    baseline: str | None,
    acceptance: Acceptance,
    uncertainty: Uncertainty,
    seed: int,
    heldout_budget: int | None,
    tracker: Tracker,
) -> str:
    """Compare every other system with the baseline; return one line on what came out.

    A candidate that the policy rejects is a result, not a failure: the run goes on, so that
    it is kept. `python -m pipeline gate` is what fails.

    Args:
        data: the data folder, with the score stage done.
        baseline: name of a system of this run, or a side that lies elsewhere (`run:`, `rev:`,
            `dir:`), whose fingerprint `compose` has pinned; null: the first in order of name.
        acceptance: the policy a candidate has to meet.
        uncertainty: how intervals and p-values are made.
        seed: of their draws.
        heldout_budget: looks that held-out questions bear; over it the report says so.
        tracker: where runs are kept; its `content` says how much of the texts a report shows.

    Raises:
        ConfigError: no system of this run has that name.
        IncomparableError: the baseline lies elsewhere and a part differs that may not.
        DataError: a file of people's rulings has faults.
    """
    now = datetime.now(UTC)
    here = [_here(data, name) for name in names_in(data, "data")]
    scored.note([side.fingerprint for side in here], timestamp(now))
    against, candidates = _sides(data, baseline, here, tracker)

    _, rows, comparison = weighed(
        against, candidates,
        same=False, acceptance=acceptance, uncertainty=uncertainty, seed=seed, now=now,
    )  # fmt: skip
    comparison["heldout"] = heldout.said([data, against.folder], heldout_budget)
    comparison["judge"] = validation([against, *candidates], label_files(data), seed=seed)

    with replacing(data / "compare") as folder:
        write_comparison(
            folder, against, candidates, rows, comparison, getattr(tracker, "content", "full")
        )
        write_json(
            folder / "settings.json",
            {
                "baseline": baseline,
                "acceptance": dataclasses.asdict(acceptance),
                "uncertainty": dataclasses.asdict(uncertainty),
                "seed": seed,
                "content": getattr(tracker, "content", "full"),
                "heldout_budget": heldout_budget,
            },
        )
    return _line(comparison)


def _here(data: Path, name: str) -> Side:
    return dataclasses.replace(one_in(data, "data", name), spec=f"system:{name}")


def _sides(
    data: Path, baseline: str | None, here: list[Side], tracker: Tracker
) -> tuple[Side, list[Side]]:
    """The baseline, and the systems that are set against it."""
    if baseline is not None and baseline.startswith(OUTSIDE):
        against = Places(data, tracker).side(baseline)
        pinned = read_json(data / "compose" / "baseline.json")["fingerprint"]
        if against.fingerprint != pinned:
            raise ConfigError(
                "conf: baseline",
                expected=f"{baseline} as this run began with it ({pinned[:12]})",
                got=against.fingerprint[:12],
                remedy="it has moved meanwhile: run it again",
            )
        against, *candidates = told_apart([against, *here])
        return against, candidates
    names = [side.name for side in here]
    wanted = names[0] if baseline is None else baseline.removeprefix("system:")
    if wanted not in names:
        raise ConfigError(
            "conf: baseline",
            expected=f"a system of this run ({', '.join(names)})" + nearest(wanted, names),
            got=repr(wanted),
        )
    against = here[names.index(wanted)]
    return against, [side for side in here if side is not against]


def _line(comparison: dict[str, Any]) -> str:
    baseline, candidates = comparison["baseline"]["name"], comparison["candidates"]
    if not candidates:
        return f"one system only ({baseline}): nothing to compare"
    counts = [
        f"{name} {found['questions']['worse']:,} worse, {found['questions']['better']:,} better"
        + (f" ({found['acceptance']['verdict']})" if found["acceptance"] else "")
        for name, found in candidates.items()
    ]
    return f"against {baseline}: " + "; ".join(counts)
