"""Where short runs of characters occur in a corpus: one pass over it, whatever is sought."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

BLOCK = 1 << 20
"""Code points that are hashed at once, so that a pass takes little memory."""
BITS = 22
"""Bits of a hash that are looked up first; what passes there is looked up in full."""
BASE = 0x9E3779B97F4A7C15
"""An odd number (2^64 over the golden ratio): the base of a polynomial hash modulo 2^64."""

Hashes = NDArray[np.uint64]
Block = tuple[int, NDArray[np.int64], NDArray[np.uint32]]


def occurrences(
    documents: Sequence[str], sought: Sequence[str], width: int
) -> dict[str, NDArray[np.int64]]:
    """Find the documents in which each run of characters may occur, ascending.

    Hashes are compared, not characters, and across the end of a document too: a document
    that holds a run is always found, and one that does not very seldom.

    Args:
        documents: texts.
        sought: distinct runs of exactly `width` code points.
        width: a power of two.
    """
    hashes = np.array([_hashes(_codes(run), width)[0] for run in sought], np.uint64)
    order = np.argsort(hashes)
    ordered = hashes[order]
    table = np.zeros(1 << BITS, np.bool_)
    table[_short(ordered)] = True
    pairs = [np.empty((0, 2), np.int64)]
    for first, starts, codes in _blocks(documents):
        if len(codes) < width:
            continue
        made = _hashes(codes, width)
        at = np.flatnonzero(table[_short(made)])
        left = np.searchsorted(ordered, made[at], "left")
        right = np.searchsorted(ordered, made[at], "right")
        for shift in range(int((right - left).max(initial=0))):  # more than 1: equal hashes
            hit = left + shift < right
            runs = order[left[hit] + shift]
            docs = first + np.searchsorted(starts, at[hit], "right") - 1
            pairs.append(np.unique(np.column_stack((runs, docs)), axis=0))
    found = np.unique(np.concatenate(pairs), axis=0)
    edges = np.searchsorted(found[:, 0], np.arange(len(sought) + 1))
    return {run: found[edges[at] : edges[at + 1], 1] for at, run in enumerate(sought)}


def _blocks(documents: Sequence[str]) -> Iterator[Block]:
    """Documents one after the other: the first of a block, where each begins, code points."""
    first, length = 0, 0
    for at, text in enumerate(documents):
        length += len(text)
        if length >= BLOCK or at == len(documents) - 1:
            part = documents[first : at + 1]
            starts = np.cumsum([0, *map(len, part[:-1])], dtype=np.int64)
            yield first, starts, _codes("".join(part))
            first, length = at + 1, 0


def _codes(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _hashes(codes: NDArray[np.uint32], width: int) -> Hashes:
    """The polynomial hash of each run of `width` code points, by doubling the run's length."""
    made: Hashes = codes.astype(np.uint64) + np.uint64(1)
    run = 1
    while run < width:
        made = made[:-run] * np.uint64(pow(BASE, run, 1 << 64)) + made[run:]
        run *= 2
    return made


def _short(hashes: Hashes) -> NDArray[np.int64]:
    """The top bits, once all bits have reached them."""
    return ((hashes * np.uint64(BASE)) >> np.uint64(64 - BITS)).astype(np.int64)
