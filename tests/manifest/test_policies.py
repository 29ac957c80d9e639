"""When policies were first seen: written once, never moved, whole."""

import fcntl
import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pipeline.contract.errors import DataError
from pipeline.manifest.policies import NAME, after_scores, first_seen, record

ROOT = Path(__file__).parents[2]
EARLY, LATE = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    return tmp_path / NAME


def test_the_first_time_stays_whenever_it_is_seen_again(file: Path) -> None:
    assert first_seen("a") is None
    seen = record("mine", "a", EARLY)
    assert seen == "2026-01-01T00:00:00.000000+00:00"
    assert record("renamed", "a", LATE) == seen == first_seen("a")
    assert [json.loads(line) for line in file.read_text("utf-8").splitlines()] == [
        {"policy": "mine", "hash": "a", "first_seen": seen}
    ]


def test_a_policy_that_is_known_needs_no_right_to_write(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = record("mine", "a", EARLY)
    monkeypatch.setattr(fcntl, "flock", lambda *_: pytest.fail("it was opened to be written"))
    assert record("mine", "a", LATE) == seen
    assert len(file.read_text("utf-8").splitlines()) == 1


def test_another_policy_has_a_line_of_its_own(file: Path) -> None:
    record("mine", "a", EARLY)
    assert record("mine", "b", LATE) == first_seen("b")
    assert len(file.read_text("utf-8").splitlines()) == 2


def test_after_a_merge_of_branches_the_earlier_line_counts(file: Path) -> None:
    record("mine", "a", LATE)
    line = {"policy": "mine", "hash": "a", "first_seen": "2026-01-01T00:00:00+00:00"}
    file.write_text(file.read_text("utf-8") + "\n" + json.dumps(line) + "\n", "utf-8")
    assert first_seen("a") == "2026-01-01T00:00:00+00:00"


def test_a_line_that_was_never_finished_is_cut_off(file: Path) -> None:
    record("mine", "a", EARLY)
    with file.open("ab") as stream:
        stream.write(b'{"hash":"b","first')
    assert first_seen("b") is None
    record("mine", "b", LATE)
    assert len([json.loads(line) for line in file.read_text("utf-8").splitlines()]) == 2


@pytest.mark.parametrize(
    "line", ["{}", "nothing", "[1]", '{"hash":"a","first_seen":"2026-01-01T00:00:00"}']
)
def test_a_line_that_was_changed_is_refused(file: Path, line: str) -> None:
    record("mine", "a", EARLY)
    file.write_text(file.read_text("utf-8") + line + "\n", "utf-8")
    with pytest.raises(DataError, match=r"policies\.jsonl:2: expected a policy"):
        first_seen("a")


def test_two_that_write_at_once_leave_one_line_for_each_policy(file: Path) -> None:
    code = (
        "from datetime import UTC, datetime\n"
        "from pipeline.manifest.policies import record\n"
        "for at in range(20): record('p', str(at), datetime.now(UTC))"
    )
    jobs = [subprocess.Popen([sys.executable, "-c", code], cwd=ROOT) for _ in range(3)]
    assert [job.wait() for job in jobs] == [0, 0, 0]
    hashes = [json.loads(line)["hash"] for line in file.read_text("utf-8").splitlines()]
    assert sorted(hashes) == sorted(map(str, range(20)))


def test_a_policy_is_late_when_it_came_after_the_scores() -> None:
    early, late = EARLY.isoformat(), LATE.isoformat()
    assert after_scores(late, early)
    assert not after_scores(early, late)
    assert not after_scores(early, early)
    assert not after_scores(None, early)
    assert not after_scores(late, None)
    assert not after_scores("2026-01-01T01:00:00+02:00", "2026-01-01T00:00:00+00:00")  # 23:00 UTC
