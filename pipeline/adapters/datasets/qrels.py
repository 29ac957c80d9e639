"""Judgements of documents for topics: lines of qrels, and the labels that they make."""

from collections.abc import Iterable
from dataclasses import dataclass

from pipeline.checks.ids import Lookalikes, label, show
from pipeline.contract.errors import Fault
from pipeline.contract.records import Collection, Mark, Question

TREC = ("topic", "0", "document", "grade")
"""The columns of TREC's files; the second means nothing."""


@dataclass(frozen=True)
class Judged:
    """One line: a topic, a document, and how relevant it is; the file is the same for all."""

    topic: str
    doc_id: str
    grade: int
    line: int


@dataclass(frozen=True)
class Columns:
    """How a line is split: what stands in it, and where topic, document and grade do."""

    names: tuple[str, ...]
    separator: str | None
    topic: int
    document: int
    grade: int


def read_qrels(
    text: str, name: str, columns: Columns, collection: Collection, *, head: bool
) -> list[Judged]:
    """Read lines of judgements; a line that is none gives a fault.

    Args:
        text: the file.
        name: what it is called in messages.
        columns: how a line is split.
        collection: takes faults.
        head: whether the first line only names the columns.
    """
    found: list[Judged] = []
    first: dict[tuple[str, str], int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or (head and number == 1):
            continue
        cells = line.split(columns.separator)
        if len(cells) != len(columns.names):
            expected = f"{len(columns.names)} columns: {' '.join(columns.names)}"
            got = f"{len(cells)}: {show(line.strip())}"
            collection.faults.append(Fault(name, number, None, expected, got))
            continue
        topic, document, grade = (
            cells[at].strip() for at in (columns.topic, columns.document, columns.grade)
        )
        where = f"{label(topic)} {label(document)}"
        if not grade.removeprefix("-").isdecimal():
            expected = "a whole number as grade"
            collection.faults.append(Fault(name, number, where, expected, show(grade)))
            continue
        before = first.setdefault((topic, document), number)
        if before != number:
            got = f"another, the first is on line {before}"
            expected = "one judgement a topic and document"
            collection.faults.append(Fault(name, number, where, expected, got))
            continue
        found.append(Judged(topic, document, int(grade), number))
    return found


@dataclass(frozen=True)
class Known:
    """What judgements may name: the topics, the documents, and those that were dropped."""

    topics: frozenset[str]
    documents: frozenset[str]
    dropped: frozenset[str]


def fitting(
    rows: Iterable[Judged], name: str, known: Known, hint: str, collection: Collection
) -> dict[str, list[Judged]]:
    """The judgements of each topic, without those of dropped documents, which are noted.

    A topic or a document that is not known is a fault: of a topic one, however often it occurs.

    Args:
        rows: the judgements.
        name: their file.
        known: what they may name.
        hint: how topics are called, in words.
        collection: takes faults and notes.
    """
    by_topic: dict[str, list[Judged]] = {}
    strange: dict[str, list[int]] = {}
    gone = []
    near = Lookalikes(known.documents)
    for row in rows:
        if row.topic not in known.topics:
            strange.setdefault(row.topic, []).append(row.line)
        elif row.doc_id in known.dropped:
            gone.append(
                f"topic {label(row.topic)}, document {label(row.doc_id)}, grade {row.grade}"
            )
        elif row.doc_id not in known.documents:
            got = show(row.doc_id) + near.hint(row.doc_id)
            fault = Fault(name, row.line, label(row.topic), "a document of the corpus", got)
            collection.faults.append(fault)
        else:
            by_topic.setdefault(row.topic, []).append(row)
    for topic, lines in strange.items():
        got = f"{show(topic)}, on {len(lines)} line(s)"
        collection.faults.append(Fault(name, lines[0], None, f"a topic {hint}", got))
    if gone:
        note = f"{name}: {len(gone)} judgement(s) of dropped documents left out: {'; '.join(gone)}"
        collection.notes.append(note)
    return by_topic


def asked(topic: str, text: str, rows: list[Judged] | None, relevant_from: int) -> Question:
    """The question with its judgements as labels; None: nobody judged anything for it.

    Relevant is what is graded `relevant_from` or higher, and the grade is its gain; any other
    document judged is kept with grade 0.
    """
    if rows is None:
        return Question(topic, text)
    marks = [
        Mark(row.doc_id, grade=float(row.grade) if row.grade >= relevant_from else 0.0)
        for row in rows
    ]
    return Question(
        topic,
        text,
        relevant=[row.doc_id for row in rows if row.grade >= relevant_from],
        evidence=marks,
    )


def grade_notes(
    judged: dict[str, list[Judged]], topics: int, relevant_from: int, name: str
) -> list[str]:
    """What was made of the grades, and how many topics have none."""
    grades = [row.grade for rows in judged.values() for row in rows]
    counts = ", ".join(f"{grade}: {grades.count(grade):,}" for grade in sorted(set(grades)))
    notes = [f"{name}: judgements by grade {counts or 'none'}; relevant from {relevant_from}"]
    flattened = sum(0 < grade < relevant_from for grade in grades)
    if flattened:
        notes.append(f"{name}: {flattened:,} grades above 0 below that count as 0")
    unjudged = topics - len(judged)
    if unjudged:
        notes.append(f"{name}: {unjudged:,} topics without a judgement are not labelled")
    return notes
