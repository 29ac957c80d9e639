"""Where in each labelled document the evidence lies, in every way its annotators allow.

Annotators who call a document relevant may mark different places in it. The marks of one of
them are a *reading*; a resolution takes one reading or several. So what every reading holds
is sure, and what some reading holds is possible. Settled labels are read in one way: all
their marks together. A document without a mark is evidence from end to end.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from pipeline.scoring.arrays import Bools, Ints, Lists, Ragged, locate, starts, within
from pipeline.scoring.cuts import Cuts
from pipeline.scoring.gold import Gold
from pipeline.scoring.labels import yes
from pipeline.scoring.spans import Spans

END = 2**32 - 1
"""Stands for the end of a document that is marked as a whole."""


@dataclass(frozen=True)
class Readings:
    """The readings of some labelled documents, in the order of these.

    Attributes:
        lists: the readings of each document; at least one.
        spans: the marked places; line i is reading i.
        entire: (readings,) whether that is the whole document, so that each chunk is relevant.
    """

    lists: Lists
    spans: Spans
    entire: Bools

    @cached_property
    def several(self) -> Bools:
        """(documents,) whether it can be read in more than one way."""
        several: Bools = self.lists.lengths > 1
        return several

    def touched(self, item: Ints, cuts: Cuts, chunk: Ints, overlap: int) -> tuple[Lists, Bools]:
        """Hold chunks against every reading of their document.

        Args:
            item: (m,) position of each chunk's document among the labelled ones.
            cuts: the chunks of the corpus.
            chunk: (m,) code of each chunk.
            overlap: positions a chunk has to share with a marked span.

        Returns:
            For each chunk the list of its document's readings, and for each of these
            whether the chunk is relevant by it.
        """
        lists = Lists(starts(self.lists.lengths[item]))
        reading = within(self.lists.offsets[item], lists)
        cut = chunk[lists.owner]
        touched = self.spans.touched(reading, cuts.start[cut], cuts.end[cut], overlap)
        return lists, touched | self.entire[reading]


@dataclass(frozen=True)
class Marked:
    """The places of evidence of a question set.

    Attributes:
        cuts: the chunks of the corpus.
        overlap: the rubric's rule: positions a chunk has to share with a marked span.
        docs: readings of `Gold.docs`.
        pairs: readings of `Gold.pairs`.
        spanned: (questions,) whether any mark says where.
        marks: positions in `Gold.docs` of every mark on a document, ascending, its first
            position and that after its last.
    """

    cuts: Cuts
    overlap: int
    docs: Readings
    pairs: Readings
    spanned: Bools
    marks: tuple[Ints, Ints, Ints]

    @property
    def disputed(self) -> bool:
        """Whether any document can be read in more than one way."""
        return bool(self.docs.several.any() or self.pairs.several.any())


def mark(gold: Gold, evidence: pl.DataFrame, cuts: Cuts, overlap: int, voted: Bools) -> Marked:
    """Find the places of the labels that hold in some resolution.

    Args:
        gold: the labels.
        evidence: Evidence.
        cuts: the chunks of the corpus.
        overlap: the rubric's rule.
        voted: (questions,) whether the labels are votes; if not, they are settled.
    """
    kept = evidence.filter(yes())
    question, doc = (kept[name].to_numpy().astype(np.int64) for name in ("question", "doc"))
    claim = kept["claim"].cast(pl.Int64).fill_null(-1).to_numpy()
    reader = np.where(voted[question], kept["annotator"].rank("dense").fill_null(0).to_numpy(), 0)
    start = kept["start"].fill_null(0).to_numpy().astype(np.int64)
    end = kept["end"].fill_null(END).to_numpy().astype(np.int64)
    item = locate(gold.docs, question, doc)
    docs = _readings(gold.docs, item, reader, start, end, cuts)
    pairs = _readings(gold.pairs, locate(gold.pairs, claim, doc), reader, start, end, cuts)
    spanned = np.zeros(len(gold.docs), np.bool_)
    spanned[question[(item >= 0) & (end < END)]] = True
    order = np.argsort(item, kind="stable")[(item < 0).sum() :]
    marks = item[order], start[order], np.where(end == END, cuts.last[doc], end)[order]
    return Marked(cuts, overlap, docs, pairs, spanned, marks)


def _readings(
    labelled: Ragged, item: Ints, reader: Ints, start: Ints, end: Ints, cuts: Cuts
) -> Readings:
    """Group marks by the document they are on and who made them; equal readings are one.

    Args:
        labelled: the labelled documents.
        item: (m,) position in them of each mark's document; -1: it is not among them.
        reader: (m,) who made the mark.
        start: (m,) its first position.
        end: (m,) the position after its last, `END` for a whole document.
        cuts: the chunks, for where documents end.
    """
    size, on = len(labelled.values), item >= 0
    (owner, _), line = np.unique(np.stack([item[on], reader[on]]), axis=1, return_inverse=True)
    made = Spans.of(line, start[on], end[on])
    rows = (
        pl.DataFrame({"item": owner[made.line], "line": made.line})
        .with_columns(start=made.low, end=made.high)
        .group_by("item", "line", maintain_order=True)
        .agg("start", "end")
        .unique(["item", "start", "end"], keep="first", maintain_order=True)
        .drop("line")
    )
    bare = pl.DataFrame({"item": np.setdiff1d(np.arange(size), owner)})
    bare = bare.with_columns(start=pl.lit([0]), end=pl.lit([END])).cast(rows.schema)
    rows = pl.concat([rows, bare]).sort("item", maintain_order=True).with_row_index("reading")
    flat = rows.explode("start", "end")
    of = flat["item"].to_numpy()
    reading, low, high = (
        flat[name].to_numpy().astype(np.int64) for name in ("reading", "start", "end")
    )
    high = np.where(high == END, cuts.last[labelled.values[of]], high)
    lists = Lists(starts(np.bincount(rows["item"].to_numpy(), minlength=size)))
    spans = Spans.of(reading, low, high)
    entire = spans.lengths(len(rows)) >= cuts.last[labelled.values[lists.owner]]
    return Readings(lists, spans, entire)
