"""The same metrics by the rule under which Chroma published its numbers, for comparison.

It differs from ours: a chunk that only touches a span counts as overlapping it; a chunk is
looked for again by its text, less one full stop at its end, and taken where that first occurs
in the document; spans that overlap each other count twice in what there is to find.
"""

import numpy as np

from pipeline.scoring.arrays import Floats, Ints, Lists, ratio, starts, within
from pipeline.scoring.cuts import Cuts
from pipeline.scoring.gold import Gold
from pipeline.scoring.marked import Marked
from pipeline.scoring.retrieval import Reach
from pipeline.scoring.spans import Spans


def omega(gold: Gold, marked: Marked, cuts: Cuts) -> Floats:
    """Precision omega of each question, (questions,), of chunks as Found places them."""
    item, start, end = marked.marks
    span, chunk = cuts.touching(gold.docs.values[item], start, end, beside=True)
    touched = item[span], cuts.start[chunk], cuts.end[chunk]
    both = Spans.of(*map(np.concatenate, zip(marked.marks, touched, strict=True)))
    evidence = Spans.of(*marked.marks)
    size = len(gold.docs.values)
    inside = Spans.of(*touched).shared(evidence, np.arange(size))
    return ratio(gold.docs.sum(inside), gold.docs.sum(both.lengths(size)))


def of_spans(
    reach: Reach, marked: Marked, cuts: Cuts, place: Ints, chunk: Ints, context: Ints
) -> dict[str, Floats]:
    """Span recall, precision and IoU, each (responses,).

    Args:
        reach: the labelled documents of each response.
        marked: where the evidence lies.
        cuts: the chunks as Found places them.
        place: (m,) position in `reach.lists` of the document of each delivered chunk of one.
        chunk: (m,) the chunk's code.
        context: (responses,) characters of all delivered chunks of `cuts`.
    """
    item, start, end = marked.marks
    delivered = Spans.of(place, cuts.start[chunk], cuts.end[chunk])
    inside = reach.lists.sum(delivered.shared(Spans.of(*marked.marks), reach.where))
    by_item = Lists(starts(np.bincount(item, minlength=len(marked.docs.lists))))
    marks = Lists(starts(by_item.lengths[reach.where]))
    mark = within(by_item.offsets[reach.where], marks)
    sizes = end[mark] - start[mark]
    held = delivered.covered(marks.owner, start[mark], end[mark])
    evidence, missed = (reach.lists.sum(marks.sum(amounts)) for amounts in (sizes, sizes - held))
    return {
        "span_recall": ratio(inside, evidence),
        "span_precision": ratio(inside, context),
        "span_iou": ratio(inside, context + missed),
    }
