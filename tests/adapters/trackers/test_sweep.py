"""Runs read back from a store, and files added to them."""

from pathlib import Path

import pytest

from pipeline.adapters.trackers.sweep import attach, logged
from pipeline.contract.errors import EndpointError
from tests.adapters.trackers.conftest import Look
from tests.adapters.trackers.runs import log, runs_of, tracker
from tests.tracked import folder


def test_without_a_store_there_are_no_runs_and_none_is_made(root: Path) -> None:
    assert logged(tracker()) == []
    assert not (root / "mlflow.db").exists()


@pytest.mark.slow
def test_runs_come_back_as_they_were_logged_and_take_files(
    stored: Path, tmp_path: Path, client: Look
) -> None:
    assert logged(tracker()) == []  # no such experiment, and none is made
    assert client(stored).get_experiment_by_name("rag-assay") is None
    receipt = log(folder(stored))
    found = logged(tracker())
    assert {run.params["system"]: run.run_id for run in found} == {
        name: run["run_id"] for name, run in receipt.items()
    }
    assert [run.time for run in found] == sorted((run.time for run in found), reverse=True)
    b = next(run for run in found if run.params["system"] == "B")
    assert b.metrics["support/macro"] == 0.75
    assert (b.metrics["support/interval_low"], b.metrics["support/interval_high"]) == (0.5, 1)
    assert b.params["cutoff"] == "2"
    assert b.tags["split"] == "dev"

    store = client(stored)
    store.delete_tag(b.run_id, "complete")
    assert [run.params["system"] for run in logged(tracker())] == ["A"]

    drawn = tmp_path / "k.csv"
    for words in ("first", "second"):  # the later one stays
        drawn.write_text(words)
        attach(tracker(), [run.run_id for run in found], [drawn], "sweep")
    for run in runs_of(store):
        path = store.download_artifacts(run.info.run_id, "sweep/k.csv", str(tmp_path))
        assert Path(path).read_text() == "second"


def test_a_store_that_is_down_is_said_in_one_line(root: Path) -> None:
    down = tracker(uri="http://127.0.0.1:9")
    for ask in (lambda: logged(down), lambda: attach(down, ["r"], [root / "x"], "sweep")):
        with pytest.raises(EndpointError, match=r"127\.0\.0\.1:9: expected it to .*; look at"):
            ask()


def test_a_store_that_is_no_database_is_said_in_one_line(root: Path) -> None:
    (root / "mlflow.db").write_text("not a database, whatever it is called")
    with pytest.raises(EndpointError, match="expected it to give its runs"):
        logged(tracker())
