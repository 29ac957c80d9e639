"""`ledger [--questions NAME]`: list who opened held-out questions, when and why.

looks  how often the line's held-out questions had been opened by then, with
       this look: looks that opened at least half of them, whatever the set was
       called (questions are known by their texts)
seen   share of them that looks before had opened, 0 to 1

`--questions` names a question set, or begins its content hash; the chain is
followed over every line all the same. Exit code 3 where it is broken, or where
the ledger lacks a line that a manifest in data/track saw.
"""

from collections.abc import Sequence
from pathlib import Path

from pipeline.contract.errors import BAD_INPUT, OK, ConfigError, DataError, Fault
from pipeline.contract.files import read_json
from pipeline.contract.words import NA, counted
from pipeline.manifest import ledger
from pipeline.manifest.chain import Break, Chain, Entry
from pipeline.manifest.history import history
from pipeline.verbs.run import in_project
from pipeline.verbs.terminal.arguments import Arguments
from pipeline.verbs.terminal.text import Line, Style, clean, columns, emit, fitted, padded, wrapped

HEAD = ("time (UTC)", "looks", "seen", "questions", "system", "reason")
SIZES = (16, 5, 4, 14, 8)
"""Columns of the table but the last, which takes the rest of the width."""

FOUND = {
    "branch": "begins a branch: it follows an earlier line, as after a merge",
    "moved": "stands before the line that it follows: lines were moved",
    "lost": "follows a line that is not there: one was edited or removed",
}


def main(words: list[str], data: Path) -> int:
    """Print the ledger and the state of its chain.

    Raises:
        ConfigError: the words are not right, or nobody opened a set of that name.
        DataError: a line is not one that was written as a look, or a manifest is broken.
    """
    parser = Arguments("ledger", add_help=False)
    parser.add_argument("--questions", metavar="NAME")
    wanted = parser.parse_args(words).questions
    in_project()
    entries, chain = ledger.entries(), ledger.chain()
    shown = [at for at, entry in enumerate(entries) if _is(entry, wanted)]
    if wanted is not None and not shown:
        known = ", ".join(sorted({clean(_name(entry)) for entry in entries})) or "none"
        raise ConfigError(
            "ledger --questions", expected=f"a set that was opened ({known})", got=repr(wanted)
        )
    lacking = _lacking(data, chain)
    lines = _table(entries, shown, columns()) if shown else []
    emit([*lines, *_state(chain, lacking, columns())])
    return BAD_INPUT if chain.broken or lacking else OK


def _is(entry: Entry, wanted: str | None) -> bool:
    if wanted is None:
        return True
    return entry.get("name") == wanted or (
        bool(wanted) and entry["question_set"].startswith(wanted)
    )


def _name(entry: Entry) -> str:
    """Name and version of a question set; of a line that has none, the start of its hash."""
    return (
        " ".join(entry[key] for key in ("name", "version") if key in entry)
        or (entry["question_set"][:12])
    )


def _table(entries: Sequence[Entry], shown: Sequence[int], width: int) -> list[Line]:
    past = history(entries)
    lines = [Line(_row(HEAD), "dim")]
    for at in shown:
        entry, (looks, seen) = entries[at], past[at]
        cells = [
            entry["time"][:16].replace("T", " "),
            f"{looks:>5,}",
            NA if seen is None else f"{seen:.2f}",
            *(_name(entry), entry["system"]),
        ]
        start = _row([*(clean(cell) for cell in cells), ""])
        texts = wrapped(clean(entry["reason"]), width, first=start, rest=" " * len(_row([""] * 6)))
        lines += [Line(text.rstrip()) for text in texts]
    return [*lines, Line("")]


def _row(cells: Sequence[str]) -> str:
    first = [padded(fitted(cell, size), size) for cell, size in zip(cells, SIZES, strict=False)]
    return "  ".join([*first, cells[-1]])


def _state(chain: Chain, lacking: Sequence[str], width: int) -> list[Line]:
    """What the chain looks like, after each line that does not follow the one before it."""
    style: Style = "red" if chain.broken or lacking else "yellow" if chain.loose else ""
    lines = []
    for one in chain.breaks:
        text = f"line {one.number} {FOUND[one.kind]}; {_hashes(one)}"
        lines += [Line(part, "yellow") for part in wrapped(clean(text), width, rest="  ")]
    for text in lacking:
        lines += [Line(part, "red") for part in wrapped(clean(text), width, rest="  ")]
    said = f"{ledger.NAME}: chain {chain.state}, {counted(chain.lines, 'line')}"
    if chain.loose and not chain.broken:
        said += "; the next look joins the branches"
    if chain.broken:
        said += f"; what it was: git log -p {ledger.NAME}"
    return lines + [Line(part, style) for part in wrapped(said, width, rest="  ")]


def _hashes(one: Break) -> str:
    return f"expected previous {one.expected[:12]}…, got {one.got[:12]}…"


def _lacking(data: Path, chain: Chain) -> list[str]:
    """Manifests in data/track that saw a last line which the ledger does not have."""
    found = []
    for path in sorted((data / "track").glob("*.manifest.json")):
        try:
            head = read_json(path)["heldout"].get("head")
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            fault = Fault(str(path), None, None, "the manifest of a run", str(error))
            raise DataError([fault], remedy="`python -m pipeline track` writes it anew") from error
        if head is not None and head not in chain.heads:
            found.append(
                f"{path}: expected its last line {head[:12]}… in the ledger, got none: "
                "lines were cut off, or are on another branch of git"
            )
    return found
