"""The same runs on a real MLflow server on loopback."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from pipeline.contract.errors import EndpointError
from pipeline.contract.files import read_json
from tests.adapters.trackers.conftest import Look
from tests.adapters.trackers.runs import (
    log,
    process,
    runs_of,
    statuses,
    table_of,
    traces_of,
)
from tests.tracked import folder

pytestmark = [pytest.mark.slow, pytest.mark.long]


@dataclass
class Server:
    """An MLflow server with its store in a folder."""

    folder: Path
    port: int
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def uri(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        words = [
            "server", "--backend-store-uri", f"sqlite:///{self.folder}/server.db",
            "--artifacts-destination", str(self.folder / "artifacts"),
            "--port", str(self.port), "--workers", "1",
        ]  # fmt: skip
        env = {
            **os.environ,
            "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",
            "MLFLOW_DISABLE_TELEMETRY": "true",
        }
        with (self.folder / "log").open("ab") as output:
            self.processes.append(
                subprocess.Popen(
                    [sys.executable, "-m", "mlflow", *words],
                    cwd=self.folder,
                    env=env,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,
                )
            )
        for _ in range(600):
            try:
                urlopen(f"{self.uri}/health", timeout=5).close()
            except OSError:
                time.sleep(0.2)
            else:
                return
        raise AssertionError((self.folder / "log").read_text("utf-8", "replace")[-2000:])

    def stop(self) -> None:
        for started in self.processes:
            if started.poll() is None:
                os.killpg(started.pid, 9)
                started.wait(timeout=30)


@pytest.fixture(scope="module")
def serve(
    tmp_path_factory: pytest.TempPathFactory, empty_store: Path
) -> Iterator[Callable[[], Server]]:
    """Start a server with an empty store."""
    servers: list[Server] = []

    def start() -> Server:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        server = Server(tmp_path_factory.mktemp("server"), port)
        shutil.copy(empty_store, server.folder / "server.db")
        servers.append(server)
        server.start()
        return server

    yield start
    for server in servers:
        server.stop()


@pytest.fixture(scope="module")
def server(serve: Callable[[], Server]) -> Server:
    return serve()


def test_a_server_takes_all_of_a_run_and_finds_it_again(
    root: Path, client: Look, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", server.uri)
    data = folder(root)
    first = log(data)
    assert statuses(first) == {"A": "new", "B": "new"}
    assert statuses(log(data)) == {"A": "found", "B": "found"}
    shutil.rmtree(data / "track")
    again = log(data)
    assert [run["run_id"] for run in again.values()] == [run["run_id"] for run in first.values()]

    store = client(server.uri)
    assert len(runs_of(store)) == 2
    run_id = first["B"]["run_id"]
    run = store.get_run(run_id)
    assert run.data.metrics["support/macro"] == 0.75
    assert sorted(each.tags[0].value for each in run.inputs.dataset_inputs) == [
        "corpus",
        "questions",
    ]
    assert [row["support"] for row in table_of(store, run_id, root)] == [None, 0.5, 1.0, None]
    traces = {trace.info.tags["question_id"]: trace for trace in traces_of(store, run_id)}
    assert sorted(traces) == ["q001", "q002", "q003", "q004"]
    assert len(traces["q002"].data.spans) == 3
    scores = {given.name: given.feedback.value for given in traces["q002"].info.assessments}
    assert scores["support"] == 0.5
    assert (root / "mlflow.db").exists() is False


def test_credentials_reach_the_server_and_nothing_else(
    root: Path, client: Look, server: Server
) -> None:
    uri = server.uri.replace("http://", "http://me:hunter2@")
    data = folder(root, label=" with credentials")
    runs = log(data, uri=uri)
    assert read_json(data / "track" / "run.json")["tracking_uri"] == server.uri
    told = [path for path in (data / "track").iterdir() if "hunter2" in path.read_text("utf-8")]
    assert told == []
    kept = [*server.folder.glob("server.db*"), *server.folder.glob("artifacts/**/*.*")]
    assert len(kept) > 40
    assert [path for path in kept if path.is_file() and b"hunter2" in path.read_bytes()] == []
    assert statuses(log(data, uri=server.uri)) == {"A": "found", "B": "found"}
    assert log(data, uri=server.uri)["A"]["run_id"] == runs["A"]["run_id"]


def test_a_server_that_lost_a_run_gets_it_again(root: Path, client: Look, server: Server) -> None:
    data = folder(root, label=" lost")
    first = log(data, uri=server.uri)
    client(server.uri).delete_run(first["A"]["run_id"])
    assert statuses(log(data, uri=server.uri)) == {"A": "new", "B": "found"}


def test_a_server_that_dies_midway_loses_nothing(
    root: Path, client: Look, serve: Callable[[], Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve()
    client(server.uri)
    from mlflow.tracing.client import TracingClient

    real: Any = TracingClient.log_spans

    def dying(self: Any, *words: Any) -> Any:
        server.stop()
        return real(self, *words)

    data = folder(root)
    with monkeypatch.context() as broken:
        broken.setattr(TracingClient, "log_spans", dying)
        with pytest.raises(EndpointError) as refused:
            log(data, uri=server.uri)
    assert str(refused.value).startswith(f"MLflow store {server.uri}: expected it to take the run")
    assert not (data / "track" / "run.json").exists()
    server.start()
    monkeypatch.setenv("MLFLOW_TRACKING_URI", server.uri)
    assert process(root).wait(timeout=120) == 0  # as a person would: MLflow keeps a cache
    assert statuses(read_json(data / "track" / "run.json")["runs"]) == {"A": "new", "B": "new"}
    store = client(server.uri)
    assert [run.data.tags["complete"] for run in runs_of(store)] == ["true", "true"]
    assert len(traces_of(store)) == 8

    server.stop()  # down, but with nothing left to log: no error
    assert statuses(log(data, uri=server.uri)) == {"A": "found", "B": "found"}
