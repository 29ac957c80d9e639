from typing import Any

import polars as pl

from pipeline.comparison.family import family
from pipeline.contract.metrics import CAUSES
from pipeline.contract.tables import PAIRS
from pipeline.scoring.deltas import deltas
from pipeline.scoring.findings import findings
from pipeline.verbs.terminal.comparison import MOST, comparison_lines
from pipeline.verbs.terminal.text import Line, cells
from tests.comparing import UNCERTAINTY
from tests.per_question import answered, failed, per_question


def compared(*rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    values = per_question(*rows)
    changes = deltas(values, "A")
    attributes = pl.DataFrame(schema={"question_id": pl.String, "attributes": PAIRS})
    method, sure = family(changes, attributes, UNCERTAINTY, 7)
    candidates = {
        name: {
            "differs": {},
            "controlled": True,
            **findings(of, values),
            "uncertainty": sure[str(name)],
            "acceptance": None,
            **more,
        }
        for (name,), of in changes.group_by("candidate", maintain_order=True)
    }
    return {
        "baseline": {"name": "A"},
        "common": None,
        "judge": None,
        "method": method,
        "candidates": candidates,
        "acceptance": None,
    }


def shown(order: str | list[str], *rows: dict[str, Any], **more: Any) -> list[str]:
    lines = comparison_lines(compared(*rows, **more), list(order), 2, 80, "")
    assert all(cells(line.text) <= 80 for line in lines)
    return [line.text for line in lines]


FIXTURE = (
    answered("A", "launch"),
    answered("B", "launch", support=0.5, causes=["extra_claim"]),
    answered("A", "rollback", recall=0.5, coverage=0.5),
    answered("B", "rollback"),
    answered("A", "region", population="unanswerable", support=0.0, abstention=0.0),
    answered("B", "region", population="unanswerable", support="no_claims", abstention=1.0),
)


def test_regressions_come_first_with_values_and_cause_then_improvements_then_averages() -> None:
    assert shown(["launch", "rollback", "region"], *FIXTURE)[:10] == [
        "B against A: 1 worse, 2 better, 0 the same",
        "  worse",
        "    launch: support 1.00 → 0.50; extra claim",
        "  better",
        "    rollback: R@2 0.50 → 1.00, coverage 0.50 → 1.00",
        "    region: abstention no → yes",
        "  one side n/a",
        "    region: support (unanswerable) 0.00 → n/a (no claims)",
        "  mean over pairs        before  after  change      95% interval      p     n",
        "  P@2                     1.000  1.000  +0.000  [-0.842, +0.842]  1.000     2",
    ]


def test_averages_stand_under_their_heads_with_n_and_what_was_not_paired() -> None:
    rows = shown("x", answered("A", "x", support="no_claims"), answered("B", "x"))
    heads = next(line for line in rows if "before" in line)
    (support,) = (line for line in rows if line.startswith("  support"))
    assert support.split() == ["support", *["n/a"] * 5, "0"]
    for name in ("before", "after", "change", "interval"):
        assert support[: heads.index(name) + len(name)].endswith("n/a")
    assert "  unpaired: support 1" in rows


def test_metrics_in_which_few_questions_differ_are_named_and_the_method_is_said() -> None:
    lines = " ".join(shown("x", answered("A", "x"), answered("B", "x", recall=0.5)))
    assert "fewer than 10 questions differ in" not in lines  # one pair has no interval at all
    rows = [answered(system, name) for system in "AB" for name in "xy"]
    rows[3] = answered("B", "y", recall=0.5)
    said = " ".join(line.strip() for line in shown("xy", *rows))
    assert "fewer than 10 questions differ in P@2, R@2" in said
    assert "10,000 resamples of questions; p: paired sign flips, Holm's correction over" in said


def test_what_a_policy_does_not_let_pass_is_named_and_that_it_came_late() -> None:
    rules = [
        {"name": "recall holds", "outcome": "fail"},
        {"name": "support", "outcome": "unmeasurable"},
        {"name": "fine", "outcome": "pass"},
    ]
    found = compared(answered("A", "x"), answered("B", "x"))
    found["candidates"]["B"]["acceptance"] = {"verdict": "reject", "rules": rules}
    found["acceptance"] = {"policy": "default", "after_scores": True}
    lines = [line.text for line in comparison_lines(found, ["x"], 2, 80, "")]
    at = lines.index("  reject by policy default; not met: recall holds; unmeasurable: support")
    assert lines[at + 1].startswith("  the policy was first seen after the scores")


def test_common_questions_are_counted_first_with_why_others_are_left_out() -> None:
    found = compared(answered("A", "x"), answered("B", "x"))
    found["common"] = {"questions": 1, "why": {"y": "labels", "z": "labels", "w": "text"}}
    first = comparison_lines(found, ["x"], 2, 80, "")[:2]
    assert " ".join(line.text.strip() for line in first) == (
        "only the 1 question that is the same on all sides; left out: 2 (labels), 1 (text)"
    )


def test_support_is_never_shown_without_coverage_and_false_abstention() -> None:
    lost = {"coverage": "failed", "false_abstention": "failed"}
    outside: dict[str, Any] = {"coverage": "not_labelled", "false_abstention": "not_labelled"}
    for given in (lost, outside):
        rows = shown("x", *(answered(system, "x", **given) for system in "AB"))
        names = [line.split("  ")[1] for line in rows if "  " in line]
        assert {"support", "coverage", "false abstention"} <= set(names)


def test_every_cause_is_said_in_words() -> None:
    for cause in CAUSES:
        rows = shown("x", answered("A", "x"), answered("B", "x", recall=0.0, causes=[cause]))
        assert "_" not in rows[2]


def test_the_new_causes_are_named_and_all_of_them_where_none_is_new() -> None:
    before, after = ["miscited"], ["miscited", "extra_claim"]
    new = shown("x", answered("A", "x", causes=before), answered("B", "x", recall=0, causes=after))
    assert new[2].endswith("; extra claim")
    old = shown("x", answered("A", "x", causes=after), answered("B", "x", recall=0, causes=after))
    assert old[2].endswith("; miscited, extra claim")


def test_values_lost_to_an_error_are_named_with_what_they_were() -> None:
    rows = shown("x", answered("A", "x", recall=0.5), failed("B", "x"))
    assert rows[0] == "B against A: 1 worse, 0 better, 0 the same"
    assert rows[2].startswith("    x: failed, where P@2 was 1.00, R@2 0.50, RR@2 1.00, ")


def test_an_error_in_one_of_several_repeats_is_named_as_that() -> None:
    rows = shown(
        "x",
        *(answered(system, "x") for system in "AB"),
        answered("A", "x", 2),
        failed("B", "x", 2),
    )
    assert rows[2].startswith("    x: failed in some repeats, where P@2 was 1.00")


def test_what_is_named_as_worse_is_not_named_again_for_want_of_a_pair() -> None:
    rows = shown("x", answered("A", "x"), failed("B", "x"))
    assert sum("support 1.00" in line for line in rows) == 1


def test_pairs_without_any_value_are_counted() -> None:
    rows = shown("x", *(answered(system, "x", support="unresolved") for system in "AB"))
    assert rows[1] == "  both sides n/a: 1 question"


def test_a_new_leak_is_named_with_its_documents() -> None:
    rows = shown("x", answered("A", "x"), answered("B", "x", leaks=["secret"], causes=["leak"]))
    assert rows[2] == "    x: shows what the caller may not read: secret; leak"


def test_questions_are_named_in_the_order_of_their_file() -> None:
    rows = [answered(s, q, recall=v) for q in "zab" for s, v in (("A", 1.0), ("B", 0.0))]
    assert [line.strip()[0] for line in shown("zab", *rows)[2:5]] == ["z", "a", "b"]


def test_a_long_list_is_cut_and_says_how_many_there_are() -> None:
    order = [f"q{at}" for at in range(MOST + 7)]
    rows = [answered(s, q, recall=v) for q in order for s, v in (("A", 1.0), ("B", 0.0))]
    lines = shown(order, *rows)
    assert lines[2 + MOST] == "    … and 7 more, less deep: data/compare/deltas.csv"


def test_of_a_long_list_the_deepest_are_named_and_a_lost_answer_before_them() -> None:
    order = [f"q{at:02}" for at in range(MOST + 2)]
    rows = []
    for at, question in enumerate(order):  # q00 falls least, the last but one most
        rows += [answered("A", question), answered("B", question, recall=1 - at / 100)]
    rows[-1] = answered("B", order[-1], recall=None, recall_reason="failed")
    lines = shown(order, *rows)
    assert [line.split(":")[0].strip() for line in lines[2:5]] == [order[-1], order[-2], order[-3]]
    assert not any("q01:" in line for line in lines)


def test_the_rest_is_where_the_comparison_lies() -> None:
    rows = [answered("A", f"q{at:02}") for at in range(MOST + 1)]
    rows += [answered("B", f"q{at:02}", recall=0.5) for at in range(MOST + 1)]
    found = comparison_lines(compared(*rows), [], 2, 80, "", "data/comparisons/main..rag")
    said = "    … and 1 more, less deep: data/comparisons/main..rag/deltas.csv"
    assert said in [line.text for line in found]


def test_questions_needed_are_those_of_no_slice() -> None:
    rows = [answered("A", f"q{at}") for at in range(9)]
    rows += [answered("B", f"q{at}", recall=at / 8) for at in range(9)]
    found = compared(*rows)
    sure = found["candidates"]["B"]["uncertainty"]
    (recall,) = [row for row in sure if row["needed"]]
    sure.append({**recall, "attribute": "topic", "value": "u", "needed": 2})
    lines = [line.text for line in comparison_lines(found, [], 2, 80, "")]
    assert f"  to see a difference of 0.05: {recall['needed']:,} questions" in lines


def test_questions_that_moved_both_ways_or_not_at_all_are_counted() -> None:
    rows = shown(
        "xyz",
        answered("A", "x", recall=0), answered("B", "x", support=0),
        answered("A", "y"), answered("B", "y"),
        failed("A", "z"), failed("B", "z"),
    )  # fmt: skip
    assert " ".join(line.strip() for line in rows[:2]) == (
        "B against A: 1 worse, 1 better, 1 the same; 1 of them both worse and better; "
        "1 question with no value to compare"
    )


def test_settings_that_differ_are_named_and_marked_when_there_is_more_than_one() -> None:
    rows = (answered("A", "x"), answered("B", "x"))
    one = shown("x", *rows, differs={"judge": {}}, controlled=True)
    assert one[1] == "  settings differ: judge"
    two = shown("x", *rows, differs={"chunker": {}, "judge": {}}, controlled=False)
    assert two[1] == "  settings differ: chunker, judge (not a controlled change)"


def test_one_system_has_nothing_to_compare() -> None:
    assert shown("x", answered("A", "x")) == ["One system only (A): nothing to compare."]


def test_several_candidates_follow_each_other() -> None:
    rows = shown("x", *(answered(system, "x") for system in "ABC"))
    assert [line for line in rows if "against" in line] == [
        "B against A: 0 worse, 0 better, 1 the same",
        "C against A: 0 worse, 0 better, 1 the same",
    ]


def test_a_lower_false_abstention_is_green_and_a_higher_one_red() -> None:
    def style(before: float, after: float) -> str:
        rows = [
            answered("A", "x", false_abstention=before),
            answered("B", "x", false_abstention=after),
        ]
        lines: list[Line] = comparison_lines(compared(*rows), ["x"], 2, 80, "")
        return next(line.style for line in lines if line.text.startswith("  false"))

    assert (style(1.0, 0.0), style(0.0, 1.0), style(0.0, 0.0)) == ("green", "red", "")


def test_ids_cannot_act_on_the_terminal() -> None:
    odd = "q\x1b[2J"
    rows = shown([odd], answered("A", odd), answered("B\x1b", odd, recall=0, leaks=["d\x1b[H"]))
    assert "\x1b" not in "".join(rows)


def test_a_model_that_judged_is_named_under_the_averages_of_each_candidate() -> None:
    found = compared(answered("A", "x"), answered("B", "x"), answered("C", "x"))
    rates = {"rulings": None, "metrics": {"expected": {"common": 2}}}
    sides = dict.fromkeys("AB", rates) | {"C": {"rulings": None, "metrics": {}}}
    found["judge"] = {"judge": "gpt", "labels": 4, "annotators": 1, "stale": 0, "sides": sides}
    lines = [line.text for line in comparison_lines(found, ["x"], 2, 80, "")]
    said = [line for line in lines if "judge" in line]
    held = "  judge gpt: held to 4 labels of 1 person"
    assert said == [held, f"{held}; unvalidated for expected"]
    assert lines.index(held) > lines.index(next(line for line in lines if "mean over" in line))
