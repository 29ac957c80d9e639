"""What verdicts say of an answer's grounding: deflection, eligibility, factual sentences.

Each value comes with the reason why there is none. A label that is none of the known ones is
no ruling: the judge failed there. A deflection is reported by its two rates only: it counts
neither as eligible nor as factual, nor as the contrary.
"""

import polars as pl

from pipeline.contract.tables import RESPONSE_KEY

KEY = list(RESPONSE_KEY)
KINDS = ("deflection", "eligibility", "factual_relevant", "factual_all")
"""Kinds of verdicts that these values are made of."""

SENTENCES = KINDS[2:]
"""Those that rule on sentences."""

YES = {"Yes": True, "No": False}
FACTUAL = {"Supported": True, "Unsupported": False, "Contradictory": False, "No claim": None}
"""Labels of a sentence, and whether it is a fact that holds; None: it states no fact."""

Reason = tuple[pl.Expr, str]
Reasoned = tuple[pl.Expr, pl.Expr]
"""A value, and why there is none; the value counts only where the reason is null."""


def first(*reasons: Reason) -> pl.Expr:
    """The first reason that holds; null: none does, so there is a value."""
    return pl.coalesce(pl.when(holds).then(pl.lit(name)) for holds, name in reasons)


def ruled(verdicts: pl.DataFrame, kind: str) -> pl.DataFrame:
    """Set a kind's verdicts, one row a response that has some.

    Args:
        verdicts: Verdicts.
        kind: of `KINDS`.

    Returns:
        The response's key; under the kind's name what was ruled, for sentences whether all
        that state a fact are supported, null where none does; and `<kind>_ruled`, whether the
        ruling can be read.
    """
    own, label = verdicts.filter(kind=kind), pl.col("label")
    value: pl.Expr
    of_whole = pl.col("item").is_null()
    if kind.startswith("factual"):
        facts = label.replace_strict(FACTUAL, default=None, return_dtype=pl.Boolean).drop_nulls()
        value = pl.when(facts.len() > 0).then(facts.all())
        read = label.filter(~of_whole).is_in(list(FACTUAL)).all()
    else:
        answers = label.filter(of_whole)
        value = answers.replace_strict(YES, default=None, return_dtype=pl.Boolean).first()
        read = answers.first().is_in(list(YES)).fill_null(value=False)
    return own.group_by(KEY).agg(value.alias(kind), read.alias(f"{kind}_ruled"))


def _rulings(seen: set[str], *kinds: str) -> tuple[Reason, Reason]:
    """That nobody ruled on these in the whole run, and that the judge left this answer out."""
    unasked = pl.lit(value=not set(kinds) <= seen)
    left = [~pl.col(f"{kind}_ruled").fill_null(value=False) for kind in kinds]
    return (unasked, "not_labelled"), (~pl.col("judged") | pl.any_horizontal(left), "judge_failed")


def deflection(seen: set[str]) -> dict[str, Reasoned]:
    """The two rates' values; each has the questions whose `grounding` it is about."""
    unasked, left = _rulings(seen, "deflection")
    failed = (pl.col("status") == "failed", "failed")
    unknown = (pl.col("grounding").is_null(), "not_labelled")
    right = (pl.col("grounding") == "sufficient", "answerable")
    wrong = (pl.col("grounding") == "insufficient", "unanswerable")
    deflects = pl.col("deflection").cast(pl.Float64)
    return {
        "deflection_tpr": (deflects, first(unasked, unknown, right, failed, left)),
        "deflection_fpr": (deflects, first(unasked, unknown, wrong, failed, left)),
    }


def factual(seen: set[str]) -> dict[str, Reasoned]:
    """Eligibility and factuality; a deflection and an answer without facts have no value.

    Args:
        seen: kinds that were ruled on at all.
    """
    out = (pl.col("factuality").fill_null("") == "left out", "unanswerable")
    failed = (pl.col("status") == "failed", "failed")
    deflects = (pl.col("deflection").fill_null(value=False), "no_claims")
    # without labels nobody can say which passages are relevant, and no judge was asked
    nobody = (~pl.col("labelled") & pl.col("factual_relevant_ruled").is_null(), "not_labelled")

    def value(kinds: tuple[str, ...], of: pl.Expr) -> Reasoned:
        unasked, left = _rulings(seen, *kinds)
        unknown = [nobody] if "factual_relevant" in kinds else []
        silent = (of.is_null(), "no_claims")
        return of.cast(pl.Float64), first(unasked, *unknown, out, failed, deflects, left, silent)

    eligible, factual = pl.col("eligibility"), pl.col("factual_relevant")
    return {
        "eligibility": value(("eligibility",), eligible),
        "uraf": value(("factual_relevant",), factual),
        # what is not eligible fails whatever its facts; `and` of false and null is false
        "raf": value(("eligibility", "factual_relevant"), eligible & factual),
        "factuality_all": value(("factual_all",), pl.col("factual_all")),
    }
