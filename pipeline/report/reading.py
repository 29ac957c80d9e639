"""How to read the numbers: the rules and denominators as they were used, for this comparison."""

from dataclasses import dataclass
from typing import Any

from pipeline.contract import CONTRACT_VERSION
from pipeline.contract.metrics import RANKED, Metric, at, at_cutoff
from pipeline.contract.naming import named
from pipeline.contract.rankings import untested
from pipeline.contract.spelling import clean
from pipeline.contract.words import CAUSE, REASON, Cut, label

UNRESOLVED = {
    "interval": "its value is n/a, between the least and the greatest over all ways to settle it",
    "exclude": "its value is n/a and left out of the means",
    "majority": "the majority decides; a tie stays n/a",
}

MEANT = {
    "failed": "the system's call failed; nothing can be said of the answer",
    "judge_failed": "nobody ruled on the answer",
    "not_retrieved": "a relevant document is nowhere in the stored ranking",
    "below_cutoff": "a relevant document was ranked, but not among what reached the answer",
    "not_used": "a document for an expected claim was delivered, and the claim was not made",
    "miscited": "an expected claim is made, but cites nothing or the wrong document",
    "cited_not_visible": "a claim cites a document that was not delivered",
    "extra_claim": "a claim is made that no label knows, however true it sounds",
    "claim_on_unanswerable": "something is claimed where nothing can be supported",
    "false_abstention": "nothing is claimed although evidence exists",
    "leak": "a document was shown that who asks may not read",
}
"""What each cause says, in a sentence."""

WHY = {
    "not_labelled": "nobody labelled what this metric needs",
    "unanswerable": "no document holds the answer: another population",
    "answerable": "the metric is over unanswerable questions only",
    "unresolved": "annotators disagree, and nobody has settled it",
    "failed": "the system gave no answer (counted as the worst value in strict means)",
    "judge_failed": "nobody ruled on the answer (counted as the worst value in strict means)",
    "no_claims": "the answer claims nothing, so there is nothing to divide by",
}
"""What each reason for n/a says, in a sentence."""


@dataclass(frozen=True)
class Term:
    """A word of the page and what it means."""

    word: str
    meaning: str


@dataclass(frozen=True)
class Reading:
    """The rules as sentences, and the words that the page uses."""

    rules: list[str]
    metrics: list[Term]
    causes: list[Term]
    reasons: list[Term]


def reading(
    parts: dict[str, Any],
    method: dict[str, Any] | None,
    metrics: list[str],
    cutoff: Cut,
    cutoffs: dict[str, Any] | None = None,
) -> Reading:
    """Say how the numbers came about.

    Args:
        parts: what determined the baseline's numbers.
        method: of the comparison's intervals and tests; None: none were made.
        metrics: keys of the metrics on the page.
        cutoff: k, for the names of metrics.
        cutoffs: which other cutoffs are compared; None: rankings have that one.
    """
    plain = [named(name) for name in metrics if not at_cutoff(name)]
    return Reading(
        [*_rules(parts), *_rankings(cutoffs), *_method(method)],
        [
            *(Term(label(one, cutoff), f"{one.meaning}{_direction(one)}") for one in plain),
            *_cut(metrics),
        ],
        [Term(CAUSE[name], meaning) for name, meaning in MEANT.items()],
        [Term(REASON[name], meaning) for name, meaning in WHY.items()],
    )


def _direction(metric: Metric) -> str:
    return " (lower is better)" if metric.better == "lower" else ""


def _cut(metrics: list[str]) -> list[Term]:
    """Metrics of rankings, each once for all its cutoffs."""
    used = {name.partition("@")[0] for name in metrics if at_cutoff(name)}
    return [Term(one.label, at(one, 0).meaning) for one in RANKED if one.name in used]


def _rankings(cutoffs: dict[str, Any] | None) -> list[str]:
    if not cutoffs or not cutoffs["compared"]:
        return []
    ks = ", ".join(map(str, cutoffs["compared"]))
    text = f"Rankings are also measured at k = {ks}, whatever reached the answer."
    if cutoffs["same_as"]:
        names = ", ".join(named(name).label for name in cutoffs["same_as"])
        text += f" {names} are those of the visible context, and stand there."
    text += (
        " Judged@k says how far the labels reach, so no question is worse for it; where it is "
        "low, the other metrics of the ranking may be too low."
    )
    return [text]


def _rules(parts: dict[str, Any]) -> list[str]:
    rubric = parts["rubric"]
    k, budget = parts["cutoff"], parts["budget"]
    context = f"The visible context is the first {k} of the ranking (k = {k})"
    if budget is not None:
        context = (
            f"The visible context is the longest start of the ranking that fits {budget:,} "
            f"{rubric['tokenizer']}; k is how many fitted"
        )
    return [
        f"Scored under version {CONTRACT_VERSION} of the scoring contract. {context}; precision "
        "divides by k even where fewer came back.",
        "A claim is supported when it cites something, and every document it cites is labelled "
        "for that very claim and was visible. One wrong citation sinks it; a claim without a "
        "label is not supported, however true it sounds.",
        f"A chunk is relevant when it shares at least {rubric['overlap']} characters with a "
        "marked span of a relevant document; without spans the whole document counts.",
        "Where annotators disagree on a question, "
        f"{UNRESOLVED.get(rubric['unresolved'], rubric['unresolved'])}.",
        "n/a is neither 0 nor 1: it is left out of the mean, with its reason. Means are over "
        "questions (repeats first averaged within a question); n counts questions. Strict means "
        "count failed answers as the worst value, so that an error never helps.",
        "Sides are paired by question id. A question is worse when any metric fell, an answer "
        "was lost to an error, or a document is newly shown to somebody who may not read it; "
        "it may be worse in one metric and better in another, and is then named under both.",
        "Support can rise by saying less: read it with coverage, false abstention and n.",
    ]


def _method(method: dict[str, Any] | None) -> list[str]:
    if not method:
        return ["No intervals were computed for this comparison: a change of a mean is just that."]
    level = f"{method['level']:.0%}" if method.get("level") else "as stated"
    text = f"Intervals ({level}): {method.get('interval', 'not named')}"
    if method.get("resamples"):
        text += f", {method['resamples']:,} resamples, seed {method.get('seed')}"
    text += ", clustered by question."
    if method.get("test"):
        text += f" p-values: {method['test']}, corrected by {method.get('correction')}"
        text += f" over {method['family']:,} tests." if method.get("family") else "."
    if method.get("absent"):
        text += f" No question has {clean(', '.join(method['absent']))}, to slice by."
    return [text, *([missing] if (missing := untested(method)) else [])]
