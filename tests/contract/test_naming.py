"""Metrics by name, at a cutoff or not."""

import pytest

from pipeline.contract.metrics import SHOWN, at_cutoff
from pipeline.contract.naming import cutoff_in, in_order, known, named


@pytest.mark.parametrize(
    ("name", "label"), [("ndcg@10", "nDCG@10"), ("recall@1", "R@1"), ("ap", "AP")]
)
def test_a_name_with_a_cutoff_is_a_metric_at_it(name: str, label: str) -> None:
    assert named(name).label == label
    assert named(name).name == name


@pytest.mark.parametrize(
    "name",
    [
        "ndcg",
        "ndcg@",
        "ndcg@0",
        "ndcg@05",
        "ndcg@x",
        "ndcg@²",
        "ndcg@-1",
        "ndcg@100000",
        "ndcg@" + "9" * 5000,
        "ap@5",
        "support@5",
        "@5",
    ],
)
def test_what_has_no_cutoff_or_none_that_counts_is_no_metric_at_one(name: str) -> None:
    assert at_cutoff(name) is None


def test_a_name_of_nothing_is_none_or_a_fault_of_ours() -> None:
    assert known("recal") is None
    with pytest.raises(KeyError):
        named("recal")


def test_at_a_cutoff_the_meaning_is_of_the_first_k_and_not_of_the_context() -> None:
    assert "visible context" in named("recall").meaning
    assert named("recall@5").meaning == "relevant documents among the first k / relevant documents"


def test_the_cutoff_stands_behind_the_sign() -> None:
    assert (cutoff_in("ndcg@10"), cutoff_in("ap"), cutoff_in("recall")) == (10, None, None)


def test_the_order_is_that_of_whole_responses_then_ap_then_by_cutoff_as_a_number() -> None:
    names = ["ndcg@10", "recall@5", "ndcg@5", "ap", "coverage", "recall", "precision@10", "nothing"]
    assert [metric.name for metric in in_order(names)] == [
        "recall", "coverage", "ap", "recall@5", "ndcg@5", "precision@10", "ndcg@10",
    ]  # fmt: skip
    assert in_order(metric.name for metric in reversed(SHOWN)) == list(SHOWN)
