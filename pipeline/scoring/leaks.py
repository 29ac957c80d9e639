"""Documents shown to somebody who may not read them."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import polars as pl

from pipeline.scoring.arrays import Bools, Ints, Ragged


@dataclass(frozen=True)
class Numbered:
    """A column of groups by its distinct sets: which of them each row has."""

    number: Ints
    sets: list[frozenset[str] | None]

    @classmethod
    def of(cls, column: pl.Series) -> Self:
        """Take a column of lists; null stands for no set at all."""
        sets: dict[frozenset[str] | None, int] = {}
        numbers = [
            sets.setdefault(None if row is None else frozenset(row), len(sets))
            for row in column.to_list()
        ]
        return cls(np.array(numbers), list(sets))


def leaks(
    readers: pl.Series, groups: Numbered | None, question: Ints, shown: list[Ragged]
) -> tuple[Ints, Ints]:
    """Find what each response shows that its caller may not read.

    A caller may read a document if either side states no groups, or both share one.

    Args:
        readers: (questions,) groups of the caller; null: not stated.
        groups: of the documents, who may read each; None: everybody all of them.
        question: (responses,) the question of each response.
        shown: documents by response: what was retrieved (and so delivered), what was cited;
            a negative one is none of the corpus.

    Returns:
        The responses and the documents that leak, in order, none twice.
    """
    if readers.null_count() == len(readers) or groups is None:
        nothing = np.empty(0, np.int64)
        return nothing, nothing
    callers = Numbered.of(readers)
    allowed = _allowed(callers.sets, groups.sets)
    found = []
    for lists in shown:
        known = lists.values >= 0
        response, doc = lists.owner[known], lists.values[known]
        hidden = ~allowed[callers.number[question[response]], groups.number[doc]]
        found.append(response[hidden] << 32 | doc[hidden])
    pairs = np.unique(np.concatenate(found))
    return pairs >> 32, pairs & 0xFFFFFFFF


def _allowed(callers: list[frozenset[str] | None], owners: list[frozenset[str] | None]) -> Bools:
    """Tell which sets of groups may read what belongs to which others."""
    return np.array(
        [
            [caller is None or owner is None or not caller.isdisjoint(owner) for owner in owners]
            for caller in callers
        ]
    )


def names(responses: int, response: Ints, doc: Ints, doc_ids: pl.Series) -> pl.Series:
    """Give each response the list of the documents it leaks, by id."""
    leaking, place = np.unique(response, return_inverse=True)
    lists = (
        pl.DataFrame({"place": place, "leaks": doc_ids.gather(doc)})
        .group_by("place", maintain_order=True)
        .agg("leaks")
        .get_column("leaks")
        .extend(pl.Series([[]]))
    )
    which = np.full(responses, len(leaking))
    which[leaking] = np.arange(len(leaking))
    return lists.gather(which)
