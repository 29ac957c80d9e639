import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pipeline.contract.files import read_json
from pipeline.contract.results import Deltas
from pipeline.report import write_report
from tests.report.compared import judged, reported, sides
from tests.report.hostile import STRINGS
from tests.report.reading import Page


@pytest.fixture
def page(fixture_page: Path) -> Page:
    return Page(fixture_page.read_text(encoding="utf-8"))


def between(text: str, start: str, end: str) -> str:
    return text.split(start, 1)[1].split(end, 1)[0]


def below(page: Page) -> str:
    """What stands below the verdict."""
    return page.text.split("0 the same ", 1)[1]


def test_launch_is_a_regression_whatever_the_averages_say(page: Page) -> None:
    # every mean rises; launch falls from 1/1 to 1/2 supported claims
    worse = between(below(page), "What got worse 1 ", "What got better 3 ")
    assert "launch From which weekday do new builds go out?" in worse
    assert "support 1.00 → 0.50 extra claim" in worse
    assert not {"rollback", "owner", "region"} & set(worse.split())


def test_rollback_owner_and_region_are_improvements(page: Page) -> None:
    better = between(below(page), "What got better 3 ", "1 question with a value on one side")
    assert {"rollback", "owner", "region"} < set(better.split())
    assert "abstention no → yes" in better
    assert "launch" not in better.split()


def test_the_verdict_comes_first_in_words_with_the_counts(page: Page) -> None:
    order = ["Reject no regressions: 1, bound", "1 worse 3 better 0 the same"]
    order += ["launch From which weekday", "Means over the questions"]
    places = [page.text.index(words) for words in order]
    assert places == sorted(places)


def test_headings_go_down_one_step_at_a_time(page: Page) -> None:
    levels = [int(name[1]) for name, _ in page.names if re.fullmatch("h[1-6]", name)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_nothing_in_the_page_names_another_place(page: Page) -> None:
    places = [
        attributes[key]
        for _, attributes in page.names
        for key in ("src", "href", "action", "data", "poster", "srcset")
        if attributes.get(key)
    ]
    assert all(str(place).startswith("#") for place in places)
    styles = [content for name, content in page.scripts if name == "style"]
    assert not any(word in style for style in styles for word in ("url(", "@import", "http"))


def test_equal_input_gives_equal_bytes(fixture_run: Path, tmp_path: Path) -> None:
    first = reported(fixture_run, tmp_path / "one.html")
    assert first == reported(fixture_run, tmp_path / "two.html")
    assert str(tmp_path) not in first
    assert str(fixture_run) not in first


def test_claims_are_marked_supported_or_why_not(page: Page) -> None:
    launch = next(case for case in page.packed("cases") if case["id"] == "launch")
    before, after = (side[0]["claims"] for side in launch["sides"])
    assert [(claim["name"], claim["says"]) for claim in before] == [("monday", "supported")]
    assert [(claim["name"], claim["says"], claim["ground"]) for claim in after] == [
        ("monday", "supported", None),
        ("bonus", "not supported", "no label expects this claim"),
    ]
    assert after[0]["cites"] == [
        {"doc": "launch", "counts": "counts", "says": "labelled for this claim and visible"}
    ]


def test_contexts_say_where_each_chunk_stood_before(page: Page) -> None:
    cases = {case["id"]: case for case in page.packed("cases")}
    # A ranks archive, owners; B owners, archive: each was at the other's rank
    assert cases["owner"]["moves"] == [[[[2, 1], [2, 1]]]]
    # A has rollback only, B adds checklist
    assert cases["rollback"]["moves"] == [[[[1, 0], [1]]]]
    assert [chunk["doc"] for chunk in cases["owner"]["sides"][1][0]["context"]] == [
        "owners",
        "archive",
    ]


def test_support_is_never_shown_without_coverage_and_false_abstention(page: Page) -> None:
    averages = between(page.text, "Averages Means over", "Every question")
    assert re.search(r"\bsupport 0\.6667 0\.8333", averages)
    assert re.search(r"\bcoverage 0\.5000 1\.0000", averages)
    assert re.search(r"\bfalse abstention lower is better 0\.0000 0\.0000", averages)


def test_a_side_without_a_partner_keeps_its_own_mean(page: Page) -> None:
    # region: A makes a claim that nothing supports, B makes none, so there is no pair
    averages = between(page.text, "Averages Means over", "Every question")
    assert "support (unanswerable) n/a own: 0.0000, n 1 n/a n/a" in averages
    assert "1 pair incomplete; candidate: 1 response no claims" in averages


def test_what_is_not_there_is_said_in_words(fixture_run: Path, tmp_path: Path) -> None:
    comparison = read_json(fixture_run / "compare" / "comparison.json")
    candidates = {
        name: {**found, "uncertainty": []} for name, found in comparison["candidates"].items()
    }
    bare = {**comparison, "method": None, "candidates": candidates}
    for found, unsure in ((comparison, False), (bare, True)):
        text = Page(reported(fixture_run, tmp_path / "report.html", found)).text
        assert "Measured only No acceptance policy was set" in text
        assert ("No intervals were computed for this comparison" in text) == unsure


@pytest.mark.parametrize(("outcome", "word"), [("accept", "Accept"), ("unmeasurable", "Cannot")])
def test_each_verdict_has_its_word(
    fixture_run: Path, tmp_path: Path, outcome: str, word: str
) -> None:
    comparison = judged(read_json(fixture_run / "compare" / "comparison.json"), outcome)
    text = Page(reported(fixture_run, tmp_path / "report.html", comparison)).text
    assert f"What was measured {word}" in text


@pytest.mark.parametrize("late", [["B"], []])
def test_a_policy_that_came_after_the_scores_is_marked_beside_the_verdict(
    fixture_run: Path, tmp_path: Path, late: list[str]
) -> None:
    comparison = judged(read_json(fixture_run / "compare" / "comparison.json"), "accept")
    comparison["acceptance"] |= {"after_scores": True, "late_for": late}  # C's may be late
    text = Page(reported(fixture_run, tmp_path / "report.html", comparison)).text
    before, _, _ = text.partition("launch From which weekday")  # the first question that is worse
    assert ("The policy came late." in before) == bool(late)


def test_what_to_do_stands_only_beside_a_rule_that_is_not_met(
    fixture_run: Path, tmp_path: Path
) -> None:
    comparison = judged(read_json(fixture_run / "compare" / "comparison.json"))
    met = next(r for r in comparison["candidates"]["B"]["acceptance"]["rules"] if r["n"] == 3)
    met["follow_up"] = "look at the retriever"
    text = Page(reported(fixture_run, tmp_path / "report.html", comparison)).text
    assert "record latency" in text  # it could not be measured
    assert "look at the retriever" not in text


def test_a_regression_without_a_cause_says_that_labels_prove_none(
    fixture_run: Path, tmp_path: Path
) -> None:
    comparison = read_json(fixture_run / "compare" / "comparison.json")
    none = "no cause that labels prove"
    assert none not in Page(reported(fixture_run, tmp_path / "report.html", comparison)).text
    (launch,) = comparison["candidates"]["B"]["regressions"]  # as where evidence ranks lower
    launch |= {"causes": [], "new_causes": []}
    text = Page(reported(fixture_run, tmp_path / "report.html", comparison)).text
    assert text.count(none) == 1


def test_questions_left_out_are_named_with_the_reason(fixture_run: Path, tmp_path: Path) -> None:
    comparison = read_json(fixture_run / "compare" / "comparison.json")
    comparison["common"] = {"questions": 4, "left_out": ["gone"], "why": {"gone": "labels"}}
    text = Page(reported(fixture_run, tmp_path / "report.html", comparison)).text
    assert "1 question left out: gone (labels)" in text


def test_a_change_of_several_settings_is_called_not_controlled(
    fixture_run: Path, tmp_path: Path
) -> None:
    comparison: dict[str, Any] = read_json(fixture_run / "compare" / "comparison.json")
    found = comparison["candidates"]["B"]
    found |= {"controlled": False, "differs": {"chunker": {}, "retriever": {}}}
    text = Page(reported(fixture_run, tmp_path / "report.html", comparison)).text
    assert "Not a controlled change. 2 settings differ (chunker, retriever)" in text


def test_a_single_system_has_a_report_too(fixture_run: Path, tmp_path: Path) -> None:
    baseline, _ = sides(fixture_run)
    comparison = read_json(fixture_run / "compare" / "comparison.json") | {"candidates": {}}
    write_report(tmp_path / "report.html", baseline, [], Deltas.empty(), comparison)
    assert "Nothing to compare" in (tmp_path / "report.html").read_text("utf-8")


def test_redacted_and_ids_hold_no_text(hostile_run: Path, tmp_path: Path) -> None:
    for content in ("redacted", "ids"):
        page = Page(reported(hostile_run, tmp_path / "report.html", content=content))
        everything = [page.text, str(page.data()), *map(str, page.packed("cases"))]
        everything += map(str, page.packed("texts"))
        whole = "\n".join(everything)
        # ids, claim ids among them, are kept; the strings that are only texts are not
        kept = {STRINGS[1]}
        texts = [text for text in STRINGS[3:] if text not in kept]
        if content == "redacted":  # which keeps attributes' values
            texts = texts[2:]
        assert not [text for text in texts if text in whole]
        assert "Texts are not in this report" in page.text


def test_an_unknown_content_level_is_a_bug_of_the_caller(fixture_run: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="content: expected one of"):
        reported(fixture_run, tmp_path / "report.html", content="most")


def test_no_string_becomes_an_element_or_a_script(hostile_page: Path) -> None:
    page = Page(hostile_page.read_text(encoding="utf-8"))
    names = {name for name, _ in page.names}
    assert not names & {"img", "u", "iframe", "object", "embed", "link"}
    ids = [attributes.get("id", "") or "" for name, attributes in page.names if name == "script"]
    assert all(one == "" or re.fullmatch(r"data|(cases|texts)-\d+", one) for one in ids)
    handlers = [key for _, attributes in page.names for key in attributes if key.startswith("on")]
    assert handlers == []
    assert len([one for one in ids if one == ""]) == 2  # the chart library and ours
