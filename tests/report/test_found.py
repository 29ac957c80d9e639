from typing import Any

from pipeline.report.found import improvements, one_sided, regressions, tally


def entry(question: str, *falls: tuple[float | None, float | None], **more: Any) -> dict[str, Any]:
    """A regression in one metric for each (before, after); after None: the answer failed."""
    names = ("recall", "support", "coverage")
    rows = [
        {
            "metric": name, "before": before, "before_reason": None, "after": after,
            "after_reason": "failed" if after is None else None,
        }
        for name, (before, after) in zip(names, falls, strict=False)
    ]  # fmt: skip
    found = {"causes": [], "new_causes": [], "leaks": []} | more
    return {"question_id": question, "metrics": rows, **found}


def test_leaks_come_first_then_lost_answers_then_the_deepest_fall() -> None:
    found = [
        entry("shallow", (1.0, 0.5)),
        entry("deep", (1.0, 0.0)),
        entry("deep in two", (1.0, 0.0), (1.0, 0.5)),
        entry("lost", (0.1, None)),
        entry("leak", leaks=["secret"]),
    ]
    order = [one.question_id for one in regressions({"regressions": found}, 5)]
    assert order == ["leak", "lost", "deep in two", "deep", "shallow"]


def test_causes_that_are_new_come_first_and_are_counted() -> None:
    old = ["not_used", "extra_claim", "miscited"]
    one, other = regressions(
        {
            "regressions": [
                entry("q", (1.0, 0.5), causes=old, new_causes=["extra_claim"]),
                entry("r", (1.0, 0.5), causes=["miscited"]),
            ]
        },
        5,
    )
    assert one.why == ["extra claim", "evidence delivered but not used", "miscited"]
    assert one.new == 1
    assert tally([one, other, one]) == [("extra claim", 2), ("miscited", 1)]


def test_a_lost_value_says_why() -> None:
    (one,) = regressions({"regressions": [entry("q", (1.0, None))]}, 3)
    assert (one.changes[0].metric, one.changes[0].after) == ("R@3", "n/a (failed)")
    assert one.changes[0].drawn == (1.0, None)


def test_one_sided_leaves_out_what_is_named_as_worse_and_what_has_no_side() -> None:
    lost, none = entry("lost", (1.0, None)), entry("none", (None, None))
    only = entry("only", (None, 1.0))
    found = {"regressions": [lost], "unpaired": [lost, none, only]}
    assert [one.question_id for one in one_sided(found, 5)] == ["only"]


def test_improvements_have_the_highest_rise_first() -> None:
    found = {"improvements": [entry("low", (0.0, 0.5)), entry("high", (0.0, 1.0))]}
    assert [one.question_id for one in improvements(found, 5)] == ["high", "low"]


def test_a_change_that_two_decimals_hide_is_shown_with_four() -> None:
    (one,) = regressions({"regressions": [entry("q", (0.9912, 0.9887))]}, 3)
    assert (one.changes[0].before, one.changes[0].after) == ("0.9912", "0.9887")
