"""The metrics by name: what each is over, which way is better, what is summed for `pooled`.

The arithmetic stands in `pipeline.scoring`; this page is what tables, reports and trackers
read, so that one name means one thing everywhere.
"""

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

REASONS = (
    "not_labelled",
    "unanswerable",
    "answerable",
    "unresolved",
    "failed",
    "judge_failed",
    "no_claims",
)
"""Why a value is n/a; where several hold, the first in this order is given."""

CAUSES = (
    "failed",
    "judge_failed",
    "not_retrieved",
    "below_cutoff",
    "not_used",
    "miscited",
    "cited_not_visible",
    "extra_claim",
    "claim_on_unanswerable",
    "false_abstention",
    "leak",
)
"""What the labels prove about a question that is not perfect."""

Population = Literal["answerable", "unanswerable", "all"]


@dataclass(frozen=True)
class Metric:
    """One metric: its key, its label for people and how its values add up.

    A `variant` is a metric by another rule, kept for comparison with published numbers: it is
    computed and stored, but not shown among the headlines nor compared. The averages of one
    with a `harmonic` pair are the harmonic means of the averages of that pair. One that is
    `of_labels` says how far the labels reach, not how good a system is: it is compared, and
    makes no question better or worse.
    """

    name: str
    label: str
    meaning: str
    population: Population
    better: Literal["higher", "lower"] = "higher"
    numerator: str | None = None
    denominator: str | None = None
    variant: bool = False
    harmonic: tuple[str, str] | None = None
    of_labels: bool = False

    @property
    def worst(self) -> float:
        """The value an error counts as in a strict mean."""
        return 0.0 if self.better == "higher" else 1.0


BASIC = (
    Metric(
        "precision", "P@k", "relevant chunks in the visible context / k",
        "answerable", numerator="hits", denominator="cutoff",
    ),
    Metric(
        "recall", "R@k", "relevant documents in the visible context / relevant documents",
        "answerable", numerator="reached", denominator="relevant",
    ),
    Metric(
        "reciprocal_rank", "RR@k", "1 / rank of the first relevant chunk; 0 without one",
        "answerable",
    ),
    Metric(
        "support", "support", "supported claims / claims made",
        "answerable", numerator="supported", denominator="claims",
    ),
    Metric(
        "coverage", "coverage", "supported expected claims / expected claims",
        "answerable", numerator="supported", denominator="expected",
    ),
    Metric(
        "abstention", "abstention", "whether no claim was made where none can be supported",
        "unanswerable",
    ),
    Metric(
        "false_abstention", "false abstention", "whether no claim was made though it could be",
        "answerable", better="lower",
    ),
)  # fmt: skip
"""Metrics of documents, chunks and claims."""

EXACT = (
    Metric("span_recall", "span recall", "evidence delivered / evidence", "answerable"),
    Metric(
        "span_precision", "span precision", "evidence delivered / context delivered", "answerable"
    ),
    Metric(
        "span_iou", "span IoU", "evidence delivered / context and missed evidence", "answerable"
    ),
    Metric("precision_omega", "precision Ω", "evidence / the chunks that touch it", "answerable"),
)
"""Metrics of characters, where people have marked spans."""

SPANS = (
    *EXACT,
    *(
        replace(
            metric,
            name=f"{metric.name}_publisher",
            label=f"{metric.label} (pub.)",
            meaning=f"{metric.meaning}, by the publisher's rule",
            variant=True,
        )
        for metric in EXACT
    ),
)
"""The same, each also by the rule under which its published values were computed."""

RETRIEVAL = frozenset(metric.name for metric in (*BASIC[:3], *SPANS))
"""Keys of those that follow from the ranking and its labels alone, beside those at cutoffs."""

METRICS = (*BASIC, *SPANS)
"""Every metric of a single response."""

UNANSWERABLE = Metric(
    "support_unanswerable", "support (unanswerable)", "supported claims / claims made there",
    "unanswerable", numerator="supported", denominator="claims",
)  # fmt: skip
"""The `support` values of unanswerable questions, as an aggregate of their own."""

AGGREGATED = (*METRICS, UNANSWERABLE)
"""Every row of an aggregate, in the order in which it is shown."""

COMPARED = tuple(metric for metric in AGGREGATED if not metric.variant)
"""What two systems are compared in."""

ENTAILMENT = (
    Metric(
        "entailment_precision", "entailment precision",
        "claims of the answer that the reference answer entails / claims of the answer", "all",
    ),
    Metric(
        "entailment_recall", "entailment recall",
        "claims of the reference answer that the answer entails / claims of the reference", "all",
    ),
    Metric(
        "entailment_f1", "entailment F1",
        "harmonic mean of entailment precision and recall of one answer; 0 where both are 0",
        "all",
    ),
    Metric(
        "claim_recall", "claim recall",
        "claims of the reference that some passage entails / claims of the reference", "all",
    ),
    Metric(
        "context_precision", "context precision",
        "passages that entail some claim of the reference / passages; 0 without passages", "all",
    ),
    Metric(
        "context_utilization", "context utilization",
        "claims of the reference that a passage and the answer entail / those a passage entails",
        "all",
    ),
    Metric(
        "noise_sensitivity_in_relevant", "noise sensitivity (relevant)",
        "wrong claims of the answer that a relevant passage entails / claims of the answer",
        "all", better="lower",
    ),
    Metric(
        "noise_sensitivity_in_irrelevant", "noise sensitivity (irrelevant)",
        "wrong claims of the answer that only irrelevant passages entail / claims of the answer",
        "all", better="lower",
    ),
    Metric(
        "hallucination", "hallucination",
        "wrong claims of the answer that no passage entails / claims of the answer",
        "all", better="lower",
    ),
    Metric(
        "self_knowledge", "self-knowledge",
        "right claims of the answer that no passage entails / claims of the answer",
        "all", better="lower",
    ),
    Metric(
        "faithfulness", "faithfulness",
        "claims of the answer that some passage entails / claims of the answer", "all",
    ),
)  # fmt: skip
"""Metrics of verdicts on claims: what entails what (Ru et al. 2024, RAGChecker)."""

GROUNDED = (
    Metric(
        "attribution_precision", "attribution precision",
        "documents cited that are in the gold set / documents that the answer cites", "all",
        numerator="attributed", denominator="cited",
    ),
    Metric(
        "attribution_recall", "attribution recall",
        "documents cited that are in the gold set / gold set; 0 without a citation", "all",
        numerator="attributed", denominator="gold",
    ),
    Metric(
        "attribution_f1", "attribution F1",
        "harmonic mean of attribution precision and recall: of the averages, in an average",
        "all", harmonic=("attribution_precision", "attribution_recall"),
    ),
    Metric(
        "deflection_tpr", "deflection TPR",
        "whether the answer deflects, over questions whose grounding is insufficient", "all",
    ),
    Metric(
        "deflection_fpr", "deflection FPR",
        "whether the answer deflects, over questions whose grounding is sufficient",
        "all", better="lower",
    ),
    Metric(
        "eligibility", "eligibility",
        "whether the answer addresses what is asked for; deflections left out", "all",
    ),
    Metric(
        "uraf", "uRAF",
        "whether relevant passages support every factual sentence; n/a without one", "all",
    ),
    Metric(
        "raf", "RAF",
        "whether the answer is eligible and relevant passages support every factual sentence",
        "all",
    ),
    Metric(
        "factuality_all", "factuality (all passages)",
        "whether passages, relevant or not, support every factual sentence; n/a without one",
        "all",
    ),
)  # fmt: skip
"""Metrics of labelled passages and of deflection (Sorodoc et al. 2025, GaRAGe)."""

FAMILIES = (ENTAILMENT, GROUNDED)
"""The families of metrics that come from verdicts and the like; most runs have none."""

JUDGED = tuple(metric for family in FAMILIES for metric in family)
"""Every metric that comes from verdicts. Their values stand in a table of their own."""

RANKED = (
    *BASIC[:3],
    Metric(
        "success", "Success@k", "whether a relevant chunk is among the first k", "answerable",
    ),
    Metric(
        "ndcg", "nDCG@k",
        "sum of grade / log2(rank + 1) over the first k documents / that of the best order",
        "answerable",
    ),
    Metric(
        "judged", "Judged@k", "documents among the first k that somebody judged / k",
        "answerable", of_labels=True,
    ),
    Metric(
        "ap", "AP", "sum of precision at each relevant document / relevant documents",
        "answerable",
    ),
)  # fmt: skip
"""Metrics of a ranking at each of several cutoffs, computed where a run asks for cutoffs.

Of chunks the last three rank documents, each by its first chunk; AP is over the whole ranking
that was kept, so that it has no cutoff.
"""

UNCUT = "ap"
"""The one of them that is the same at every cutoff."""

CUTOFF = re.compile("[1-9][0-9]{0,4}")
"""How a name spells a cutoff; a ranking is kept to 10,000 at the most."""


def at(metric: Metric, cutoff: int) -> Metric:
    """The metric at a cutoff, as its averages are called: `ndcg@10`, nDCG@10."""
    if metric.name == UNCUT:
        return metric
    label = metric.label.replace("@k", f"@{cutoff}")
    meaning = metric.meaning.replace("in the visible context", "among the first k")
    return replace(metric, name=f"{metric.name}@{cutoff}", label=label, meaning=meaning)


@cache
def at_cutoff(name: str) -> Metric | None:
    """The metric that a name such as `ndcg@10` or `ap` stands for; None: it is none of these."""
    base, sign, cutoff = name.partition("@")
    found = next((metric for metric in RANKED if metric.name == base), None)
    if found is None or bool(sign) == (base == UNCUT):
        return None
    if sign and not CUTOFF.fullmatch(cutoff):
        return None
    return at(found, int(cutoff or 0))


def judge_moves(name: str) -> bool:
    """Whether what a judge ruled can move the metric of that key."""
    return name not in RETRIEVAL and at_cutoff(name) is None


SHOWN = (*COMPARED, *JUDGED)
"""Every metric that people see of a whole response, in the order in which it is shown."""
