import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.comparison.common import common, digests
from tests.finished import FIXTURE, finish

Rows = list[dict[str, Any]]


@pytest.fixture
def frozen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Freeze the fixture with changes to its files; return what `digests` says of it."""
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    count = iter(range(100))

    def freeze(**changes: Any) -> dict[str, dict[str, str]]:
        place = tmp_path / f"set-{next(count)}"
        place.mkdir()
        for file in FIXTURE.iterdir():
            text = file.read_text("utf-8")
            if file.suffix == ".jsonl":
                rows = [json.loads(line) for line in text.splitlines()]
                rows = changes.get(file.stem, lambda rows: rows)(rows)
                text = "".join(json.dumps(row) + "\n" for row in rows)
            else:
                text = ""
            if text:
                (place / file.name).write_text(text, "utf-8")
        return digests(finish(place / "data", place) / "freeze")

    return freeze


def test_the_same_set_has_all_questions_in_common(frozen: Any) -> None:
    found = common(frozen(), frozen())
    assert found.questions == ["launch", "owner", "region", "rollback"]
    assert found.left_out == {}


def test_a_document_that_no_label_touches_changes_no_question(frozen: Any) -> None:
    def more(rows: Rows) -> Rows:
        return [{"doc_id": "aaa-first-by-name", "text": "Something else."}, *rows]

    assert common(frozen(), frozen(documents=more)).left_out == {}


def test_each_aspect_that_differs_leaves_its_question_out_with_that_reason(frozen: Any) -> None:
    def reworded(rows: Rows) -> Rows:
        return [r | {"text": r["text"] + "?"} if r["question_id"] == "owner" else r for r in rows]

    found = common(frozen(), frozen(questions=reworded))
    assert found.left_out == {"owner": "text"}
    assert found.questions == ["launch", "region", "rollback"]


def test_labels_that_differ_leave_their_question_out(frozen: Any) -> None:
    def emptied(rows: Rows) -> Rows:
        return [
            r | {"relevant": [], "support": {}} if r["question_id"] == "launch" else r for r in rows
        ]

    assert common(frozen(), frozen(questions=emptied)).left_out["launch"] == "labels"


def test_a_set_without_labels_of_claims_has_other_labels(frozen: Any) -> None:
    def region(rows: Rows) -> Rows:
        kept = [row for row in rows if row["question_id"] == "region"]
        return [{key: value for key, value in row.items() if key != "support"} for row in kept]

    # nobody labels claims in a set of this question alone: they are n/a, not unsupported
    found = common(frozen(), frozen(questions=region, responses=region))
    assert found.left_out["region"] == "labels"
    assert found.questions == []


def test_a_labelled_document_that_reads_otherwise_leaves_its_questions_out(frozen: Any) -> None:
    def rewritten(rows: Rows) -> Rows:
        return [r | {"text": r["text"] + " Changed."} for r in rows]

    found = common(frozen(), frozen(documents=rewritten))
    # region is unanswerable: no document is labelled for it, so none of its evidence changed
    assert found.questions == ["region"]
    assert set(found.left_out.values()) == {"evidence"}


def test_questions_on_one_side_only_say_on_which(frozen: Any) -> None:
    before = frozen()
    after = {name: digest for name, digest in before.items() if name != "owner"}
    assert common(before, after).left_out == {"owner": "only in baseline"}
    assert common(after, before).left_out == {"owner": "only in candidate"}
