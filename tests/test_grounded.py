"""GaRAGe end to end: from a file of its shape, through conf/ and every stage, to the numbers."""

import json
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings

from pipeline.contract.files import read_json
from pipeline.contract.metrics import GROUNDED
from pipeline.contract.results import Aggregates
from pipeline.contract.tables import read
from pipeline.stages.compose import composed
from pipeline.verbs.results import result_lines
from pipeline.verbs.stage import ORDER, _arguments
from tests.annotated import row, rows, written

CONF = Path(__file__).parents[1] / "conf"
OF_VERDICTS = ("eligibility", "uraf", "raf", "factuality_all")


@pytest.fixture(autouse=True)
def _root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))


def run(folder: Path, *made: Any, **changed: Any) -> Path:
    """Every stage but the tracker's, as `python -m pipeline experiment=garage …` runs them."""
    words = {"path": written(folder, *made), **changed}
    given = [f"dataset.{key}={value}" for key, value in words.items()]
    params = composed(CONF, ["experiment=garage", *given])
    data = folder / "data"
    for name in ORDER[1:-1]:
        stage = import_module(f"pipeline.stages.{name}")
        stage.run(data, **_arguments(stage.run, params))
    return data


def means(data: Path, system: str = "human") -> dict[str, Any]:
    found: dict[str, Any] = read_json(data / "score/metrics.json")[system]
    return found


ROWS = (
    # cited {1, 2} of relevant {1, 2}
    row("p", ("A", "R", "U"), answer="So [cite_1], and so [cite_2]."),
    # cited {1, 3} of relevant {1, 2}; an outdated passage is not relevant
    row("q", ("A", "R", "O"), answer="So [cite_1]. And so [cite_3].", tempo="fast"),
    # nobody wrote an answer, though one passage is relevant
    row("r", ("R", "U", "U"), answer="", tempo="slow"),
)


def test_attribution_and_deflection_of_the_human_answers(tmp_path: Path) -> None:
    found = means(run(tmp_path, *ROWS))
    # P: 2/2 and 1/2, of r none; R: 2/2, 1/2 and 0/1; pooled 3/4 and 3/5
    precision, recall, f1 = (found[f"attribution_{name}"] for name in ("precision", "recall", "f1"))
    assert (precision["macro"], precision["pooled"], precision["n"]) == (3 / 4, 3 / 4, 2)
    assert precision["na"] == {"no_claims": 1}
    assert (recall["macro"], recall["pooled"], recall["n"]) == (1 / 2, 3 / 5, 3)
    # 2 * 3/4 * 1/2 / (5/4) = 3/5; 2 * 3/4 * 3/5 / (27/20) = 2/3
    assert (f1["macro"], f1["pooled"]) == (pytest.approx(3 / 5), pytest.approx(2 / 3))
    # not validated: r, where the answer is empty
    assert (found["deflection_tpr"]["macro"], found["deflection_tpr"]["n"]) == (1.0, 1)
    assert (found["deflection_fpr"]["macro"], found["deflection_fpr"]["n"]) == (0.0, 2)
    for name in OF_VERDICTS:
        assert (found[name]["macro"], found[name]["na"]) == (None, {"not_labelled": 3})


@pytest.mark.parametrize(
    ("rule", "tpr", "fpr"),
    [
        ("not_validated", (1.0, 1), (0.0, 2)),
        ("no_answering_passage", (1.0, 1), (0.0, 2)),
        ("no_relevant_passage", (None, 0), (1 / 3, 3)),
    ],
)
def test_the_deflection_rates_follow_the_rule(
    tmp_path: Path, rule: str, tpr: tuple[Any, int], fpr: tuple[Any, int]
) -> None:
    found = means(run(tmp_path, *ROWS, deflection=rule))
    assert (found["deflection_tpr"]["macro"], found["deflection_tpr"]["n"]) == tpr
    assert (found["deflection_fpr"]["macro"], found["deflection_fpr"]["n"]) == fpr


def test_the_human_answers_cite_exactly_what_they_cite(tmp_path: Path) -> None:
    found = means(run(tmp_path, *ROWS, gold="cited"))
    for name in ("attribution_precision", "attribution_recall", "attribution_f1"):
        assert (found[name]["macro"], found[name]["n"]) == (1.0, 2), name
    assert found["attribution_precision"]["pooled"] == 1.0


def test_attribution_where_related_information_does_not_count(tmp_path: Path) -> None:
    found = means(run(tmp_path, *ROWS, related="false"))
    # the gold set of p and of q is passage 1, r has none: P 1/2 and 1/2, R 1/1 and 1/1
    precision, recall, f1 = (found[f"attribution_{name}"] for name in ("precision", "recall", "f1"))
    assert (precision["macro"], precision["pooled"], precision["n"]) == (1 / 2, 2 / 4, 2)
    assert (recall["macro"], recall["pooled"], recall["n"]) == (1.0, 1.0, 2)
    assert recall["na"] == {"unanswerable": 1}
    assert f1["macro"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("rule", "precision", "recall", "n"),
    [
        # p: P 2/2, R 2/2; s cites a passage without a label beside a relevant one
        ("irrelevant", (1 + 0) / 2, (1 + 0) / 2, 2),
        ("relevant", (1 + 1) / 2, (1 + 1 / 2) / 2, 2),
        ("not_labelled", 1.0, 1.0, 1),
    ],
)
def test_attribution_follows_the_rule_for_passages_without_a_label(
    tmp_path: Path, rule: str, precision: float, recall: float, n: int
) -> None:
    bare = row("s", ("A", ""), ("YES", ""), "So [cite_2].")
    found = means(run(tmp_path, ROWS[0], bare, unlabelled=rule))
    for name, value in (("precision", precision), ("recall", recall)):
        got = found[f"attribution_{name}"]
        assert (got["macro"], got["n"]) == (value, n), name
    f1 = 2 * precision * recall / (precision + recall)
    assert found["attribution_f1"]["macro"] == pytest.approx(f1)


@settings(max_examples=10, deadline=None)
@given(rows())
def test_whatever_the_human_answers_cite_their_precision_against_it_is_one(
    made: list[dict[str, Any]],
) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DVC_ROOT", folder)
        data = run(Path(folder), row("some"), *made, gold="cited")
        found = means(data)["attribution_precision"]
    cited = sum("YES" in one["evidence_cited"] for one in [row("some"), *made])
    assert (found["macro"], found["pooled"], found["n"]) == (1.0, 1.0, cited)


def test_the_slices_are_those_of_the_benchmark(tmp_path: Path) -> None:
    data = run(tmp_path, *ROWS)
    f1 = read(data / "score", Aggregates).filter(metric="attribution_f1")
    by_tempo = f1.filter(attribute="temporal_dynamism")
    values = dict(by_tempo.select("value", "macro").iter_rows())
    assert values == {"static": 1.0, "fast": 0.5, "slow": None}
    by_share = dict(f1.filter(attribute="relevant_share").select("value", "n").iter_rows())
    assert by_share == {"1/3 to 2/3": 2}
    slices = set(f1["attribute"]) - {""}
    assert slices >= {"temporal_dynamism", "complexity", "popularity", "domain", "provider"}


def test_the_points_of_its_two_plots_go_from_left_to_right(tmp_path: Path) -> None:
    data = run(tmp_path, *ROWS)
    rows = [row for row in read_json(data / "score/slices.json") if row["metric"] != "raf"]
    assert [
        (row["attribute"], row["value"], row["place"], row["mean"], row["n"]) for row in rows
    ] == [
        ("temporal_dynamism", "static", 1, 1.0, 1),
        ("temporal_dynamism", "slow", 2, None, 0),
        ("temporal_dynamism", "fast", 3, 0.5, 1),
        # p and q: P and R are 1 and 1/2 on average; r, one of three too, has R = 0: R = 1/2
        ("relevant_share", "1/3 to 2/3", 3, pytest.approx(3 / 5), 2),
    ]
    assert {row["label"] for row in rows} == {"attribution F1"}


def test_another_systems_answers_and_rulings_come_in_as_files(tmp_path: Path) -> None:
    answers = [
        {"system": "B", "question_id": "p", "answer": "So [cite_3]."},
        {"system": "B", "question_id": "q", "answer": "So [cite_1][cite_9]."},
        {"system": "B", "question_id": "r", "answer": "I cannot say."},
    ]
    said = [
        ("p", "deflection", "No"), ("q", "deflection", "No"), ("r", "deflection", "Yes"),
        ("p", "eligibility", "Yes"), ("q", "eligibility", "No"), ("r", "eligibility", "No"),
    ]  # fmt: skip
    verdicts: list[dict[str, Any]] = [
        {"system": "B", "question_id": id_, "kind": kind, "label": label}
        for id_, kind, label in said
    ]
    for id_ in "pqr":
        for kind, label in (("factual_relevant", "Unsupported"), ("factual_all", "Supported")):
            one = {"system": "B", "question_id": id_, "kind": kind, "item": 0, "label": label}
            verdicts.append(one)
    files = {}
    for name, records in (("responses", answers), ("verdicts", verdicts)):
        files[name] = tmp_path / f"{name}.jsonl"
        files[name].write_text("\n".join(map(json.dumps, records)))
    found = means(run(tmp_path, *ROWS, **files), "B")
    # p cites what is not relevant; of q's two citations one is right; r cites nothing
    assert found["attribution_precision"]["macro"] == pytest.approx(1 / 4)
    assert found["attribution_recall"]["macro"] == pytest.approx((0 + 1 / 2 + 0) / 3)
    assert (found["deflection_tpr"]["macro"], found["deflection_fpr"]["macro"]) == (1.0, 0.0)
    got = {name: (found[name]["macro"], found[name]["n"]) for name in OF_VERDICTS}
    assert got == {
        "eligibility": (0.5, 2), "uraf": (0.0, 2), "raf": (0.0, 2), "factuality_all": (1.0, 2),
    }  # fmt: skip


def test_the_page_shows_them_under_their_names(tmp_path: Path) -> None:
    data = run(tmp_path, *ROWS)
    page = "\n".join(line.text for line in result_lines(data, 80))
    for metric in GROUNDED:
        assert metric.label in page
    assert all(len(line) <= 80 for line in page.splitlines())


def test_the_settings_stand_in_what_is_frozen(tmp_path: Path) -> None:
    data = run(tmp_path, *ROWS, gold="cited", related="false")
    manifest = json.dumps(read_json(data / "freeze/manifest.json"))
    for words in ('"gold": "cited"', '"related": false', '"deflection": "not_validated"'):
        assert words in manifest
    assert pl.read_parquet(data / "score/judged.parquet").height == 3
