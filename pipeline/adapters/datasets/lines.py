"""Lines of a file of JSON objects, rid of what only frames them."""

from collections.abc import Iterator
from pathlib import Path

from pipeline.contract.errors import Fault
from pipeline.contract.records import Collection

BOM = b"\xef\xbb\xbf"
UTF16 = (b"\xff\xfe", b"\xfe\xff")


def lines(path: Path, name: str, collection: Collection) -> Iterator[tuple[int, bytes]]:
    """Yield the number and the bytes of each line that is not blank.

    A byte-order mark and carriage returns at line ends are left out and noted. A file that
    is no file of lines at all (UTF-16, one JSON list) gives a single fault.

    Args:
        path: the file.
        name: what it is called in messages.
        collection: takes faults and notes.
    """
    returns, first = False, True
    try:
        opened = path.open("rb")
    except OSError as error:
        got = str(error.strerror)
        collection.faults.append(Fault(name, None, None, "a file that can be read", got))
        return
    with opened as file:
        for number, raw in enumerate(file, 1):
            line = raw
            if number == 1:
                if line.startswith(UTF16):
                    collection.faults.append(Fault(name, 1, None, "UTF-8", "UTF-16"))
                    return
                if line.startswith(BOM):
                    line = line[len(BOM) :]
                    collection.notes.append(f"{name}: a byte-order mark, left out")
            returns = returns or line.endswith(b"\r\n")
            line = line.rstrip(b" \t\r\n")
            if line:
                if first and line.startswith(b"["):
                    expected = "one JSON object a line"
                    collection.faults.append(Fault(name, number, None, expected, "a JSON list"))
                    return
                first = False
                yield number, line
    if returns:
        collection.notes.append(f"{name}: lines that end in CRLF")
