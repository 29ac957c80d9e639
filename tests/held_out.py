"""Frozen sets of held-out questions, as far as the ledger reads them, and looks at them."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.contract.files import write_json
from pipeline.contract.tables import Questions, write
from pipeline.manifest.ledger import record


def asked(first: int, last: int) -> list[str]:
    """Questions by number, the last one included."""
    return [f"What is thing {n}?" for n in range(first, last + 1)]


def frozen(
    data: Path,
    texts: Sequence[str] = ("What?",),
    *,
    split: str = "heldout",
    name: str = "things",
    version: str = "v1",
) -> Path:
    """Write what `freeze` leaves of questions; another name, text or order is other content."""
    content = sha256(f"{name} {version} {texts}".encode()).hexdigest()
    counts = {"heldout": len(texts)}
    asked = {"content": content, "name": name, "version": version, "counts": counts}
    write_json(data / "freeze" / "manifest.json", {"split": split, "question_set": asked})
    shown = [] if split == "dev" else list(texts)
    dev = [] if split == "heldout" else ["Of development?"]
    splits = [*["heldout"] * len(shown), *["dev"] * len(dev)]
    shown += dev
    columns = {
        "question": range(len(shown)),
        "question_id": [f"q{n}" for n in range(len(shown))],
        "line": [0] * len(shown),
        "text": shown,
        "split": splits,
        "labelled": [True] * len(shown),
    }
    empty: dict[str, Any] = {"annotators": [[]] * len(shown), "attributes": [[]] * len(shown)}
    nulls = dict.fromkeys(("caller_groups", "asked_at", "content_note"), [None] * len(shown))
    frame = pl.DataFrame({**columns, **empty, **nulls}, schema=Questions.schema)
    write(data / "freeze", Questions, frame)
    return data


def of(**prints: str) -> dict[str, Any]:
    """Systems by name with their fingerprints."""
    systems = {name: {"fingerprint": value} for name, value in prints.items()}
    return {"contract_version": "1.0", "systems": systems}


def look(data: Path, times: int = 1, reason: str = "a look") -> Path:
    """Open the questions so many times more, each time with another system A."""
    for _ in range(times):
        number = (data / "n").read_text() if (data / "n").exists() else "0"
        (data / "n").write_text(str(int(number) + 1))
        record(data, of(A=f"{data.name} {number}"), f"{reason} {number}")
    return data
