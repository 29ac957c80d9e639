"""`validate` says what a run would say, and writes nothing."""

from pathlib import Path

import pytest

from pipeline.contract.errors import ConfigError, DataError
from pipeline.verbs.validate import main
from tests.sets import QUESTION, RESPONSE, folder

ROOT = Path(__file__).parents[2]


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(ROOT)
    return folder(tmp_path / "set")


def words(source: Path, *more: str) -> list[str]:
    return ["experiment=recorded", f"dataset.path={source}", "cutoff=1", *more]


def test_good_data_are_called_good(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words(source), Path("data")) == 0
    assert "data and configuration are good" in capsys.readouterr().out


def test_recorded_systems_have_to_be_there(source: Path) -> None:
    (source / "responses.jsonl").unlink()
    with pytest.raises(DataError) as caught:
        main(words(source), Path("data"))
    assert [str(fault) for fault in caught.value.faults] == [
        "responses: expected recorded responses (retriever=recorded), got none"
    ]


def test_without_responses_a_retriever_of_ours_has_all_it_needs(source: Path) -> None:
    (source / "responses.jsonl").unlink()
    assert main(words(source, "retriever=bm25", "answerer=extractive"), Path("data")) == 0


def test_the_baseline_is_a_system_of_the_data(source: Path) -> None:
    assert main(words(source, "baseline=A"), Path("data")) == 0
    with pytest.raises(DataError) as caught:
        main(words(source, "baseline=Aa"), Path("data"))
    assert [str(fault) for fault in caught.value.faults] == [
        "conf: baseline: expected a system of the data (A), got 'Aa' (did you mean 'A'?)"
    ]


def test_an_overlap_that_no_marked_place_can_give_is_refused(source: Path) -> None:
    mark = {"doc_id": "boats", "claim_id": "nine", "start": 0, "end": 5}
    folder(source, questions=[{**QUESTION, "evidence": [mark]}])
    assert main(words(source, "rubric.overlap=5"), Path("data")) == 0
    with pytest.raises(DataError, match=r"rubric.overlap: expected at most 5, .*, got 6"):
        main(words(source, "rubric.overlap=6"), Path("data"))


def test_answers_in_words_that_labels_cannot_read_are_refused_before_a_run(source: Path) -> None:
    folder(source, responses=[{**RESPONSE, "claims": None, "answer": "Nine boats."}])
    with pytest.raises(ConfigError) as caught:
        main(words(source), Path("data"))
    assert str(caught.value) == (
        "conf: judge: expected claims by id in responses.jsonl, which is all that labels can "
        f"read, got 1 answer of A without, to {QUESTION['question_id']}; "
        "add `claims` to them, or let a model read them: judge=openai"
    )
    openai = ("judge=openai", "judge.api_key_env=null")
    assert main(words(source, *openai), Path("data")) == 0
    assert main(words(source, "retriever=bm25", "answerer=extractive"), Path("data")) == 0


def test_thin_labels_of_recorded_systems_are_noted(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder(source, questions=[{**QUESTION, "judged": ["boats"]}])
    assert main(words(source, "cutoff=2"), Path("data")) == 0
    assert "labels are thin for A: 0.50 of what it retrieved" in capsys.readouterr().out
