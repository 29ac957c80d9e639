"""Where the store is, and what is known of it without MLflow."""

import socket
import sqlite3
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from pipeline.adapters.trackers.store import locate
from pipeline.contract.errors import EndpointError


def test_the_default_is_mlflow_db_in_the_projects_root_wherever_the_stage_runs(
    root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    store = locate(None)
    assert store.uri == f"sqlite:///{root}/mlflow.db"
    assert store.artifacts == root / "mlartifacts"


def test_the_environment_goes_before_the_default_and_conf_before_both(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://there:5000")
    assert locate(None).uri == "http://there:5000"
    assert locate("http://here:5000").uri == "http://here:5000"


def test_a_relative_file_is_taken_from_the_root(root: Path) -> None:
    assert locate("sqlite:///kept/runs.db").database == root / "kept/runs.db"
    assert locate("sqlite:////abs/runs.db").database == Path("/abs/runs.db")


def test_a_server_keeps_its_artifacts_itself(root: Path) -> None:
    assert locate("http://there:5000").artifacts is None


@pytest.mark.parametrize(
    "uri",
    ["http://me:hunter2@there:5000", "postgresql://me:hunter2@there/db", "http://me:p@hunter2@x"],
)
def test_credentials_are_in_no_message(root: Path, uri: str) -> None:
    store = locate(uri)
    assert store.uri == uri
    assert "hunter2" not in store.public
    assert "hunter2" not in str(store.failed(f"cannot reach {uri}/api?token=hunter2"))


def test_an_error_is_one_line_that_says_what_to_do(root: Path) -> None:
    line = str(locate("http://there:5000").failed("\nfirst\nsecond"))
    assert line == (
        "MLflow store http://there:5000: expected it to take the run, got first; results are "
        "safe in data/; when the store is back: python -m pipeline track"
    )


def test_a_file_that_is_no_database_is_refused_at_once(root: Path) -> None:
    (root / "mlflow.db").write_text("this is no database, however long it is " * 100)
    with pytest.raises(EndpointError, match="file is not a database"):
        locate(None).probe()


def test_a_database_server_that_is_down_is_refused_at_once(root: Path) -> None:
    with pytest.raises(EndpointError, match="refused"):
        locate("postgresql://me:hunter2@127.0.0.1:9/db").probe()


def test_a_server_that_is_down_is_refused_at_once(root: Path) -> None:
    with pytest.raises(EndpointError, match="refused"):
        locate("http://me:hunter2@127.0.0.1:9").probe()


def test_a_server_that_never_answers_is_given_up(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.adapters.trackers.store.PATIENCE", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        store = locate(f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(EndpointError, match="timed out"):
            store.probe()
        assert store.lacks("run") is False  # no answer is no answer


@pytest.mark.parametrize(("status", "lacks"), [(404, True), (401, False), (500, False)])
def test_only_a_server_that_says_so_lacks_a_run(root: Path, status: int, lacks: bool) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(status)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        store = locate(f"http://127.0.0.1:{server.server_port}")
        store.probe()  # it answered: it is there
        assert store.lacks("run") is lacks
        server.shutdown()


def test_a_file_of_another_kind_holds_no_run(root: Path) -> None:
    store = locate(None)
    assert store.complete("e", "full") == {}
    sqlite3.connect(root / "mlflow.db").close()
    assert store.complete("e", "full") == {}


def test_files_in_a_folder_that_moved_are_named(root: Path) -> None:
    store = locate(None)
    store.check("e", (root / "mlartifacts/e").as_uri())  # not there yet, and ours
    store.check("e", "mlflow-artifacts:/1")
    with pytest.raises(EndpointError, match=r"tracker\.experiment=NAME"):
        store.check("e", "file:///gone/mlartifacts/e")


def test_a_folder_that_cannot_be_written_is_the_stores_fault(root: Path) -> None:
    (root / "file").write_text("")
    with pytest.raises(EndpointError), locate("sqlite:///file/x.db").locked():
        pass
