"""The scored rows of several sides as one frame, whatever folders they lie in."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from pipeline.comparison.common import Common, common, digests
from pipeline.comparison.comparable import demand, listed
from pipeline.contract.results import Judged, PerQuestion
from pipeline.contract.sides import Side
from pipeline.contract.tables import Documents, Questions, Table, read


@dataclass(frozen=True)
class Gathered:
    """What is compared.

    Attributes:
        values: PerQuestion of all sides; `system` is the side's name.
        judged: Judged of all sides, likewise.
        attributes: (question_id, attributes) of the baseline's questions, for slices.
        common: which questions are the same; None where the sides agree as wholes.
    """

    values: pl.DataFrame
    judged: pl.DataFrame
    attributes: pl.DataFrame
    common: Common | None


def gather(baseline: Side, candidates: Sequence[Side], *, same: bool) -> Gathered:
    """Read the scored rows of all sides, once they may be compared.

    Args:
        baseline: the side that the others are set against.
        candidates: the others.
        same: keep only the questions that are the same on every side.

    Raises:
        IncomparableError: a part differs that has to be the same, or no question is.
    """
    sides = listed([baseline, *candidates])
    for candidate in candidates:
        demand(baseline, candidate, common=same)
    shared = _shared(baseline, candidates) if same else None
    questions = read(baseline.folder / "freeze", Questions, ["question_id", "attributes"])
    frames = [[_own(side, table) for side in sides] for table in (PerQuestion, Judged)]
    values, judged, attributes = (*(pl.concat(kind) for kind in frames), questions)
    if shared is not None:
        kept = pl.col("question_id").is_in(shared.questions)
        values, judged, attributes = (f.filter(kept) for f in (values, judged, attributes))
    return Gathered(values, judged, attributes, shared)


def _shared(baseline: Side, candidates: Sequence[Side]) -> Common:
    """The questions that are the same on every side; the reasons of the first that differs."""
    before = digests(baseline.folder / "freeze")
    same, left_out = sorted(before), dict[str, str]()
    folders = dict.fromkeys(side.folder for side in candidates if side.folder != baseline.folder)
    for folder in folders:
        found = common(before, digests(folder / "freeze"))
        left_out = found.left_out | left_out
        same = [question for question in same if question in set(found.questions)]
    hidden = _hidden([baseline, *candidates])
    left_out = dict.fromkeys(hidden.intersection(same), "permissions") | left_out
    return Common([question for question in same if question not in hidden], left_out)


def _hidden(sides: Sequence[Side]) -> set[str]:
    """Questions with a leak of a document that other people may read on another side.

    No label needs to touch such a document, and what it was on one side it was not on both.
    """
    leaks = [
        _own(side, PerQuestion)
        .select("question_id", doc_id="leaks")
        .explode("doc_id", empty_as_null=False, keep_nulls=False)
        for side in sides
    ]
    leaked = pl.concat(leaks).unique()
    docs = leaked["doc_id"].unique()
    groups: dict[str, set[tuple[str, ...] | None]] = {}
    for folder in {side.folder for side in sides}:
        frozen = read(folder / "freeze", Documents, ["doc_id", "access_groups"])
        known = frozen.filter(pl.col("doc_id").is_in(docs.implode()))
        for doc, names in known.iter_rows():
            groups.setdefault(doc, set()).add(None if names is None else tuple(sorted(names)))
    return {question for question, doc in leaked.iter_rows() if len(groups[doc]) > 1}


def _own(side: Side, table: Table) -> pl.DataFrame:
    rows = read(side.folder / "score", table).filter(system=side.system)
    return rows.with_columns(system=pl.lit(side.name))
