"""Answers of quotes as `show` opens them: what was said, where it stands, why it counts."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.adapters.chunkers.sentence import Sentence
from pipeline.verbs.show import main
from pipeline.verbs.terminal.text import cells
from tests.built_in import built
from tests.finished import hand_in

TEXT = "Cats pay two coins on the ferry. Dogs pay nine coins on the ferry."
DOCUMENTS = [
    {"doc_id": "fares", "text": TEXT},
    {"doc_id": "old", "text": "Cats pay one coin on the old ferry."},
]
MARK = {"doc_id": "fares", "claim_id": "two", "start": 0, "end": 32}
LABELS: dict[str, Any] = {
    "relevant": ["fares"],
    "support": {"two": ["fares"]},
    "evidence": [MARK],
}


def shown(
    folder: Path, capsys: pytest.CaptureFixture[str], *words: str, text: str, **labels: Any
) -> list[str]:
    question = {"question_id": "q", "text": text} | labels
    source = hand_in(folder / "in", documents=DOCUMENTS, questions=[question])
    chunker = Sentence(chunk_size=10, overlap=0, unit="words", model=None, language="en")
    data = built(folder / "data", source, cutoff=3, chunker=chunker)
    assert main(["q", *words], data) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(cells(line) <= 80 for line in lines)
    return lines


@pytest.fixture(autouse=True)
def _terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")


def after(lines: list[str], head: str) -> str:
    return " ".join(line.strip() for line in lines[lines.index(head) + 1 :])


def test_a_claim_shows_the_words_quoted_for_it_and_the_chunk_that_it_cites(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = shown(tmp_path, capsys, text="What do cats pay on the ferry?", **LABELS)
    claims = after(lines, "  claims")
    assert "two: counts; cites fares#0-32, labelled for this claim and visible" in claims
    assert "“Cats pay two coins on the ferry.”" in claims
    assert "old#0-35: does not count; no label expects this claim (it cites old#0-35)" in claims
    assert "“Cats pay one coin on the old ferry.”" in claims


def test_a_chunk_beside_the_marked_words_is_not_called_relevant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = shown(tmp_path, capsys, text="What do cats pay on the ferry?", **LABELS)
    text = " ".join(line.strip() for line in lines)
    assert "fares, relevant, characters 0 to 32" in text
    assert "fares, of a relevant document, another part of which is labelled" in text


def test_full_quotes_keep_every_word(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(tmp_path, capsys, "--full", text="What do cats pay on the ferry?", **LABELS)
    assert "      “Cats pay two coins on the ferry.”" in lines


def test_where_nobody_marked_a_claim_it_says_that_nothing_is_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = LABELS | {"evidence": []}
    lines = shown(tmp_path, capsys, text="What do cats pay on the ferry?", **labels)
    text = " ".join(line.strip() for line in lines)
    assert "claims: not known, since nobody marked where each expected claim stands" in text


def test_an_abstention_has_no_words_and_leaves_the_expected_claim_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = shown(tmp_path, capsys, text="Zebras?", **LABELS)
    assert "  answer" not in lines
    assert "  no claim was made" in lines
    assert "    two: expected, not made" in lines
