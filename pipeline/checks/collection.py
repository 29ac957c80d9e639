"""Every check of one collection, and what is left of it for the chosen split."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pipeline.checks.complete import absent, check_repeats, failed, missing_faults
from pipeline.checks.documents import check_documents
from pipeline.checks.ids import Rule
from pipeline.checks.labels import carries_claims, check_labels
from pipeline.checks.questions import check_questions, check_split, in_split
from pipeline.checks.references import References
from pipeline.checks.remarks import citation_notes, claim_notes
from pipeline.checks.report import by_place
from pipeline.checks.responses import Key, Rankings, check_responses, code_rankings
from pipeline.checks.stale import Stale, stale_notes, stale_questions, without_labels
from pipeline.checks.tables import in_order
from pipeline.checks.verdicts import check_verdicts, of_questions
from pipeline.contract.errors import Fault
from pipeline.contract.records import Collection, Part, Question, Response, Verdict


@dataclass(frozen=True)
class Checked:
    """A collection after its checks. Without faults it can be frozen.

    Attributes:
        collection: all of it, as it was read.
        claims: whether the set carries claim labels.
        questions: those of the chosen split, in order of their ids.
        responses: their responses in order of (system, repeat, question), with failed ones
            (line 0) in the place of those missing.
        rankings: of the responses that are not missing, on the codes of the sorted corpus.
        verdicts: recorded ones on these responses, in order of what names them.
        missing: system, repeat and question of each missing response.
        faults: everything that is wrong, in order of file and line.
        notes: what was accepted and is worth a look.
        stale: what of each question's labels does not hold for this corpus, by its id; of
            the chosen split. Where they are not refused these questions have no labels.
    """

    collection: Collection
    claims: bool
    questions: Part[Question]
    responses: Part[Response]
    rankings: Rankings
    verdicts: Part[Verdict]
    missing: list[Key]
    faults: list[Fault]
    notes: list[str]
    stale: Stale


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
    everything = in_order(collection.responses, [])
    documents = References(
        {row.doc_id for row in collection.documents.rows}, collection.documents.lost
    )
    rankings = code_rankings(everything.rows, sorted(documents.known))
    questions = References(
        {row.question_id for row in collection.questions.rows}, collection.questions.lost
    )
    texts = {row.doc_id: row.text or "" for row in collection.documents.rows}
    stale = stale_questions(collection.questions, documents, texts)
    left_out = stale if collection.stale == "exclude" else {}
    labels = without_labels(collection.questions, left_out)
    chosen = in_split(labels, split)
    gone = absent(collection.responses, [row.question_id for row in chosen.rows])
    faults = [
        *collection.faults,
        *check_documents(collection.documents, rule),
        *check_questions(collection.questions, rule),
        *check_labels(labels, documents, texts, claims=carries, rule=rule),
        *check_responses(everything, rankings, documents, questions, claims=carries, rule=rule),
        *check_verdicts(collection.verdicts, collection.responses),
        *check_split(collection.questions, split),
        *check_repeats(collection.responses, repeats),
        *(missing_faults(gone) if missing == "refuse" else ()),
    ]
    asked = {row.question_id for row in chosen.rows}
    kept = np.array([row.question_id in asked for row in everything.rows], np.bool_)
    return Checked(
        collection,
        carries,
        chosen,
        in_order(everything.at(np.flatnonzero(kept).tolist()), failed(gone)),
        rankings if kept.all() else rankings.only(kept),
        of_questions(collection.verdicts, asked),
        gone,
        by_place(faults),
        [
            *collection.notes,
            *citation_notes(collection.responses, documents),
            *claim_notes(collection.responses, collection.questions),
            *stale_notes({id_: why for id_, why in left_out.items() if id_ in asked}),
        ],
        {id_: why for id_, why in stale.items() if id_ in asked},
    )
