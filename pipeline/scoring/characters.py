"""How much of the evidence, counted in characters, the delivered chunks hold and how tightly."""

from dataclasses import dataclass

import numpy as np

from pipeline.scoring.arrays import Floats, Ints, Lists, ratio
from pipeline.scoring.cuts import Cuts
from pipeline.scoring.marked import Marked, Readings
from pipeline.scoring.spans import Spans


@dataclass(frozen=True)
class Extent:
    """Characters, added up over the labelled documents of some responses; all (responses,).

    Attributes:
        inside: evidence that is in a delivered chunk, |G ∩ ∪C|.
        evidence: all of it, |G|.
        context: all delivered chunks, Σ|C|; what several hold counts for each.
    """

    inside: Ints
    evidence: Ints
    context: Ints


def span_recall(extent: Extent) -> Floats:
    """Share of the evidence that is in a delivered chunk, |G ∩ ∪C| / |G|.

    Returns:
        (responses,) in [0, 1]; of no meaning where no span is labelled.

    Source: Chroma 2024, Evaluating Chunking Strategies for Retrieval.
    """
    return ratio(extent.inside, extent.evidence)


def span_precision(extent: Extent) -> Floats:
    """Share of the delivered characters that is evidence, |G ∩ ∪C| / Σ|C|; source as above.

    Returns:
        (responses,) in [0, 1]; 0.0 where nothing was delivered.
    """
    return ratio(extent.inside, extent.context)


def span_iou(extent: Extent) -> Floats:
    """|G ∩ ∪C| / (Σ|C| + |G outside ∪C|); source as above.

    Returns:
        (responses,) in [0, 1]; of no meaning where no span is labelled.
    """
    return ratio(extent.inside, extent.context + extent.evidence - extent.inside)


def precision_omega(inside: Ints, touched: Ints) -> Floats:
    """Span precision if each chunk with evidence were retrieved and no other; source as above.

    A property of the chunking alone.

    Args:
        inside: (questions,) evidence in the chunks C* that touch it, |G ∩ ∪C*|.
        touched: (questions,) those chunks and the evidence together, |∪C* ∪ G|.

    Returns:
        (questions,) in [0, 1]; of no meaning where no span is labelled.
    """
    return ratio(inside, touched)


def extent(
    marked: Marked, lists: Lists, where: Ints, place: Ints, chunk: Ints, context: Ints
) -> Extent:
    """Measure responses whose evidence can be read in one way only (by the first reading).

    Args:
        marked: where the evidence lies.
        lists: the labelled documents of each response.
        where: their positions in `Gold.docs`.
        place: (m,) position in `lists` of the document of each delivered chunk of one.
        chunk: (m,) the chunk's code.
        context: (responses,) characters of all delivered chunks.
    """
    delivered = Spans.of(place, marked.cuts.start[chunk], marked.cuts.end[chunk])
    reading = marked.docs.lists.offsets[where]
    inside = delivered.shared(marked.docs.spans, reading)
    sizes = marked.docs.spans.lengths(len(marked.docs.lists.owner))
    return Extent(lists.sum(inside), lists.sum(sizes[reading]), context)


def tightness(readings: Readings, doc: Ints, cuts: Cuts) -> tuple[Ints, Ints]:
    """Measure, for every reading, the chunks that touch the evidence.

    Args:
        readings: readings of labelled documents.
        doc: (documents,) codes of these.
        cuts: the chunks of the corpus.

    Returns:
        (readings,) evidence inside of these chunks, (readings,) them and it together.
    """
    size = len(readings.lists.owner)
    spans = readings.spans
    evidence = spans.line, spans.low, spans.high
    span, chunk = cuts.touching(doc[readings.lists.owner[spans.line]], *evidence[1:], beside=False)
    touched = spans.line[span], cuts.start[chunk], cuts.end[chunk]
    both = Spans.of(*map(np.concatenate, zip(evidence, touched, strict=True)))
    return spans.shared(Spans.of(*touched), np.arange(size)), both.lengths(size)
