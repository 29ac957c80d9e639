"""`label-pool`: every system's first documents, each once, nothing of who found it and where."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.contract.errors import ConfigError
from pipeline.verbs.label_pool import main
from tests.sheets import Rows, rows
from tests.verbs.labelling.made import DOCUMENTS, QUESTIONS, ran


@pytest.fixture(autouse=True)
def _own_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))


def pooled(tmp_path: Path, *words: str, data: Path | None = None, **labels: Any) -> Rows:
    out = tmp_path / "sheet.csv"
    assert main(["--out", str(out), *words], data or ran(tmp_path, **labels)) == 0
    return rows(out)


def pairs(found: Rows) -> set[tuple[str, str]]:
    return {(row["question_id"], row["doc_id"]) for row in found}


def test_the_pool_is_the_union_over_systems_with_each_document_once(tmp_path: Path) -> None:
    found = pooled(tmp_path)
    assert len(found) == 6
    assert pairs(found) == {
        ("q1", "007"), ("q1", "dogs"), ("q1", "1-2"), ("q2", "1-2"), ("q2", "dogs"), ("q2", "007"),
    }  # fmt: skip
    assert all(row["question"] == QUESTIONS[row["question_id"]] for row in found)
    assert {row["relevant"] + row["claims"] + row["annotator"] for row in found} == {""}


def test_the_depth_is_of_each_system(tmp_path: Path) -> None:
    assert pairs(pooled(tmp_path, "--depth", "1")) == {
        ("q1", "007"), ("q1", "dogs"), ("q2", "1-2"), ("q2", "dogs"),
    }  # fmt: skip


def test_the_order_follows_the_seed_and_no_ranking(tmp_path: Path) -> None:
    data = ran(tmp_path)
    orders = []
    for seed in ("1", "1", "2", "3", "4"):
        (tmp_path / "sheet.csv").unlink(missing_ok=True)
        found = pooled(tmp_path, "--seed", seed, data=data)
        orders.append([row["doc_id"] for row in found])
        assert [row["question_id"] for row in found] == ["q1"] * 3 + ["q2"] * 3
    assert orders[0] == orders[1]
    assert len({tuple(order) for order in orders}) > 2


def test_no_system_is_named_and_no_cell_can_be_a_formula(tmp_path: Path) -> None:
    found = pooled(tmp_path, "--annotator", "@ann")
    assert not {"system", "rank", "score"} & set(found[0])
    cells = [cell for row in found for cell in row.values()]
    assert f"'{DOCUMENTS['007']}" in cells
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)


def test_what_was_looked_at_before_is_left_out_unless_asked_for(tmp_path: Path) -> None:
    labels = {
        "q1": {"judged": ["dogs"], "annotators": ["ann"]},
        "q2": {"relevant": ["1-2"]},
    }
    data = ran(tmp_path, **labels)
    assert pairs(pooled(tmp_path, data=data)) == {("q1", "007"), ("q1", "1-2")}
    (tmp_path / "sheet.csv").unlink()
    assert len(pooled(tmp_path, "--again", data=data)) == 6


def test_runs_come_into_one_pool_when_their_corpus_is_one(tmp_path: Path) -> None:
    one, two = ran(tmp_path / "one"), ran(tmp_path / "two")
    both = ["--data", str(one), "--data", str(two)]
    assert len(pooled(tmp_path, *both)) == 6
    (two / "freeze" / "manifest.json").write_text(
        '{"hashes": {"corpus": "other", "questions": "other"}}'
    )
    with pytest.raises(ConfigError, match="expected runs on the same corpus"):
        main(["--out", str(tmp_path / "x.csv"), *both], one)


def test_of_a_long_document_only_what_was_retrieved_is_shown(tmp_path: Path) -> None:
    found = pooled(tmp_path, "--characters", "8")
    assert {row["text"] for row in found if row["doc_id"] == "dogs"} == {"Dogs are\n[…]"}


def test_a_sheet_for_claims_has_a_row_for_each_and_an_empty_one(tmp_path: Path) -> None:
    labels = {"judged": ["e"], "annotators": ["ann"], "claims": {"c": "two coins"},
              "evidence": [{"doc_id": "e", "claim_id": "c", "annotator": "ann"}]}  # fmt: skip
    found = pooled(tmp_path, "--claims", str(tmp_path / "c.csv"), q1=labels)
    assert found[0]["expected"] == "c: two coins"
    assert [(row["question_id"], row["claim_id"], row["text"], row["documents"])
            for row in rows(tmp_path / "c.csv")] == [
        ("q1", "c", "two coins", ""), ("q1", "", "", ""), ("q2", "", "", ""),
    ]  # fmt: skip


def test_a_sheet_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "sheet.csv").write_text("work")
    with pytest.raises(ConfigError, match="expected a new file"):
        pooled(tmp_path)
    assert (tmp_path / "sheet.csv").read_text() == "work"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--depth", "0"], "--depth: expected a whole number from 1 to 10000, got 0"),
        (["--characters", "40000"], "--characters: expected a whole number from 1 to 32000"),
        ([], "expected a finished run in .*, got none"),
    ],
)
def test_a_wrong_word_is_one_line(tmp_path: Path, words: list[str], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        main(["--out", str(tmp_path / "x.csv"), *words], tmp_path / "nowhere")


def test_nothing_to_label_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="expected a retrieved document that nobody has looked"):
        pooled(tmp_path, q1={"relevant": []}, q2={"relevant": []})


def test_both_sheets_in_one_file_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    data, out = ran(tmp_path), tmp_path / "sheet.csv"
    with pytest.raises(ConfigError, match=r"--claims: expected a file of its own"):
        main(["--out", str(out), "--claims", f"{tmp_path}/x/../sheet.csv"], data)
    assert not out.exists()


def test_a_name_that_could_not_be_taken_back_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"--annotator: expected a name that can be an id"):
        pooled(tmp_path, "--annotator", "a\nb")


@pytest.mark.parametrize("text", ["", "[]", "{}", "\xff"])
def test_a_run_with_a_broken_manifest_is_refused(tmp_path: Path, text: str) -> None:
    data = ran(tmp_path)
    (data / "freeze/manifest.json").write_text(text, "latin-1")
    with pytest.raises(ConfigError, match=r"the manifest of a frozen set in .*manifest\.json"):
        pooled(tmp_path, data=data)
