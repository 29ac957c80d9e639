"""What the report says of what a policy tolerated."""

from pathlib import Path

import pytest

from pipeline.contract.files import read_json
from tests.report.compared import judged, reported
from tests.report.reading import Page


def test_what_a_rule_tolerated_is_named_with_its_reason_and_day(
    fixture_run: Path, tmp_path: Path
) -> None:
    comparison = judged(read_json(fixture_run / "compare" / "comparison.json"), "accept")
    (rule, _) = comparison["candidates"]["B"]["acceptance"]["rules"]
    rule["tolerated"] = [{"question": "launch", "reason": "a <known> gap", "until": "2999-01-01"}]
    text = Page(reported(fixture_run, tmp_path / "report.html", comparison)).text
    assert "tolerated: launch until 2999-01-01: a <known> gap" in text


@pytest.mark.parametrize("content", ["full", "redacted", "ids"])
def test_a_tolerances_reason_is_a_text_and_the_policys_words_are_not(
    fixture_run: Path, tmp_path: Path, content: str
) -> None:
    comparison = judged(read_json(fixture_run / "compare" / "comparison.json"), "accept")
    (rule, _) = comparison["candidates"]["B"]["acceptance"]["rules"]
    rule["tolerated"] = [{"question": "launch", "reason": "KANARIE asks", "until": "2999-01-01"}]
    page = reported(fixture_run, tmp_path / "report.html", comparison, content)
    assert ("KANARIE" in page) is (content == "full")
    text = Page(page).text
    assert "tolerated: launch until 2999-01-01" in text
    # length of the reason, as every text that is redacted has it
    assert ("launch until 2999-01-01: [12 characters, sha256 " in text) is (content == "redacted")
    assert rule["why"] in text
    assert "record latency" in text
