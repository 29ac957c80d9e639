"""Check everything that people hand in, and freeze it as coded tables with content hashes.

Reads   the data set, through its adapter; data/versions, what was frozen before
Writes  freeze/documents, questions, claims, relevance, support, looked_at, evidence,
        responses, verdicts, freeze/manifest.json; the version file of a name and version
        frozen for the first time
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.checks.collection import Checked, check
from pipeline.checks.complete import compared
from pipeline.checks.delivered import check_recorded
from pipeline.checks.documents import document_table
from pipeline.checks.ids import label
from pipeline.checks.looked_at import looked_at_table, thin_notes
from pipeline.checks.questions import question_table
from pipeline.checks.reach import check_overlap
from pipeline.checks.report import by_place
from pipeline.checks.tables import Labelled, label_tables, response_table
from pipeline.checks.verdicts import verdict_table
from pipeline.contract.errors import DataError, Fault
from pipeline.contract.files import remove, replacing, write_json
from pipeline.contract.ports import Dataset
from pipeline.contract.tables import (
    Claims,
    Documents,
    Evidence,
    LookedAt,
    Questions,
    Relevance,
    Responses,
    Support,
    Table,
    Verdicts,
    write,
)
from pipeline.manifest import content
from pipeline.manifest.agreement import agreement
from pipeline.manifest.freeze import count, freeze_manifest, named, recorded
from pipeline.manifest.versions import Frozen, conflict, register, remedy
from pipeline.settings import QuestionSet, Rubric, Versioned, describe

Tables = list[tuple[Table, pl.DataFrame]]

OVERLAP = "by it no chunk would be relevant: give a smaller rubric.overlap"

NAMED = 40
"""Questions without labels that the line on what was frozen names; the manifest has all."""


@dataclass(frozen=True)
class Ready:
    """What is left to write, when all of it is good."""

    tables: Tables
    manifest: dict[str, Any]
    sets: list[Frozen]
    line: str


def run(
    data: Path,
    *,
    dataset: Dataset,
    corpus: Versioned,
    question_set: QuestionSet,
    split: str,
    missing: str,
    repeats: int | None,
    rubric: Rubric,
) -> str:
    """Freeze the data set; return one line on what was frozen.

    Raises:
        DataError: with every fault of the data, or when a version that was frozen before
            has other content now.
        ConfigError: a name or version cannot be used.
    """
    remove(data / "freeze")
    with uncollected():
        ready = _ready(dataset, corpus, question_set, split, missing, repeats, rubric)
    with replacing(data / "freeze") as folder:
        for table, frame in ready.tables:
            write(folder, table, frame)
        write_json(folder / "manifest.json", ready.manifest)
    for one in ready.sets:
        register(one)
    return ready.line


def examine(
    dataset: Dataset,
    *,
    corpus: Versioned,
    question_set: QuestionSet,
    split: str,
    missing: str,
    repeats: int | None,
    rubric: Rubric,
    cutoff: int | None,
    recorded: bool = False,
    baseline: str | None = None,
    also: Callable[[dict[str, pl.DataFrame]], None] | None = None,
) -> tuple[list[Fault], dict[str, str]]:
    """Say whether a data set could be frozen and scored at a cutoff; write nothing.

    With `recorded` its responses are what is scored: there have to be some, and the
    `baseline` has to be one of their systems. Where there are no faults, `also` is given the
    tables that would be frozen, by name, to look for more.

    Returns:
        Every fault, in order of file and line; and, in words, what there is.

    Raises:
        DataError: a file is not there.
        ConfigError: a name or version cannot be used.
    """
    with uncollected():
        wanted = repeats if recorded else None
        checked = _checked(dataset, question_set, split, missing, wanted, rubric)
        faults = checked.faults + check_recorded(checked.responses, cutoff)
        if recorded and not checked.faults:
            faults += compared(checked.responses.rows, baseline)
        if not checked.faults:
            faults += check_overlap(checked.questions.rows, rubric.overlap)
        sets = _sets(checked, corpus, question_set) if not checked.faults else []
        faults += filter(None, map(conflict, sets))
        if also is not None and not faults:
            also({table.name: frame for table, frame in _tables(checked)[0]})
    named_sets = {one.kind.replace("_", " "): f"{one.name} {one.title}" for one in sets}
    thin = thin_notes(checked.questions.rows, checked.responses.rows, cutoff) if recorded else []
    notes = {f"note {i}": note for i, note in enumerate([*checked.notes, *thin], 1)}
    return by_place(faults), {**named_sets, "found": _line(checked), **notes}


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep Python's collector from walking millions of records that are no garbage."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _ready(
    dataset: Dataset, corpus: Versioned, question_set: QuestionSet,
    split: str, missing: str, repeats: int | None, rubric: Rubric,
) -> Ready:  # fmt: skip
    # whether recorded repeats are as many as set counts where they are answered from
    checked = _checked(dataset, question_set, split, missing, None, rubric)
    if checked.faults:
        raise DataError(checked.faults, remedy=_remedy(checked, dataset))
    if unreached := check_overlap(checked.questions.rows, rubric.overlap):
        raise DataError(unreached, remedy=OVERLAP)
    sets = _sets(checked, corpus, question_set)
    if conflicts := [(fault, one) for one in sets if (fault := conflict(one))]:
        faults, refused = zip(*conflicts, strict=True)
        raise DataError(faults, remedy="\n".join(map(remedy, refused)))
    settings = {
        "dataset": describe(dataset), "split": split, "missing_policy": missing,
        "repeats": repeats, "rubric_ids": rubric.ids,
    }  # fmt: skip
    tables, manifest = _frozen(checked, sets, settings)
    return Ready(tables, manifest, sets, _line(checked))


def _checked(
    dataset: Dataset, question_set: QuestionSet, split: str, missing: str,
    repeats: int | None, rubric: Rubric,
) -> Checked:  # fmt: skip
    return check(
        dataset.load(),
        claims=question_set.claims,
        split=split,
        missing=missing,
        repeats=repeats,
        rule=rubric.ids,
    )


def _sets(checked: Checked, corpus: Versioned, question_set: Versioned) -> list[Frozen]:
    """The corpus and the question set, all splits, as they are hashed and versioned."""
    whole = checked.collection
    documents = content.documents(whole.documents.rows)
    questions = content.questions(whole.questions.rows)
    return [
        named(
            "corpus", corpus, whole.corpus, [row.doc_id for row in documents], documents
        ),
        named(
            "question_set", question_set, whole.question_set,
            [row.question_id for row in questions], questions,
        ),
    ]  # fmt: skip


def _frozen(
    checked: Checked, sets: list[Frozen], settings: dict[str, Any]
) -> tuple[Tables, dict[str, Any]]:
    whole = checked.collection
    tables, labelled = _tables(checked)
    questions, labels = tables[1][1], labelled.labels
    manifest = freeze_manifest(
        corpus=sets[0],
        question_set=sets[1],
        claims=checked.claims,
        counts=count(whole.questions, questions, labels.relevance, labels.support, labels.claims),
        agreement=agreement(questions, labelled.marks, labelled.candidates),
        hashes=content.hashes(
            content.documents(whole.documents.rows), content.questions(checked.questions.rows)
        ),
        responses=recorded(checked.responses, checked.verdicts, whole.order),
        settings=settings,
        notes=checked.notes,
    )
    return tables, manifest


def _tables(checked: Checked) -> tuple[Tables, Labelled]:
    """The tables to freeze, those of documents and questions first, and the votes behind them."""
    documents = document_table(checked.collection.documents)
    questions = question_table(checked.questions)
    labelled = label_tables(checked.questions, questions, documents, claims=checked.claims)
    labels = labelled.labels
    tables: Tables = [
        (Documents, documents),
        (Questions, questions),
        (Claims, labels.claims),
        (Relevance, labels.relevance),
        (Support, labels.support),
        (LookedAt, looked_at_table(checked.questions.rows, documents)),
        (Evidence, labels.evidence),
        (Responses, response_table(checked.responses, checked.rankings, questions)),
        (Verdicts, verdict_table(checked.verdicts, questions)),
    ]
    return tables, labelled


def _line(checked: Checked) -> str:
    responses = checked.responses.rows
    systems = len({row.system for row in responses})
    brought = f", {len(responses):,} responses of {systems} systems" if responses else ""
    ruled = len(checked.verdicts.rows)
    brought += f", {ruled:,} verdicts" if ruled else ""
    return (
        f"{len(checked.collection.documents.rows):,} documents, "
        f"{len(checked.questions.rows):,} questions{brought}{_left_out(checked)}"
    )


def _left_out(checked: Checked) -> str:
    """Name the questions that are not labelled because their labels do not hold."""
    ids = sorted(checked.stale) if checked.collection.stale == "exclude" else []
    if not ids:
        return ""
    more = f" and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
    names = ", ".join(map(label, ids[:NAMED]))
    return f"; labels of {len(ids):,} questions do not hold and are left out: {names}{more}"


def _remedy(checked: Checked, dataset: Dataset) -> str:
    """What to do about refused labels, where the adapter can leave them out."""
    if not checked.stale or "stale" not in describe(dataset):
        return ""
    return (
        "mend the lines named above, or leave these questions without labels: "
        "dataset.stale=exclude; nothing was scored"
    )
