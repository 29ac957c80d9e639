"""From outputs of a system to its file of responses: matched, placed, checked, written."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from pipeline.checks.complete import absent
from pipeline.checks.ids import malformed
from pipeline.checks.responses import Key
from pipeline.contract.errors import ConfigError, DataError
from pipeline.contract.files import replacing
from pipeline.verbs.recording.asked import Questions
from pipeline.verbs.recording.opened import Opened
from pipeline.verbs.recording.placing import Place, Placing
from pipeline.verbs.recording.responses import Made, Making
from pipeline.verbs.recording.rows import Row
from pipeline.verbs.recording.written import Out


@dataclass(frozen=True)
class Finished:
    """What was written, and what was done for it."""

    made: Made
    counts: dict[str, int]
    missing: list[Key]
    claims: bool
    replaced: int


def options(parser: ArgumentParser) -> None:
    """Add the options that `record` and `import` share."""
    parser.add_argument("--system", metavar="NAME", required=True)
    parser.add_argument("--set", metavar="FOLDER", required=True)
    for name in ("--out", "--report"):
        parser.add_argument(name, metavar="FILE", type=Path)
    parser.add_argument("--documents", metavar="FOLDER")
    parser.add_argument("--near", metavar="SHARE", type=float)
    for name in ("--collapse", "--replace"):
        parser.add_argument(name, action="store_true")


def checked(words: Namespace, opened: Opened) -> Out:
    """The file that is to be written, before anything is asked or read.

    Raises:
        ConfigError: an option is not right, or the file has responses of the system.
    """
    bad = malformed(words.system)
    if bad:
        raise ConfigError("--system", expected="a name that can be an id", got=bad)
    if words.near is not None and not 0.5 <= words.near < 1:
        expected = "a share of a text, from 0.5 up to less than 1"
        raise ConfigError("--near", expected=expected, got=f"{words.near:g}")
    path = words.out or opened.out
    if path is None:
        raise ConfigError("--out", expected="a file, since --set is no folder", got="none")
    out = Out(path, words.system, words.replace)
    out.check()
    return out


def finish(
    rows: Sequence[Row], words: Namespace, opened: Opened, out: Out, source: dict[str, Any], *,
    marks: bool, remedy: str,
) -> Finished:  # fmt: skip
    """Write the responses, or nothing.

    Args:
        rows: a system's outputs.
        words: the options.
        opened: the set.
        out: the file.
        source: where the outputs come from, for the note.
        marks: whether marks `[n]` in answers are citations.
        remedy: what to do about faults.

    Raises:
        DataError: with every fault of what was to be matched, placed or recorded.
    """
    ids, faults = Questions(opened.questions.rows).match(rows)
    placed = Placing(opened.documents, near=words.near).place(rows)
    if faults or placed.faults:
        raise DataError([*faults, *placed.faults], remedy=remedy)
    named = [id_ for id_ in ids if id_ is not None]
    making = Making(words.system, opened, words.collapse, marks)
    made = making.make(rows, named, placed.places)
    if made.faults:
        raise DataError(made.faults, remedy=remedy)
    counts = {**placed.counts, **made.counts}
    detail = _detail(rows, named, placed.places)
    note = {
        "source": source, "responses": len(rows), "near": words.near, "counts": counts,
        "taken_as_near": [one for one in detail if one["how"] == "near"],
    }  # fmt: skip
    replaced = out.write(made.part.rows, note)
    if words.report is not None:
        with replacing(words.report) as temporary, temporary.open("wb") as file:
            file.writelines(msgspec.json.encode(one) + b"\n" for one in detail)
    asked = [one.question_id for one in opened.questions.rows]
    return Finished(made, counts, absent(made.part, asked), opened.claims, replaced)


def _detail(
    rows: Sequence[Row], ids: Sequence[str], places: Sequence[list[Place] | None]
) -> list[dict[str, Any]]:
    """Where each retrieved thing was found."""
    return [
        {
            "question_id": id_, "repeat": row.repeat, "rank": rank, "doc_id": place.doc_id,
            "how": place.how, "start": place.span[0] if place.span else None,
            "end": place.span[1] if place.span else None,
            "score": place.near.score if place.near else None,
            "differs_at": place.near.at if place.near else None,
        }
        for row, id_, placed in zip(rows, ids, places, strict=True)
        for rank, place in enumerate(placed or (), 1)
    ]  # fmt: skip
