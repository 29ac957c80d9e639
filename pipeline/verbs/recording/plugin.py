"""A callable that an installed plug-in offers as a system, and what became of one call of it."""

import json
import threading
import time
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from pipeline.calls.attempt import Attempt
from pipeline.calls.call import Call
from pipeline.calls.endpoint import SHOWN
from pipeline.contract.errors import ConfigError, nearest
from pipeline.contract.files import canonical
from pipeline.verbs.recording.http import Check
from pipeline.verbs.recording.request import asked
from pipeline.verbs.recording.rows import UnreadError

GROUP = "rag_assay.systems"
"""Entry-point group under which an installed plug-in names its systems."""

System = Callable[[str], Mapping[str, Any]]


class Plugin:
    """Calls a system with a question's text; its reply is kept as JSON."""

    def __init__(self, name: str, check: Check) -> None:
        """Load the entry point.

        Raises:
            ConfigError: no installed package offers it, or it cannot be loaded or called.
        """
        self._check = check
        self._point = _found(name)
        self._system = _loaded(self._point)

    @property
    def identity(self) -> dict[str, Any]:
        """The entry point with the version of the package that offers it."""
        dist = self._point.dist
        version = {"package": dist.name, "version": dist.version} if dist is not None else {}
        return {"plugin": self._point.name, "value": self._point.value, **version}

    def shown(self, call: Call) -> dict[str, Any]:
        """What is asked, as it may be kept."""
        return {**self.identity, "question": asked(call)["question"]}

    def attempt(self, call: Call, seconds: float) -> Attempt:
        """Call once, within so many seconds; a call that takes longer is left to itself."""
        began = time.monotonic()
        done: list[Any] = []

        def work() -> None:
            try:
                done.append(_plain(self._system(asked(call)["question"])))
            except BaseException as error:  # whatever a plug-in raises is its failure, not ours
                done.append(error)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join(seconds)
        latency = time.monotonic() - began
        if not done:
            return _failed(f"no answer within {seconds:g} s", latency, passing=True)
        if isinstance(done[0], UnreadError):
            return _failed(str(done[0]), latency, passing=False)
        if isinstance(done[0], BaseException):
            return _failed(f"{type(done[0]).__name__}: {done[0]}", latency, passing=True)
        text: str = done[0]
        try:
            self._check(json.loads(text))
        except UnreadError as error:
            return _failed(str(error), latency, passing=False)
        return Attempt(ok=True, status=None, error=None, latency_s=latency, text=text)


def _found(name: str) -> EntryPoint:
    points = {point.name: point for point in entry_points(group=GROUP)}
    if name in points:
        return points[name]
    expected = f"an installed plug-in's entry point of the group {GROUP}"
    known = f"{name!r}, which is none{nearest(name, points)}"
    raise ConfigError("plugin", expected=expected, got=known)


def _loaded(point: EntryPoint) -> System:
    try:
        system: System = point.load()
    except Exception as error:  # its modules may raise anything
        got = f"{point.value} ({type(error).__name__}: {error})"
        raise ConfigError("plugin", expected="a system that can be loaded", got=got) from error
    if not callable(system):
        raise ConfigError("plugin", expected="a callable", got=point.value)
    return system


def _plain(reply: Any) -> str:
    if not isinstance(reply, Mapping):
        kind = type(reply).__name__
        raise UnreadError(f"expected a mapping with retrieved and answer, got {kind}")
    try:
        return canonical(dict(reply)).encode().decode()  # half characters are none
    except (TypeError, ValueError) as error:
        raise UnreadError(f"expected a reply of plain values, got {error}") from error


def _failed(error: str, latency: float, *, passing: bool) -> Attempt:
    line = " ".join(error.split())[:SHOWN].encode(errors="backslashreplace").decode()
    return Attempt(ok=False, status=None, error=line, latency_s=latency, passing=passing)
