"""A slice's change has its corrected p-value, and is coloured only where that is small."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.contract.files import read_json
from pipeline.contract.results import Deltas
from pipeline.contract.tables import read
from pipeline.report.slices import Cell, slices
from tests.report.compared import METHOD, reported
from tests.report.test_common import changed

ATTRIBUTES = {"kind": dict.fromkeys(("launch", "owner", "region", "rollback"), "all")}


def row(p: float | None, **changed: Any) -> dict[str, Any]:
    return {
        "metric": "support", "attribute": "kind", "value": "all", "n": 3, "delta": 0.1667,
        "low": 0.1, "high": 0.3, "p": 0.001, "p_holm": p, **changed,
    }  # fmt: skip


def cell(run: Path, *rows: dict[str, Any], method: dict[str, Any] | None = METHOD) -> Cell:
    """The only slice's cell of support, with these rows of uncertainty."""
    deltas = read(run / "compare", Deltas).filter(candidate="B")
    found = {"uncertainty": list(rows)}
    (attribute,) = slices(deltas, ATTRIBUTES, ["support"], found, method, "full")
    (only,) = attribute.slices[0].cells
    return only


@pytest.mark.parametrize(("p", "sure"), [(0.01, True), (0.05, True), (0.051, False), (None, False)])
def test_it_is_a_finding_where_the_corrected_p_is_at_most_what_the_level_leaves(
    fixture_run: Path, p: float | None, sure: bool
) -> None:
    found = cell(fixture_run, row(p))
    assert (found.p, found.sure, found.interval) == (p, sure, (0.1, 0.3))


def test_the_level_is_that_of_the_comparison(fixture_run: Path) -> None:
    assert not cell(fixture_run, row(0.04), method=METHOD | {"level": 0.99}).sure


def test_p_values_of_other_rows_are_not_taken(fixture_run: Path) -> None:
    others = row(0.01, attribute="", value=""), row(0.01, value="x"), row(0.01, metric="coverage")
    found = cell(fixture_run, *others)
    assert (found.p, found.sure, found.interval) == (None, False, None)
    assert cell(fixture_run, method=None).good


@pytest.mark.parametrize(("p", "findings"), [(0.01, 1), (0.75, 0), (None, 0)])
def test_the_page_shows_p_and_colours_only_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, p: float | None, findings: int
) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    data = changed(tmp_path, questions=lambda row: row | {"attributes": {"kind": "all"}})
    comparison = read_json(data / "compare" / "comparison.json")
    comparison["candidates"]["B"]["uncertainty"] = [row(p)]
    page = reported(data, tmp_path / "report.html", comparison)
    section = page.split('aria-labelledby="slices-0"', 1)[1].split("</section>", 1)[0]
    said = "" if p is None else f", p {p:.3f}"
    assert f"+0.100 to +0.300{said}</small>" in section
    assert "is at most 0.05." in section
    assert section.count('<td class="num better">') + section.count('"num worse"') == findings
