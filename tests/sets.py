"""Small sets for tests: as records, and as folders of JSON lines."""

import json
from pathlib import Path
from typing import Any

import msgspec

from pipeline.checks.collection import Checked, check
from pipeline.contract.records import Collection, Document, Part, Question, Response
from pipeline.settings import QuestionSet, Rubric, Versioned

UNNAMED = Versioned(None, None, None)
QUESTIONS = QuestionSet(None, None, None, "auto")
RUBRIC = Rubric("open", "interval", 1, "words")
SETTINGS: dict[str, Any] = {
    "corpus": UNNAMED, "question_set": QUESTIONS, "split": "dev",
    "missing": "refuse", "repeats": None, "rubric": RUBRIC,
}  # fmt: skip

DOCUMENTS: list[dict[str, Any]] = [
    {"doc_id": "hours", "text": "The kiosk opens at eight."},
    {"doc_id": "boats", "text": "Boats cost nine coins."},
]
QUESTION: dict[str, Any] = {
    "question_id": "price", "text": "What does a boat cost?",
    "relevant": ["boats"], "support": {"nine": ["boats"]},
}  # fmt: skip
RESPONSE: dict[str, Any] = {
    "system": "A", "question_id": "price", "retrieved": ["boats", "hours"],
    "claims": [{"claim_id": "nine", "citations": ["boats"]}],
}  # fmt: skip

Rows = list[dict[str, Any]]


def part(rows: Rows, kind: Any, file: str) -> Part[Any]:
    """Rows of one kind, on lines counted from 1."""
    made: Part[Any] = Part()
    for line, row in enumerate(rows, 1):
        made.add(msgspec.convert(row, kind), file, line)
    return made


def collection(
    documents: Rows | None = None, questions: Rows | None = None, responses: Rows | None = None
) -> Collection:
    """A good collection of two documents, a question and a response, or with rows replaced."""
    return Collection(
        part(DOCUMENTS if documents is None else documents, Document, "documents.jsonl"),
        part([QUESTION] if questions is None else questions, Question, "questions.jsonl"),
        part([RESPONSE] if responses is None else responses, Response, "responses.jsonl"),
    )


def checked(
    documents: Rows | None = None,
    questions: Rows | None = None,
    responses: Rows | None = None,
    **settings: Any,
) -> Checked:
    """Check such a collection."""
    wanted = {
        "claims": "auto",
        "split": "dev",
        "missing": "refuse",
        "repeats": None,
        "rule": "open",
    }
    return check(collection(documents, questions, responses), **{**wanted, **settings})


def faults(
    documents: Rows | None = None,
    questions: Rows | None = None,
    responses: Rows | None = None,
    **settings: Any,
) -> list[str]:
    """The faults of such a collection, as people read them."""
    return [str(fault) for fault in checked(documents, questions, responses, **settings).faults]


def folder(
    path: Path,
    documents: Rows | None = None,
    questions: Rows | None = None,
    responses: Rows | None = None,
) -> Path:
    """Write such a collection as a folder of JSON lines."""
    path.mkdir(parents=True, exist_ok=True)
    parts = {
        "documents": DOCUMENTS if documents is None else documents,
        "questions": [QUESTION] if questions is None else questions,
        "responses": [RESPONSE] if responses is None else responses,
    }
    for name, rows in parts.items():
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return path
