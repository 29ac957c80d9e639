"""The scored rows of several sides as one frame, whatever folders they lie in."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from pipeline.comparison.common import Common, common, digests
from pipeline.comparison.comparable import demand, listed
from pipeline.contract.errors import IncomparableError
from pipeline.contract.results import Judged, PerQuestion
from pipeline.contract.sides import Side
from pipeline.contract.tables import Questions, Table, read


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
    if not same:
        reasons = Counter(left_out.values()).most_common()
        counts = ", ".join(f"{count:,} ({reason})" for reason, count in reasons)
        raise IncomparableError(
            f"--common: expected questions that are the same on all sides, got none; left out: "
            f"{counts}; compare runs on one question set, or on versions of one"
        )
    return Common(same, left_out)


def _own(side: Side, table: Table) -> pl.DataFrame:
    rows = read(side.folder / "score", table).filter(system=side.system)
    return rows.with_columns(system=pl.lit(side.name))
