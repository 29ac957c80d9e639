"""What names a run in lists of them."""

from typing import Any

import pytest

from pipeline.adapters.trackers.package import _name

MANIFEST = {"system": "rag", "split": "dev", "question_set": {"name": "notes"}}
RECURSIVE = {"_target_": "pipeline.adapters.chunkers.recursive.Recursive", "chunk_size": 200}
DOCUMENT = {"_target_": "pipeline.adapters.chunkers.document.Document"}


@pytest.mark.parametrize(
    ("chunker", "budget", "name"),
    [
        (DOCUMENT, None, "rag k=5 · notes dev"),
        (RECURSIVE, None, "rag recursive 200 k=5 · notes dev"),
        (RECURSIVE, 600, "rag recursive 200 600 words · notes dev"),
    ],
)
def test_the_name_says_what_is_varied_most(
    chunker: dict[str, Any], budget: int | None, name: str
) -> None:
    params = {
        "chunker": chunker, "cutoff": 5, "budget": budget, "rubric": {"tokenizer": "words"}
    }  # fmt: skip
    assert _name(MANIFEST, params) == name
