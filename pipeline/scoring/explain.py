"""Why one claim counted or did not: the rule of `support`, citation by citation.

For people who open a question. It says of one claim what the scoring of all claims at once
decides, and a test holds the two together.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Standing = Literal["counts", "unknown", "not_labelled", "not_visible", "disputed"]
Verdict = Literal["supported", "unsupported", "unresolved"]
Ground = Literal["citations", "no_citation", "no_label"]


@dataclass(frozen=True)
class Label:
    """How many of its annotators say that a document supports a claim."""

    yes: int
    votes: int


@dataclass(frozen=True)
class Ruling:
    """Whether a claim counts, on what ground, and how each of its citations stands."""

    verdict: Verdict
    ground: Ground
    citations: tuple[Standing, ...]


def rule(
    citations: Sequence[int],
    labels: Mapping[int, Label] | None,
    visible: Collection[int],
    *,
    majority: bool,
) -> Ruling:
    """Rule on one claim.

    Args:
        citations: documents it cites, as codes, in order; -1: not in the corpus.
        labels: documents that somebody labelled for this very claim and that the caller
            may read; None: no label expects the claim.
        visible: documents in the visible context.
        majority: whether more than half of the votes settle a dispute.

    Returns:
        `supported` when there are citations and each of them counts. One that is unknown,
        not labelled for this claim or not visible sinks it, whatever the others are;
        otherwise one in dispute leaves it `unresolved`.
    """
    standings = tuple(_standing(doc, labels or {}, visible, majority) for doc in citations)
    if labels is None:
        return Ruling("unsupported", "no_label", standings)
    if not citations:
        return Ruling("unsupported", "no_citation", standings)
    if any(standing not in ("counts", "disputed") for standing in standings):
        return Ruling("unsupported", "citations", standings)
    verdict: Verdict = "unresolved" if "disputed" in standings else "supported"
    return Ruling(verdict, "citations", standings)


def settled(label: Label, *, majority: bool) -> bool | None:
    """What a label says: yes, no, or None while it is in dispute."""
    if label.yes in (0, label.votes):
        return label.yes > 0
    if majority and 2 * label.yes != label.votes:
        return 2 * label.yes > label.votes
    return None


def _standing(
    doc: int, labels: Mapping[int, Label], visible: Collection[int], majority: bool
) -> Standing:
    if doc < 0:
        return "unknown"
    says = settled(labels[doc], majority=majority) if doc in labels else False
    if says is False:
        return "not_labelled"
    if doc not in visible:
        return "not_visible"
    return "counts" if says else "disputed"
