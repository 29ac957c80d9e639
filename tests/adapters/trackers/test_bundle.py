"""What a run's files hold: enough to score again, and no text where none may leave."""

import io
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline.adapters.trackers.bundle import bundle
from pipeline.contract.files import read_json
from pipeline.contract.results import PerQuestion
from pipeline.contract.tables import Documents, read
from pipeline.contract.veil import Content
from pipeline.settings import Rubric
from pipeline.stages import score
from tests.adapters.trackers.conftest import Look
from tests.adapters.trackers.runs import log
from tests.tracked import CANARY, folder

LABELS = ("hops", "annotator", "provider", "attribute", "version")
"""What stands behind the canary where it is a label, which `redacted` keeps."""


@pytest.mark.parametrize("content", ["full", "redacted", "ids"])
def test_the_scores_come_again_from_the_files_alone(
    root: Path, tmp_path: Path, content: Content
) -> None:
    data = folder(root, 12, repeats=2)
    again = tmp_path / "again"
    bundle(data, "B", content, 2, again)
    rubric = Rubric(ids="open", unresolved="interval", overlap=1, tokenizer="words")
    score.run(again, cutoff=2, budget=None, rubric=rubric, reason=None, seed=7)
    before = read(data / "score", PerQuestion).filter(system="B")
    assert read(again / "score", PerQuestion).equals(before, null_equal=True)
    ours = read_json(data / "score" / "identity.json")["systems"]["B"]
    assert read_json(again / "score" / "identity.json")["systems"] == {"B": ours}


def test_another_systems_rows_stay_behind(root: Path, tmp_path: Path) -> None:
    bundle(folder(root), "B", "full", 2, tmp_path / "b")
    for path in (tmp_path / "b").rglob("*.parquet"):
        frame = pl.read_parquet(path)
        if "system" in frame.columns:
            assert set(frame["system"]) <= {"B"}, path
    assert list(read_json(tmp_path / "b/score/metrics.json")) == ["B"]
    assert list(read_json(tmp_path / "b/freeze/manifest.json")["responses"]) == ["B"]


def test_of_the_corpus_only_documents_that_matter_keep_their_text(
    root: Path, tmp_path: Path
) -> None:
    # Four questions touch documents 0 to 4; the corpus of a larger set would go on.
    data = folder(root)
    documents = read(data / "freeze", Documents)
    more = documents.with_columns(
        doc=pl.lit(5, pl.UInt32()), doc_id=pl.lit("d999"), text=pl.lit("far away")
    ).head(1)
    pl.concat([documents, more]).write_parquet(data / "freeze" / "documents.parquet")
    bundle(data, "A", "full", 2, tmp_path / "a")
    kept = read(tmp_path / "a" / "freeze", Documents)
    assert kept["doc_id"].to_list() == [*documents["doc_id"], "d999"]
    assert kept["text"].to_list() == [*documents["text"], ""]


def everything(root: Path) -> dict[str, str]:
    """Every byte of the store as text, Parquet decoded, by file."""
    found = {}
    for path in [root / "mlflow.db", *sorted((root / "mlartifacts").rglob("*"))]:
        if path.suffix == ".parquet":
            buffer = io.StringIO()
            rows = pl.read_parquet(path).to_dicts()
            buffer.write(repr(rows))
            found[str(path)] = buffer.getvalue()
        elif path.is_file():
            found[str(path)] = path.read_bytes().decode("utf-8", "replace")
    return found


def allowed(text: str) -> bool:
    """Whether each canary in the text stands before a word that makes it a label."""
    parts = text.split(CANARY)[1:]
    return all(part.lstrip(" _").startswith(LABELS) for part in parts)


@pytest.mark.slow
@pytest.mark.parametrize("content", ["redacted", "ids"])
def test_no_byte_of_the_store_holds_a_text(stored: Path, client: Look, content: Content) -> None:
    log(folder(stored, label=f" {CANARY} end"), content=content)
    files = everything(stored)
    assert len(files) > 40
    for name, text in files.items():
        if content == "redacted":
            assert allowed(text), name
        else:
            assert CANARY not in text, name


@pytest.mark.slow
def test_full_keeps_the_texts(stored: Path, client: Look) -> None:
    log(folder(stored))
    files = everything(stored)
    texts: dict[str, Any] = {name: text for name, text in files.items() if not allowed(text)}
    assert any(name.endswith("mlflow.db") for name in texts)
    assert any(name.endswith("per_question.json") for name in texts)
    assert any(name.endswith("freeze/documents.parquet") for name in texts)


@pytest.mark.slow
def test_the_scores_come_again_from_a_runs_artifacts(
    stored: Path, tmp_path: Path, client: Look
) -> None:
    data = folder(stored)
    run_id = log(data)["A"]["run_id"]
    again = tmp_path / "downloaded"
    again.mkdir()
    client(stored).download_artifacts(run_id, "", str(again))
    rubric = Rubric(ids="open", unresolved="interval", overlap=1, tokenizer="words")
    score.run(again, cutoff=2, budget=None, rubric=rubric, reason=None, seed=7)
    before = read(data / "score", PerQuestion).filter(system="A")
    assert read(again / "score", PerQuestion).equals(before, null_equal=True)
