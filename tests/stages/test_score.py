import json
import math
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline.contract.files import read_json, write_json
from pipeline.contract.results import Aggregates, PerQuestion
from pipeline.contract.tables import (
    Answers,
    Chunks,
    Claims,
    Documents,
    Evidence,
    Found,
    LookedAt,
    Questions,
    Ranking,
    Relevance,
    Statements,
    Support,
    Verdicts,
    read,
    write,
)
from pipeline.manifest import ledger
from pipeline.settings import Rubric
from pipeline.stages import score
from tests.scoring.test_fixture import fixture
from tests.scoring.worlds import World, a_world, tables

RUBRIC = Rubric(ids="open", unresolved="interval", overlap=1, tokenizer="words")
PORTS = ("chunker", "retriever", "reranker", "answerer", "judge")
CHUNKER = {"adapter": "tests.cutters.even.Even", "chunk_size": 40, "unit": "words"}
FILES = {
    "per_question.parquet", "judged.parquet", "silences.parquet", "ranked.parquet",
    "aggregates.parquet", "aggregates.csv",
    "metrics.json", "points.json", "slices.json", "identity.json",
    "settings.json", "judged_at_k.json",
}  # fmt: skip


def frozen(data: Path, world: World, split: str = "dev") -> Path:
    """What the stages before `score` would leave of a world."""
    made = tables(world)
    parts = {
        "freeze": [
            (Documents, made.documents), (Questions, made.questions), (Claims, made.claims),
            (Relevance, made.relevance), (Support, made.support), (Evidence, made.evidence),
            (LookedAt, LookedAt.empty()),
        ],
        "chunk": [(Chunks, made.chunks), (Found, made.found)],
        "rerank": [(Ranking, made.ranking)],
        "answer": [(Answers, made.answers)],
        "judge": [(Statements, made.statements), (Verdicts, Verdicts.empty())],
    }  # fmt: skip
    for stage, files in parts.items():
        for table, frame in files:
            write(data / stage, table, frame)
    ports = zip(("chunk", "retrieve", "rerank", "answer", "judge"), PORTS, strict=True)
    for stage, port in ports:
        write_json(
            data / stage / "settings.json",
            {port: CHUNKER if port == "chunker" else {"adapter": "a test"}},
        )
    write_json(
        data / "freeze" / "manifest.json",
        {
            "hashes": dict.fromkeys(("corpus", "questions", "labels", "permissions"), "0"),
            "split": split,
            "missing_policy": "refuse",
            "question_set": {
                "claims": world.with_claims,
                "content": "1" * 64,
                "name": "world",
                "version": "1",
            },
            "responses": {said.system: {"content": said.system} for said in world.responses},
        },
    )
    return data


def run(data: Path, **changes: Any) -> str:
    arguments = {"cutoff": 2, "budget": None, "rubric": RUBRIC, "reason": None, "seed": 7}
    return score.run(data, **{**arguments, **changes})


def test_it_writes_every_result_and_says_how_much_it_scored(tmp_path: Path) -> None:
    line = run(frozen(tmp_path, fixture()))
    assert line == "8 responses of 2 systems to 4 questions"
    assert {path.name for path in (tmp_path / "score").iterdir()} == FILES
    assert len(read(tmp_path / "score", PerQuestion)) == 8
    assert len(read(tmp_path / "score", Aggregates)) == 2 * 16


def test_the_aggregates_are_the_same_in_parquet_and_csv(tmp_path: Path) -> None:
    run(frozen(tmp_path, a_world(3)))
    rows = read(tmp_path / "score", Aggregates)
    csv = pl.read_csv(tmp_path / "score" / "aggregates.csv", schema=Aggregates.schema)
    csv = csv.with_columns(pl.col("attribute", "value").fill_null(""))
    assert csv.equals(rows)


def test_metrics_are_one_line_of_json_in_order_without_nan(tmp_path: Path) -> None:
    run(frozen(tmp_path, fixture()))
    text = (tmp_path / "score" / "metrics.json").read_text(encoding="utf-8")
    metrics = json.loads(text, parse_constant=pytest.fail)
    assert text == json.dumps(metrics, sort_keys=True, separators=(",", ":")) + "\n"
    assert metrics["A"]["recall"] == {
        "macro": (1 + 1 / 2 + 1) / 3,
        "pooled": 3 / 4,
        "strict": (1 + 1 / 2 + 1) / 3,
        "sd": pytest.approx(math.sqrt(1 / 18), abs=1e-15),
        "n": 3,
        "n_values": 3,
        "na": {"unanswerable": 1},
        "low": (1 + 1 / 2 + 1) / 3,
        "high": (1 + 1 / 2 + 1) / 3,
    }


def test_the_settings_and_the_identity_stand_beside_the_numbers(tmp_path: Path) -> None:
    run(frozen(tmp_path, fixture()))
    settings = {"cutoff": 2, "budget": None, "rubric": asdict(RUBRIC), "seed": 7}
    assert read_json(tmp_path / "score" / "settings.json") == settings
    identity = read_json(tmp_path / "score" / "identity.json")
    parts = identity["systems"]["A"]["parts"]
    assert {name: parts[name] for name in settings} == settings


def test_each_mean_is_a_point_beside_the_settings_it_may_be_set_against(tmp_path: Path) -> None:
    run(frozen(tmp_path, fixture()))
    rows = read_json(tmp_path / "score" / "points.json")
    assert len(rows) == 2 * 8
    recall = next(row for row in rows if (row["system"], row["metric"]) == ("A", "recall"))
    assert recall == {
        "system": "A", "metric": "recall", "label": "R@k",
        "chunker": "even", "chunk_size": 40, "overlap": None,
        "cutoff": 2, "budget": None, "depth": None, "context": recall["context"],
        "mean": (1 + 1 / 2 + 1) / 3, "low": 1 / 2, "high": 1, "n": 3,
    }  # fmt: skip
    # A makes one claim at one unanswerable question: a mean, but no interval of one question
    alone = next(row for row in rows if (row["system"], row["metric"]) == ("A", "abstention"))
    assert (alone["mean"], alone["low"], alone["high"], alone["n"]) == (0, None, None, 1)


def test_the_seed_moves_the_intervals_and_nothing_else(tmp_path: Path) -> None:
    first, second = (frozen(tmp_path / name, a_world(5)) for name in ("first", "second"))
    run(first)
    run(second, seed=8)
    differing = {
        name
        for name in FILES
        if (first / "score" / name).read_bytes() != (second / "score" / name).read_bytes()
    }
    assert {"settings.json", "identity.json"} <= differing
    assert differing <= {"settings.json", "identity.json", "points.json"}


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = (frozen(tmp_path / name, a_world(5)) for name in ("first", "second"))
    run(first)
    run(second)
    for name in FILES:
        assert (first / "score" / name).read_bytes() == (second / "score" / name).read_bytes()


def test_the_rubric_decides_what_becomes_of_disputes(tmp_path: Path) -> None:
    world = next(w for w in map(a_world, range(100)) if disputed(w))
    frozen(tmp_path, world)
    run(tmp_path, rubric=Rubric(ids="open", unresolved="exclude", overlap=1, tokenizer="words"))
    rows = read(tmp_path / "score", PerQuestion)
    assert rows["recall_reason"].eq("unresolved").any()
    assert rows["recall_low"].null_count() == len(rows)
    run(tmp_path)
    assert read(tmp_path / "score", PerQuestion)["recall_low"].null_count() < len(rows)


def disputed(world: World) -> bool:
    return any(
        0 < yes < votes for question in world.questions for yes, votes in question.relevant.values()
    ) and any(said.ranking is not None and len(said.ranking) > 2 for said in world.responses)


def test_a_set_without_claim_labels_has_no_support(tmp_path: Path) -> None:
    world = fixture()
    world.with_claims = False
    run(frozen(tmp_path, world))
    rows = read(tmp_path / "score", PerQuestion)
    assert rows["support_reason"].eq("not_labelled").all()


def test_opening_held_out_questions_is_in_the_ledger_before_a_number_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    frozen(tmp_path, fixture(), split="heldout")
    seen: list[bool] = []

    def watched(data: Path, identity: dict[str, Any], reason: str) -> None:
        seen.append((data / "score").exists())
        ledger.record(data, identity, reason)

    monkeypatch.setattr(score, "record", watched)
    run(tmp_path, reason="the last look")
    assert seen == [False]
    assert {(entry["system"], entry["reason"]) for entry in ledger.entries()} == {
        ("A", "the last look"), ("B", "the last look"),
    }  # fmt: skip


def test_development_questions_leave_no_line_in_the_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    run(frozen(tmp_path, fixture()))
    assert ledger.entries() == []


def test_a_fault_leaves_the_older_results_as_they_were(tmp_path: Path) -> None:
    run(frozen(tmp_path, fixture()))
    before = (tmp_path / "score" / "metrics.json").read_bytes()
    answers = read(tmp_path / "answer", Answers)
    write(tmp_path / "answer", Answers, answers.head(3))
    with pytest.raises(ValueError, match="the same responses"):
        run(tmp_path)
    assert (tmp_path / "score" / "metrics.json").read_bytes() == before
    assert not list(tmp_path.glob(".score*"))


def test_the_stage_imports_nothing_that_is_slow_to_import() -> None:
    code = "import sys, pipeline.stages.score; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()
    slow = {"scipy", "pandas", "pyarrow", "mlflow", "hydra", "omegaconf", "dvc", "yaml", "rich"}
    assert not slow & set(loaded)
