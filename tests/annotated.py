"""Rows in GaRAGe's layout, made up here, and files of them."""

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from pipeline.adapters.datasets.garage import Garage

CORRECT = {
    "": "", "A": "ANSWER-THE-QUESTION", "R": "RELATED-INFORMATION", "O": "OUTDATED", "U": "UNKNOWN",
}  # fmt: skip
TYPES = {"static": "", "slow": "SLOW-CHANGING", "fast": "FAST-CHANGING"}


def row(
    sample_id: str,
    labels: tuple[str, ...] = ("A", "R", "U"),
    relevant: tuple[str, ...] | None = None,
    answer: str = "It is so [cite_1].",
    tempo: str = "static",
    **fields: Any,
) -> dict[str, Any]:
    """One row.

    Args:
        sample_id: its name.
        labels: a letter of `CORRECT` for each passage.
        relevant: YES, NO or nothing for each; None: YES where the letter is A, R or O.
        answer: the human answer.
        tempo: of `TYPES`.
        fields: what else is in it, or stands in place of what is made here.
    """
    n = len(labels)
    yes = ["YES" if letter in ("A", "R", "O") else "NO" for letter in labels]
    return {
        "sample_id": sample_id,
        "question_date": "2024-11-05",
        "question": f"What of {sample_id}?",
        "grounding": [
            {"age": "3 days", "date": "2024-11-02", "provider": "web",
             f"cite_{at}": f"[cite_{at}] Passage {at} on {sample_id}."}
            for at in range(1, n + 1)
        ],
        "question_valid": "YES",
        "question_false_premise": "NO",
        "question_seeking": "YES",
        "question_sensitive": "NO" if tempo == "static" else "YES",
        "question_type": TYPES[tempo],
        "question_complexity": "Simple",
        "question_category": "Harbours",
        "question_popularity": "Tail",
        "evidence_relevant": yes if relevant is None else list(relevant),
        "evidence_correct": [CORRECT[letter] for letter in labels],
        "evidence_cited": ["YES" if f"[cite_{at}]" in answer else "NO" for at in range(1, n + 1)],
        "answer_generate": answer,
        "answer_related_info": "",
        "answer_validate": "YES" if answer else "",
        "comments": "",
        "question_tag": "web",
        "topic_tag": "web",
        **fields,
    }  # fmt: skip


def written(folder: Path, *rows: Any) -> Path:
    """Write rows as a file, one a line."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "garage.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    return path


def garage(folder: Path, *rows: Any, **changed: Any) -> Garage:
    """The adapter of a file of these rows, with the settings as they are shipped."""
    how = {
        "deflection": "not_validated", "gold": "relevant", "related": True,
        "unlabelled": "irrelevant", "factuality": "all", "responses": None,
        "verdicts": None, **changed,
    }  # fmt: skip
    return Garage(str(written(folder, *rows)), **how)


@st.composite
def rows(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Some rows with any labels, any tempo and any marks of passages that are there."""
    words = st.text(st.characters(codec="utf-8", exclude_characters="[]"), max_size=9)
    made = []
    for at in range(draw(st.integers(1, 4))):
        labels = tuple(draw(st.lists(st.sampled_from(sorted(CORRECT)), max_size=5)))
        n = len(labels)
        cited = draw(st.lists(st.integers(1, n), max_size=6)) if n else []
        parts = [f"{draw(words)}[cite_{number}]" for number in cited]
        made.append(
            row(
                f"q{at}",
                labels,
                tuple(draw(st.sampled_from(("", "YES", "NO"))) for _ in labels),
                "".join(parts) + draw(words),
                draw(st.sampled_from(sorted(TYPES))),
                answer_validate=draw(st.sampled_from(("", "YES"))),
            )
        )
    return made
