"""Two recorded systems, A and B, whose rankings differ at some cutoffs and not at others."""

from pathlib import Path
from typing import Any

from pipeline.contract.sides import Side
from tests.finished import finish, hand_in
from tests.report.compared import side

CLAIM = {"claim_id": "wild", "citations": []}
"""No label expects it: the cause `extra_claim`."""

RANKED: dict[str, dict[str, tuple[str, ...]]] = {
    "first": {"A": ("d1", "d2", "d3"), "B": ("d2", "d1", "d3")},
    "third": {"A": ("d3", "d1", "d2"), "B": ("d3", "d1", "d4")},
    "pool": {"A": ("d1", "d2", "d3"), "B": ("d1", "d5", "d3")},
    "none": {"A": ("d1", "d2", "d3"), "B": ("d1", "d2", "d3")},
}
"""By question what each system ranks.

The visible context is the first two. `first` falls from rank 1 to 2; `third` loses the second
of two relevant documents, at rank 3, so below the context; in `pool` B ranks one that nobody
looked at in the place of one that is not relevant; `none` is unanswerable.
"""

QUESTIONS: list[dict[str, Any]] = [
    {"question_id": "first", "relevant": ["d1"], "support": {"x": ["d1"]}},
    {"question_id": "third", "relevant": ["d1", "d2"], "support": {"x": ["d1"]}},
    {"question_id": "pool", "relevant": ["d1"], "support": {"x": ["d1"]},
     "judged": ["d1", "d2", "d3"]},
    {"question_id": "none", "relevant": [], "support": {}},
]  # fmt: skip


def ranked_run(folder: Path, cutoffs: list[int] | None, cutoff: int = 2) -> Path:
    """A finished run of both systems; return its data folder."""
    hand_in(
        folder / "set",
        documents=[{"doc_id": f"d{at}", "text": f"Text {at}."} for at in range(1, 6)],
        questions=[{"text": f"{one['question_id']}?", **one} for one in QUESTIONS],
        responses=[
            {
                "system": system, "question_id": question, "retrieved": list(docs),
                "claims": [CLAIM] if question == "third" else [],
            }
            for question, by in RANKED.items()
            for system, docs in by.items()
        ],
    )  # fmt: skip
    return finish(folder / "data", folder / "set", cutoff=cutoff, cutoffs=cutoffs)


def two_sides(before: Path, after: Path) -> tuple[Side, Side]:
    """A of one run and B of another, or of the same."""
    return side(before, "A"), side(after, "B")
