"""RAGChecker's checked results: answers, passages, their claims, and what entails what.

One JSON file with `results`, one a question. Each passage is a document, all of them were
delivered in order, and the labels of entailment are recorded verdicts. Nobody labelled
documents, so the questions are not labelled. Its own `metrics` are not read: they follow
from the labels. A fault names the row of `results`, counted from 1, and the place in it as
JSON has it, from 0.

Source: Ru et al. 2024, arXiv 2408.08067; files of github.com/amazon-science/RAGChecker.
"""

from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.inspect import AnyType, type_info

from pipeline.adapters.datasets.decode import explain
from pipeline.adapters.datasets.entailed import Result, mismeasured, verdicts, words
from pipeline.adapters.datasets.folder import one_file
from pipeline.adapters.datasets.mismatch import mismatches
from pipeline.checks.ids import label
from pipeline.contract.errors import Fault
from pipeline.contract.records import Claim, Collection, Document, Question, Response, Version


class File(Struct, frozen=True):
    """What a file holds; the rest of it is not read."""

    results: list[Result]


FILE, RESULT = type_info(File), type_info(Result)
BOM = b"\xef\xbb\xbf"


class Row(Struct, frozen=True):
    """A good result with its place."""

    result: Result
    line: int


@dataclass(frozen=True)
class Ragchecker:
    """Reads the file `path`; its answers are those of the system named `system`."""

    path: str
    system: str

    def load(self) -> Collection:
        """Read the file, noting each fault.

        Raises:
            DataError: the file is not there.
        """
        file = one_file(self.path, "RAGChecker's results, such as checking_outputs.json")
        about = Version(name="ragchecker")
        collection = Collection(corpus=about, question_set=about)
        rows = _rows(file.read_bytes().removeprefix(BOM), file.name, collection)
        shared = _shared(rows)
        if not shared:
            collection.notes.append(
                f"{file.name}: a doc_id stands for several texts, so each is named "
                "<query_id>/<doc_id>"
            )
        known: set[str] = set()
        for row in rows:
            self._add(row, file.name, collection, _ids(row.result, shared), known)
        return collection

    def _add(
        self, row: Row, file: str, collection: Collection, ids: list[str], known: set[str]
    ) -> None:
        result = row.result
        for id_, passage in zip(ids, result.retrieved_context, strict=True):
            if id_ not in known:
                known.add(id_)
                collection.documents.add(Document(id_, passage.text), file, row.line)
        collection.questions.add(Question(result.query_id, result.query), file, row.line)
        response = Response(
            system=self.system,
            question_id=result.query_id,
            retrieved=ids,
            delivered=ids,
            claims=[
                Claim(f"c{at}", [], words(claim)) for at, claim in enumerate(result.response_claims)
            ],
            answer=result.response,
        )
        collection.responses.add(response, file, row.line)
        for verdict in verdicts(result, self.system):
            collection.verdicts.add(verdict, file, row.line)


def _rows(content: bytes, file: str, collection: Collection) -> list[Row]:
    """The good results of a file; each of the others gives its faults."""
    findings, value = explain(content, AnyType())
    results = value.get("results") if isinstance(value, dict) else None
    if not findings and not isinstance(results, list):
        findings = list(mismatches(value, FILE))
    collection.faults += [Fault(file, None, None, expected, got) for expected, got in findings]
    if not isinstance(results, list):
        return []
    rows: list[Row] = []
    first: dict[str, int] = {}
    for at, found in enumerate(results):
        faults, result = _result(found, at)
        if result is not None and first.setdefault(result.query_id, at) != at:
            before = first[result.query_id]
            faults.append(("each query_id once", f"it again, first in results[{before}]"))
        id_ = found.get("query_id") if isinstance(found, dict) else None
        name = label(id_) if isinstance(id_, str) else None
        collection.faults += [Fault(file, at + 1, name, *fault) for fault in faults]
        if result is not None and not faults:
            rows.append(Row(result, at + 1))
        for part in (collection.documents, collection.questions) if faults else ():
            part.lost.add(f"results[{at}]")
    return rows


def _result(value: Any, at: int) -> tuple[list[tuple[str, str]], Result | None]:
    """One result as a record, and what is wrong with it."""
    place = f"results[{at}]"
    if isinstance(value, dict):
        value = {key: item for key, item in value.items() if key != "metrics"}
    faults = list(mismatches(value, RESULT, place))
    result = None if faults else msgspec.convert(value, Result)
    if isinstance(value, dict):
        faults += mismeasured(value, place)
    return faults, result


def _shared(rows: list[Row]) -> bool:
    """Whether each doc_id of the file stands for one text."""
    texts: dict[str, str] = {}
    return all(
        texts.setdefault(passage.doc_id, passage.text) == passage.text
        for row in rows
        for passage in row.result.retrieved_context
        if passage.doc_id is not None
    )


def _ids(result: Result, shared: bool) -> list[str]:
    """Ids of a result's passages: its own, or unique per question where they have to be."""
    return [
        passage.doc_id
        if shared and passage.doc_id is not None
        else f"{result.query_id}/{at if passage.doc_id is None else passage.doc_id}"
        for at, passage in enumerate(result.retrieved_context)
    ]
