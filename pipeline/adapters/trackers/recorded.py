"""Traces of an experiment read back from MLflow, as the plain values that it exports."""

import json
from typing import Any

from pipeline.adapters.trackers.store import locate
from pipeline.adapters.trackers.sweep import connected
from pipeline.contract.errors import ConfigError

PAGE = 100
"""Traces that are fetched at once, with all their spans."""


def traces(uri: str, experiment: str) -> list[dict[str, Any]]:
    """Every trace of an experiment, the oldest first, as `Trace.to_dict` has it.

    Raises:
        ConfigError: there is no such experiment.
        EndpointError: the store cannot be reached or refuses.
    """
    store = locate(uri)
    absent = ConfigError("--experiment", expected=f"one of {store.public}", got=repr(experiment))
    if store.database is not None and not store.database.exists():
        raise absent
    with connected(store, "it to give its traces") as client:
        there = client.get_experiment_by_name(experiment)
        if there is None:
            raise absent
        found: list[dict[str, Any]] = []
        token = None
        while True:
            page = client.search_traces(
                locations=[there.experiment_id],
                max_results=PAGE,
                order_by=["timestamp_ms ASC"],
                page_token=token,
            )
            found += [json.loads(trace.to_json()) for trace in page]
            token = page.token
            if not token:
                return found
