"""Runs in MLflow, one for each system, found again instead of logged twice.

MLflow takes seconds to import and is imported only when there is something to log.
"""

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta

from pipeline.adapters.trackers.beside import aside, digest, place, verdict
from pipeline.adapters.trackers.package import REPORT, Package, pack
from pipeline.adapters.trackers.quiet import quiet
from pipeline.adapters.trackers.spans import spans, summary
from pipeline.adapters.trackers.store import SQLITE, Held, Store, locate
from pipeline.adapters.trackers.traces import Trace
from pipeline.contract.files import read_json, replacing, write_json
from pipeline.manifest.run import filename, safe

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import TraceInfo

COMPLETE = "complete"
"""Tag that a run gets last; a run without it was cut short and is replaced."""

BESIDE = "beside"
"""Tag with the digest of what stands beside the scores."""

Wanted = dict[str, tuple[str, str]]
"""By system its fingerprint, and the digest of what stands beside its scores."""

TOGETHER = 50
"""Traces whose spans go to the store in one call."""

PARAMS, METRICS = 100, 900
"""Most that MLflow takes in one batch, which may hold 1000 in all."""


@dataclass(frozen=True)
class Mlflow:
    """Logs to an MLflow tracking store; fields as in conf/tracker/mlflow.yaml."""

    experiment: Annotated[str, Meta(min_length=1, max_length=250)]
    content: Literal["full", "redacted", "ids"]
    traces: Annotated[int, Meta(ge=0, le=100_000)]
    uri: str | None

    def log(self, data: Path, params: dict[str, Any]) -> dict[str, Any]:
        """Log each system unless the store has it; return the receipt.

        A run is found by the system's fingerprint and `content`, in the experiment: a
        changed store, experiment or content logs again, a changed number of traces does
        not. What stands beside the scores (cost, people's rulings on the judge, the report
        of the last comparison) may change without them: then the run that is found gets
        that anew.
        `data/track/` holds the manifests, and the last receipt if there is one.

        Raises:
            EndpointError: the store cannot be reached or refuses. Nothing is lost, and a
                run that was logged only in part is replaced the next time.
        """
        store = locate(self.uri)
        systems = read_json(data / "score" / "identity.json")["systems"]
        wanted = {
            name: (system["fingerprint"], digest(read_json(data / "track" / filename(name))))
            for name, system in systems.items()
        }
        place = {"tracking_uri": store.public, "experiment": self.experiment}
        place["content"] = self.content
        runs = self._kept(data / "track" / "run.json", store, place, wanted)
        if runs is None:
            with store.locked():
                store.probe()
                with quiet(store.artifacts):
                    runs = self._logged(data, params, store, wanted)
        return {**place, "runs": runs}

    def _kept(
        self, path: Path, store: Store, place: dict[str, str], wanted: Wanted
    ) -> dict[str, Any] | None:
        """The runs, if the store's file, or else the last receipt and the server, have all."""
        held = store.complete(self.experiment, self.content)
        if store.database is None and path.is_file():
            receipt = read_json(path)
            if all(receipt.get(key) == value for key, value in place.items()):
                held = {
                    run["fingerprint"]: (run["run_id"], run.get("beside"))
                    for run in receipt["runs"].values()
                    if not store.lacks(run["run_id"])
                }
        none = ("", None)
        if any(held.get(print_, none)[1] != beside for print_, beside in wanted.values()):
            return None
        return {name: _line(one, held[one[0]][0], "found") for name, one in wanted.items()}

    def _logged(
        self, data: Path, params: dict[str, Any], store: Store, wanted: Wanted
    ) -> dict[str, Any]:
        runs = Runs.open(store, self.experiment)
        logged = {}
        for name, one in sorted(wanted.items()):
            found = runs.find(one[0], self.content)
            if found is None:
                logged[name] = _line(one, self._new(runs, data, name, params), "new")
                continue
            run_id, beside = found
            if beside != one[1]:
                manifest = read_json(data / "track" / filename(name))
                runs.renew(run_id, manifest, data / "compare" / REPORT)
            logged[name] = _line(one, run_id, "found")
        return logged

    def _new(self, runs: "Runs", data: Path, system: str, params: dict[str, Any]) -> str:
        manifest = read_json(data / "track" / filename(system))
        with tempfile.TemporaryDirectory() as folder:
            package = pack(data, manifest, params, self.content, self.traces, Path(folder))
            return runs.add(package)


@dataclass(frozen=True)
class Runs:
    """The runs of one experiment in one store."""

    store: Store
    client: "MlflowClient"
    experiment_id: str

    @classmethod
    def open(cls, store: Store, name: str) -> "Runs":
        """Find the experiment, or make it."""
        with contact(store):
            from mlflow import MlflowClient
            from mlflow.exceptions import MlflowException

            _found(store)
            client = MlflowClient(store.uri)
            experiment = client.get_experiment_by_name(name)
            if experiment is None:
                where = (store.artifacts / safe(name)).as_uri() if store.artifacts else None
                try:
                    return cls(store, client, client.create_experiment(name, where))
                except MlflowException:  # somebody else just made it
                    experiment = client.get_experiment_by_name(name)
                    if experiment is None:
                        raise
        store.check(name, experiment.artifact_location)
        return cls(store, client, experiment.experiment_id)

    def find(self, fingerprint: str, content: str) -> Held | None:
        """The complete run of this fingerprint; those cut short are removed."""
        with contact(self.store):
            runs = self.client.search_runs(
                [self.experiment_id],
                f"tags.fingerprint = '{fingerprint}' and tags.content = '{content}'",
                order_by=["attributes.start_time ASC"],
            )
            for run in runs:
                if COMPLETE not in run.data.tags:
                    self._remove(run.info.run_id)
        complete = [
            (run.info.run_id, run.data.tags.get(BESIDE))
            for run in runs
            if COMPLETE in run.data.tags
        ]
        return complete[0] if complete else None

    def renew(self, run_id: str, manifest: dict[str, Any], report: Path) -> None:
        """Set what stands beside the scores of a run that is there, its last comparison too."""
        from mlflow.entities import Metric, RunTag

        now = time.time_ns() // 1_000_000
        numbers = {name: value for name, value in aside(manifest).items() if value is not None}
        metrics = [Metric(name, float(value), now, 0) for name, value in numbers.items()]
        with contact(self.store):
            if where := place(manifest):
                self.client.log_artifact(run_id, str(report), where)
            tags = {**verdict(manifest), BESIDE: digest(manifest)}  # the last says: all is there
            self.client.log_batch(
                run_id, metrics=metrics, tags=[RunTag(*tag) for tag in tags.items()]
            )

    def add(self, package: Package) -> str:
        """Log one run, whole; return its id."""
        from mlflow.entities import Dataset, DatasetInput, InputTag, Metric, Param

        now = time.time_ns() // 1_000_000
        with contact(self.store):
            run = self.client.create_run(
                self.experiment_id, now, tags=package.tags, run_name=package.name
            )
            run_id: str = run.info.run_id
            params = [Param(name, value) for name, value in package.params.items()]
            metrics = [Metric(name, value, now, 0) for name, value in package.metrics.items()]
            for n in range(max(-(-len(params) // PARAMS), -(-len(metrics) // METRICS))):
                some = metrics[n * METRICS : (n + 1) * METRICS]
                self.client.log_batch(run_id, some, params[n * PARAMS : (n + 1) * PARAMS])
            datasets = [
                DatasetInput(Dataset(**dataset), [InputTag("mlflow.data.context", role)])
                for role, dataset in package.datasets.items()
            ]
            self.client.log_inputs(run_id, datasets)
            write_json(package.folder / "manifest.json", {**package.manifest, "run_id": run_id})
            self.client.log_artifacts(run_id, str(package.folder))
            self.client.log_table(run_id, package.table, "per_question.json")
            self._add_traces(run_id, package.traces)
            self.client.set_terminated(run_id)
            self.client.set_tag(run_id, COMPLETE, "true")
        return run_id

    def _add_traces(self, run_id: str, traces: list[Trace]) -> None:
        # Not by mlflow.start_span: that takes 45 ms a trace, and an export that fails there
        # is a line in a log, where here it is an error.
        from mlflow.entities import Span
        from mlflow.tracing.client import TracingClient

        client = TracingClient(self.store.uri)
        for at in range(0, len(traces), TOGETHER):
            start = time.time_ns()
            some = traces[at : at + TOGETHER]
            for trace in some:
                client.start_trace(self._info(run_id, trace, start))
            found = [Span.from_dict(span) for trace in some for span in spans(run_id, trace, start)]
            client.log_spans(self.experiment_id, found)

    def _info(self, run_id: str, trace: Trace, start: int) -> "TraceInfo":
        from mlflow.entities import AssessmentSource, Feedback, TraceInfo, TraceLocation, TraceState

        source = AssessmentSource("CODE", "rag-assay")
        return TraceInfo(
            **summary(run_id, trace, start),
            trace_location=TraceLocation.from_experiment_id(self.experiment_id),
            state=TraceState.ERROR if trace.failed else TraceState.OK,
            assessments=[
                Feedback(name, value, source=source, rationale=trace.rationale or None)
                for name, value in trace.scores.items()
            ],
        )

    def _remove(self, run_id: str) -> None:
        deleted = 1
        while deleted:
            traces = self.client.search_traces(
                locations=[self.experiment_id], run_id=run_id, max_results=100, include_spans=False
            )
            ids = [trace.info.trace_id for trace in traces]
            deleted = self.client.delete_traces(self.experiment_id, trace_ids=ids) if ids else 0
        self.client.delete_run(run_id)


def _line(wanted: tuple[str, str], run_id: str, status: str) -> dict[str, str]:
    fingerprint, beside = wanted
    return {"run_id": run_id, "fingerprint": fingerprint, "status": status, BESIDE: beside}


def _found(store: Store) -> None:
    """Make the file of a SQLite store that has none, whole or not at all.

    MLflow makes its tables one by one, for seconds, and refuses for good what a kill leaves.
    """
    from mlflow import MlflowClient

    if store.database is None or store.database.exists():
        return
    with tempfile.TemporaryDirectory() as folder, replacing(store.database) as temporary:
        fresh = Path(folder) / "mlflow.db"
        MlflowClient(f"{SQLITE}{fresh}").search_experiments(max_results=1)
        shutil.copyfile(fresh, temporary)


@contextmanager
def contact(store: Store) -> Iterator[None]:
    """Turn whatever goes wrong with the store into one line that names it."""
    from mlflow.exceptions import MlflowException
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except (MlflowException, SQLAlchemyError, OSError, ImportError, NotImplementedError) as error:
        raise store.failed(error) from error
