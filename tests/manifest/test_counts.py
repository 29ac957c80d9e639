"""What a run consisted of, counted."""

from pathlib import Path

import pytest

from pipeline.manifest.counts import counts
from tests.tracked import folder


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    return folder(tmp_path, repeats=2)


def test_questions_are_counted_once_and_responses_with_their_repeats(data: Path) -> None:
    found = counts(data, "B")
    assert found["questions"] == 4
    assert found["responses"] == 8
    assert found["repeats"] == [1, 2]
    assert found["populations"] == {"answerable": 6, "unanswerable": 2}
    assert found["status"] == {"failed": 2, "ok": 6}
    assert found["slices"] == 1
    # per repeat: q001 failed, q004 unanswerable
    assert found["na"]["recall"] == {"failed": 2, "unanswerable": 2}
    assert found["na"]["abstention"] == {"answerable": 6}


def test_usage_is_what_was_recorded_and_says_of_how_many(data: Path) -> None:
    # Six of eight answered, each 100 + 10 tokens in 0.25 s and two attempts, one of them again.
    assert counts(data, "B")["usage"] == {
        "asked": 8,
        "failures": 2,
        "input_tokens": {"total": 600, "recorded": 6},
        "output_tokens": {"total": 60, "recorded": 6},
        "cost_usd": {"total": None, "recorded": 0},
        "requests": {"total": 12, "recorded": 6},
        "retries": {"total": 6, "recorded": 6},
        "latency_s": {"n": 6, **dict.fromkeys(("p50", "p90", "p95", "p99", "max"), 0.25)},
    }


def test_a_judge_that_calls_nobody_costs_nothing_that_is_known(data: Path) -> None:
    assert counts(data, "B")["judge_usage"] is None
