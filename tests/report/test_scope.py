"""What the report says of what a policy tolerated."""

from pathlib import Path

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
