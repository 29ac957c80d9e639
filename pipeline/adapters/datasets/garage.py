"""GaRAGe: questions with their own passages, each labelled by people, and human answers.

One JSON object a line. Passage n of a question is the document `<sample_id>/<n>`, its text as
the file has it. The human answers are the recorded system `human`: it saw all passages in
order, and its answer is one claim with the citations of its `[cite_n]` marks. A mark of a
passage that the question lacks is a citation of a document that nobody has, so a wrong one.

What the labels say about a question stands in its attributes, by which results are sliced;
`grounding` (sufficient, insufficient) says whether to deflect is the wrong or the right thing.
The human answer deflects where `answer_generate` is empty: the people who wrote no answer
found none in the passages. That is kept as a verdict, as a judge's ruling would be.

Source: Sorodoc et al. 2025, "GaRAGe: A Benchmark with Grounding Annotations for RAG
Evaluation", Findings of ACL 2025, arXiv 2506.07671.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from pipeline.adapters.datasets.annotated import (
    TEMPO,
    Row,
    Rules,
    citations,
    misshapen,
    provider,
)
from pipeline.adapters.datasets.decode import Reader
from pipeline.adapters.datasets.folder import one_file
from pipeline.checks.ids import label
from pipeline.checks.texts import dated
from pipeline.contract.errors import Fault
from pipeline.contract.records import (
    Claim,
    Collection,
    Document,
    Question,
    Response,
    Verdict,
    Version,
)

OFFICIAL = "419e3941f6e8eb4082a74ca2140c1f9337f8b467ff76656a6b8b0290ca3f3a72"
"""SHA-256 of the file as it was published: 2,366 questions, 35,351 passages."""

LICENCE = "CC-BY-NC-4.0"
SYSTEM = "human"


@dataclass(frozen=True)
class Garage:
    """Reads one file in GaRAGe's layout.

    Attributes:
        path: the file.
        deflection: which questions have insufficient grounding: those whose
            `answer_validate` is not YES; those without a passage that is
            ANSWER-THE-QUESTION; or those without one that `evidence_relevant` calls YES.
        gold: what an answer should cite: the relevant passages, or those that the human
            answer cites.
        related: whether a relevant passage with RELATED-INFORMATION counts as relevant. An
            outdated one never does.
        unlabelled: what a passage without a label is; `not_labelled`: nobody knows, so that
            its question has no gold set.
        factuality: the questions that eligibility and factuality are over: all of them, or
            those with sufficient grounding.
    """

    path: str
    deflection: Literal["not_validated", "no_answering_passage", "no_relevant_passage"]
    gold: Literal["relevant", "cited"]
    related: bool
    unlabelled: Literal["irrelevant", "relevant", "not_labelled"]
    factuality: Literal["all", "sufficient"]

    def load(self) -> Collection:
        """Read the file, noting each fault.

        Raises:
            DataError: there is no such file.
        """
        file = one_file(self.path, "one question of GaRAGe a line")
        official = sha256(file.read_bytes()).hexdigest() == OFFICIAL
        about = Version(name="garage", licence=LICENCE if official else None)
        collection = Collection(corpus=about, question_set=about)
        known = "the published file" if official else "not the published file"
        collection.notes.append(f"{file.name}: {known}, by its SHA-256")
        building = _Building(self, collection)
        lost = collection.questions.lost
        Reader(Row, ("sample_id",)).read(file, file.name, collection, building.add, lost)
        collection.notes += building.remarks(file.name)
        return collection


class _Building:
    """The collection as it grows, row by row."""

    def __init__(self, how: Garage, collection: Collection) -> None:
        self.rules = Rules(how.deflection, how.gold, how.related, how.unlabelled)
        self.sufficient_only = how.factuality == "sufficient"
        self.collection = collection
        self.beyond = self.odd = 0

    def add(self, row: Row, file: str, line: int) -> None:
        """Turn a row into its documents, question, response and verdict, or into faults."""
        found = list(misshapen(row))
        if found:
            title = label(row.sample_id)
            self.collection.faults += [Fault(file, line, title, *fault) for fault in found]
            self.collection.questions.lost.add(row.sample_id)
            return
        cited = citations(row.answer_generate)
        self.beyond += sum(number > len(row.grounding) for number in cited)
        self.odd += "cite_" in _unmarked(row.answer_generate)
        for document in _documents(row):
            self.collection.documents.add(document, file, line)
        self.collection.questions.add(self._question(row), file, line)
        self.collection.responses.add(_response(row, cited), file, line)
        deflects = "No" if row.answer_generate.strip() else "Yes"
        verdict = Verdict(SYSTEM, row.sample_id, "deflection", label=deflects)
        self.collection.verdicts.add(verdict, file, line)

    def remarks(self, file: str) -> list[str]:
        """What is odd in the file, but no fault."""
        found = {
            "citations of passages that their question lacks": self.beyond,
            "human answers with a cite_ that is no mark [cite_n]": self.odd,
        }
        return [f"{file}: {count:,} {what}" for what, count in found.items() if count]

    def _question(self, row: Row) -> Question:
        gold = self.rules.gold_set(row)
        insufficient = self.rules.insufficient(row)
        attributes: dict[str, str | int | float | bool] = {
            "temporal_dynamism": TEMPO[row.question_type],
            "complexity": row.question_complexity,
            "popularity": row.question_popularity,
            "domain": row.question_category,
            "provider": provider(row),
            "relevant_share": self.rules.band(row),
            "grounding": "insufficient" if insufficient else "sufficient",
        }
        if self.sufficient_only and insufficient:
            attributes["factuality"] = "left out"
        return Question(
            row.sample_id,
            row.question,
            relevant=None if gold is None else [_id(row, at) for at in gold],
            attributes={key: value for key, value in attributes.items() if value != ""},
            asked_at=row.question_date if dated(row.question_date) else None,
        )


def _id(row: Row, at: int) -> str:
    return f"{row.sample_id}/{at + 1}"


def _unmarked(answer: str) -> str:
    for number in citations(answer):
        answer = answer.replace(f"[cite_{number}]", "")
    return answer


def _documents(row: Row) -> list[Document]:
    """The passages with what people said of each; what is empty is left out."""
    found = []
    for at, passage in enumerate(row.grounding):
        date = str(passage["date"] or "")
        facts = {
            "age": passage["age"],
            "date": "" if dated(date) else date,
            "evidence_relevant": row.evidence_relevant[at],
            "evidence_correct": row.evidence_correct[at],
            "evidence_cited": row.evidence_cited[at],
        }
        document = Document(
            _id(row, at),
            str(passage[f"cite_{at + 1}"]),
            date=date if dated(date) else None,
            provider=str(passage["provider"]),
            attributes={
                key: value for key, value in facts.items() if value is not None and value != ""
            },
        )
        found.append(document)
    return found


def _response(row: Row, cited: list[int]) -> Response:
    ids = [_id(row, at) for at in range(len(row.grounding))]
    claim = Claim("answer", [_id(row, number - 1) for number in cited])
    return Response(
        system=SYSTEM,
        question_id=row.sample_id,
        retrieved=ids,
        delivered=ids,
        claims=[claim] if row.answer_generate.strip() else [],
        answer=row.answer_generate,
    )
