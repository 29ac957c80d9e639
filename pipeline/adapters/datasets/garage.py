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

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

from msgspec.structs import replace

from pipeline.adapters.datasets.annotated import Row, citations, misshapen
from pipeline.adapters.datasets.decode import Reader
from pipeline.adapters.datasets.folder import one_file
from pipeline.adapters.datasets.readings import Rules, claims_of, documents
from pipeline.checks.ids import label
from pipeline.checks.responses import name as title
from pipeline.contract.errors import Fault
from pipeline.contract.records import Collection, Response, Verdict, Version

OFFICIAL = "419e3941f6e8eb4082a74ca2140c1f9337f8b467ff76656a6b8b0290ca3f3a72"
"""SHA-256 of the file as it was published: 2,366 questions, 35,351 passages."""

LICENCE = "CC-BY-NC-4.0"
LIMITS = (
    "limits of GaRAGe: a model as judge may be biased, the private sources are public "
    "stand-ins, English only, the age of a passage is relative"
)
SYSTEM = "human"
RESPONSE = ("system", "repeat", "question_id")


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
        responses: a file of answers of other systems, one record a line as in the jsonl
            format; null: none. One that names neither passages nor claims saw all passages
            in order, and cites by `[cite_n]`.
        verdicts: a file of rulings on any of the answers, one record a line; null: none.
    """

    path: str
    deflection: Literal["not_validated", "no_answering_passage", "no_relevant_passage"]
    gold: Literal["relevant", "cited"]
    related: bool
    unlabelled: Literal["irrelevant", "relevant", "not_labelled"]
    factuality: Literal["all", "sufficient"]
    responses: str | None
    verdicts: str | None

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
        collection.notes.append(LIMITS)
        building = _Building(self, collection)
        lost = collection.questions.lost
        Reader(Row, ("sample_id",)).read(file, file.name, collection, building.add, lost)
        self._add(self.responses, Response, building.reply, collection.responses.lost, collection)
        verdicts = collection.verdicts
        self._add(self.verdicts, Verdict, verdicts.add, verdicts.lost, collection)
        collection.notes += building.remarks()
        return collection

    def _add(
        self,
        given: str | None,
        kind: type[Any],
        accept: Callable[[Any, str, int], None],
        lost: set[str | tuple[str, ...]],
        collection: Collection,
    ) -> None:
        """Read a file of more records, if one is given."""
        if given is None:
            return
        word = f"{kind.__name__.lower()}s"
        file = one_file(given, f"one {kind.__name__.lower()} a line", key=word)
        Reader(kind, RESPONSE, title).read(file, file.name, collection, accept, lost)


class _Building:
    """The collection as it grows, row by row."""

    def __init__(self, how: Garage, collection: Collection) -> None:
        self.rules = Rules(how.deflection, how.gold, how.related, how.unlabelled)
        self.sufficient_only = how.factuality == "sufficient"
        self.collection = collection
        self.passages: dict[str, list[str]] = {}
        self.beyond = self.odd = 0

    def add(self, row: Row, file: str, line: int) -> None:
        """Turn a row into its documents, question, response and verdict, or into faults."""
        found = list(misshapen(row))
        if found:
            title = label(row.sample_id)
            self.collection.faults += [Fault(file, line, title, *fault) for fault in found]
            self.collection.questions.lost.add(row.sample_id)
            return
        passages = documents(row, self.rules)
        self.passages[row.sample_id] = [passage.doc_id for passage in passages]
        for passage in passages:
            self.collection.documents.add(passage, file, line)
        self.collection.questions.add(self.rules.question(row, self.sufficient_only), file, line)
        response = Response(system=SYSTEM, question_id=row.sample_id, answer=row.answer_generate)
        self.reply(response, file, line)
        deflects = "No" if row.answer_generate.strip() else "Yes"
        verdict = Verdict(SYSTEM, row.sample_id, "deflection", label=deflects)
        self.collection.verdicts.add(verdict, file, line)

    def reply(self, response: Response, file: str, line: int) -> None:
        """Add a response; what it does not state of passages and citations is filled in."""
        id_, answer = response.question_id, response.answer
        shown = self.passages.get(id_)
        if response.retrieved is None and response.delivered is None and shown is not None:
            response = replace(response, retrieved=shown, delivered=shown)
        if response.claims is None and answer is not None:
            response = replace(response, claims=claims_of(id_, answer))
            self.beyond += sum(n > len(shown or ()) for n in citations(answer))
            self.odd += "cite_" in _unmarked(answer)
        self.collection.responses.add(response, file, line)

    def remarks(self) -> list[str]:
        """What is odd in the answers, but no fault."""
        found = {
            "citations of passages that their question lacks": self.beyond,
            "answers with a cite_ that is no mark [cite_n]": self.odd,
        }
        return [f"{count:,} {what}" for what, count in found.items() if count]


def _unmarked(answer: str) -> str:
    for number in citations(answer):
        answer = answer.replace(f"[cite_{number}]", "")
    return answer
