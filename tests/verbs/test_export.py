"""`export` writes what other tools read as we scored it, or nothing."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline.contract.errors import ConfigError, DataError
from pipeline.verbs.export import main, run_lines, strictly_falling
from tests.built_in import built
from tests.finished import finish, hand_in

DOCS = [{"doc_id": name, "text": name} for name in "abc"]


def question(name: str, relevant: list[str] | None = None, **more: Any) -> dict[str, Any]:
    return {"question_id": name, "text": name, "relevant": relevant, **more}


def response(name: str, retrieved: list[str], **more: Any) -> dict[str, Any]:
    return {"system": "A", "question_id": name, "retrieved": retrieved, **more}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    return tmp_path


def made(root: Path, **parts: list[dict[str, Any]]) -> Path:
    return finish(root / "data", hand_in(root / "set", **{"documents": DOCS, **parts}))


def read(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


def test_ranks_fall_where_scores_do_not_and_what_was_judged_no_is_a_zero(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marks = [{"doc_id": "b", "grade": 2}, {"doc_id": "c", "grade": 0}]
    data = made(
        root,
        questions=[question("q1", ["b"], evidence=marks), question("q2", [])],
        responses=[
            response("q1", ["a", "b"], scores=[2.5, 0.5]),
            response("q2", ["c", "a"], scores=[1.0, 1.0]),
        ],
    )
    run, qrels = root / "out" / "a.run", root / "out" / "qrels.txt"
    assert main(["--run", str(run), "--qrels", str(qrels)], data) == 0
    assert read(run) == [
        "q1 Q0 a 1 2.5 A",
        "q1 Q0 b 2 0.5 A",
        "q2 Q0 c 1 2.0 A",
        "q2 Q0 a 2 1.0 A",
    ]
    assert read(qrels) == ["q1 0 b 2", "q1 0 c 0"]
    assert capsys.readouterr().out.splitlines() == [
        f"{run}: 4 lines of A, 2 topics",
        f"{qrels}: 2 judgements",
    ]


def test_scores_that_32_bits_cannot_tell_apart_do_not_fall_strictly() -> None:
    assert strictly_falling([2.0, 1.0])
    assert strictly_falling([])
    assert not strictly_falling([1.0, 2.0])
    assert not strictly_falling([1.0 + 1e-9, 1.0])  # trec_eval keeps 32 bits


def test_a_lost_ranking_has_no_lines() -> None:
    rows = pl.DataFrame(
        {"topic": ["q"], "docs": [[]], "scores": [[]]},
        schema={"topic": pl.String, "docs": pl.List(pl.String), "scores": pl.List(pl.Float64)},
    )
    assert list(run_lines(rows, "A")) == []


def test_a_document_stands_where_its_first_chunk_does(root: Path) -> None:
    source = Path(__file__).parents[2] / "data/raw/sample/v1"
    data = built(root / "data", source)
    assert main(["--run", str(root / "rag.run")], data) == 0
    lines = [line.split() for line in read(root / "rag.run")]
    seen = [(line[0], line[2]) for line in lines]
    assert len(seen) == len(set(seen))
    ranks = [int(line[3]) for line in lines if line[0] == lines[0][0]]
    assert ranks == list(range(1, len(ranks) + 1))


def test_labels_in_dispute_are_left_out_and_counted(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    votes = [{"doc_id": "a", "annotator": "ann"}]
    data = made(
        root,
        questions=[
            {"question_id": "q1", "text": "q", "evidence": votes, "annotators": ["ann", "bob"]},
            question("q2", ["b"]),
        ],
        responses=[response("q1", ["a"]), response("q2", ["a"])],
    )
    assert main(["--qrels", str(root / "q.txt")], data) == 0
    assert read(root / "q.txt") == ["q2 0 b 1"]
    assert "1 judgements; 1 questions with labels in dispute are left out" in (
        capsys.readouterr().out
    )


def test_ids_with_white_space_are_each_named_and_nothing_is_written(root: Path) -> None:
    data = made(
        root,
        documents=[*DOCS, {"doc_id": "two words", "text": "x"}],
        questions=[question("q 1", ["a"])],
        responses=[response("q 1", ["a", "two words"])],
    )
    with pytest.raises(DataError) as caught:
        main(["--run", str(root / "a.run"), "--qrels", str(root / "q.txt")], data)
    assert [str(fault) for fault in caught.value.faults] == [
        "export: question_id: expected no white space, got 'q 1'",
        "export: doc_id: expected no white space, got 'two words'",
    ]
    assert not (root / "a.run").exists()


def test_a_grade_that_is_no_whole_number_is_refused(root: Path) -> None:
    half = [{"doc_id": "a", "grade": 0.5}]
    data = made(
        root, questions=[question("q1", ["a"], evidence=half)], responses=[response("q1", ["a"])]
    )
    with pytest.raises(DataError, match=r"q1 a: expected a whole number as grade, got 0\.5"):
        main(["--qrels", str(root / "q.txt")], data)


def test_of_several_systems_one_has_to_be_named(root: Path) -> None:
    data = finish(root / "data")
    with pytest.raises(ConfigError, match="expected one of several, got 2 systems: A, B"):
        main(["--run", str(root / "x")], data)
    with pytest.raises(ConfigError, match="expected one of A, B, and a repeat of 1, got C"):
        main(["--run", str(root / "x"), "--system", "C"], data)
    assert main(["--run", str(root / "x"), "--system", "B"], data) == 0
    assert read(root / "x")[0].endswith(" B")


def test_without_a_run_or_a_word_it_says_what_is_missing(root: Path) -> None:
    with pytest.raises(ConfigError, match="a finished run"):
        main(["--run", "x"], root / "data")
    with pytest.raises(ConfigError, match="--run FILE, --qrels FILE or both"):
        main([], root / "data")
