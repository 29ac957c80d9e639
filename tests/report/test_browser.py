"""The report in headless Chromium: what readers do, and what hostile strings try."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.report.browser import Opened, browsing, chromium

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [
    pytest.mark.skipif(find_spec("playwright") is None, reason="playwright is not installed"),
    pytest.mark.skipif(chromium() is None, reason="no Chromium: set RAG_ASSAY_CHROMIUM to one"),
]

WIDTHS = (1400, 400)


@pytest.fixture(scope="module")
def browser() -> Iterator[Opened]:
    with browsing(viewport={"width": 1400, "height": 900}) as opened:
        yield opened


@pytest.fixture
def report(browser: Opened, fixture_page: Path) -> Iterator["Page"]:
    """The fixture's report, just opened; afterwards nothing has gone wrong."""
    browser.troubles.clear()
    browser.page.set_viewport_size({"width": 1400, "height": 900})
    browser.page.goto(fixture_page.as_uri())
    yield browser.page
    assert browser.troubles == []


def rows(page: "Page") -> list[str]:
    """Ids of the questions that the table shows, in its order."""
    return page.locator("#table tbody tr.row td.question button").all_inner_texts()


def choose(page: "Page", name: str, label: str) -> None:
    page.locator(f'#filters select[name="{name}"]').select_option(label=label)


def test_a_regression_opens_with_contexts_claims_and_why(report: "Page") -> None:
    case = report.locator("details.case.worse")
    case.locator("summary").click()
    case.locator("ul.claims").first.wait_for()
    text = case.inner_text()
    assert "Context: the same as before" in text
    assert "Calendar sheet (invented)" in text
    assert "not supported" in text
    assert "no label expects this claim" in text


def test_filters_by_direction_metric_and_cause(report: "Page") -> None:
    assert sorted(rows(report)) == ["launch", "owner", "region", "rollback"]
    assert rows(report)[0] == "launch"  # worst first
    choose(report, "way", "worse")
    assert rows(report) == ["launch"]
    assert report.locator("#found").inner_text() == "1 of 4 questions"
    report.locator("#reset").click()
    choose(report, "metric", "support")
    choose(report, "way", "better")
    assert rows(report) == ["owner"]
    report.locator("#reset").click()
    choose(report, "cause", "extra claim")
    assert rows(report) == ["launch"]
    report.locator("#reset").click()
    report.locator('#filters input[name="text"]').fill("DESK")
    assert rows(report) == ["owner"]


def test_a_click_on_a_head_sorts_and_another_turns_it_around(report: "Page") -> None:
    head = report.locator("#table thead th", has_text="coverage")
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    # changes of coverage: launch 0, rollback +0.5, owner +1; region has no pair and stays last
    assert rows(report) == ["launch", "rollback", "owner", "region"]
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert rows(report) == ["owner", "rollback", "launch", "region"]


def test_the_keyboard_moves_between_questions_opens_one_and_comes_back(report: "Page") -> None:
    first = report.locator("#table tbody button").first
    first.focus()
    report.keyboard.press("ArrowDown")
    focused = "document.activeElement.textContent"
    name = report.evaluate(focused)
    assert name == rows(report)[1]
    report.keyboard.press("Enter")
    dialog = report.locator("#opened")
    dialog.locator("ol.context").first.wait_for()
    assert report.locator("#opened-title").inner_text() == name
    report.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert report.evaluate(focused) == name


def test_a_bar_of_a_chart_opens_its_question(report: "Page") -> None:
    chart = report.locator("#charts figure", has_text="support")
    assert "1 worse, 1 better, 1 same of 3" in (
        chart.locator("svg[role]").get_attribute("aria-label") or ""
    )
    chart.locator("g.rect rect").first.click()
    report.locator("#opened ol.context").first.wait_for()
    assert report.locator("#opened-title").inner_text() == "launch"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["fixture_page", "hostile_page", "built_page", "cutoffs_page"])
def test_the_page_never_scrolls_sideways(
    browser: Opened, request: pytest.FixtureRequest, name: str, width: int
) -> None:
    page = browser.page
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(request.getfixturevalue(name).as_uri())
    page.locator("details.case").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")
    for case in page.locator("main > section > details.case").all():
        case.locator(".opened ul.values").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_hostile_strings_stay_text(browser: Opened, hostile_page: Path) -> None:
    browser.troubles.clear()
    page = browser.page
    page.goto(hostile_page.as_uri())
    for case in page.locator("main > section > details.case").all():
        case.locator("> summary").click()
        case.locator(".opened ul.values").first.wait_for()
    for button in page.locator("#table tbody button").all():
        button.click()
        page.locator("#opened .opened ul.values").first.wait_for()
        page.locator("[data-close]").click()
    assert page.locator("main img, main script, dialog img, dialog script").count() == 0
    assert "<svg/onload=alert(2)>" in page.locator("main").inner_text()
    # the span begins behind one astral character and is 29 code points long
    marked = page.locator("details.case mark").first.inner_text()
    assert len(marked) == 29
    assert marked.startswith(("0:", "1:", "2:", "3:", "4:"))
    assert browser.troubles == []


def test_it_works_where_mlflow_shows_it(browser: Opened, fixture_page: Path) -> None:
    # MLflow puts an HTML artifact into a sandboxed frame, from a blob, without same-origin
    browser.troubles.clear()
    page = browser.page
    page.goto("about:blank")
    page.evaluate(FRAME, fixture_page.read_text(encoding="utf-8"))
    frame = page.frame_locator("iframe")
    frame.locator("#table tbody tr.row").first.wait_for()
    frame.locator("details.case.worse > summary").click()
    frame.locator("details.case.worse ul.claims").first.wait_for()
    frame.locator("#table tbody button").first.click()
    frame.locator("#opened ol.context").first.wait_for()
    assert browser.troubles == []


FRAME = """(html) => {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.style.cssText = "width: 1200px; height: 800px";
  frame.src = URL.createObjectURL(new Blob([html], { type: "text/html" }));
  document.body.append(frame);
}"""


def test_on_paper_the_regressions_stand_open(report: "Page") -> None:
    report.locator("details.case.worse").wait_for()
    report.locator("details.case.worse .opened").wait_for(state="attached")
    report.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert report.locator("details.case.worse").get_attribute("open") is not None
    assert report.locator("#table tbody tr.row").count() == 4
    report.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert report.locator("details.case.worse").get_attribute("open") is None


def test_without_scripts_the_findings_are_there(browser: Opened, fixture_page: Path) -> None:
    chrome = browser.page.context.browser
    assert chrome is not None
    page = chrome.new_page(java_script_enabled=False)
    page.goto(fixture_page.as_uri())
    text = page.locator("main").inner_text()
    page.close()
    for words in ("launch", "1.00 → 0.50", "extra claim", "The table needs scripts."):
        assert words in text


@pytest.fixture
def ranked(browser: Opened, cutoffs_page: Path) -> Iterator["Page"]:
    """The report with rankings at cutoffs, just opened; afterwards nothing has gone wrong."""
    browser.troubles.clear()
    browser.page.set_viewport_size({"width": 1400, "height": 900})
    browser.page.goto(cutoffs_page.as_uri())
    yield browser.page
    assert browser.troubles == []


def test_of_rankings_the_table_counts_what_moved_until_one_metric_is_chosen(
    ranked: "Page",
) -> None:
    heads = ranked.locator("#table thead th")
    assert "nDCG@3" not in heads.all_inner_texts()
    moved = dict(zip(rows(ranked), _cells(ranked), strict=True))
    # third: P, R, nDCG at 3 and AP fell; in pool Judged@k did, which makes nothing worse
    assert moved["third"].startswith("4")
    assert moved["pool"] == moved["none"] == ""
    choose(ranked, "metric", "nDCG@3")
    assert heads.last.inner_text().startswith("nDCG@3")
    choose(ranked, "way", "worse")
    assert sorted(rows(ranked)) == ["first", "third"]
    groups = ranked.locator('#filters select[name="metric"] optgroup')
    assert [one.get_attribute("label") for one in groups.all()] == [
        "Whole ranking", "Ranking at k = 1", "Ranking at k = 2", "Ranking at k = 3",
    ]  # fmt: skip


def _cells(page: "Page") -> list[str]:
    return [text.strip() for text in page.locator("#table tbody td.cut").all_inner_texts()]


def test_charts_of_rankings_are_folded_away_and_judged_has_none(ranked: "Page") -> None:
    folded = ranked.locator("#charts details")
    assert not folded.locator("figure").first.is_visible()
    folded.locator("summary").click()
    assert folded.locator("figure", has_text="nDCG@3").is_visible()
    assert ranked.locator("#charts figure", has_text="Judged").count() == 0


def test_the_opened_question_has_its_ranking_at_each_cutoff(ranked: "Page") -> None:
    ranked.locator("#table tbody button", has_text="third").click()
    table = ranked.locator("#opened table.cutoffs")
    table.first.wait_for()
    assert table.count() == 2
    assert table.last.locator("thead th").all_inner_texts() == ["Ranking, k =", "1", "2", "3"]
    line = table.last.locator("tbody tr", has_text="nDCG@k")
    assert line.locator("td").all_inner_texts() == ["0.00", "0.39", "0.39"]


def test_every_control_has_a_name(report: "Page") -> None:
    nameless: Any = report.evaluate(
        "[...document.querySelectorAll("
        "'button, a, select, input, summary, [role=img], [role=region]')]"
        ".filter((one) => !(one.getAttribute('aria-label') || one.textContent.trim()"
        " || one.labels?.[0]?.textContent.trim())).map((one) => one.outerHTML)"
    )
    assert nameless == []
