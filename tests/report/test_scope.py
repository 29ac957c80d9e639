"""What the report says of who judged, and of what a policy tolerated."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.contract.files import read_json
from pipeline.contract.sides import Side
from pipeline.report.scope import judge
from tests.report.compared import judged, reported
from tests.report.reading import Page


def of(**settings: Any) -> Side:
    """A side with that judge."""
    return Side("A", "system:A", "A", Path("data"), "f", {"judge": settings})


OURS = "pipeline.adapters.judges"


@pytest.mark.parametrize(
    ("settings", "said", "warns"),
    [
        ({"adapter": f"{OURS}.labels.Labels"}, "No model judged", False),
        ({"adapter": f"{OURS}.openai.Openai", "model": "m-1"},
         "Unvalidated judge. The model m-1 ruled", True),
        ({"adapter": f"{OURS}.garage.Garage", "model": "m-1"},
         "Unvalidated judge. The model m-1 ruled", True),
        ({"adapter": "plugged.judge.Judge"}, "Unvalidated judge. The judge “judge” ruled", True),
        ({"adapter": f"{OURS}.recorded.Recorded"}, "How far they agree with people was not", True),
        ({"adapter": f"{OURS}.human.Human"}, "People ruled on the answers", False),
    ],
)  # fmt: skip
def test_a_judge_that_nobody_checked_is_called_unvalidated(
    settings: dict[str, Any], said: str, warns: bool
) -> None:
    sentence, warning = judge(of(**settings), None)
    assert said in sentence
    assert warning is warns


def test_what_a_rule_tolerated_is_named_with_its_reason_and_day(
    fixture_run: Path, tmp_path: Path
) -> None:
    comparison = judged(read_json(fixture_run / "compare" / "comparison.json"), "accept")
    (rule, _) = comparison["candidates"]["B"]["acceptance"]["rules"]
    rule["tolerated"] = [{"question": "launch", "reason": "a <known> gap", "until": "2999-01-01"}]
    text = Page(reported(fixture_run, tmp_path / "report.html", comparison)).text
    assert "tolerated: launch until 2999-01-01: a <known> gap" in text
