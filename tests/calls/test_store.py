"""The store: added to and never changed, by several processes, through any kill."""

import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.calls.attempt import Attempt, reply
from pipeline.calls.store import Store, place
from pipeline.contract.errors import EndpointError

GOOD = Attempt(True, 200, None, 1.5, "yes", "stop", "m", 10, 2)
BAD = Attempt(False, 500, "status 500", 0.5, spent=False, passing=True)
WRITER = """
import sys
from pathlib import Path
from pipeline.calls.attempt import Attempt
from pipeline.calls.store import Store
store = Store(Path(sys.argv[1]))
for at in range(int(sys.argv[3])):
    store.add(f"{sys.argv[2]}-{at}", Attempt(True, 200, None, 0.1, "text " * 50))
    print(at, flush=True)
"""


def entry(key: str, dataset: str = "set") -> tuple[str, str, str, str, str]:
    return key, dataset, "answer", "m", "{}"


def writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", WRITER, str(path), name, str(count)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def test_it_lies_below_the_project_where_git_and_dvc_do_not_look(project: Path) -> None:
    assert place() == project / ".rag-assay" / "calls.sqlite"
    root = Path(__file__).parents[2]
    for name in (".gitignore", ".dvcignore"):
        assert ".rag-assay/" in (root / name).read_text("utf-8")


def test_every_attempt_comes_back(tmp_path: Path) -> None:
    store = Store(tmp_path / "calls.sqlite")
    for attempt in (BAD, GOOD):
        store.add("k", attempt)
    assert Store(tmp_path / "calls.sqlite").replies(["k", "other"]) == {"k": reply([BAD, GOOD])}


def test_the_first_answer_counts_and_every_attempt_is_counted() -> None:
    later = replace(GOOD, text="no", input_tokens=20)
    made = reply([BAD, GOOD, later])
    assert (made.text, made.attempts, made.latency_s) == ("yes", 3, 1.5)
    assert (made.input_tokens, made.output_tokens) == (30, 4)  # 10 + 20, 2 + 2; the 500 is free
    assert made.error is None


def test_without_an_answer_the_last_error_stands() -> None:
    made = reply([BAD, replace(BAD, error="status 503")])
    assert (made.text, made.error, made.latency_s) == (None, "status 503", None)
    assert (made.input_tokens, made.output_tokens) == (0, 0)  # an error status charges nothing


def test_more_keys_than_one_query_takes_are_found(tmp_path: Path) -> None:
    store = Store(tmp_path / "calls.sqlite")
    keys = [f"k{at}" for at in range(1201)]
    for key in keys[::400]:
        store.add(key, GOOD)
    assert sorted(store.replies(keys)) == sorted(keys[::400])


def test_several_processes_create_and_write_it_at_once(tmp_path: Path) -> None:
    path = tmp_path / "new" / "calls.sqlite"
    writers = [writer(path, str(at), 30) for at in range(4)]
    assert [process.wait() for process in writers] == [0] * 4
    for process in writers:
        assert process.stdout
        process.stdout.close()
    keys = [f"{at}-{n}" for at in range(4) for n in range(30)]
    assert len(Store(path).replies(keys)) == 120


@pytest.mark.parametrize("after", [1, 7, 30])
def test_a_kill_loses_nothing_that_was_added(tmp_path: Path, after: int) -> None:
    path = tmp_path / "calls.sqlite"
    process = writer(path, "k", 10_000)
    assert process.stdout
    said = [process.stdout.readline() for _ in range(after)]
    os.kill(process.pid, signal.SIGKILL)
    said += process.stdout.readlines()
    process.stdout.close()
    process.wait()
    whole = [int(line) for line in said if line.endswith("\n")]
    kept = Store(path).replies([f"k-{at}" for at in range(10_000)])
    assert {f"k-{at}" for at in whole} <= set(kept)
    assert len(kept) <= len(whole) + 1


def test_a_file_that_is_no_store_is_an_endpoint_error(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    path.write_text("no data base at all, but longer than a header " * 10)
    with pytest.raises(EndpointError, match=r"calls.sqlite: expected a store of calls, got "):
        Store(path)


def test_a_purge_by_age_leaves_what_is_newer(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    store = Store(path)
    store.register([entry("old"), entry("new")])
    for key in ("old", "new"):
        store.add(key, replace(GOOD, text=f"the words of {key}"))
    base = sqlite3.connect(path)
    with base:
        base.execute("UPDATE attempts SET at = '2020-01-01T00:00:00+00:00' WHERE key = 'old'")
    base.close()
    assert store.purge(before="2021-01-01") == 1
    assert sorted(store.replies(["old", "new"])) == ["new"]
    store.close()
    for file in tmp_path.iterdir():
        assert b"the words of old" not in file.read_bytes()


def test_a_purge_by_data_set_takes_every_call_about_it(tmp_path: Path) -> None:
    store = Store(tmp_path / "calls.sqlite")
    store.register([entry("a", "one"), entry("b", "two"), entry("both", "one")])
    store.register([entry("both", "two")])
    for key in ("a", "b", "both"):
        store.add(key, GOOD)
    assert store.purge(dataset="one") == 2
    assert sorted(store.replies(["a", "b", "both"])) == ["b"]
    assert store.purge(dataset="one") == 0
