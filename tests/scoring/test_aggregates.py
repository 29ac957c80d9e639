from typing import Any

import pytest

from pipeline.contract.metrics import AGGREGATED
from pipeline.contract.results import Aggregates
from pipeline.scoring.aggregates import aggregate, summary
from pipeline.scoring.values import score
from tests.scoring.cases import asked, averaged, said, world
from tests.scoring.worlds import Asked, Said, World, a_world, tables

ONE, TWO = asked("a", {"x": "a"}, "one"), asked("ab", {"x": "a", "y": "b"}, "two")
NONE = asked(name="none")
SPLIT = Asked("split", relevant={"a": (1, 2)}, support={("x", "a"): (1, 2)})


def overall(questions: list[Asked], responses: list[Said], **more: Any) -> dict[str, Any]:
    """The averages over all questions of system A, by metric."""
    found = averaged(world(questions, responses, **more))
    return {metric: row for (_, attribute, _, metric), row in found.items() if not attribute}


def test_macro_averages_questions_and_pooled_adds_up() -> None:
    rows = overall(
        [ONE, TWO],
        [said("a", {"x": "a"}, question="one"), said("b", {"y": "b", "x": ""}, question="two")],
    )
    assert rows["recall"]["macro"] == (1 + 1 / 2) / 2
    assert (rows["recall"]["numerator"], rows["recall"]["denominator"]) == (1 + 1, 1 + 2)
    assert rows["recall"]["pooled"] == 2 / 3
    assert rows["precision"]["pooled"] == (1 + 1) / (2 + 2)
    assert rows["support"]["macro"] == (1 + 1 / 2) / 2
    assert rows["support"]["pooled"] == (1 + 1) / (1 + 2)
    assert rows["coverage"]["pooled"] == (1 + 1) / (1 + 2)
    assert rows["recall"]["sd"] == 1 / 4  # around 3/4: 1/4 either side
    assert rows["reciprocal_rank"]["pooled"] is None
    assert rows["reciprocal_rank"]["numerator"] is None
    assert (rows["recall"]["n"], rows["recall"]["n_values"]) == (2, 2)


def test_repeats_are_averaged_first_and_are_no_new_questions() -> None:
    # one: 1 and 0 in its two repeats; two: 1/2 in both
    rows = overall(
        [ONE, TWO],
        [
            said("a", {}, question="one", repeat=1),
            said("b", {}, question="one", repeat=2),
            said("a", {}, question="two", repeat=1),
            said("b", {}, question="two", repeat=2),
        ],
    )
    assert rows["recall"]["macro"] == ((1 + 0) / 2 + 1 / 2) / 2
    assert rows["recall"]["sd"] == 0.0
    assert (rows["recall"]["n"], rows["recall"]["n_values"]) == (2, 4)
    assert rows["recall"]["pooled"] == (1 + 0 + 1 + 1) / (1 + 1 + 2 + 2)


def test_strict_counts_an_error_as_the_worst_value() -> None:
    rows = overall(
        [ONE, TWO],
        [said("a", {"x": "a"}, question="one"), said(None, question="two", failed=True)],
    )
    for name in ("precision", "recall", "reciprocal_rank", "support", "coverage"):
        assert rows[name]["strict"] == rows[name]["macro"] / 2
        assert (rows[name]["n"], rows[name]["na_failed"]) == (1, 1)
    assert (rows["false_abstention"]["macro"], rows["false_abstention"]["strict"]) == (0.0, 1 / 2)


def test_an_error_of_the_judge_counts_as_the_worst_value_too() -> None:
    rows = overall(
        [ONE, TWO],
        [said("a", {"x": "a"}, question="one"), said("ab", {}, question="two", judged=False)],
    )
    assert (rows["support"]["macro"], rows["support"]["strict"]) == (1.0, 1 / 2)
    assert rows["support"]["na_judge_failed"] == 1
    assert rows["recall"]["strict"] == rows["recall"]["macro"] == 1.0


def test_strict_averages_errors_inside_a_question_first() -> None:
    # one: 1 and an error; two: 1 and 1
    rows = overall(
        [ONE, TWO],
        [
            said("a", {}, question="one", repeat=1),
            said(None, question="one", repeat=2, failed=True),
            said("ab", {}, question="two", repeat=1),
            said("ab", {}, question="two", repeat=2),
        ],
    )
    assert (rows["recall"]["macro"], rows["recall"]["strict"]) == (1.0, (1 / 2 + 1) / 2)
    assert (rows["recall"]["n"], rows["recall"]["n_values"]) == (2, 3)


def test_silence_is_no_error() -> None:
    rows = overall(
        [ONE, TWO], [said("a", {"x": "a"}, question="one"), said("ab", {}, question="two")]
    )
    assert rows["support"]["strict"] == rows["support"]["macro"] == 1.0
    assert rows["support"]["na_no_claims"] == 1


def test_support_is_over_answerable_questions_and_the_others_have_a_row_of_their_own() -> None:
    rows = overall(
        [ONE, NONE],
        [said("a", {"x": "a"}, question="one"), said("a", {"x": "a", "y": ""}, question="none")],
    )
    assert (rows["support"]["macro"], rows["support"]["n"]) == (1.0, 1)
    assert rows["support"]["na_unanswerable"] == 1
    other = rows["support_unanswerable"]
    assert (other["macro"], other["n"], other["na_answerable"]) == (0.0, 1, 1)
    assert (other["numerator"], other["denominator"]) == (0, 2)
    assert (rows["support"]["population"], other["population"]) == ("answerable", "unanswerable")


def test_an_error_on_an_unanswerable_question_is_none_of_supports() -> None:
    rows = overall(
        [ONE, NONE],
        [said("a", {"x": "a"}, question="one"), said("a", question="none", failed=True)],
    )
    assert rows["support"]["strict"] == 1.0
    assert (rows["support"]["na_unanswerable"], rows["support"]["na_failed"]) == (1, 0)
    assert rows["support_unanswerable"]["strict"] == 0.0
    assert (rows["abstention"]["macro"], rows["abstention"]["strict"]) == (None, 0.0)


def test_what_was_left_out_is_counted_by_reason() -> None:
    unlabelled = Asked("unlabelled", labelled=False)
    rows = overall(
        [ONE, NONE, unlabelled],
        [
            said("a", {"x": "a"}, question=name, repeat=repeat)
            for name in ("one", "none", "unlabelled")
            for repeat in (1, 2)
        ],
    )
    for name in ("recall", "support", "coverage", "false_abstention"):
        assert rows[name]["na_not_labelled"] == 2
        assert rows[name]["na_unanswerable"] == 2
        assert rows[name]["n_values"] == 2
    for name in ("abstention", "support_unanswerable"):
        assert rows[name]["na_answerable"] == 2


def test_a_disputed_value_widens_the_interval_and_is_not_in_the_mean() -> None:
    open_ = Asked(
        "open",
        relevant={"a": (2, 2), "b": (1, 2)},
        support={("x", "a"): (2, 2), ("x", "b"): (1, 2)},
    )
    responses = [said("a", {"x": "a"}, question="one"), said("a", {"x": "a"}, question="open")]
    rows = overall([ONE, open_], responses)
    recall = rows["recall"]
    assert (recall["macro"], recall["n"], recall["na_unresolved"]) == (1.0, 1, 1)
    assert (recall["low"], recall["high"]) == ((1 + 1 / 2) / 2, (1 + 1) / 2)
    assert (rows["support"]["low"], rows["support"]["high"]) == (1.0, 1.0)
    excluded = overall([ONE, open_], responses, policy="exclude")["recall"]
    assert (excluded["macro"], excluded["low"], excluded["high"]) == (1.0, 1.0, 1.0)
    assert excluded["na_unresolved"] == 1


def test_a_question_that_is_answerable_for_some_only_is_in_both_intervals_of_support() -> None:
    responses = [said("a", {"x": "a"}, question="one"), said("a", {"x": "a"}, question="split")]
    rows = overall([ONE, SPLIT], responses)
    support, other = rows["support"], rows["support_unanswerable"]
    assert (support["macro"], support["n"], support["na_unresolved"]) == (1.0, 1, 1)
    assert (support["low"], support["high"]) == ((1 + 0) / 2, (1 + 1) / 2)
    # where it is unanswerable none of its claims is supported
    assert (other["macro"], other["low"], other["high"]) == (None, 0.0, 0.0)
    assert (other["na_unresolved"], other["na_answerable"]) == (1, 1)
    abstention = rows["abstention"]
    assert (abstention["macro"], abstention["low"], abstention["high"]) == (None, 0.0, 0.0)


def test_support_that_no_resolution_changes_counts_in_both_intervals() -> None:
    # the claim on `split` is an extra one: unsupported however it is settled
    responses = [said("a", {"x": "a"}, question="one"), said("a", {"m": "a"}, question="split")]
    rows = overall([ONE, SPLIT], responses)
    # counted in: (1 + 0) / 2; in resolutions that make `split` unanswerable `one` stands alone
    assert (rows["support"]["low"], rows["support"]["high"]) == (1 / 2, 1.0)
    assert (rows["support"]["macro"], rows["support"]["na_unresolved"]) == (1.0, 1)
    assert rows["support_unanswerable"]["high"] == 0.0
    excluded = overall([ONE, SPLIT], responses, policy="exclude")
    assert (excluded["support"]["low"], excluded["support_unanswerable"]["low"]) == (1.0, None)


def test_a_failed_answer_to_it_has_no_bounds() -> None:
    responses = [
        said("a", {"x": "a"}, question="one"),
        said(None, question="split", failed=True),
    ]
    rows = overall([ONE, SPLIT], responses)
    assert (rows["support"]["low"], rows["support"]["high"]) == (1.0, 1.0)
    assert rows["support"]["strict"] == 1.0
    assert rows["support"]["na_unresolved"] == 1
    assert rows["support_unanswerable"]["low"] is None


SLICED = [
    asked("a", {"x": "a"}, "one", attributes={"topic": "u", "hard": "no"}),
    asked("ab", {"x": "a", "y": "b"}, "two", attributes={"topic": "v"}),
    asked("ab", {"x": "b"}, "three", attributes={"topic": "u"}),
    asked(name="none", attributes={"topic": "w", "hard": "no"}),
]


def sliced() -> World:
    return world(
        SLICED,
        [
            said("ac", {"x": "a"}, question=question.name, system=system)
            for question in SLICED
            for system in "AB"
        ],
    )


def test_each_value_of_an_attribute_is_a_slice_with_its_own_counts() -> None:
    rows = averaged(sliced())
    keys = {(attribute, value) for _, attribute, value, _ in rows}
    assert keys == {("", ""), ("topic", "u"), ("topic", "v"), ("topic", "w"), ("hard", "no")}
    assert len(rows) == 2 * len(keys) * len(AGGREGATED)
    u = rows["A", "topic", "u", "recall"]
    assert (u["macro"], u["n"], u["na_unanswerable"]) == ((1 + 1 / 2) / 2, 2, 0)
    assert (u["numerator"], u["denominator"]) == (2, 3)
    assert (rows["A", "topic", "v", "recall"]["macro"], u["sd"]) == (1 / 2, 1 / 4)
    w = rows["B", "topic", "w", "recall"]
    assert (w["macro"], w["strict"], w["sd"], w["low"], w["n"]) == (None, None, None, None, 0)
    assert (w["pooled"], w["numerator"], w["denominator"], w["na_unanswerable"]) == (None, 0, 0, 1)
    hard = rows["B", "hard", "no", "recall"]
    assert (hard["macro"], hard["n"], hard["na_unanswerable"]) == (1.0, 1, 1)


def test_a_question_without_attributes_is_in_the_slice_of_all_only() -> None:
    questions = [asked("a", {"x": "a"}, "one", attributes={"topic": "u"}), TWO]
    found = averaged(world(questions, [said("a", {}, question=name) for name in ("one", "two")]))
    counts = {key[1:3]: row["n"] for key, row in found.items() if key[3] == "recall"}
    assert counts == {("", ""): 2, ("topic", "u"): 1}


def frames(made: World) -> Any:
    frozen = tables(made)
    values = score(frozen, cutoff=2, policy="interval", with_claims=True)
    return aggregate(values, frozen.questions["attributes"], bounded=True)


def test_rows_are_in_order_of_their_key() -> None:
    rows = frames(sliced())
    assert rows.columns == list(Aggregates.columns)
    assert rows.equals(rows.sort(Aggregates.key))
    assert not rows.select(Aggregates.key).is_duplicated().any()


def test_the_summary_is_over_all_questions_and_names_reasons_that_occur() -> None:
    found = summary(frames(sliced()))
    assert list(found) == ["A", "B"]
    assert set(found["A"]) == {metric.name for metric in AGGREGATED}
    # recall 1, 1/2, 1/2: mean 2/3, squares 1/9, 1/36, 1/36: mean 1/18
    assert found["A"]["recall"] == {
        "macro": pytest.approx(2 / 3, abs=1e-15),
        "pooled": 3 / 5,
        "strict": found["A"]["recall"]["macro"],
        "sd": pytest.approx((1 / 18) ** 0.5, abs=1e-15),
        "n": 3,
        "n_values": 3,
        "na": {"unanswerable": 1},
        "low": found["A"]["recall"]["macro"],
        "high": found["A"]["recall"]["macro"],
    }
    assert found["A"]["reciprocal_rank"]["pooled"] is None
    assert found["A"]["support_unanswerable"]["na"] == {"answerable": 3}


def test_the_summary_of_any_world_has_no_nan() -> None:
    for seed in range(20):
        for metrics in summary(frames(a_world(seed))).values():
            for row in metrics.values():
                assert all(value == value for value in row.values())
