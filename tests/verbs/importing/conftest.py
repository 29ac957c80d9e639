"""A small set to import into, in a project of its own."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.__main__ import main
from tests.finished import hand_in

HOURS = "The kiosk at the harbour opens at eight and closes at six."
BOATS = "Rowing boats cost nine coins an hour. A deposit of twenty coins is paid back."
ROOT = Path(__file__).parents[3]

Import = Callable[..., int]


@pytest.fixture
def set_(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    return hand_in(
        tmp_path / "set",
        documents=[{"doc_id": "hours", "text": HOURS}, {"doc_id": "boats", "text": BOATS}],
        questions=[
            {"question_id": "open", "text": "When does the café open?", "relevant": ["hours"]},
            {"question_id": "price", "text": "What does a boat cost?", "relevant": ["boats"]},
        ],
    )


@pytest.fixture
def take(set_: Path) -> Import:
    """The verb's exit code for a format, a source and further words."""

    def run(form: str, source: Path | str, *words: str) -> int:
        return main(["import", form, str(source), "--system", "A", "--set", str(set_), *words])

    return run
