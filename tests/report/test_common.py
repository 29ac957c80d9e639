"""A report over the common questions of two runs says nothing of any other question."""

import json
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline.comparison.compared import compared
from pipeline.comparison.gathered import gather
from pipeline.contract.files import read_json
from pipeline.contract.results import Aggregates, Deltas, PerQuestion
from pipeline.contract.tables import read
from pipeline.report import facts, write_report
from tests.comparing import UNCERTAINTY
from tests.finished import FIXTURE, finish
from tests.report.compared import side
from tests.report.reading import Page

Row = dict[str, Any]


def changed(folder: Path, **changes: Any) -> Path:
    """The finished run of the fixture with some of its rows given otherwise."""
    shutil.copytree(FIXTURE, folder / "set")
    for name, change in changes.items():
        file = folder / "set" / f"{name}.jsonl"
        rows = [change(json.loads(line)) for line in file.read_text("utf-8").splitlines()]
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return finish(folder / "data", folder / "set")


def asked(row: Row) -> Row:
    return row | {"caller_groups": ["staff"]} if row["question_id"] == "launch" else row


def reworded(row: Row) -> Row:
    return asked(row) | {"text": "Builds?"} if row["question_id"] == "launch" else row


def slow(row: Row) -> Row:
    return row | {"latency_s": 9.0 if row["question_id"] == "launch" else 1.0}


def shut(row: Row) -> Row:
    return row | {"access_groups": ["board"]} if row["doc_id"] == "launch" else row


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Page:
    """A against B over what a run and another of a question reworded have in common."""
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    before = side(changed(tmp_path / "one", questions=asked, responses=slow, documents=shut), "A")
    after = side(changed(tmp_path / "two", questions=reworded, responses=slow, documents=shut), "B")
    gathered = gather(before, [after], same=True)
    assert gathered.common is not None
    assert gathered.common.questions == ["owner", "region", "rollback"]
    rows, comparison = compared(before, [after], gathered, uncertainty=UNCERTAINTY, seed=7)
    write_report(tmp_path / "report.html", before, [after], rows, comparison)
    return Page((tmp_path / "report.html").read_text("utf-8"))


def test_its_counts_and_means_are_over_the_common_questions(page: Page) -> None:
    assert "3 questions (2 answerable, 1 unanswerable)" in page.text
    assert "Compared over 3 questions that are identical on both sides" in page.text
    averages = page.text.split("Averages Means over", 1)[1].split("Every question", 1)[0]
    assert "own: 0.0000, n 1" in averages  # region, which B leaves without a pair
    assert averages.count("own:") == 1


def test_its_leaks_and_times_are_those_of_the_common_questions(page: Page, tmp_path: Path) -> None:
    # only launch shows the board's document, and only launch takes nine seconds
    assert _leaking(tmp_path / "one" / "data") == _leaking(tmp_path / "two" / "data") == ["launch"]
    assert "None: no side retrieved, delivered or cited a document" in page.text
    assert "latency, longest 1.00 s 3 of 3 1.00 s 3 of 3" in page.text


def test_a_side_over_all_its_questions_has_the_aggregates_of_its_run(fixture_run: Path) -> None:
    one = side(fixture_run, "A")
    asked = facts.compared(one, Deltas.empty())
    kept = read(fixture_run / "score", Aggregates).filter(system="A", attribute="")
    assert facts.aggregates(one, asked).equals(kept)


def test_a_side_over_some_questions_has_their_aggregates(fixture_run: Path) -> None:
    one = side(fixture_run, "A")
    asked = [row for row in facts.compared(one, Deltas.empty()) if row["question_id"] != "launch"]
    (support,) = facts.aggregates(one, asked).filter(metric="support").to_dicts()
    values = read_json(fixture_run / "score" / "metrics.json")["A"]["support"]
    # over rollback, owner and launch A has 2/3; launch is right, so that 1/2 are left
    assert (round(values["macro"], 4), values["n"]) == (0.6667, 3)
    assert (support["macro"], support["n"]) == (0.5, 2)


def _leaking(data: Path) -> list[str]:
    values = read(data / "score", PerQuestion).filter(pl.col("leaks").list.len() > 0)
    return values["question_id"].unique().to_list()
