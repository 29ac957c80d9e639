"""A small set that nobody has labelled, two systems over it, and a run of them."""

from pathlib import Path
from typing import Any

from tests.finished import finish, hand_in

DOCUMENTS = {
    "007": "=Cats pay two coins.",
    "1-2": "The mayor is Bo.",
    "dogs": "Dogs are free.",
    "e": "Nobody retrieves me.",
}
QUESTIONS = {"q1": "Do cats pay?", "q2": "Who rules?"}
FOUND = {
    ("A", "q1"): ["007", "dogs"],
    ("B", "q1"): ["dogs", "1-2"],
    ("A", "q2"): ["1-2"],
    ("B", "q2"): ["dogs", "007", "1-2"],
}


def made(folder: Path, **labels: dict[str, Any]) -> Path:
    """The set; `labels` go into the question of that name."""
    return hand_in(
        folder,
        documents=[{"doc_id": name, "text": text} for name, text in DOCUMENTS.items()],
        questions=[
            {"question_id": name, "text": text, **labels.get(name, {})}
            for name, text in QUESTIONS.items()
        ],
        responses=[
            {"system": system, "question_id": name, "retrieved": docs, "claims": []}
            for (system, name), docs in FOUND.items()
        ],
    )


def ran(folder: Path, **labels: dict[str, Any]) -> Path:
    """A finished run of the set; returns the data folder."""
    return finish(folder / "data", made(folder / "set", **labels))
