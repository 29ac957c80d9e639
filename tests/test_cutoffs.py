"""Rankings at cutoffs from the files to the verdict: people's screen, report, gate, qrels."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pipeline.contract.files import read_json, write_json
from pipeline.contract.policy import Acceptance, Limits, Rule
from pipeline.contract.results import Deltas, Ranked
from pipeline.contract.tables import read
from pipeline.sides.ruled import weighed
from pipeline.verbs.export import main as export
from pipeline.verbs.gate import main as gate
from pipeline.verbs.show import main as show
from pipeline.verbs.terminal.comparison import comparison_lines
from pipeline.verbs.terminal.text import cells
from tests.comparing import UNCERTAINTY
from tests.ranked_sides import RANKED, ranked_run, two_sides


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DVC_ROOT", str(folder))
        return ranked_run(folder, [1, 2, 3])


def screen(data: Path) -> list[str]:
    found = read_json(data / "compare" / "comparison.json")
    return [line.text for line in comparison_lines(found, list(RANKED), 2, 80, "")]


def test_the_stage_compare_writes_the_rankings_beside_the_rest(data: Path) -> None:
    rows = read(data / "compare", Deltas)
    assert len(rows.filter(metric="ndcg@3")) == len(RANKED)
    assert "A,B,third,ndcg@3," in (data / "compare" / "deltas.csv").read_text("utf-8")


def test_the_screen_has_the_means_under_their_cutoff_in_80_columns(data: Path) -> None:
    lines = screen(data)
    assert max(map(cells, lines)) <= 80
    heads = [line for line in lines if line.startswith("  ranking, k = ")]
    assert heads == [f"  ranking, k = {k}" for k in (1, 2, 3)]
    at = lines.index(heads[1])
    assert [line.split()[0] for line in lines[at + 1 : at + 4]] == [
        "Success@2", "nDCG@2", "Judged@2",
    ]  # fmt: skip
    (third,) = (line for line in lines if line.startswith("    third: "))
    # all four changes are of rankings, so that the deepest two stand for them
    assert third == "    third: P@3 0.67 → 0.33, R@3 1.00 → 0.50,"
    assert "      2 more at cutoffs; evidence not retrieved" in lines


def test_the_report_has_the_rankings_in_its_tables_and_in_the_opened_question(data: Path) -> None:
    page = (data / "compare" / "report.html").read_text("utf-8")
    for head in ("Whole ranking", *(f"Ranking at k = {k}" for k in (1, 2, 3))):
        assert page.count(f'scope="rowgroup" colspan="10">{head}<') == 1
    assert "P@2, R@2, RR@2 are those of the visible context" in page
    assert '{"key":"judged@3","label":"Judged@3"' in page
    assert '"neutral":true' in page


def test_without_cutoffs_nothing_of_them_is_on_the_screen_or_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    plain = ranked_run(tmp_path, None)
    assert not [line for line in screen(plain) if "k = " in line or "cutoffs" in line]
    page = (plain / "compare" / "report.html").read_text("utf-8")
    for word in ('scope="rowgroup" colspan', '"group":', '"neutral":', "more at cutoffs</span>"):
        assert word not in page
    assert "cutoffs" not in read_json(plain / "compare" / "comparison.json")


def test_show_has_a_row_a_metric_and_a_column_a_cutoff(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert show(["third", "--system", "B"], data) == 0
    lines = capsys.readouterr().out.splitlines()
    at = next(at for at, line in enumerate(lines) if line.split()[:1] == ["k"])
    table = {line.split()[0]: line.split()[1:] for line in lines[at : at + 8]}
    assert table["k"] == ["1", "2", "3"]
    # d3 is not relevant, d1 is, d4 is not; d2 is, and is not there
    assert table["P@k"] == ["0.00", "0.50", "0.33"]
    assert table["R@k"] == ["0.00", "0.50", "0.50"]
    assert table["nDCG@k"] == ["0.00", "0.39", "0.39"]
    assert table["AP"] == ["0.25"]
    assert show(["none", "--system", "B"], data) == 0
    assert "nDCG@k" not in capsys.readouterr().out


@pytest.mark.parametrize(("bound", "code"), [(0.6, 0), (0.7, 1)])
def test_the_gate_opens_and_closes_by_a_ranking_at_a_cutoff(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: float, code: int
) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    baseline, candidate = two_sides(data, data)
    policy = Acceptance("mine", (Rule("deep", "ndcg@3", bound),), (), Limits(leaks=None))
    _, _, document = weighed(
        baseline, [candidate], same=False, acceptance=policy, uncertainty=UNCERTAINTY, seed=7,
        now=datetime.now(UTC),
    )  # fmt: skip
    # nDCG@3 of B: 0.6309, 0.3869 and 1, on average 0.6726
    document["heldout"] = None
    write_json(tmp_path / "comparison.json", document)
    assert gate(["--comparison", str(tmp_path / "comparison.json")], tmp_path) == code


def test_the_means_at_cutoffs_have_intervals_to_plot_and_to_log(data: Path) -> None:
    rows: list[dict[str, Any]] = read_json(data / "score" / "points.json")
    (row,) = (r for r in rows if (r["system"], r["metric"]) == ("B", "ndcg@3"))
    assert row["label"] == "nDCG@3"
    assert row["low"] < row["mean"] < row["high"]
    assert row["n"] == 3


@pytest.mark.parametrize("system", ["A", "B"])
def test_judged_is_ir_measures_by_the_qrels_that_we_write(
    data: Path, tmp_path: Path, system: str
) -> None:
    measures = pytest.importorskip("ir_measures", reason="pip install ir-measures")
    run, qrels = tmp_path / "a.run", tmp_path / "qrels.txt"
    assert export(["--run", str(run), "--qrels", str(qrels), "--system", system], data) == 0
    # people looked at d1, d2 and d3 for `pool` and called d1 relevant
    assert [line for line in qrels.read_text("utf-8").splitlines() if "pool" in line] == [
        "pool 0 d1 1", "pool 0 d2 0", "pool 0 d3 0",
    ]  # fmt: skip
    wanted = {measures.parse_measure(f"Judged@{k}"): k for k in (1, 2, 3)}
    theirs = {
        (found.query_id, wanted[found.measure]): found.value
        for found in measures.iter_calc(
            list(wanted),
            list(measures.read_trec_qrels(str(qrels))),
            list(measures.read_trec_run(str(run))),
        )
    }
    rows = read(data / "score", Ranked).filter(system=system)
    ours = {(row["question_id"], row["cutoff"]): row["judged"] for row in rows.to_dicts()}
    assert ours["pool", 2] == {"A": 1.0, "B": 0.5}[system]
    answerable = {key: value for key, value in ours.items() if key[0] != "none"}
    assert answerable == {key: pytest.approx(theirs[key]) for key in answerable}
