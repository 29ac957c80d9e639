"""Documents shown to somebody who may not read them."""

import numpy as np
import polars as pl

from pipeline.scoring.arrays import Bools, Ints, Ragged


def leaks(
    readers: pl.Series, groups: pl.Series, question: Ints, shown: list[Ragged]
) -> tuple[Ints, Ints]:
    """Find what each response shows that its caller may not read.

    A caller may read a document if either side states no groups, or both share one.

    Args:
        readers: (questions,) groups of the caller; null: not stated.
        groups: (documents,) groups that may read it; null: everybody.
        question: (responses,) the question of each response.
        shown: documents by response: what was retrieved (and so delivered), what was cited;
            a negative one is none of the corpus.

    Returns:
        The responses and the documents that leak, in order, none twice.
    """
    if readers.null_count() == len(readers) or groups.null_count() == len(groups):
        nothing = np.empty(0, np.int64)
        return nothing, nothing
    reader, group, allowed = _allowed(readers, groups)
    found = []
    for lists in shown:
        known = lists.values >= 0
        response, doc = lists.owner[known], lists.values[known]
        hidden = ~allowed[reader[question[response]], group[doc]]
        found.append(response[hidden] << 32 | doc[hidden])
    pairs = np.unique(np.concatenate(found))
    return pairs >> 32, pairs & 0xFFFFFFFF


def _allowed(readers: pl.Series, groups: pl.Series) -> tuple[Ints, Ints, Bools]:
    """Number the distinct sets of groups on both sides; tell which of them may read which."""
    reader, callers = _numbered(readers)
    group, owners = _numbered(groups)
    allowed = [
        [caller is None or owner is None or not caller.isdisjoint(owner) for owner in owners]
        for caller in callers
    ]
    return reader, group, np.array(allowed)


def _numbered(column: pl.Series) -> tuple[Ints, list[set[str] | None]]:
    sets: dict[frozenset[str] | None, int] = {}
    numbers = [
        sets.setdefault(None if row is None else frozenset(row), len(sets))
        for row in column.to_list()
    ]
    return np.array(numbers), [None if row is None else set(row) for row in sets]


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
