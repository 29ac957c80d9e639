"""Judgements as arrays: every document that somebody judged, with its gain."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np
import polars as pl

from pipeline.scoring.arrays import Bools, Floats, Ints, Lists, Ragged, locate, starts
from pipeline.scoring.gold import Gold

SHIFT = 32
"""Bits that a document's code takes beside its question's."""


@dataclass(frozen=True)
class Qrels:
    """What was judged for each question; all but `docs` are (documents in docs,).

    Attributes:
        docs: judged documents of each question, ascending.
        grade: the gain: the highest grade given, 1 for a relevant document without one, 0
            for one that is not relevant.
        relevant: whether it is relevant in some resolution.
        sure: whether it is in every one, or in none.
        needed: whether it would do as the relevant document that there has to be.
        best: DCG of the best order by cutoff, as far as it was asked for.
    """

    docs: Ragged
    grade: Floats
    relevant: Bools
    sure: Bools
    needed: Bools
    best: dict[int, Floats] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, gold: Gold, relevance: pl.DataFrame, judged: pl.DataFrame) -> Self:
        """Join what is relevant with what was marked, in whatever way.

        Args:
            gold: the labels with the policy applied.
            relevance: Relevance, for the grades.
            judged: `question` and `doc` of what else was judged: a mark, also one that says
                no, makes a document judged, and so does having been looked at.
        """
        size = len(gold.docs)
        called, good = _keys(relevance), _key(gold.docs.owner, gold.docs.values)
        keys = np.unique(np.concatenate([called, _keys(judged), good]))
        at = np.searchsorted(keys, good)
        grade = np.zeros(len(keys))
        relevant, needed = np.zeros((2, len(keys)), np.bool_)
        sure = np.ones(len(keys), np.bool_)
        order = np.argsort(called, kind="stable")
        given = relevance["grade"].to_numpy()[order]
        grade[at] = given[np.searchsorted(called[order], good)]
        relevant[at], sure[at], needed[at] = True, gold.doc_sure, gold.doc_needed
        offsets = starts(np.bincount(keys >> SHIFT, minlength=size))
        docs = (keys & ((1 << SHIFT) - 1)).astype(np.int32)
        return cls(Ragged(offsets, docs, np.ones(size, np.bool_)), grade, relevant, sure, needed)

    @cached_property
    def count(self) -> Ints:
        """(questions,) relevant documents."""
        return self.docs.sum(self.relevant)

    @cached_property
    def ideal(self) -> tuple[Ints, Ints, Floats]:
        """Question, rank from 0 and gain of each judged document in the best order."""
        most = self.grade.max(initial=0.0)
        level = (most - self.grade).astype(np.int64)
        if not np.array_equal(level, most - self.grade):
            level = np.unique(-self.grade, return_inverse=True)[1]
        # nearly in order as it stands, which a stable sort makes use of
        steps = level.max(initial=0) + 1
        order = np.argsort(self.docs.owner * steps + level, kind="stable")
        rank = np.arange(len(order)) - self.docs.offsets[self.docs.owner]
        return self.docs.owner, rank, self.grade[order]

    @cached_property
    def open(self) -> Bools:
        """(questions,) whether any document is in dispute."""
        return self.docs.sum(~self.sure) > 0

    def level(self, question: Ints, docs: Ints) -> Floats:
        """The gain of documents for questions, both (m,); -1 where nobody judged."""
        at = locate(self.docs, question, docs)
        found = np.append(self.grade, -1.0)[at]
        return np.where(at < 0, -1.0, found)


def ideal_at(qrels: Qrels, cutoff: int, discount: Floats) -> Floats:
    """(questions,) DCG of the best order, cut at k; worked out once for each k."""
    if cutoff not in qrels.best:
        question, rank, gain = qrels.ideal
        cut = np.where(np.arange(len(discount)) < cutoff, discount, 0.0)
        best = np.bincount(question, gain * cut[rank], minlength=len(qrels.docs))
        qrels.best[cutoff] = best.astype(np.float64)
    return qrels.best[cutoff]


def lists_of(qrels: Qrels, question: Ints) -> Lists:
    """The judged documents of each response's question."""
    return Lists(starts(qrels.docs.lengths[question]))


def _keys(frame: pl.DataFrame) -> Ints:
    return _key(frame["question"].to_numpy(), frame["doc"].to_numpy())


def _key(question: Any, doc: Any) -> Ints:
    keys: Ints = (question.astype(np.int64) << SHIFT) | doc.astype(np.int64)
    return keys
