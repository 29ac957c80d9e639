"""What `dvc plots` draws: the plots of dvc.yaml, their template, the points they read."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.contract.files import read_json
from pipeline.scoring.points import SETTINGS
from tests.annotated import row
from tests.finished import finish
from tests.project import Project
from tests.test_grounded import run

ROOT = Path(__file__).parents[1]
PLOTS: list[dict[str, Any]] = yaml.safe_load((ROOT / "dvc.yaml").read_text("utf-8"))["plots"]
FILE = "data/score/points.json"
SLICES = "data/score/slices.json"


@pytest.mark.parametrize("plot", [dict(plot) for each in PLOTS for plot in each.values()])
def test_a_plot_sets_the_mean_against_a_setting_by_a_template_that_is_there(
    plot: dict[str, Any],
) -> None:
    ((file, field),) = plot["y"].items()
    assert field == "mean"
    assert plot["x"] in {FILE: SETTINGS, SLICES: ("value",)}[file]
    assert (ROOT / ".dvc" / "plots" / f"{plot['template']}.json").is_file()


def test_the_template_reads_fields_that_points_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    rows = read_json(finish(tmp_path / "data") / "score" / "points.json")
    made = {"rev", "series", "interval", "panel", "place", "least", "most"}
    template = read_json(ROOT / ".dvc" / "plots" / "interval.json")
    named = {name for name in fields(template) if not name.startswith("<DVC_METRIC_")}
    assert named <= set(rows[0]) | made


def test_the_template_of_slices_reads_fields_that_its_points_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    points = run(tmp_path, row("p"), row("q", tempo="fast")) / "score" / "slices.json"
    template = read_json(ROOT / ".dvc" / "plots" / "slices.json")
    named = {name for name in fields(template) if not name.startswith("<DVC_METRIC_")}
    assert named <= set(read_json(points)[0]) | {"rev", "series", "panel"}


def fields(part: Any) -> set[str]:
    """Every `field` that a vega-lite specification names."""
    if isinstance(part, list):
        return set().union(*map(fields, part))
    if not isinstance(part, dict):
        return set()
    own = {part["field"]} if isinstance(part.get("field"), str) else set()
    return own.union(*map(fields, part.values()))


@pytest.mark.long
@pytest.mark.slow
def test_dvc_fills_the_template_with_the_points_of_a_run(tmp_path: Path) -> None:
    project = Project.at(tmp_path / "p")
    project.pipeline("tracker=none")
    shown = json.loads(project.dvc("plots", "show", "--json"))["data"]
    assert set(shown) == {"by chunk size", "by cutoff", "by slice of GaRAGe"}
    assert shown["by slice of GaRAGe"] == []  # the sample has no such slices
    (plot,) = shown["by cutoff"]
    text = json.dumps(plot["content"])
    assert "<DVC_METRIC" not in text
    rows = plot["content"]["data"]["values"]
    assert len(rows) == 2 * 8
    recall = next(row for row in rows if (row["system"], row["metric"]) == ("B", "recall"))
    # B finds everything at each of three answerable questions
    assert (recall["cutoff"], recall["mean"], recall["low"], recall["high"]) == (2, 1, 1, 1)
