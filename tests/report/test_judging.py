"""What the report says of who judged, and of what people make of it."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.contract.files import read_json
from pipeline.contract.sides import Side
from pipeline.report.judging import judging
from pipeline.scoring.proportions import Estimate, change
from tests.report.compared import reported
from tests.report.hostile import STRINGS
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
    found = judging([of(**settings)], None)
    assert said in found.says
    assert found.warns is warns
    assert (found.rates, found.commands) == ([], [])


NO = {"value": None, "low": None, "high": None}
MODEL = {"adapter": f"{OURS}.openai.Openai", "model": "gpt"}


def rate(raw: float, corrected: tuple[float, float, float] | None, common: int) -> dict[str, Any]:
    ends = dict(zip(("value", "low", "high"), corrected, strict=True)) if corrected else NO
    some = {"value": 0.5, "low": 0.25, "high": 0.75}
    return {
        "ruled": 100, "failed": 1, "common": common, "disputed": 2,
        "raw": {"value": raw, "low": 0.0, "high": 1.0, "n": 100},
        "powered": ends, "rogan_gladen": NO, "kappa": some if common else NO,
        "tpr": {**some, "n": 20} if common else {**NO, "n": 0},
        "tnr": {**some, "n": 20} if common else {**NO, "n": 0},
    }  # fmt: skip


def entry(labels: int, **sides: dict[str, Any]) -> dict[str, Any]:
    return {
        "judge": "gpt", "draws": 1, "annotators": 2, "labels": labels, "stale": 3,
        "sides": {
            name: {"rulings": "data/judge/rulings.jsonl", "metrics": metrics}
            for name, metrics in sides.items()
        },
    }  # fmt: skip


def two(labels: int, before: dict[str, Any], after: dict[str, Any]) -> Any:
    sides = [Side(name, f"system:{name}", name, Path("data"), "f", {"judge": MODEL})
             for name in "AB"]  # fmt: skip
    return judging(sides, entry(labels, A=before, B=after))


def test_without_labels_it_is_a_warning_and_a_command() -> None:
    found = two(0, {}, {})
    assert found.warns
    assert found.says.startswith("Unvalidated judge. The model gpt ruled")
    assert found.commands == [
        "python -m pipeline judge-sample data/judge/rulings.jsonl --out sheet.csv"
    ]
    assert (found.rates, found.missing) == ([], [])


def test_a_corrected_change_has_the_interval_that_both_rates_give() -> None:
    found = two(
        80, {"eligibility": rate(0.7, (0.5, 0.2, 0.6), 40)},
        {"eligibility": rate(0.6, (0.7, 0.4, 0.74), 40)},
    )  # fmt: skip
    before, after = found.rates
    assert (before.side, before.change, before.turned) == ("A", None, False)
    # 0.7 - 0.5; down sqrt((0.7 - 0.4)² + (0.6 - 0.5)²) = sqrt(0.10) = 0.3162,
    # up sqrt((0.74 - 0.7)² + (0.5 - 0.2)²) = sqrt(0.0916) = 0.3027
    assert after.change.value == pytest.approx(0.2)
    assert after.change.low == pytest.approx(0.2 - 0.316228, abs=1e-6)
    assert after.change.high == pytest.approx(0.2 + 0.302655, abs=1e-6)
    # the judge alone: 0.6 - 0.7 < 0
    assert found.turned == [after]


def test_a_change_that_goes_the_same_way_has_not_turned() -> None:
    found = two(
        80, {"eligibility": rate(0.6, (0.5, 0.4, 0.6), 40)},
        {"eligibility": rate(0.7, (0.7, 0.6, 0.8), 40)},
    )  # fmt: skip
    assert found.turned == []


def test_a_kind_that_lacks_labels_on_a_side_has_no_change_and_is_named() -> None:
    found = two(
        40, {"eligibility": rate(0.6, (0.5, 0.4, 0.6), 40), "expected": rate(0.5, None, 0)},
        {"eligibility": rate(0.7, None, 0), "expected": rate(0.5, None, 0)},
    )  # fmt: skip
    assert [one.change for one in found.rates] == [None] * 4
    assert found.missing == ["eligibility", "expected"]


def test_the_page_shows_raw_and_corrected_rates_and_what_turned_round(
    fixture_run: Path, tmp_path: Path
) -> None:
    comparison = read_json(fixture_run / "compare" / "comparison.json")
    comparison["judge"] = entry(
        80, A={"eligibility": rate(0.7, (0.5, 0.2, 0.6), 40), "expected": rate(0.5, None, 0)},
        B={"eligibility": rate(0.6, (0.7, 0.4, 0.74), 40), "expected": rate(0.5, None, 0)},
    )  # fmt: skip
    text = Page(reported(fixture_run, tmp_path / "report.html", comparison)).text
    judge = text.split("Judge gpt: held to 80 labels of 2 people.", 1)[1].split(
        "Latency and cost", 1
    )[0]
    shown = (
        "B 0.6000 n 100 0.7000 0.400 to 0.740 turned round +0.2000 −0.116 to +0.503 "
        "0.500 yes found 0.500, no 0.500 40 of 100 2 in dispute, 1 failed"
    )
    assert shown in judge
    assert "The direction turns round. Of eligibility, B against A: corrected" in judge
    assert "Unvalidated for expected:" in judge
    assert "Not used: 3 labels of people" in judge
    assert "judge-sample data/judge/rulings.jsonl --metric expected --out sheet.csv" in judge


@pytest.mark.parametrize("labels", [0, 40])
def test_hostile_names_of_judges_metrics_and_files_stay_text(
    fixture_run: Path, tmp_path: Path, labels: int
) -> None:
    for string in STRINGS:
        comparison = read_json(fixture_run / "compare" / "comparison.json")
        found = entry(
            labels, A={string: rate(0.5, None, 0), "b": rate(0.5, (0.5, 0.4, 0.6), 40)}, B={}
        )
        found["judge"] = string
        found["sides"]["B"]["rulings"] = string
        page = Page(reported(fixture_run, tmp_path / "report.html", {**comparison, "judge": found}))
        names = [name for name, _ in page.names]
        assert not {"img", "b onmouseover"} & set(names)
        assert names.count("script") == names_without(fixture_run, tmp_path).count("script")
        assert "judge-sample" in page.text


def names_without(run: Path, folder: Path) -> list[str]:
    """Elements of the page that says nothing of a judge."""
    return [name for name, _ in Page(reported(run, folder / "plain.html")).names]


ENDS = [Estimate(0.0, 0.0, 0.1), Estimate(1.0, 0.9, 1.0), Estimate(0.5, 0.4, 0.6)]


@pytest.mark.parametrize("before", ENDS)
@pytest.mark.parametrize("after", ENDS)
def test_turned_around_a_change_is_its_own_mirror(before: Estimate, after: Estimate) -> None:
    there, back = change(before, after), change(after, before)
    assert there.value is not None
    assert back.value is not None
    assert there.value == -back.value
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))
    assert there.low <= there.value <= there.high
