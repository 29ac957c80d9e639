"""Why a value is n/a: the first reason that holds, in the order of the contract."""

from dataclasses import dataclass

import numpy as np

from pipeline.contract.metrics import REASONS
from pipeline.scoring.arrays import Bools, Ints
from pipeline.scoring.gold import ANSWERABLE, NOT_LABELLED, UNANSWERABLE, UNRESOLVED

VALUE = len(REASONS)
"""Code of no reason: there is a value. A reason's code is its place in `REASONS`."""


@dataclass(frozen=True)
class State:
    """What is on record of each response; all are (responses,).

    Attributes:
        population: the question's, as an index into `gold.POPULATIONS`.
        failed: the system gave no answer.
        lost: no ranking was stored.
        judge_failed: the judge gave no ruling on the answer.
        unrecorded: there is an answer, but its claims were not recorded.
    """

    population: Ints
    failed: Bools
    lost: Bools
    judge_failed: Bools
    unrecorded: Bools

    @property
    def given(self) -> Bools:
        """Whether the claims of an answer are on record."""
        return ~(self.failed | self.judge_failed | self.unrecorded)


def first(*held: tuple[Bools, str]) -> Ints:
    """Code of the first reason that holds for each response, `VALUE` where none does."""
    codes = [np.int8(REASONS.index(reason)) for _, reason in held]
    return np.select([where for where, _ in held], codes, np.int8(VALUE))


def of_retrieval(state: State, differs: Bools) -> Ints:
    """Reasons of precision, recall and reciprocal rank.

    Args:
        state: what is on record.
        differs: (responses,) whether resolutions differ in the value.
    """
    return first(
        (state.population == NOT_LABELLED, "not_labelled"),
        (state.population == UNANSWERABLE, "unanswerable"),
        (state.population == UNRESOLVED, "unresolved"),
        (state.lost, "failed"),
        (differs, "unresolved"),
    )


def of_spans(state: State, differs: Bools, spanned: Bools, *, ranked: bool) -> Ints:
    """Reasons of the metrics of characters.

    Args:
        state: what is on record.
        differs: (responses,) whether resolutions differ in the value.
        spanned: (responses,) whether any label of the question says where the evidence lies.
        ranked: whether the value depends on the ranking.
    """
    unmarked = (state.population != UNANSWERABLE) & ~spanned
    return first(
        ((state.population == NOT_LABELLED) | unmarked, "not_labelled"),
        (state.population == UNANSWERABLE, "unanswerable"),
        (state.population == UNRESOLVED, "unresolved"),
        (state.lost & ranked, "failed"),
        (differs, "unresolved"),
    )


def of_support(state: State, differs: Bools, claims: Ints, *, with_claims: bool) -> Ints:
    """Reasons of support, on answerable and unanswerable questions alike.

    Args:
        state: what is on record.
        differs: (responses,) whether resolutions differ in the value.
        claims: (responses,) claims made.
        with_claims: whether the set carries claim labels.
    """
    return first(
        (_unlabelled(state, with_claims), "not_labelled"),
        (state.failed | state.lost, "failed"),
        (state.judge_failed, "judge_failed"),
        (claims == 0, "no_claims"),
        (differs, "unresolved"),
    )


def of_coverage(state: State, differs: Bools, expected: Ints, *, with_claims: bool) -> Ints:
    """Reasons of coverage; `expected` counts claims that are expected in some resolution."""
    return first(
        (_unlabelled(state, with_claims), "not_labelled"),
        (state.population == UNANSWERABLE, "unanswerable"),
        (state.population == UNRESOLVED, "unresolved"),
        (state.failed | state.lost, "failed"),
        (state.judge_failed, "judge_failed"),
        (expected == 0, "no_claims"),
        (differs, "unresolved"),
    )


def of_abstention(state: State, *, false: bool) -> Ints:
    """Reasons of abstention, or of false abstention."""
    elsewhere, reason = (UNANSWERABLE, "unanswerable") if false else (ANSWERABLE, "answerable")
    return first(
        (_unlabelled(state, with_claims=True), "not_labelled"),
        (state.population == elsewhere, reason),
        (state.population == UNRESOLVED, "unresolved"),
        (state.failed, "failed"),
        (state.judge_failed, "judge_failed"),
    )


def _unlabelled(state: State, with_claims: bool) -> Bools:
    unlabelled: Bools = state.population == NOT_LABELLED
    return unlabelled | state.unrecorded | (not with_claims)
