"""Which data set the calls of a stage are about: noted beside each, so that they can be purged."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_SUBJECT: ContextVar[str] = ContextVar("subject", default="")


@contextmanager
def about(dataset: str) -> Iterator[None]:
    """Note this name beside every call that is made in the block; no key depends on it."""
    token = _SUBJECT.set(dataset)
    try:
        yield
    finally:
        _SUBJECT.reset(token)


def subject() -> str:
    """The data set that calls are about here; empty: nobody said."""
    return _SUBJECT.get()
