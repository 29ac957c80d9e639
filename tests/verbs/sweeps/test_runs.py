import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.trackers.sweep import Logged
from pipeline.contract.errors import ConfigError
from pipeline.verbs.sweeps.runs import Number, Sweep, number
from pipeline.verbs.sweeps.runs import select as select_
from tests.verbs.sweeps.made import PARAMS, run

KEY = "chunker.chunk_size"


def ids(points: list[tuple[Number, Logged]]) -> list[str]:
    return [one.run_id for _, one in points]


def select(runs: list[Logged], key: str, system: str | None = None) -> Sweep:
    """Runs of a sweep where params.yaml is of no run, so that the newest run decides."""
    return select_(runs, key, {"cutoff": "99"}, system)


def test_runs_that_differ_in_the_key_alone_stand_in_the_order_of_its_numbers() -> None:
    # as texts 1600 would come before 200
    found = select([run(size, chunker__chunk_size=size) for size in ("200", "1600", "50")], KEY)
    assert found.series == {
        "rag": [(int(r.run_id), r) for r in sorted(found.runs, key=lambda r: int(r.run_id))]
    }
    assert ids(found.series["rag"]) == ["50", "200", "1600"]
    assert not found.left_out


def test_of_one_value_the_newest_run_counts() -> None:
    runs = [
        run("new", chunker__chunk_size=100),
        run("old", chunker__chunk_size=100),
        run("two", chunker__chunk_size=200),
    ]
    found = select(runs, KEY)
    assert ids(found.series["rag"]) == ["new", "two"]
    assert found.left_out == {"older than another run of the same value": 1}


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"cutoff": 3}, "differing in cutoff"),
        ({"cutoff": 3, "seed": 8}, "differing in cutoff, seed"),
        ({"retriever": "x", "retriever__b": 1}, "differing in retriever"),
        ({"chunker": "x", "chunker__unit": "y"}, "differing in chunker"),
        ({"tags": {"corpus_hash": "x"}}, "of other corpus"),
        ({"tags": {"labels_hash": "x", "split": "all"}}, "of other labels, split"),
        ({"tags": {"contract_version": "2"}}, "of other scoring rules"),
        ({"tags": {"question_set_hash": "2"}}, "of other question set"),
        ({"chunker__chunk_size": "null"}, "without a number for chunker.chunk_size"),
    ],
)
def test_a_run_that_differs_in_more_is_left_out_with_the_reason(
    other: dict[str, object], why: str
) -> None:
    runs = [
        run("a", chunker__chunk_size=100),
        run("x", **{"chunker__chunk_size": 400, **other}),  # type: ignore[arg-type]
        run("b", chunker__chunk_size=200),
    ]
    found = select(runs, KEY)
    assert ids(found.series["rag"]) == ["a", "b"]
    assert found.left_out == {why: 1}


@pytest.mark.parametrize(
    "free", [{"tracker__traces": 5}, {"baseline": "A"}, {"acceptance__policy": "x"}]
)
def test_keys_that_no_number_depends_on_may_differ(free: dict[str, object]) -> None:
    runs = [run("a"), run("b", **{"chunker__chunk_size": 200, **free})]  # type: ignore[arg-type]
    assert ids(select(runs, KEY).series["rag"]) == ["a", "b"]


def test_the_newest_run_with_a_number_says_what_the_others_are_compared_with() -> None:
    whole = "pipeline.adapters.chunkers.document.Document"
    runs = [
        run("whole", chunker=whole, chunker__chunk_size="null"),
        run("a", cutoff=3),
        run("b", cutoff=3, chunker__chunk_size=200),
        run("c"),
    ]
    found = select(runs, KEY)
    assert found.reference.run_id == "a"
    assert ids(found.series["rag"]) == ["a", "b"]


def test_the_configuration_of_now_decides_whatever_was_run_since() -> None:
    # a run is not logged again, so to return to its configuration makes it no newer
    runs = [
        run("since", cutoff=3),
        run("also since", cutoff=3, chunker__chunk_size=400),
        run("a"),
        run("b", chunker__chunk_size=200),
    ]
    now = {**PARAMS, KEY: "800", "tracker.traces": "5"}
    assert ids(select_(runs, KEY, now).series["rag"]) == ["a", "b"]
    # at cutoff 5 there is one run: the newest one decides
    assert ids(select_(runs[:3], KEY, now).series["rag"]) == ["since", "also since"]
    with pytest.raises(ConfigError, match="got only 100, and runs left out: 1 differing in cut"):
        select_([runs[0], runs[2]], KEY, now)


def test_each_system_is_a_series_and_one_can_be_asked_for() -> None:
    runs = [run(f"{s}{k}", s, cutoff=k) for s in ("B", "A") for k in (2, 1)]
    assert {name: ids(of) for name, of in select(runs, "cutoff").series.items()} == {
        "A": ["A1", "A2"],
        "B": ["B1", "B2"],
    }
    assert list(select(runs, "cutoff", "A").series) == ["A"]


@pytest.mark.parametrize(
    ("runs", "key", "system", "message"),
    [
        ([], KEY, None, "finished runs in the tracker's experiment, got none; run `python"),
        ([run("a")], "chunker.chunksize", None, "did you mean 'chunker.chunk_size'?"),
        ([run("a")], KEY, "rga", "did you mean 'rag'?"),
        ([run("a")], "missing", None, "a key whose values are numbers, got 'refuse'"),
        ([run("a")], "budget", None, "a key whose values are numbers, got 'null'"),
        ([run("a"), run("b")], KEY, None, "two values or more .*got only 100.*left out: 1 older"),
        ([run("a"), run("b", "B", chunker__chunk_size=7)], KEY, None, "two values or more"),
    ],
)
def test_what_cannot_be_swept_is_said_in_one_line(
    runs: list[Logged], key: str, system: str | None, message: str
) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        select(runs, key, system)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 3


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_read_as_it_was_logged(value: float) -> None:
    assert number(run("a", cutoff=re.sub("^-0$", "0", repr(value))), "cutoff") == value


@pytest.mark.parametrize("text", ["true", "null", "NaN", "Infinity", "1e999", "words", "[1]", ""])
def test_what_is_no_number_is_none(text: str) -> None:
    assert number(run("a", cutoff=text), "cutoff") is None
