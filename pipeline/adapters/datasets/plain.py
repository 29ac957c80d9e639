"""Text files, rid of what only frames their text."""

from pathlib import Path

from pipeline.adapters.datasets.lines import BOM
from pipeline.adapters.datasets.mismatch import Finding
from pipeline.checks.ids import label, show
from pipeline.contract.records import Collection


def plain_text(path: Path, name: str, field: str, collection: Collection) -> str | Finding:
    """The text of a UTF-8 file, or what was expected and what was found.

    A byte-order mark and CRLF line ends are left out and noted.

    Args:
        path: the file.
        name: what it is called in messages.
        field: where the data name the file, such as ` in text_file`.
        collection: takes notes.
    """
    try:
        raw = path.read_bytes()
        text = raw.decode()
    except UnicodeDecodeError as error:
        byte = f"the byte 0x{raw[error.start]:02x} at byte {error.start}"
        return f"UTF-8{field}", f"{show(name)} with {byte}"
    except OSError as error:
        return f"a file that can be read{field}", f"{show(name)} ({error.strerror})"
    if raw.startswith(BOM):
        collection.notes.append(f"{label(name)}: a byte-order mark, left out")
        text = text.removeprefix("\ufeff")
    if "\r\n" in text:
        collection.notes.append(f"{label(name)}: lines that end in CRLF, read as LF")
    return text.replace("\r\n", "\n")
