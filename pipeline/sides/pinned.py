"""A baseline that lies outside of the run is pinned by its fingerprint before the run begins."""

from pathlib import Path
from typing import Any

from pipeline.contract.files import write_json
from pipeline.contract.sides import OUTSIDE


def pin(data: Path, params: dict[str, Any]) -> None:
    """Write compose/baseline.json, on which the stage `compare` depends.

    A branch moves and a folder is written anew: what is compared with is what had this
    fingerprint when the run began. Of a system of the run itself nothing is pinned.

    Args:
        data: the data folder.
        params: the whole configuration.

    Raises:
        ConfigError: the side is not there.
        EndpointError: the store of runs does not answer.
    """
    baseline = params["baseline"]
    pinned: dict[str, str | None] = {"baseline": None, "system": None, "fingerprint": None}
    if baseline is not None and baseline.startswith(OUTSIDE):
        # Only here: `compose` runs each time, and these take longer to import than it takes.
        from pipeline.settings import adapter
        from pipeline.sides.resolve import Places

        side = Places(data, adapter("tracker", params)).side(baseline)
        pinned = {
            "baseline": baseline, "system": side.system, "fingerprint": side.fingerprint
        }  # fmt: skip
    write_json(data / "compose" / "baseline.json", pinned)
