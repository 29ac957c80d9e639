import json
from pathlib import Path

import pytest

from pipeline.manifest import scored

EARLY, LATE = "2026-01-01T00:00:00+00:00", "2026-02-01T00:00:00+00:00"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    return tmp_path / scored.NAME


def test_the_first_look_is_kept_and_later_ones_change_nothing(here: Path) -> None:
    scored.note(["a"], EARLY)
    before = here.read_bytes()
    scored.note(["a"], LATE)
    assert here.read_bytes() == before
    assert (scored.known("a"), scored.known("b")) == (EARLY, None)


def test_what_was_never_looked_at_is_not_known() -> None:
    assert scored.known("a") is None


def test_a_line_that_a_kill_cut_short_spoils_no_other(here: Path) -> None:
    scored.note(["a"], EARLY)
    with here.open("a") as file:
        file.write('{"fingerprint":"b","ti')
    scored.note(["c"], LATE)
    assert (scored.known("a"), scored.known("b"), scored.known("c")) == (EARLY, None, LATE)


def test_of_two_lines_the_earlier_time_counts(here: Path) -> None:
    scored.note(["a"], LATE)
    with here.open("a") as file:
        file.write(json.dumps({"fingerprint": "a", "time": EARLY}) + "\n")
    assert scored.known("a") == EARLY
