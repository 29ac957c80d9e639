"""Every check of one collection, and what is left of it for the chosen split."""

from dataclasses import dataclass
from typing import Literal

from pipeline.checks.complete import absent, check_repeats, failed, missing_faults
from pipeline.checks.documents import check_documents
from pipeline.checks.ids import Rule
from pipeline.checks.labels import carries_claims, check_labels
from pipeline.checks.questions import check_questions, check_split, in_split
from pipeline.checks.references import References
from pipeline.checks.remarks import citation_notes, claim_notes
from pipeline.checks.report import by_place
from pipeline.checks.responses import Key, check_responses
from pipeline.checks.tables import in_order
from pipeline.contract.errors import Fault
from pipeline.contract.records import Collection, Part, Question, Response


@dataclass(frozen=True)
class Checked:
    """A collection after its checks. Without faults it can be frozen.

    Attributes:
        collection: all of it, as it was read.
        claims: whether the set carries claim labels.
        questions: those of the chosen split, in order of their ids.
        responses: their responses in order of (system, repeat, question), with failed ones
            (line 0) in the place of those missing.
        missing: system, repeat and question of each missing response.
        faults: everything that is wrong, in order of file and line.
        notes: what was accepted and is worth a look.
    """

    collection: Collection
    claims: bool
    questions: Part[Question]
    responses: Part[Response]
    missing: list[Key]
    faults: list[Fault]
    notes: list[str]


def check(
    collection: Collection,
    *,
    claims: bool | Literal["auto"],
    split: str,
    missing: str,
    repeats: int | None,
    rule: Rule,
) -> Checked:
    """Check a collection against the contract and cut it to a split.

    Args:
        collection: what an adapter read, with the faults it met.
        claims: whether the set carries claim labels; `auto`: if any question has some.
        split: `dev`, `heldout` or `all`.
        missing: `refuse` missing responses, or count them as `failed`.
        repeats: how many repeats each system has to have; None: as many as there are.
        rule: the rubric's rule for ids.
    """
    carries = carries_claims(collection.questions, claims)
    chosen = in_split(collection.questions, split)
    gone = absent(collection.responses, [row.question_id for row in chosen.rows])
    documents = References(
        {row.doc_id for row in collection.documents.rows}, collection.documents.lost
    )
    faults = [
        *collection.faults,
        *_faults(collection, documents, carries, rule),
        *check_split(collection.questions, split),
        *check_repeats(collection.responses, repeats),
        *(missing_faults(gone) if missing == "refuse" else ()),
    ]
    return Checked(
        collection,
        carries,
        chosen,
        _of_split(collection.responses, chosen, gone),
        gone,
        by_place(faults),
        [
            *collection.notes,
            *citation_notes(collection.responses, documents),
            *claim_notes(collection.responses, collection.questions),
        ],
    )


def _faults(collection: Collection, documents: References, claims: bool, rule: Rule) -> list[Fault]:
    questions = References(
        {row.question_id for row in collection.questions.rows}, collection.questions.lost
    )
    lengths = {row.doc_id: len(row.text or "") for row in collection.documents.rows}
    return [
        *check_documents(collection.documents, rule),
        *check_questions(collection.questions, rule),
        *check_labels(collection.questions, documents, lengths, claims=claims, rule=rule),
        *check_responses(collection.responses, documents, questions, claims=claims, rule=rule),
    ]


def _of_split(part: Part[Response], questions: Part[Question], gone: list[Key]) -> Part[Response]:
    asked = {row.question_id for row in questions.rows}
    kept: Part[Response] = Part()
    for row, file, line in zip(part.rows, part.files, part.lines, strict=True):
        if row.question_id in asked:
            kept.add(row, file, line)
    return in_order(kept, failed(gone))
