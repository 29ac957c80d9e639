"""A run from recorded verdicts, end to end: its numbers, its pages, its record, its hash."""

import json
import os
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline.adapters.datasets.ragchecker import Ragchecker
from pipeline.adapters.judges.labels import Labels
from pipeline.adapters.trackers.bundle import bundle
from pipeline.adapters.trackers.package import pack
from pipeline.adapters.trackers.payload import metrics
from pipeline.contract.files import read_json
from pipeline.contract.metrics import ENTAILMENT
from pipeline.contract.results import Aggregates, Deltas, Judged, PerQuestion
from pipeline.contract.tables import Verdicts, read
from pipeline.manifest.schemas import validate
from pipeline.stages import score
from pipeline.verbs import show
from pipeline.verbs.results import result_lines
from pipeline.verbs.terminal.text import cells
from tests.entailed import result, written
from tests.finished import finish
from tests.manifest.test_identity import described
from tests.ruled import CUTOFF, Several, finish_ruled
from tests.stages.test_score import RUBRIC
from tests.tracked import PARAMS

REAL = Path(os.environ.get("RAG_ASSAY_DATA", "/nonexistent")) / "ragchecker"
NAMES = [metric.name for metric in ENTAILMENT]


@pytest.fixture(autouse=True)
def _root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))


def one(folder: Path, *results: dict[str, Any]) -> Ragchecker:
    return Ragchecker(str(written(folder, *results)), "A")


def identity(data: Path) -> dict[str, Any]:
    found: dict[str, Any] = read_json(data / "score/identity.json")["systems"]["A"]
    return found


@pytest.mark.skipif(not REAL.is_dir(), reason="RAG_ASSAY_DATA names no folder with ragchecker")
def test_the_published_example_gives_its_stored_values(tmp_path: Path) -> None:
    path = REAL / "checking_outputs.json"
    data = finish_ruled(tmp_path / "data", Ragchecker(str(path), "recorded"))
    stored = json.loads(path.read_text("utf-8"))
    means = read_json(data / "score/metrics.json")["recorded"]
    overall = {name: value for part in stored["metrics"].values() for name, value in part.items()}
    assert len(overall) == 11
    for name, value in overall.items():
        own = name if name in means else ""
        own = f"entailment_{name}" if name in ("precision", "recall", "f1") else own
        assert round(100 * means[own]["macro"], 1) == value, name
        assert means[own]["n"] == 2
    rows = read(data / "score", Judged).to_dicts()
    for row, one in zip(rows, stored["results"], strict=True):
        assert row["question_id"] == one["query_id"]
        for name, value in one["metrics"].items():
            own = f"entailment_{name}" if name in ("precision", "recall", "f1") else name
            assert row[own] == pytest.approx(value, abs=1e-15), name


def test_an_answer_without_claims_is_left_out_and_counted_never_0(tmp_path: Path) -> None:
    silent = result("silent", precise="", held=())
    data = finish_ruled(tmp_path / "data", one(tmp_path, result("said"), silent))
    means = read_json(data / "score/metrics.json")["A"]
    precise = means["entailment_precision"]
    assert (precise["macro"], precise["n"], precise["na"]) == (0.5, 1, {"no_claims": 1})
    assert means["precision"]["na"] == {"not_labelled": 2}


def test_verdicts_lie_in_freeze_and_judge_and_scores_follow_from_a_runs_artifacts(
    tmp_path: Path,
) -> None:
    data = finish_ruled(tmp_path / "data", one(tmp_path, result("p"), result("q", "EE")))
    frozen = read(data / "freeze", Verdicts)
    assert frozen.equals(read(data / "judge", Verdicts), null_equal=True)
    bundle(data, "A", "full", CUTOFF, tmp_path / "again")
    (tmp_path / "again/score/judged.parquet").unlink()
    score.run(tmp_path / "again", cutoff=CUTOFF, budget=None, rubric=RUBRIC, reason=None, seed=7)
    for table in (Judged, Aggregates):
        before, after = (read(where / "score", table) for where in (data, tmp_path / "again"))
        assert after.equals(before, null_equal=True)


def test_a_changed_label_changes_the_fingerprint_and_only_there_where_verdicts_count(
    tmp_path: Path,
) -> None:
    sets = [one(tmp_path / word, result("p", word)) for word in ("EN", "EC")]
    first, second = (
        identity(finish_ruled(tmp_path / f"data{at}", found)) for at, found in enumerate(sets)
    )
    assert first["parts"]["responses_hash"] == second["parts"]["responses_hash"]
    assert first["parts"]["verdicts_hash"] != second["parts"]["verdicts_hash"]
    assert first["fingerprint"] != second["fingerprint"]
    plain = [
        identity(finish_ruled(tmp_path / f"plain{at}", found, judge=Labels()))
        for at, found in enumerate(sets)
    ]
    assert plain[0] == plain[1]
    assert "verdicts_hash" not in plain[0]["parts"]


def test_its_manifests_fit_their_schemas_and_count_what_is_not_applicable(tmp_path: Path) -> None:
    data = finish_ruled(tmp_path / "data", one(tmp_path, result("p", "", held=())))
    frozen = read_json(data / "freeze/manifest.json")
    validate(frozen, "freeze")
    manifest = described(data)["A"]
    validate(manifest, "run")
    assert manifest["responses"]["verdicts"] == manifest["parts"]["verdicts_hash"]
    assert manifest["counts"]["na"]["faithfulness"] == {"no_claims": 1}
    assert "judge/verdicts.parquet" in manifest["outputs"]


def test_two_systems_are_compared_question_by_question(tmp_path: Path) -> None:
    shared = [{"doc_id": "000", "text": "The same."}]
    better = result("p", "EE", held=("E", "E"), retrieved_context=shared)
    worse = result("p", "NN", held=("E", "N"), retrieved_context=shared)
    files = tuple(
        (name, str(written(tmp_path / name, found)))
        for name, found in (("A", better), ("B", worse))
    )
    data = finish_ruled(tmp_path / "data", Several(files))
    rows = read(data / "compare", Deltas).filter(pl.col("metric").is_in(NAMES))
    ways = dict(rows.select("metric", "direction").iter_rows())
    assert len(ways) == 11
    # B's two claims are wrong, one of them in the relevant passage and one in none
    assert ways["entailment_precision"] == ways["hallucination"] == "worse"
    assert ways["noise_sensitivity_in_relevant"] == "worse"
    assert ways["claim_recall"] == "same"
    page = [line.text for line in result_lines(data, 80)]
    assert all(cells(line) <= 80 for line in page)
    assert "B against A: 1 worse, 0 better, 0 the same" in page
    assert any(line.startswith("  entailment precision    1.000  0.000") for line in page)
    assert "p A | 1.00 1.00 1.00 0.50 0.00 1.00" in page


def test_a_question_shows_each_claim_with_what_was_ruled_on_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = finish_ruled(tmp_path / "data", one(tmp_path, result("p", "EC", recalled="EN")))
    show.main(["p"], data)
    page = capsys.readouterr().out.splitlines()
    assert "    1 it is 0: right; in passage 1" in page
    assert "    2 it is 1: wrong (contradicted); in no passage" in page
    assert "    It is so." in page
    assert "    2 so is 1: left out; in no passage" in page
    assert any("faithfulness 0.50" in line for line in page)


def test_mlflow_gets_the_means_the_values_and_the_scores_of_each_answer(tmp_path: Path) -> None:
    data = finish_ruled(tmp_path / "data", one(tmp_path, result("p"), result("q", "", held=())))
    manifest = described(data)["A"]
    named = metrics(read(data / "score", Aggregates), manifest, "full")
    assert named["faithfulness/macro"] == 0.5
    assert named["faithfulness/na_no_claims"] == 1
    (tmp_path / "bundle").mkdir()
    packed = pack(data, manifest, {**PARAMS, "cutoff": CUTOFF}, "full", 9, tmp_path / "bundle")
    assert packed.table["faithfulness"] == [0.5, None]
    assert "faithfulness" in packed.table["n/a"][1]
    assert packed.traces[0].scores["faithfulness"] == 0.5
    assert "- faithfulness: macro 0.5000, n = 1" in packed.tags["mlflow.note.content"]


def test_a_veiled_run_keeps_labels_and_hides_the_words_of_claims(tmp_path: Path) -> None:
    data = finish_ruled(tmp_path / "data", one(tmp_path, result("p")))
    bundle(data, "A", "ids", CUTOFF, tmp_path / "veiled")
    frame = read(tmp_path / "veiled/judge", Verdicts)
    before = read(data / "judge", Verdicts)
    assert frame["label"].equals(before["label"], null_equal=True)
    assert set(frame["text"].drop_nulls()) == {""}


def test_a_run_without_verdicts_has_an_empty_table_and_no_metric_of_theirs(
    tmp_path: Path,
) -> None:
    data = finish(tmp_path / "data")
    assert read(data / "score", Judged).is_empty()
    assert len(read(data / "score", PerQuestion)) == 8
    for text in (
        (data / "score/metrics.json").read_text(),
        (data / "score/points.json").read_text(),
    ):
        assert not any(name in text for name in NAMES)
