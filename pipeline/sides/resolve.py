"""From the words that name a side to the side itself.

    system:NAME   a system of the last run, in data/
    run:ID        a run in MLflow, by its id or its name
    rev:REVISION  a git revision or a DVC experiment
    dir:FOLDER    a folder laid out as data/ is

A bare word works where just one of these has it. Where a place holds several systems, the
one meant follows after a #: rev:main#rag.
"""

import dataclasses
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from pipeline.adapters.trackers.fetch import fetched, named
from pipeline.adapters.trackers.mlflow import Mlflow
from pipeline.contract.errors import ConfigError
from pipeline.contract.files import root
from pipeline.contract.ports import Tracker
from pipeline.contract.sides import Side
from pipeline.sides import revision
from pipeline.sides.folder import one_in

KINDS = ("system", "run", "rev", "dir")


@dataclasses.dataclass(frozen=True)
class Places:
    """Where sides are looked for.

    Attributes:
        data: the data folder, relative to the project's root.
        tracker: the tracker of the configuration; runs are found where it is MLflow.
    """

    data: Path
    tracker: Tracker

    def side(self, word: str) -> Side:
        """Return the side that a word names.

        Raises:
            ConfigError: nothing has that name, or more than one thing has.
            EndpointError: the store of runs does not answer.
        """
        kind, name, system = _parsed(word)
        if kind is None:
            kind = self._only(word, name, system)
        if not name:
            raise ConfigError(word, expected=f"{kind}:NAME", got="no name")
        finders: dict[str, Callable[[str, str | None], Side]] = {
            "system": self._system, "run": self._run, "rev": self._rev, "dir": self._dir,
        }  # fmt: skip
        return finders[kind](name, system)

    def _only(self, word: str, name: str, system: str | None) -> str:
        """The one kind under which a bare word names something."""
        found = [kind for kind in KINDS if name and self._has(kind, name, system)]
        if len(found) == 1:
            return found[0]
        tried = "a system, a run, a revision or a folder"
        if not found:
            raise ConfigError(
                word or "compare", expected=tried, got="none of that name",
                remedy="say where it lies: " + ", ".join(f"{kind}:…" for kind in KINDS),
            )  # fmt: skip
        raise ConfigError(
            word, expected="a name that one thing has", got=", ".join(f"{k}:{name}" for k in found)
        )

    def _has(self, kind: str, name: str, system: str | None) -> bool:
        if kind == "dir":
            with suppress(OSError):  # a name too long for a file names none
                return (root() / name / "score").is_dir()
            return False
        if kind == "rev":
            return revision.commit_of(name) is not None
        if kind == "run":
            return isinstance(self.tracker, Mlflow) and bool(named(self.tracker, name))
        try:
            return system is None and bool(self._system(name, None))
        except ConfigError:
            return False

    def _system(self, name: str, _: str | None) -> Side:
        folder = root() / self.data
        return dataclasses.replace(one_in(folder, "system", name), spec=f"system:{name}")

    def _dir(self, name: str, system: str | None) -> Side:
        return one_in(root() / Path(name).expanduser(), f"dir:{name}", system)

    def _rev(self, name: str, system: str | None) -> Side:
        folder, time = revision.taken_out(name, self.data)
        return one_in(folder, f"rev:{name}", system, seen=time)

    def _run(self, name: str, system: str | None) -> Side:
        if not isinstance(self.tracker, Mlflow):
            raise ConfigError(
                f"run:{name}", expected="runs that are kept in MLflow", got="another tracker"
            )
        runs = named(self.tracker, name)
        if len(runs) != 1:
            ids = ", ".join(f"run:{run.run_id}" for run in runs)
            raise ConfigError(
                f"run:{name}",
                expected=f"one run of that id or name in experiment {self.tracker.experiment!r}",
                got=f"{len(runs)}: {ids}" if runs else "none",
            )
        return one_in(fetched(self.tracker, runs[0]), f"run:{name}", system)


def told_apart(sides: Sequence[Side]) -> list[Side]:
    """Return the sides with names that differ: those that share one are named by their place.

    Raises:
        ConfigError: the same side stands there twice.
    """
    specs = Counter((side.spec, side.system) for side in sides)
    for (spec, system), count in specs.items():
        if count > 1:
            raise ConfigError(
                "sides", expected="each side once", got=f"{spec} ({system}) {count} times"
            )
    systems = Counter(side.system for side in sides)
    placed = [f"{side.system} ({side.spec})" for side in sides]
    alone = [systems[side.system] == 1 and side.system not in placed for side in sides]
    return [
        side if by_itself else dataclasses.replace(side, name=name)
        for side, by_itself, name in zip(sides, alone, placed, strict=True)
    ]


def _parsed(word: str) -> tuple[str | None, str, str | None]:
    """Kind, name and system of a word; a kind that is none of ours is part of the name."""
    kind, colon, rest = word.partition(":")
    if not colon or kind not in KINDS:
        kind, rest = "", word
    if kind == "system":  # its name may hold a #
        return kind, rest, None
    name, _, system = rest.partition("#")
    return kind or None, name, system or None
