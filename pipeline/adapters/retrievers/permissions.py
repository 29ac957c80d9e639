"""Which documents the caller of a question may read."""

from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

BoolVector = NDArray[np.bool_]


def readable(
    questions: pl.DataFrame, chunks: pl.DataFrame, documents: pl.DataFrame, *, permissions: bool
) -> Iterator[BoolVector | None]:
    """For each question, in order, which chunks its caller may read; None: all of them.

    A document is readable when it names no access groups, when the question does not state
    the caller's, or when the two share one. Without `permissions` nothing is held back.
    """
    access = [None if g is None else frozenset(g) for g in documents["access_groups"].to_list()]
    docs = chunks["doc"].to_numpy()
    known: dict[frozenset[str], BoolVector] = {}
    for groups in questions["caller_groups"].to_list():
        if groups is None or not permissions:
            yield None
            continue
        caller = frozenset(groups)
        if caller not in known:
            may = [names is None or not names.isdisjoint(caller) for names in access]
            known[caller] = np.array(may, dtype=np.bool_)[docs]
        yield known[caller]
