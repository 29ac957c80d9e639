"""CLAPNQ's annotated files: long answers to real questions, with the sentences they rest on.

Each question comes with one passage of Wikipedia. People chose the sentences that answer it,
alone or two together, and wrote an answer. Here a passage is a document, a sentence that was
chosen is a claim (`s3`: the fourth) with its exact span, every annotator is kept, and where
they chose differently the labels stay in dispute. The answers are recorded systems:
`human-1` the first of each question, `human-2` the second or else the one both wrote.

Source: Rosenthal et al. 2025, "CLAPnq: Cohesive Long-form Answers from Passages in Natural
Questions for RAG systems", TACL 13; files of github.com/primeqa/clapnq.
"""

import re
import unicodedata
from dataclasses import dataclass
from hashlib import sha256

from msgspec import Struct

from pipeline.adapters.datasets.decode import Reader
from pipeline.adapters.datasets.folder import Folder
from pipeline.checks.ids import label, show
from pipeline.contract.errors import DataError, Fault
from pipeline.contract.records import (
    Claim,
    Collection,
    Document,
    Mark,
    Question,
    Response,
    Version,
)

SYSTEMS = ("human-1", "human-2")
LICENCE = "Apache-2.0"


class Passage(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One passage with the sentences it was cut into."""

    title: str
    text: str
    sentences: list[str]


class Meta(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who wrote an answer and how; `skip`: they found none."""

    annotator: list[int]
    has_minimal_answer: bool
    non_consecutive: bool
    round: int
    skip: bool


class Output(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One answer with the sentences it rests on."""

    answer: str
    selected_sentences: list[str]
    meta: Meta


class Item(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line: a question, its passage, and what people answered."""

    id: str
    input: str
    passages: list[Passage]
    output: list[Output]


@dataclass(frozen=True)
class Clapnq:
    """Reads every .jsonl file of the folder `path`, such as dev_answerable.jsonl."""

    path: str

    def load(self) -> Collection:
        """Read all files, noting each fault.

        Raises:
            DataError: the folder is not there or holds no .jsonl file.
        """
        folder = Folder.open(self.path, "CLAPNQ's .jsonl files")
        files = sorted(folder.path.glob("*.jsonl"))
        if not files:
            fault = Fault(self.path, None, None, "files such as dev_answerable.jsonl", "none")
            raise DataError([fault], remedy="give CLAPNQ's folder as dataset.path=…")
        building = _Building()
        reader = Reader(Item, ("id",))
        collection = building.collection
        for file in files:
            reader.read(file, file.name, collection, building.add, collection.questions.lost)
        if building.joint:
            collection.notes.append(
                f"{building.joint} questions carry one answer that two people gave together; "
                "agreement counts them as agreeing"
            )
        return collection


class _Building:
    """The collection as it grows, item by item."""

    def __init__(self) -> None:
        about = Version(name="clapnq", licence=LICENCE)
        self.collection = Collection(corpus=about, question_set=about)
        self.joint = 0
        self._documents: set[str] = set()

    def add(self, item: Item, file: str, line: int) -> None:
        """Turn one item into its document, question and responses, or into faults."""
        faults = self.collection.faults
        found = len(faults)
        if len(item.passages) != 1:
            got = f"{len(item.passages)}"
            faults.append(Fault(file, line, label(item.id), "one passage", got))
        elif len(item.output) not in (1, 2):
            got = f"{len(item.output)}"
            faults.append(Fault(file, line, label(item.id), "one output or two", got))
        else:
            spans = self._spans(item, file, line)
            chosen = self._chosen(item, file, line)
        if len(faults) > found:
            self.collection.questions.lost.add(item.id)
            return
        passage = item.passages[0]
        doc_id = document_id(passage.title, passage.text)
        if doc_id not in self._documents:
            self._documents.add(doc_id)
            document = Document(doc_id, passage.text, title=passage.title)
            self.collection.documents.add(document, file, line)
        self.joint += len(item.output) == 1 and len(item.output[0].meta.annotator) > 1
        self.collection.questions.add(_question(item, doc_id, spans, chosen), file, line)
        for system, at in zip(SYSTEMS, (0, -1), strict=True):
            response = _response(system, item, doc_id, item.output[at].answer, chosen[at])
            self.collection.responses.add(response, file, line)

    def _spans(self, item: Item, file: str, line: int) -> list[tuple[int, int]]:
        """Where each sentence of the passage stands in its text, one after the other."""
        passage, spans, end = item.passages[0], [], 0
        for at, sentence in enumerate(passage.sentences):
            start = passage.text.find(sentence, end)
            if start < 0 or not sentence:
                expected = f"passages[0].sentences[{at}] in the text, after the one before"
                fault = Fault(file, line, label(item.id), expected, show(sentence))
                self.collection.faults.append(fault)
                return []
            end = start + len(sentence)
            spans.append((start, end))
        return spans

    def _chosen(self, item: Item, file: str, line: int) -> list[list[int]]:
        """Which sentences each output rests on; of equal ones the first after the last chosen."""
        sentences = item.passages[0].sentences
        outputs = []
        for n, output in enumerate(item.output):
            chosen: list[int] = []
            for sentence in output.selected_sentences:
                places = [at for at, one in enumerate(sentences) if one == sentence]
                free = [at for at in places if at not in chosen]
                later = [at for at in free if not chosen or at > chosen[-1]]
                if not free:
                    expected = f"sentences of the passage in output[{n}].selected_sentences"
                    got = show(sentence) + (" again" if places else "")
                    self.collection.faults.append(Fault(file, line, label(item.id), expected, got))
                chosen += (later or free)[:1]
            outputs.append(chosen)
        return outputs


def document_id(title: str, text: str) -> str:
    """Name a passage by its title and by a hash of title and text, the same everywhere."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or "passage"
    digest = sha256("\0".join((title, text)).encode()).hexdigest()
    return f"{slug}-{digest[:8]}"


def _question(
    item: Item, doc_id: str, spans: list[tuple[int, int]], chosen: list[list[int]]
) -> Question:
    """The question with a mark for each annotator and sentence chosen."""
    people = sorted({str(one) for output in item.output for one in output.meta.annotator})
    marks = [
        Mark(doc_id, f"s{at}", name, None, *spans[at])
        for output, sentences in zip(item.output, chosen, strict=True)
        for name in _names(output)
        for at in sentences
    ]
    unanswerable = not people and not marks
    sentences = item.passages[0].sentences
    return Question(
        item.id,
        item.input,
        relevant=[] if unanswerable else None,
        support={} if unanswerable else None,
        claims=None if unanswerable else {f"s{at}": one for at, one in enumerate(sentences)},
        evidence=None if unanswerable else list(dict.fromkeys(marks)),
        annotators=people or None,
        attributes={} if unanswerable else _attributes(item, chosen),
    )


def _names(output: Output) -> list[str | None]:
    """Who gave an output; None, once, where nobody is named."""
    return [str(one) for one in output.meta.annotator] or [None]


def _attributes(item: Item, chosen: list[list[int]]) -> dict[str, str | int | float | bool]:
    """How the question was annotated: what results can be sliced by."""
    together = sorted({at for sentences in chosen for at in sentences})
    return {
        "annotation": "joint" if len(item.output) == 1 else "separate",
        "consecutive": together == list(range(together[0], together[-1] + 1)) if together else True,
        "minimal_answer": any(output.meta.has_minimal_answer for output in item.output),
    }


def _response(system: str, item: Item, doc_id: str, answer: str, chosen: list[int]) -> Response:
    sentences = item.passages[0].sentences
    claims = [Claim(f"s{at}", [doc_id], sentences[at]) for at in chosen] if answer else []
    return Response(
        system=system,
        question_id=item.id,
        retrieved=[doc_id],
        delivered=[doc_id],
        claims=claims,
        answer=answer,
    )
