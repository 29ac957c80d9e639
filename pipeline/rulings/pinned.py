"""The files of people's labels are pinned by their hash before a run begins.

They lie outside of what the stages write and grow while nothing else changes, so `compose`
writes down how they stand, and the stage `compare` depends on that: no older word on the judge
comes back out of a cache.
"""

from hashlib import sha256
from pathlib import Path

from pipeline.contract.files import canonical, root, write_json

PEOPLE = "people"
"""Folder below the data folder where people's labels lie."""


def label_files(data: Path) -> list[Path]:
    """Files of people's labels of this project, in order of name; none where nobody labelled.

    Hidden ones are left out: some systems put one beside each file that they copy.

    Args:
        data: the data folder; relative to the project's own folder, wherever a run goes on.
    """
    folder = root() / data / PEOPLE
    found = (path for path in folder.glob("*") if path.suffix.lower() in (".csv", ".jsonl"))
    return sorted(path for path in found if path.is_file() and not path.name.startswith("."))


def pin(data: Path) -> None:
    """Write compose/people.json: the hash of people's labels as this run finds them.

    It is null where there are none.
    """
    found = {path.name: sha256(path.read_bytes()).hexdigest() for path in label_files(data)}
    digest = sha256(canonical(found).encode()).hexdigest() if found else None
    write_json(data / "compose" / "people.json", {"people": digest})
