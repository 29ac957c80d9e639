"""The table, the figure and the file of a sweep."""

import csv
from pathlib import Path
from typing import Any

import pytest

from pipeline.adapters.trackers.sweep import Logged
from pipeline.contract.errors import ConfigError
from pipeline.verbs.sweeps.figure import draw
from pipeline.verbs.sweeps.points import panels, write_csv
from pipeline.verbs.sweeps.runs import Sweep, select
from pipeline.verbs.sweeps.table import table_lines
from pipeline.verbs.terminal.text import cells
from tests.verbs.sweeps.made import mean, run

KEY = "chunker.chunk_size"
PNG = b"\x89PNG\r\n"


def sized(size: Any, value: float = 0.5, system: str = "rag", **params: Any) -> Logged:
    metrics = {**mean("precision", value), **mean("recall", value / 2, n=38)}
    metrics |= {"context/characters": 1_000.0 * value, "hops: two/recall/macro": 0.1}
    return run(f"{system} {size}", system, metrics=metrics, chunker__chunk_size=size, **params)


def swept(*runs: Logged) -> Sweep:
    return select(runs, KEY, {})


def text(sweep: Sweep, width: int = 80) -> list[str]:
    return [line.text for line in table_lines(sweep, panels(sweep), width)]


def test_the_table_has_a_row_a_value_with_mean_interval_and_n() -> None:
    assert text(swept(sized(100), sized(1600, 0.25))) == [
        "chunker.chunk_size on questions notes v1, split dev: mean [95 % interval], n",
        "",
        "rag",
        "  chunk_size  P@5                          n  R@5                          n",
        "         100  0.5000 [0.4000, 0.6000]     40  0.2500 [0.1500, 0.3500]     38",
        "        1600  0.2500 [0.1500, 0.3500]     40  0.1250 [0.0250, 0.2250]     38",
        "  chunk_size  context characters           n",
        "         100  500.0",
        "        1600  250.0",
    ]


@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_line_is_wider_than_the_page(width: int) -> None:
    long = "a system's name that goes on and on, " * 5
    runs = [sized(size, system=long) for size in (1, 20, 300_000)]
    left_out = [sized(1, system="x", **{f"key{i}": i}) for i in range(9)]
    lines = text(swept(*runs, *left_out), width)
    assert max(map(cells, lines)) <= width
    assert any("9 runs left out" in line for line in lines)


def test_a_control_character_in_a_name_is_spelled() -> None:
    lines = text(swept(sized(1, system="a\x1b[2Jb"), sized(2, system="a\x1b[2Jb")))
    assert r"a\x1b[2Jb" in lines


def test_metrics_without_a_value_and_slices_have_no_panel() -> None:
    found = panels(swept(sized(1), sized(2)))
    assert [panel.name for panel in found] == ["precision", "recall", "context/characters"]


def test_a_panel_says_its_n_and_where_that_differs() -> None:
    few = run("few", metrics=mean("recall", 0.5, n=38), chunker__chunk_size=1)
    more = run("more", metrics=mean("recall", 0.5, n=40), chunker__chunk_size=2)
    assert panels(swept(few, more))[0].n == "n = 38–40"
    assert [panel.n for panel in panels(swept(sized(1), sized(2)))] == ["n = 40", "n = 38", ""]


def test_k_is_a_number_unless_it_is_what_varies() -> None:
    runs = [run(str(k), metrics=mean("recall", 0.5), cutoff=k) for k in (1, 2)]
    assert panels(select(runs, "cutoff", {}))[0].label == "R@k"
    assert panels(swept(sized(1), sized(2)))[0].label == "P@5"
    held = [run(str(k), metrics=mean("recall", 0.5), budget=600, depth=k) for k in (1, 2)]
    assert panels(select(held, "depth", {}))[0].label == "R@k"  # as many as the budget holds


def test_the_file_has_a_row_for_each_metric_system_and_value(tmp_path: Path) -> None:
    sweep = swept(sized(100), sized(200), sized(100, system="=other"))
    write_csv(tmp_path / "new" / "k.csv", KEY, panels(sweep))
    with (tmp_path / "new" / "k.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == [KEY, "system", "metric", "n", "mean", "low", "high", "run_id"]
    assert len(rows) == 1 + 3 * 3
    assert rows[1] == ["100", "'=other", "precision", "40", "0.5", "0.4", "0.6", "'=other 100"]
    assert rows[-1] == ["200", "rag", "context/characters", "", "500.0", "", "", "rag 200"]


@pytest.mark.parametrize(
    "names",
    [["rag"], ["A", "B"], [r"$\alpha", "_under", "日本語", "a\nb", "é" * 50, "f", "g", "h", "i"]],
)
def test_the_figure_is_drawn_whatever_the_names(tmp_path: Path, names: list[str]) -> None:
    sweep = swept(*(sized(s, system=name) for name in names for s in (1, 2.5, 900)))
    for folder in ("one", "two"):
        png, svg = tmp_path / folder / "a.png", tmp_path / folder / "a.svg"
        draw(sweep, panels(sweep), png, svg)
        assert png.read_bytes().startswith(PNG)
        assert "</svg>" in svg.read_text("utf-8")
    for name in ("a.png", "a.svg"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_runs_without_intervals_and_values_at_zero_are_drawn(tmp_path: Path) -> None:
    runs = [
        run(f"{s}", metrics={"recall/macro": 0.0, "context/tokens": 0.0}, chunker__chunk_size=s)
        for s in (0, 3)
    ]
    sweep = swept(*runs)
    assert text(sweep)[-1].split() == ["3", "0.0000", "0.0"]
    draw(sweep, panels(sweep), tmp_path / "a.png", tmp_path / "a.svg")


def ranked_at(size: int, value: float) -> Logged:
    metrics = {**mean("recall", 0.5), **mean("ndcg_at_10", value, n=38), **mean("ap", value / 2)}
    return run(f"{size}", metrics={**metrics, "context/tokens": 9.0}, chunker__chunk_size=size)


def test_a_metric_at_a_cutoff_is_shown_where_it_is_asked_for_and_alone(tmp_path: Path) -> None:
    sweep = swept(ranked_at(100, 0.4), ranked_at(200, 0.6))
    assert [panel.name for panel in panels(sweep)] == ["recall", "context/tokens"]
    found = panels(sweep, ["ndcg@10", "ap", "ndcg@10"])
    assert [(panel.name, panel.label) for panel in found] == [("ndcg@10", "nDCG@10"), ("ap", "AP")]
    low, high = found[0].points["rag"]
    assert [low.mean, low.low, low.high] == pytest.approx([0.4, 0.3, 0.5])
    assert low.n == 38
    assert high.mean == 0.6
    assert "nDCG@10" in table_lines(sweep, found, 80)[3].text
    draw(sweep, found, tmp_path / "a.png", tmp_path / "a.svg")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ndgc@10", "expected a metric that these runs have .did you mean 'ndcg@10'"),
        ("ndcg@20", "did you mean 'ndcg@10'"),
        ("zzz", r"have \(ap, ndcg@10, recall\), got 'zzz'"),
    ],
)
def test_a_metric_that_no_run_has_is_refused_by_name(name: str, message: str) -> None:
    sweep = swept(ranked_at(100, 0.4), ranked_at(200, 0.6))
    with pytest.raises(ConfigError, match=message):
        panels(sweep, [name])
