"""Whether the rubric's overlap can be reached: no place gives a chunk more than its length."""

from collections import defaultdict
from collections.abc import Iterable

from pipeline.checks.marks import positive
from pipeline.contract.errors import Fault
from pipeline.contract.records import Question

Span = tuple[int, int]


def check_overlap(questions: Iterable[Question], overlap: int) -> list[Fault]:
    """Refuse an overlap that is longer than every marked place, by which nothing is relevant.

    Marks that touch or overlap are one place, whoever made them. Without any span there is
    nothing to refuse: a document that is marked as a whole counts from end to end.
    """
    longest = 0
    for question in questions:
        by_document: defaultdict[str, list[Span]] = defaultdict(list)
        for mark in question.evidence or ():
            if mark.start is not None and mark.end is not None and positive(mark):
                by_document[mark.doc_id].append((mark.start, mark.end))
        longest = max([longest, *map(_longest, by_document.values())])
        if longest >= overlap:
            return []
    if not longest:
        return []
    expected = f"at most {longest}, the length of the longest place that is marked"
    return [Fault("conf: rubric.overlap", None, None, expected, str(overlap))]


def _longest(spans: list[Span]) -> int:
    """Length of the longest span, once those that touch are united."""
    longest, (start, end) = 0, min(spans)
    for low, high in sorted(spans):
        if low > end:
            start, end = low, high
        end = max(end, high)
        longest = max(longest, end - start)
    return longest
