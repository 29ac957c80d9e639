"""Held-out questions among those compared: how often they were opened, and if that is too often.

The ledger grows while nothing else changes, so `compose` writes down how it stands, and the
stage `compare` depends on that: no older count comes back out of a cache.
"""

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from pipeline.contract.files import read_json, root, write_json
from pipeline.manifest import ledger


def said(folders: Iterable[Path], budget: int | None) -> str | None:
    """Say how often held-out questions were opened, by now.

    Args:
        folders: of sides, each laid out as the data folder; the first that holds held-out
            questions speaks for all, as sides are compared over the same ones.
        budget: looks that held-out questions bear; null: no limit.

    Returns:
        Words, which say of a budget that is spent that these questions no longer are held
        out; None where all sides are of the split `dev`.

    Raises:
        DataError: a line of the ledger is not one that was written as a look.
    """
    for folder in folders:
        if read_json(folder / "freeze" / "manifest.json")["split"] == "dev":
            continue
        words, chain = ledger.looks(folder).words(budget), ledger.chain()
        return f"{words}; the ledger's chain is {chain.state}" if chain.broken else words
    return None


def pin(data: Path, params: dict[str, Any]) -> None:
    """Write compose/ledger.json: the hash of the ledger as this run finds it.

    A run of the split `dev` does not depend on it.
    """
    path = root() / ledger.NAME
    opens = params["split"] != "dev" and path.is_file()
    digest = sha256(path.read_bytes()).hexdigest() if opens else None
    write_json(data / "compose" / "ledger.json", {"ledger": digest})
