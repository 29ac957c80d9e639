"""Keep a run only as files: its manifests and receipt in data/track/."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.contract.files import read_json


@dataclass(frozen=True)
class Local:
    """Logs nowhere; the manifests that the track stage writes are the whole record."""

    def log(
        self,
        data: Path,
        params: dict[str, Any],  # noqa: ARG002 - the port's argument
    ) -> dict[str, Any]:
        """Return a receipt that names each system's fingerprint and no run id."""
        systems = read_json(data / "score" / "identity.json")["systems"]
        return {
            "tracking_uri": None,
            "experiment": None,
            "runs": {
                name: {"run_id": None, "fingerprint": system["fingerprint"], "status": "local"}
                for name, system in systems.items()
            },
        }
