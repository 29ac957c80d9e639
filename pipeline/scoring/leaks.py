"""Documents shown to somebody who may not read them."""

import numpy as np
import polars as pl

from pipeline.scoring.arrays import Bools, Ints


def leaks(
    readers: pl.Series, groups: pl.Series, question: Ints, shown: list[tuple[Ints, Ints]]
) -> tuple[Ints, Ints]:
    """Find what each response shows that its caller may not read.

    A caller may read a document if either side states no groups, or both share one.

    Args:
        readers: (questions,) groups of the caller; null: not stated.
        groups: (documents,) groups that may read it; null: everybody.
        question: (responses,) the question of each response.
        shown: pairs of (response, document), each pair of equal length: what was retrieved,
            delivered or cited; a negative document is none of the corpus.

    Returns:
        The responses and the documents that leak, in order, none twice.
    """
    found = [np.empty((0, 2), np.int64)]
    if readers.null_count() < len(readers) and groups.null_count() < len(groups):
        reader, group, allowed = _allowed(readers, groups)
        for response, doc in shown:
            denied = doc >= 0
            denied[denied] = ~allowed[reader[question[response[denied]]], group[doc[denied]]]
            found.append(np.column_stack([response[denied], doc[denied]]))
    pairs = np.unique(np.concatenate(found), axis=0)
    return pairs[:, 0], pairs[:, 1]


def _allowed(readers: pl.Series, groups: pl.Series) -> tuple[Ints, Ints, Bools]:
    """Number the distinct sets of groups on both sides; tell which of them may read which."""
    reader, callers = _numbered(readers)
    group, owners = _numbered(groups)
    allowed = [
        [caller is None or owner is None or not caller.isdisjoint(owner) for owner in owners]
        for caller in callers
    ]
    return reader, group, np.array(allowed, np.bool_)


def _numbered(column: pl.Series) -> tuple[Ints, list[set[str] | None]]:
    sets: dict[frozenset[str] | None, int] = {}
    numbers = [
        sets.setdefault(None if row is None else frozenset(row), len(sets))
        for row in column.to_list()
    ]
    return np.array(numbers, np.int64), [None if row is None else set(row) for row in sets]


def names(responses: int, response: Ints, doc: Ints, doc_ids: pl.Series) -> pl.Series:
    """Give each response the list of the documents it leaks, by id."""
    listed = pl.DataFrame({"row": response, "leaks": doc_ids.gather(doc)}).group_by(
        "row", maintain_order=True
    )
    rows = pl.DataFrame({"row": np.arange(responses)})
    return (
        rows.join(listed.agg("leaks"), on="row", how="left", maintain_order="left")
        .get_column("leaks")
        .fill_null(pl.lit([], pl.List(pl.String)))
    )
