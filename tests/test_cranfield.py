"""Cranfield against the tools of its field: bm25s ranks it alike, ir_measures scores it alike."""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from pipeline.contract.files import read_json
from pipeline.contract.results import Ranked
from pipeline.contract.tables import Documents, Questions, Ranking, read
from pipeline.manifest.schemas import validate
from pipeline.verbs.export import main as export
from tests.cranfield import Parts, collection, dataset, run
from tests.project import Project

NAMES = {
    "P": "precision", "R": "recall", "RR": "reciprocal_rank", "nDCG": "ndcg",
    "Success": "success", "Judged": "judged",
}  # fmt: skip


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    collection()
    folder = tmp_path_factory.mktemp("cranfield")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DVC_ROOT", str(folder))
        return run(folder / "data", dataset())


@pytest.fixture(scope="module")
def files(data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The run file and the qrels that we write."""
    folder = tmp_path_factory.mktemp("files")
    made = folder / "bm25.run", folder / "qrels.txt"
    assert export(["--run", str(made[0]), "--qrels", str(made[1])], data) == 0
    return made


def theirs(qrels: Path, run_file: Path) -> dict[tuple[str, str, int], float]:
    """ir_measures' values by question, metric and cutoff; AP's cutoff is 0."""
    measures = pytest.importorskip("ir_measures", reason="pip install ir-measures")
    wanted = {
        measures.parse_measure(f"{name}@{k}"): (ours, k)
        for name, ours in NAMES.items()
        for k in (1, 5, 10)
    }
    wanted[measures.AP] = "ap", 0
    labels = list(measures.read_trec_qrels(str(qrels)))
    ranked = list(measures.read_trec_run(str(run_file)))
    return {
        (found.query_id, *wanted[found.measure]): found.value
        for found in measures.iter_calc(list(wanted), labels, ranked)
    }


def ours(data: Path) -> dict[tuple[str, str, int], float]:
    found = {}
    for row in read(data / "score", Ranked).iter_rows(named=True):
        for name in NAMES.values():
            found[row["question_id"], name, row["cutoff"]] = row[name]
        found[row["question_id"], "ap", 0] = row["ap"]
    return found


def test_the_manifest_says_what_became_of_blank_documents_and_numbers(data: Path) -> None:
    manifest = read_json(data / "freeze" / "manifest.json")
    validate(manifest, "freeze")
    notes = "\n".join(manifest["notes"])
    assert manifest["corpus"]["documents"] == 1398
    assert "2 documents without text dropped: 471, 995" in notes
    assert "of 225, 223 have another <num>: 3 is <num> 4; 4 is <num> 8;" in notes
    assert "; and 218 more" in notes
    assert "left out: topic 125, document 995, grade 1" in notes
    assert manifest["dataset"]["topics_by"] == "position"


def test_joined_by_number_the_qrels_are_refused() -> None:
    faults = [str(fault) for fault in dataset(topics_by="num").load().faults]
    # of the positions 1 to 225 only some are the number of a topic
    assert "got '3', on 9 line(s)" in faults[0]
    assert len(faults) == 73


def test_every_value_is_ir_measures_to_6_digits_by_the_files_that_we_write(
    data: Path, files: tuple[Path, Path]
) -> None:
    mine, others = ours(data), theirs(files[1], files[0])
    assert len(others) == 225 * (6 * 3 + 1)
    for key, value in others.items():
        assert mine[key] == pytest.approx(value, abs=1e-6), key


def test_by_its_own_qrels_all_but_the_topic_of_the_dropped_document_are_the_same(
    data: Path, files: tuple[Path, Path]
) -> None:
    mine, others = ours(data), theirs(collection() / "cranqrel.trec.txt", files[0])
    apart = {key for key, value in others.items() if mine[key] != pytest.approx(value, abs=1e-6)}
    assert {question for question, _, _ in apart} == {"125"}


def test_the_mean_of_ndcg_at_10_is_ir_measures(data: Path, files: tuple[Path, Path]) -> None:
    values = [value for key, value in theirs(files[1], files[0]).items() if key[1:] == ("ndcg", 10)]
    mean = read_json(data / "score" / "metrics.json")["rag"]["ndcg@10"]["macro"]
    assert mean == pytest.approx(sum(values) / 225, abs=1e-6)


def test_bm25_is_a_direct_use_of_bm25s(data: Path) -> None:
    bm25s: Any = import_module("bm25s")
    stemmer: Any = import_module("Stemmer").Stemmer("english")
    words = {
        "stopwords": "en", "stemmer": stemmer, "token_pattern": r"(?u)\b\w+\b",
        "show_progress": False,
    }  # fmt: skip
    texts = read(data / "freeze", Documents)["text"].to_list()
    asked = read(data / "freeze", Questions)["text"].to_list()
    index = bm25s.BM25(method="lucene", k1=1.2, b=0.75, dtype="float64")
    index.index(bm25s.tokenize(texts, **words), show_progress=False)
    tokens = bm25s.tokenize(asked, return_ids=False, **words)
    ranking = read(data / "retrieve", Ranking)
    for chunks, scores, question in zip(
        ranking["chunks"].to_list(), ranking["scores"].to_list(), tokens, strict=True
    ):
        direct = np.round(index.get_scores(question), 12)
        best = sorted(np.flatnonzero(direct > 0), key=lambda at: (-direct[at], at))[:100]
        assert chunks == best
        assert scores == pytest.approx(direct[best], abs=1e-12)


def test_a_run_file_of_ours_read_back_gives_our_numbers(
    data: Path, files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    again = run(tmp_path / "data", dataset(runs=str(files[0])), Parts("recorded", "recorded"))
    one, other = (read(folder / "score", Ranked) for folder in (data, again))
    assert one.equals(other, null_equal=True)
    said = read_json(again / "freeze" / "manifest.json")["responses"]["rag"]
    assert said["order"] == "list"
    assert "ties" not in said


def test_by_scores_alone_ties_are_counted_and_open_the_values(
    data: Path, files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    lines = (line.split() for line in files[0].read_text("utf-8").splitlines())
    coarse = (" ".join([*cells[:4], f"{float(cells[4]):.0f}", "coarse"]) for cells in lines)
    (tmp_path / "coarse.run").write_text("\n".join(coarse), "utf-8")
    source = dataset(runs=str(tmp_path / "coarse.run"), order="score")
    # no cutoffs are asked for: what is tied is measured at the one there is
    made = run(tmp_path / "data", source, Parts("recorded", "recorded"), None)
    manifest = read_json(made / "freeze" / "manifest.json")
    validate(manifest, "freeze")
    assert manifest["responses"]["coarse"]["order"] == "scores"
    assert manifest["responses"]["coarse"]["ties"] > 200
    rows = read(made / "score", Ranked)
    assert rows["cutoff"].unique().to_list() == [10]
    assert rows.select((pl.col("ndcg_low") <= pl.col("ndcg")).all()).item()
    assert rows.select((pl.col("ndcg") <= pl.col("ndcg_high")).all()).item()
    exact = {key[0]: value for key, value in ours(data).items() if key[1:] == ("ndcg", 10)}
    bounds = rows.drop_nulls("ndcg_low").select("question_id", "ndcg_low", "ndcg_high").rows()
    assert len(bounds) > 200
    for question, low, high in bounds:
        # the finer scores are one order of what is tied
        assert low - 1e-9 <= exact[question] <= high + 1e-9


@pytest.mark.slow
def test_it_runs_end_to_end_through_the_door(tmp_path: Path) -> None:
    source = collection()
    project = Project.at(tmp_path / "project")
    printed = project.pipeline("experiment=cranfield", f"dataset.path={source}", "tracker=none")
    assert "1,398 documents, 225 questions" in printed
    assert "  k                1       5      10        n" in printed
    assert "  nDCG@k      " in printed
    assert project.metrics()["rag"]["ndcg@10"]["n"] == 225
    project.pipeline("export", "--run", "bm25.run", "--qrels", "qrels.txt")
    first = (project.folder / "bm25.run").read_text("utf-8").split("\n", 1)[0]
    assert first.split()[:4] == ["1", "Q0", "51", "1"]
