"""Data folders with every stage up to `compare` done, for what keeps and describes runs."""

from pathlib import Path
from typing import Any

from tests.finished import finish, hand_in

CANARY = "KANARIENVOGEL"
"""Stands in every text of the data, and in labels; nowhere else."""

SYSTEMS = ("A", "B")
TERMS = {
    "licence": "Apache-2.0",
    "authorisation": "granted by the test",
    "retention": "until the test ends",
}

PARAMS: dict[str, Any] = {
    "dataset": {"_target_": "pipeline.adapters.datasets.jsonl.Jsonl", "path": "set"},
    "chunker": {"_target_": "pipeline.adapters.chunkers.document.Document"},
    "cutoff": 2,
    "budget": None,
    "seed": 7,
    "split": "dev",
    "reason": None,
    "rubric": {"ids": "open", "unresolved": "interval"},
    "acceptance": {"policy": "none"},
}


def folder(
    root: Path, questions: int = 4, *, split: str = "dev", repeats: int = 1, label: str = ""
) -> Path:
    """Make a set in `root`, run the stages on it, return the data folder.

    System A is right everywhere; B failed at q001 and made a claim too many at q002; the
    last question is unanswerable. Another `label` gives other responses, and so other runs.
    """
    raw = hand_in(
        root / "set",
        documents=[document(i) for i in range(questions + 1)],
        questions=[question(i, questions, split) for i in range(questions)],
        responses=[
            response(system, i, questions, repeat, label)
            for system in SYSTEMS
            for repeat in range(1, repeats + 1)
            for i in range(questions)
        ],
    )
    terms = "".join(f"  {key}: {value}\n" for key, value in TERMS.items())
    (raw / "set.yaml").write_text(f"corpus:\n{terms}question_set:\n{terms}", "utf-8")
    return finish(root / "data", raw, split=split)


def document(i: int) -> dict[str, Any]:
    return {
        "doc_id": f"d{i:03d}",
        "version": f"{CANARY} version",
        "title": f"{CANARY} title",
        "text": f"{CANARY} text of document {i}",
        "provider": f"{CANARY} provider",
        "attributes": {"kind": f"{CANARY} attribute"},
    }


def question(i: int, questions: int, split: str) -> dict[str, Any]:
    doc = f"d{i:03d}"
    mark = {"doc_id": doc, "claim_id": "fact", "annotator": f"{CANARY} annotator"}
    answerable = i < questions - 1
    return {
        "question_id": f"q{i + 1:03d}",
        "text": f"{CANARY} question {i + 1}",
        "split": split,
        "relevant": [doc] if answerable else [],
        "support": {"fact": [doc]} if answerable else {},
        "claims": {"fact": f"{CANARY} claim"} if answerable else {},
        "evidence": [mark] if answerable else [],
        "annotators": [f"{CANARY} annotator"],
        "attributes": {"hops": f"{CANARY} hops"},
        "content_note": f"{CANARY} note",
    }


def response(system: str, i: int, questions: int, repeat: int, label: str) -> dict[str, Any]:
    row: dict[str, Any] = {"system": system, "repeat": repeat, "question_id": f"q{i + 1:03d}"}
    if system == "B" and i == 0:
        return row | {"status": "failed", "error": f"{CANARY} error{label}"}
    claims = ["fact"] if i < questions - 1 else []
    claims += ["bonus"] if system == "B" and i == 1 else []
    return row | {
        "retrieved": [f"d{i:03d}", f"d{i + 1:03d}"],
        "answer": f"{CANARY} answer of {system}{label}",
        "claims": [{"claim_id": claim, "citations": [f"d{i:03d}"]} for claim in claims],
        "usage": {"input_tokens": 100, "output_tokens": 10},
        "latency_s": 0.25,
        "attempts": 2,
    }
