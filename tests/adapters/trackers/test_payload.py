"""Metrics, params, tags and table as plain values."""

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline.adapters.trackers import payload
from pipeline.contract.files import read_json
from pipeline.contract.policy import Acceptance
from pipeline.contract.results import Aggregates, Judged, PerQuestion
from pipeline.contract.tables import Answers, Questions, Statements, read
from pipeline.manifest.run import manifests
from tests.tracked import CANARY, PARAMS, folder

ALLOWED = re.compile(r"^[/\w.\- :]{1,250}$")
"""What MLflow takes as the name of a metric or param."""


@pytest.fixture
def data(root: Path) -> Path:
    return folder(root)


@pytest.fixture
def manifest(data: Path) -> dict[str, Any]:
    told = {"revision": "a" * 40, "dirty": False}
    return manifests(
        data,
        params=PARAMS,
        acceptance=Acceptance("none"),
        tracker={"adapter": "t"},
        code=told,
        environment={},
        time="now",
    )["B"]


def of_b(data: Path) -> pl.DataFrame:
    return read(data / "score", Aggregates).filter(system="B")


def test_every_metric_has_its_rules_its_n_and_what_was_left_out(
    data: Path, manifest: dict[str, Any]
) -> None:
    # B: q001 failed, q002 has one of two claims supported, q003 is right, q004 unanswerable.
    found = payload.metrics(of_b(data), manifest, "full")
    assert found["support/macro"] == 0.75  # (1/2 + 1) / 2
    assert found["support/strict"] == 0.5  # (0 + 1/2 + 1) / 3
    assert found["support/pooled"] == 2 / 3  # two of three claims
    assert found["support/n"] == 2
    assert found["support/na_failed"] == 1
    assert found["coverage/strict"] == 2 / 3
    assert found["count/failed"] == 1
    assert found["usage/input_tokens"] == 300
    assert found["usage/retries"] == 3  # three answers of two attempts
    assert "usage/cost_usd" not in found  # never recorded is not 0


def test_support_is_never_logged_without_coverage_false_abstention_and_n(
    data: Path, manifest: dict[str, Any]
) -> None:
    names = list(payload.metrics(of_b(data), manifest, "full"))
    with_it = {"coverage/macro", "false_abstention/macro", "support/n", "coverage/n"}
    assert with_it <= set(names)
    assert set(names[:7]) >= {"support/macro", "coverage/macro", "false_abstention/macro"}


def test_a_mean_of_two_questions_or_more_has_the_ends_of_its_interval(data: Path) -> None:
    found = payload.of_points(read_json(data / "score" / "points.json"), "B")
    # B's support is 1/2 and 1: a resample of two is both times the one or the other at 1/4
    assert found["support/interval_low"] == 0.5
    assert found["support/interval_high"] == 1
    assert "abstention/interval_low" not in found  # one unanswerable question
    # two documents of "KANARIENVOGEL text of document 0" were delivered to each question
    assert found["context/characters"] == 2 * 32


def test_a_metric_at_a_cutoff_is_logged_under_a_name_that_can_be_read_back() -> None:
    row = {"system": "B", "metric": "ndcg@10", "low": 0.25, "high": 0.5, "context": None}
    assert payload.of_points([row], "B") == {
        "ndcg_at_10/interval_low": 0.25, "ndcg_at_10/interval_high": 0.5,
    }  # fmt: skip
    for metric in ("ndcg@10", "recall", "ap", "noise_sensitivity_in_relevant"):
        assert payload.name_in(payload.logged_as(metric)) == metric


def test_slices_are_named_by_attribute_and_value_or_its_hash(
    data: Path, manifest: dict[str, Any]
) -> None:
    full = payload.metrics(of_b(data), manifest, "full")
    assert full[f"hops: {CANARY} hops/support/macro"] == 0.75
    assert full[f"hops: {CANARY} hops/support/n"] == 2
    ids = payload.metrics(of_b(data), manifest, "ids")
    assert not any(CANARY in name for name in ids)
    assert sum("support/macro" in name for name in ids) == 2  # the whole and the slice


def test_only_the_largest_slices_are_logged(data: Path, manifest: dict[str, Any]) -> None:
    one = of_b(data).filter(metric="recall", attribute="hops")
    many = pl.concat(
        [
            one.with_columns(value=pl.lit(f"v{i:03d}"), n=pl.lit(i, pl.UInt32()))
            for i in range(payload.SLICES + 5)
        ]
    )
    found = payload.metrics(many, manifest, "full")
    kept = {name.split("/")[0] for name in found if name.startswith("hops")}
    assert kept == {f"hops: v{i:03d}" for i in range(5, payload.SLICES + 5)}


@pytest.mark.parametrize("name", ["a=b", "naïve: x", "a/b", "x" * 400, "€/macro", "a\nb"])
def test_a_name_that_mlflow_would_refuse_is_changed_and_stays_unique(name: str) -> None:
    assert ALLOWED.match(payload.key(name))
    assert payload.key(name) != payload.key(f"{name}!")


def test_params_are_flat_and_without_credentials() -> None:
    found = payload.params(
        {
            "answerer": {"_target_": "a.B", "api_key": "hunter2", "retries": 3},
            "tracker": {"_target_": "t.T", "uri": "https://me:hunter2@host/x?token=hunter2"},
            "cutoff": 2,
            "reason": None,
            "tags": ["a"],
        },
        "B",
    )
    assert found == {
        "system": "B",
        "answerer": "a.B",
        "answerer.api_key": "***",
        "answerer.retries": "3",
        "tracker": "t.T",
        "tracker.uri": "https://host/x?token=***",
        "cutoff": "2",
        "reason": "null",
        "tags": '["a"]',
    }


def test_tags_name_data_rules_and_how_often_heldout_questions_were_seen(
    manifest: dict[str, Any],
) -> None:
    found = payload.tags(manifest, "redacted")
    assert found["fingerprint"] == manifest["fingerprint"]
    assert found["content"] == "redacted"
    assert found["question_set_hash"] == manifest["question_set"]["content"]
    assert found["heldout_uses"] == "0"
    assert found["mlflow.runType"] == "genai_evaluate"
    assert found["mlflow.source.git.commit"] == "a" * 40


def test_the_note_shows_each_value_with_its_n_and_the_heldout_count(
    data: Path, manifest: dict[str, Any]
) -> None:
    text = payload.note(manifest, of_b(data))
    assert "- support: macro 0.7500, pooled 0.6667, strict 0.5000, n = 2" in text
    assert "Held-out" not in text
    opened = manifest | {"heldout": manifest["heldout"] | {"opened": True, "uses": 3}}
    assert "looked at 3 time(s).\n" in payload.note(opened, of_b(data))
    over = opened["heldout"] | {"budget": 2, "spent": 4, "over": True}
    said = payload.note(opened | {"heldout": over}, of_b(data))
    assert "looked at 3 time(s), budget 2: these questions no longer are held out." in said
    some = over | {"spent": 1, "over": False}
    said = payload.note(opened | {"heldout": some}, of_b(data))
    assert "looked at 3 time(s), budget 2: 1 of them no longer are held out." in said


def test_the_table_has_a_row_a_response_with_why_values_are_missing(data: Path) -> None:
    table = payload.table(
        read(data / "score", PerQuestion).filter(system="B"),
        read(data / "freeze", Questions),
        read(data / "answer", Answers).filter(system="B"),
        read(data / "judge", Statements).filter(system="B"),
        Judged.empty(),
    )
    assert {len(column) for column in table.values()} == {4}
    assert table["question_id"] == ["q001", "q002", "q003", "q004"]
    assert table["question"][1] == f"{CANARY} question 2"
    assert table["support"][1] == 0.5
    assert table["claims"][1] == "fact [d001]; bonus [d001]"
    assert table["causes"][1] == "extra_claim"
    assert "precision recall reciprocal_rank" in table["n/a"][0]
    assert "failed" in table["n/a"][0]
    assert "repeat" not in table


def test_the_table_names_repeats_where_there_are_some(root: Path) -> None:
    data = folder(root, repeats=2)
    table = payload.table(
        read(data / "score", PerQuestion).filter(system="A"),
        read(data / "freeze", Questions),
        read(data / "answer", Answers).filter(system="A"),
        read(data / "judge", Statements).filter(system="A"),
        Judged.empty(),
    )
    assert table["repeat"] == [1, 1, 1, 1, 2, 2, 2, 2]
    assert table["question_id"] == ["q001", "q002", "q003", "q004"] * 2


def test_metrics_at_cutoffs_are_called_as_mlflow_calls_its_own(
    data: Path, manifest: dict[str, Any]
) -> None:
    row = of_b(data).filter(metric="recall", attribute="").head(1)
    ranked = pl.concat([row.with_columns(metric=pl.lit(n)) for n in ("ap", "recall@5", "ndcg@10")])
    found = payload.metrics(pl.concat([of_b(data), ranked]), manifest, "full")
    assert found["ndcg_at_10/macro"] == found["ap/macro"] == found["recall/macro"]
    assert all(ALLOWED.match(name) for name in found)
    note = payload.note(manifest, pl.concat([of_b(data), ranked]))
    assert [line.split(":")[0] for line in note.splitlines()[-3:]] == [
        "- R@5",
        "- nDCG@10",
        "- AP",
    ]
