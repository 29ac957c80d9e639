"""The scored rows of several sides as one frame, whatever folders they lie in."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from pipeline.comparison.common import Common, common, digests
from pipeline.comparison.comparable import BY_QUESTION, FROZEN, demand, listed
from pipeline.comparison.cutoffs import Cutoffs, cutoffs_of, rankings
from pipeline.contract.errors import IncomparableError
from pipeline.contract.results import Judged, PerQuestion, Ranked
from pipeline.contract.sides import Side
from pipeline.contract.tables import Documents, Questions, Table, read
from pipeline.contract.veil import shown

WHOLE = [part for part, word in FROZEN.items() if word in BY_QUESTION]
"""Parts that hold all questions, their labels and texts, and who may read them."""


@dataclass(frozen=True)
class Gathered:
    """What is compared.

    Attributes:
        values: PerQuestion of all sides; `system` is the side's name.
        judged: Judged of all sides, likewise.
        attributes: (question_id, attributes) of the questions, for slices: the baseline's, or
            those of the first side that keeps them where the baseline keeps hashes.
        common: which questions are the same; None where the sides agree as wholes.
        ranked: Ranked of the sides that were asked for cutoffs.
        cutoffs: those of each side, and which of them are compared.
    """

    values: pl.DataFrame
    judged: pl.DataFrame
    attributes: pl.DataFrame
    common: Common | None
    ranked: pl.DataFrame = field(default_factory=Ranked.empty)
    cutoffs: Cutoffs = field(default_factory=lambda: Cutoffs({}))


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
    questions = _attributes(sides)
    frames = [[_own(side, table) for side in sides] for table in (PerQuestion, Judged)]
    tables = [*(pl.concat(kind) for kind in frames), questions, rankings(sides)]
    if shared is not None:
        kept = pl.col("question_id").is_in(shared.questions)
        tables = [table.filter(kept) for table in tables]
    values, judged, attributes, ranked = tables
    return Gathered(values, judged, attributes, shared, ranked, cutoffs_of(sides))


def _shared(baseline: Side, candidates: Sequence[Side]) -> Common:
    """The questions that are the same on every side; the reasons of the first that differs."""
    before = digests(baseline.folder / "freeze")
    same, left_out = sorted(before), dict[str, str]()
    folders = dict.fromkeys(side.folder for side in candidates if side.folder != baseline.folder)
    for folder in folders:
        parts = next(side.parts for side in candidates if side.folder == folder)
        if all(baseline.parts.get(part) == parts.get(part) for part in WHOLE):
            continue  # the texts may be withheld on either side
        _readable([baseline.folder, folder])
        found = common(before, digests(folder / "freeze"))
        left_out = found.left_out | left_out
        same = [question for question in same if question in set(found.questions)]
    hidden = _hidden([baseline, *candidates])
    left_out = dict.fromkeys(hidden.intersection(same), "permissions") | left_out
    same = [question for question in same if question not in hidden]
    if not same:
        reasons = Counter(left_out.values()).most_common()
        counts = ", ".join(f"{count:,} ({reason})" for reason, count in reasons)
        raise IncomparableError(
            f"--common: expected questions that are the same on all sides, got none; left out: "
            f"{counts}; compare runs on one question set, or on versions of one"
        )
    return Common(same, left_out)


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


def _readable(folders: Sequence[Path]) -> None:
    """Refuse to look for equal questions where their texts were not kept, or not alike."""
    kept = [shown(read(folder / "freeze", Questions, ["text"])["text"]) for folder in folders]
    if "ids" in kept or len(set(kept)) > 1:
        raise IncomparableError(
            "--common: expected the texts of the questions on both sides, got tracker.content="
            f"{' and '.join(dict.fromkeys(kept))}; score that side again, or take it from data/"
        )


def _attributes(sides: Sequence[Side]) -> pl.DataFrame:
    tables = [
        read(folder / "freeze", Questions, ["question_id", "text", "attributes"])
        for folder in dict.fromkeys(side.folder for side in sides)
    ]
    kept = next((one for one in tables if shown(one["text"]) != "ids"), tables[0])
    return kept.select("question_id", "attributes")


def _own(side: Side, table: Table) -> pl.DataFrame:
    rows = read(side.folder / "score", table).filter(system=side.system)
    return rows.with_columns(system=pl.lit(side.name))
