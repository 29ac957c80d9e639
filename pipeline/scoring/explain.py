"""Why one claim counted or did not: the rule of `support`, citation by citation.

For people who open a question. It says of one claim what the scoring of all claims at once
decides, and a test holds the two together.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from pipeline.scoring.gold import settle
from pipeline.scoring.resolutions import Policy

Standing = Literal[
    "counts", "unknown", "not_labelled", "chunk_not_labelled", "not_visible", "disputed"
]
Span = tuple[int, int]
Verdict = Literal["supported", "unsupported", "unresolved"]
Ground = Literal["citations", "no_citation", "no_label"]


@dataclass(frozen=True)
class Labels:
    """What the labels of one question come to under the rubric's policy.

    Attributes:
        relevant: by document, whether it is relevant in every resolution (True) or only in
            some (False); a document that is relevant in none is left out.
        support: the same by claim and document; every expected claim is there.
    """

    relevant: dict[int, bool]
    support: dict[int, dict[int, bool]]


@dataclass(frozen=True)
class Ruling:
    """Whether a claim counts, on what ground, and how each of its citations stands."""

    verdict: Verdict
    ground: Ground
    citations: tuple[Standing, ...]


def labels_of(
    relevance: pl.DataFrame, support: pl.DataFrame, claims: pl.DataFrame, policy: Policy
) -> Labels:
    """Relevance, Support and Claims of a single labelled question -> what they come to."""
    found = labels_by_question(relevance, support, claims, policy)
    return next(iter(found.values()), Labels({}, {}))


def labels_by_question(
    relevance: pl.DataFrame, support: pl.DataFrame, claims: pl.DataFrame, policy: Policy
) -> dict[int, Labels]:
    """Relevance, Support and Claims in order of their keys -> what they come to, by question.

    Questions of which the three hold no row are left out: nothing is labelled yes there.
    """
    columns = [frame["question"] for frame in (relevance, support, claims)]
    questions = pl.concat(columns).unique().sort().to_list()
    codes = claims["claim"].to_list()
    pairs = support.with_columns(_place("claim", codes)) if codes else support
    owners = _arrays(claims, questions)["question"]
    gold = settle(
        np.ones(len(questions), np.bool_),
        _arrays(relevance, questions, "doc", "yes", "votes"),
        _arrays(pairs, questions, "claim", "doc", "yes", "votes"),
        owners,
        policy,
    )
    found = {question: Labels({}, {}) for question in questions}
    for at, doc, sure in zip(gold.docs.owner, gold.docs.values, gold.doc_sure, strict=True):
        found[questions[at]].relevant[int(doc)] = bool(sure)
    for at, code in zip(owners, codes, strict=True):
        found[questions[at]].support[code] = {}
    for claim, doc, sure in zip(gold.pairs.owner, gold.pairs.values, gold.pair_sure, strict=True):
        found[questions[owners[claim]]].support[codes[claim]][int(doc)] = bool(sure)
    return found


@dataclass(frozen=True)
class Parts:
    """The chunks that the citations of one claim name.

    Attributes:
        named: the chunk of each citation, as a code; -1: it names a document.
        visible: chunks in the visible context.
        supporting: chunks that support this very claim by the marks of somebody who says
            that their document does, by `supports`.
        surely: those that do by the marks of everybody who says so.
    """

    named: Sequence[int]
    visible: Collection[int]
    supporting: Collection[int]
    surely: Collection[int]


def supports(chunk: Span, marks: Collection[Span], overlap: int) -> bool:
    """Whether a chunk of a document supports a claim that the document supports.

    Args:
        chunk: `[start, end)` of the chunk in its document.
        marks: spans of the document that somebody marked for the claim with yes; without
            any, the document counts as a whole.
        overlap: code points that chunk and mark have to share, 1 or more.
    """
    return not marks or any(
        min(chunk[1], end) - max(chunk[0], start) >= overlap for start, end in marks
    )


def rule(
    citations: Sequence[int],
    labels: Mapping[int, bool] | None,
    visible: Collection[int],
    parts: Parts | None = None,
) -> Ruling:
    """Rule on one claim.

    Args:
        citations: documents it cites, as codes, in order; -1: not in the corpus.
        labels: documents that support this very claim, as in `Labels.support`; None: no
            label expects the claim.
        visible: documents in the visible context.
        parts: the chunks that the citations name; None: each names a document.

    Returns:
        `supported` when there are citations and each of them counts. One that is unknown,
        not labelled for this claim or not visible sinks it, whatever the others are;
        otherwise one in dispute leaves it `unresolved`. Where a citation names a chunk, that
        very chunk has to be visible and to support the claim.
    """
    named = parts.named if parts else [-1] * len(citations)
    standings = tuple(
        _standing(doc, labels or {}, visible, chunk, parts)
        for doc, chunk in zip(citations, named, strict=True)
    )
    if labels is None:
        return Ruling("unsupported", "no_label", standings)
    if not citations:
        return Ruling("unsupported", "no_citation", standings)
    if any(standing not in ("counts", "disputed") for standing in standings):
        return Ruling("unsupported", "citations", standings)
    verdict: Verdict = "unresolved" if "disputed" in standings else "supported"
    return Ruling(verdict, "citations", standings)


def _standing(
    doc: int,
    labels: Mapping[int, bool],
    visible: Collection[int],
    chunk: int,
    parts: Parts | None,
) -> Standing:
    if doc < 0:
        return "unknown"
    if doc not in labels:
        return "not_labelled"
    if parts and chunk >= 0:
        if chunk not in parts.supporting:
            return "chunk_not_labelled"
        if chunk not in parts.visible:
            return "not_visible"
    if doc not in visible:
        return "not_visible"
    sure = labels[doc] and not (parts and chunk >= 0 and chunk not in parts.surely)
    return "counts" if sure else "disputed"


def _place(name: str, codes: list[int]) -> pl.Expr:
    """Codes -> their places in a list."""
    return pl.col(name).replace_strict(codes, range(len(codes)), return_dtype=pl.Int64)


def _arrays(frame: pl.DataFrame, questions: list[int], *names: str) -> dict[str, np.ndarray]:
    """Columns as whole numbers, with each row's question as its place in the list."""
    if questions:
        frame = frame.with_columns(_place("question", questions))
    return {name: frame[name].cast(pl.Int64).to_numpy() for name in ("question", *names)}
