"""Which chunks are relevant, where labels say where in a document the evidence lies."""

from dataclasses import dataclass, replace

import numpy as np

from pipeline.scoring.arrays import Bools, Ints, Lists, Ragged, starts, within
from pipeline.scoring.marked import Marked, Readings
from pipeline.scoring.retrieval import NEVER, Reach


@dataclass(frozen=True)
class Met:
    """Ranked chunks of labelled documents, in order of these; all are (met,).

    Attributes:
        place: position in `Reach.lists` of the labelled document.
        rank: rank of the chunk, from 0.
        chunk: its code.
    """

    place: Ints
    rank: Ints
    chunk: Ints

    def only(self, which: Bools) -> "Met":
        """Those that are marked."""
        return Met(self.place[which], self.rank[which], self.chunk[which])


def meet(reach: Reach, chunks: Ragged) -> Met:
    """Tell which every ranked chunk of a labelled document is.

    Args:
        reach: the labelled documents of each response.
        chunks: the code of each ranked chunk, for each response.
    """
    place, rank = reach.met
    at = chunks.offsets[reach.lists.owner[place]] + rank
    return Met(place, rank, chunks.values[at].astype(np.int64))


def narrow(reach: Reach, met: Met, cutoff: Ints, marked: Marked) -> Reach:
    """Keep of what was reached only the chunks that are relevant.

    Args:
        reach: with every chunk of a relevant document taken for relevant.
        met: the ranked chunks of these.
        cutoff: (responses,) k.
        marked: where the evidence lies.
    """
    lists, hit = marked.docs.touched(reach.where[met.place], marked.cuts, met.chunk, marked.overlap)
    shown = met.rank < cutoff[reach.lists.owner[met.place]]
    cells, cell = _cells(marked.docs, reach.where, met.place, lists)
    seen = hit & shown[lists.owner]
    count = np.bincount(cell[seen], minlength=len(cells.owner))
    stored = np.bincount(cell[hit], minlength=len(cells.owner)) > 0
    first = np.full(len(cells.owner), NEVER, np.int64)
    np.minimum.at(first, cell[seen], met.rank[lists.owner[seen]])
    some = lists.sum(seen) > 0
    return replace(
        reach,
        first=cells.least(first, NEVER),
        last=-cells.least(-first, -NEVER),
        chunks=np.bincount(met.place[some], minlength=len(reach.where)),
        least=cells.least(count, 0),
        stored=cells.sum(stored) > 0,
        surely=cells.sum(stored) == cells.lengths,
    )


def delivered(pair: Ints, place: Ints, met: Met, size: int, marked: Marked) -> Bools:
    """Whether a visible chunk supports a claim in every reading of its document.

    Args:
        pair: (m,) position in `Gold.pairs` of a claim's document.
        place: (m,) position of that document in `Reach.lists`.
        met: the visible chunks of labelled documents.
        size: how many labelled documents `Reach.lists` holds.
        marked: where the evidence lies.
    """
    by_place = Lists(starts(np.bincount(met.place, minlength=size)))
    shown = Lists(starts(by_place.lengths[place]))
    chunk = met.chunk[within(by_place.offsets[place], shown)]
    lists, hit = marked.pairs.touched(pair[shown.owner], marked.cuts, chunk, marked.overlap)
    cells, cell = _cells(marked.pairs, pair, shown.owner, lists)
    touched = np.bincount(cell[hit], minlength=len(cells.owner)) > 0
    whole: Bools = cells.sum(touched) == cells.lengths
    return whole


def _cells(readings: Readings, item: Ints, place: Ints, lists: Lists) -> tuple[Lists, Ints]:
    """One cell for each labelled document and reading of it.

    Args:
        readings: where the evidence lies.
        item: (documents,) position in `readings` of each labelled document.
        place: (m,) the document of each chunk, as an index into `item`.
        lists: for each chunk the readings of its document, from `Readings.touched`.

    Returns:
        The cells of each labelled document, and the cell of each reading of each chunk.
    """
    cells = Lists(starts(readings.lists.lengths[item]))
    return cells, within(cells.offsets[place], lists)
