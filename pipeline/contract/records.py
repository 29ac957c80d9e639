"""People's data as it stands in their files, before anything becomes a code.

The field names are those of the `jsonl` format; every other adapter builds the same
records. A field that may be absent has a default; None always means "not stated".
Records are hashed as JSON without the fields that are at their default, so that a
field added later leaves the hash of older data as it was.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pipeline.contract.errors import Fault
from pipeline.contract.shelf import Shelf

Scalar = str | int | float | bool


class Document(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One document of the corpus. `text` or `text_file` (a file below the set's folder)."""

    doc_id: str
    text: str | None = None
    text_file: str | None = None
    version: str | None = None
    title: str | None = None
    date: str | None = None
    provider: str | None = None
    access_groups: list[str] | None = None
    attributes: dict[str, Scalar] = {}


class Mark(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One piece of evidence as one annotator marked it; offsets count code points.

    `quote` is the text at the span as the annotator saw it: where another text stands there
    now, the label no longer holds.
    """

    doc_id: str
    claim_id: str | None = None
    annotator: str | None = None
    grade: float | None = None
    start: int | None = None
    end: int | None = None
    quote: str | None = None


class Question(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One question with its labels.

    `relevant` and `support` are labels that somebody has settled. Where they are absent,
    the labels are the votes in `evidence` by `annotators`, and may be in dispute; where
    all three are absent the question is not labelled. `judged` holds the documents that
    people looked at when they labelled it; absent: the whole corpus.
    """

    question_id: str
    text: str
    relevant: list[str] | None = None
    support: dict[str, list[str]] | None = None
    claims: dict[str, str] | None = None
    evidence: list[Mark] | None = None
    annotators: list[str] | None = None
    judged: list[str] | None = None
    split: Literal["dev", "heldout"] | None = None
    attributes: dict[str, Scalar] = {}
    caller_groups: list[str] | None = None
    asked_at: str | None = None
    content_note: str | None = None


class Claim(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One claim of an answer and the documents it cites."""

    claim_id: str
    citations: list[str]
    text: str | None = None


class Spent(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What one response used; absent is not recorded, never 0."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None


class Response(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One recorded output of one system for one question (and repeat)."""

    system: str
    question_id: str
    repeat: int = 1
    retrieved: Sequence[str] | None = None
    scores: list[float] | None = None
    delivered: Sequence[str] | None = None
    claims: list[Claim] | None = None
    answer: str | None = None
    status: Literal["ok", "failed"] = "ok"
    error: str | None = None
    usage: Spent | None = None
    latency_s: float | None = None
    attempts: int | None = None


def shelved(response: Response, shelf: Shelf) -> Response:
    """The same response, its lists of documents held as codes: of these there are millions."""
    retrieved, delivered = response.retrieved, response.delivered
    return replace(
        response,
        retrieved=None if retrieved is None else shelf.put(list(retrieved)),
        delivered=None if delivered is None else shelf.put(list(delivered)),
    )


class Verdict(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What somebody ruled on one item of a response: a claim against a text.

    Kinds of entailment, whose labels are Entailment, Neutral and Contradiction:
    `answer_to_reference`, a claim of the answer against the reference answer;
    `reference_to_answer`, a claim of the reference answer against the answer;
    `answer_to_passage` and `reference_to_passage`, such a claim against the passage that
    stands at index `against` of the delivered context. The first two have a row without an
    item too, which says that the text was looked at, whether or not claims were found in it.

    Kinds of an answer's grounding. Without an item, Yes or No: `deflection`, whether the
    answer declines to answer; `eligibility`, whether it addresses what is asked for. With a
    sentence of the answer as item, Supported, Unsupported, Contradictory or No claim:
    `factual_relevant` against the relevant passages, `factual_all` against all of them; a row
    without an item says that the answer was looked at, also where it holds no sentence or
    deflects.

    Kinds of a model or of people that judge, Yes or No: `deflection` and `eligibility` as
    above; `expected`, whether a claim is one that the question expects, with its words;
    `supported`, whether the passage at `against` supports it. `judge_failed` of the whole
    answer has no label: its text says why no ruling came; rows of the whole answer without a
    label say what was asked for.
    """

    system: str
    question_id: str
    kind: str
    repeat: int = 1
    item: int | None = None
    against: int | None = None
    label: str | None = None
    text: str | None = None


Row = TypeVar("Row")


@dataclass
class Part(Generic[Row]):
    """The rows of one kind with where each came from (`files[i]`, line `lines[i]`).

    `lost` holds the ids of rows that were refused while they were read, so that no check
    complains of every reference to them: a text, or a tuple of the texts that name the row.
    """

    rows: list[Row] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    lost: set[str | tuple[str, ...]] = field(default_factory=set)

    def add(self, row: Row, file: str, line: int) -> None:
        """Append one row with its place."""
        self.rows.append(row)
        self.files.append(file)
        self.lines.append(line)

    def at(self, places: list[int]) -> "Part[Row]":
        """The rows at some places, in that order."""
        rows, files, lines = self.rows, self.files, self.lines
        return Part(
            [rows[i] for i in places], [files[i] for i in places], [lines[i] for i in places],
            self.lost,
        )  # fmt: skip


class Version(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a set says about its corpus or its questions; all of it optional."""

    name: str | None = None
    version: str | None = None
    licence: str | None = None
    authorisation: str | None = None
    retention: str | None = None
    note: str | None = None


@dataclass
class Collection:
    """Everything an adapter read from one set, and every fault it met while reading.

    `stale` says what becomes of labels that do not hold for this corpus (a quote that does
    not stand at its span, a document that is gone): they are refused, or the questions
    concerned are not labelled. `order` says what recorded rankings go by: the lists as they
    stand, or scores alone, falling, then ids rising.
    """

    documents: Part[Document] = field(default_factory=Part)
    questions: Part[Question] = field(default_factory=Part)
    responses: Part[Response] = field(default_factory=Part)
    verdicts: Part[Verdict] = field(default_factory=Part)
    corpus: Version = field(default_factory=Version)
    question_set: Version = field(default_factory=Version)
    notes: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    stale: Literal["refuse", "exclude"] = "refuse"
    order: Literal["list", "scores"] = "list"
