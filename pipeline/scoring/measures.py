"""The metrics of characters: their values, and their bounds where places are in dispute."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from pipeline.scoring import publisher
from pipeline.scoring.arrays import Bools, Floats, Ints
from pipeline.scoring.bounds import Bounds
from pipeline.scoring.characters import (
    Extent,
    extent,
    precision_omega,
    span_iou,
    span_precision,
    span_recall,
    tightness,
)
from pipeline.scoring.cuts import Cuts
from pipeline.scoring.extremes import Choice, Span, choices, common, extremes, length, united
from pipeline.scoring.gold import Gold
from pipeline.scoring.marked import Marked
from pipeline.scoring.places import Met
from pipeline.scoring.retrieval import Reach

MEASURES = {"span_recall": span_recall, "span_precision": span_precision, "span_iou": span_iou}


@dataclass(frozen=True)
class Measures:
    """What does not depend on any ranking.

    Attributes:
        gold: the labels.
        marked: where the evidence lies.
        found: the chunks where the publisher's rule sees them.
        open: (questions,) whether the places of evidence are in dispute.
        omega: precision omega of each question, least and greatest.
        omega_publisher: the same by the publisher's rule.
    """

    gold: Gold
    marked: Marked
    found: Cuts
    open: Bools
    omega: Bounds
    omega_publisher: Floats
    readings: dict[int, list[list[Span]]] = field(default_factory=dict)

    @classmethod
    def of(cls, gold: Gold, marked: Marked, found: Cuts) -> Self:
        """Measure the chunks themselves."""
        open_ = gold.docs.sum(~gold.doc_sure | marked.docs.several) > 0
        first = marked.docs.lists.offsets[:-1]
        inside, touched = (
            gold.docs.sum(amount[first])
            for amount in tightness(marked.docs, gold.docs.values, marked.cuts)
        )
        exact = precision_omega(inside, touched)
        omega = exact, exact.copy()
        made = cls(gold, marked, found, open_, omega, publisher.omega(gold, marked, found))
        for question in np.flatnonzero(open_ & marked.spanned):
            omega[0][question], omega[1][question] = made._tightest(int(question))
        return made

    def span(self, question: Ints, reach: Reach, met: Met, context: Ints) -> dict[str, Bounds]:
        """Least and greatest span recall, precision and IoU, each (responses,).

        Args:
            question: (responses,) the question of each.
            reach: the labelled documents of each response.
            met: the delivered chunks of these.
            context: (responses,) characters of all delivered chunks.
        """
        settled = extent(self.marked, reach.lists, reach.where, met.place, met.chunk, context)
        values = {name: (measure(settled), measure(settled)) for name, measure in MEASURES.items()}
        for response in np.flatnonzero((self.open & self.marked.spanned)[question]):
            parts = self._held(reach, met, int(response))
            for name, measure in MEASURES.items():
                low, high = values[name]
                low[response], high[response] = extremes(
                    parts, _at(measure, int(context[response]))
                )
        return values

    def publisher(self, reach: Reach, met: Met, context: Ints) -> dict[str, Floats]:
        """The same by the publisher's rule; of no meaning where `open`."""
        return publisher.of_spans(reach, self.marked, self.found, met.place, met.chunk, context)

    def _tightest(self, question: int) -> tuple[float, float]:
        parts = []
        for item in range(*self.gold.docs.offsets[question : question + 2]):
            doc = int(self.gold.docs.values[item])

            def touched(spans: list[Span], doc: int = doc) -> tuple[int, int]:
                low, high = np.array(spans).T
                _, chunk = self.marked.cuts.touching(
                    np.full(len(low), doc), low, high, beside=False
                )
                held = united(self._cuts(chunk))
                return common(spans, held), length(united([*spans, *held]))

            parts.append(self._choice(item, touched))
        return extremes(parts, lambda inside, both: inside / max(both, 1))

    def _held(self, reach: Reach, met: Met, response: int) -> list[Choice]:
        """What each labelled document of a response adds: evidence delivered, and all of it."""
        parts = []
        for place in range(*reach.lists.offsets[response : response + 2]):
            at = slice(*np.searchsorted(met.place, [place, place + 1]))
            shown = united(self._cuts(met.chunk[at]))

            def held(spans: list[Span], shown: list[Span] = shown) -> tuple[int, int]:
                return common(spans, shown), length(spans)

            parts.append(self._choice(int(reach.where[place]), held))
        return parts

    def _cuts(self, chunk: Ints) -> list[Span]:
        cuts = self.marked.cuts
        return list(zip(cuts.start[chunk].tolist(), cuts.end[chunk].tolist(), strict=True))

    def _choice(self, item: int, amounts: Callable[[list[Span]], tuple[int, int]]) -> Choice:
        if item not in self.readings:
            self.readings[item] = choices(_spans(self.marked, item))
        return Choice(
            {amounts(spans) for spans in self.readings[item]},
            bool(self.gold.doc_sure[item]),
            bool(self.gold.doc_needed[item]),
        )


def _spans(marked: Marked, item: int) -> list[list[Span]]:
    """The spans of each reading of a labelled document."""
    spans = marked.docs.spans
    found = []
    for reading in range(*marked.docs.lists.offsets[item : item + 2]):
        at = slice(*np.searchsorted(spans.line, [reading, reading + 1]))
        found.append(list(zip(spans.low[at].tolist(), spans.high[at].tolist(), strict=True)))
    return found


def _at(measure: Callable[[Extent], Floats], context: int) -> Callable[[int, int], float]:
    """One of `MEASURES` as a function of evidence inside and evidence in all."""

    def value(inside: int, evidence: int) -> float:
        return float(measure(Extent(*(np.array([n]) for n in (inside, evidence, context))))[0])

    return value
