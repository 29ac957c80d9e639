"""What a comparison says of held-out questions, in its document and in its report."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.contract.files import read_json
from pipeline.manifest import ledger
from pipeline.sides.heldout import pin, said
from pipeline.stages import compare
from tests.comparing import COMPARING
from tests.finished import finish, hand_in
from tests.held_out import frozen, look
from tests.report.reading import Page


@pytest.fixture(autouse=True)
def _own_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Two systems that were scored on one held-out question: a look."""
    answers = [
        {"system": name, "question_id": "q", "retrieved": ["d"], "claims": []} for name in "AB"
    ]
    source = hand_in(
        tmp_path / "set",
        documents=[{"doc_id": "d", "text": "Text."}],
        questions=[{"question_id": "q", "text": "?", "relevant": ["d"], "split": "heldout"}],
        responses=answers,
    )
    return finish(tmp_path / "data", source, split="heldout")


def compared(run: Path, budget: int | None) -> tuple[Any, str]:
    """What the document says of held-out questions, and the text of the report."""
    compare.run(run, baseline=None, **(COMPARING | {"heldout_budget": budget}))
    page = (run / "compare" / "report.html").read_text("utf-8")
    return read_json(run / "compare" / "comparison.json")["heldout"], Page(page).text


def test_over_the_budget_the_report_says_that_they_no_longer_are_held_out(
    run: Path, tmp_path: Path
) -> None:
    look(frozen(tmp_path / "other", ["?"]), times=2)
    told, page = compared(run, budget=2)
    opened = "held-out questions opened 3 times, budget 2"
    assert told == f"{opened}: these questions no longer are held out"
    assert told[1:] in page


def test_within_the_budget_it_says_how_often_they_were_opened(run: Path) -> None:
    for budget in (1, None):
        told, page = compared(run, budget)
        assert told == "held-out questions opened 1 time"
        assert told[1:] in page
        assert "no longer" not in page


def test_of_questions_for_development_nothing_is_said(tmp_path: Path) -> None:
    told, page = compared(finish(tmp_path / "data"), budget=1)
    assert told is None
    assert "eld-out" not in page
    assert said([tmp_path / "data"], 1) is None


def test_a_broken_chain_is_said_beside_the_count(run: Path, tmp_path: Path) -> None:
    look(frozen(tmp_path / "other", ["?"]))
    path = tmp_path / ledger.NAME
    path.write_text(path.read_text("utf-8").replace("a test", "no test"), "utf-8")
    told, page = compared(run, budget=None)
    assert str(told).startswith("held-out questions opened 2 times; the ledger's chain is broken")
    assert str(told)[1:] in page


def test_a_run_depends_on_the_ledger_only_where_it_opens_held_out_questions(
    tmp_path: Path,
) -> None:
    file = tmp_path / "data" / "compose" / "ledger.json"

    def pinned(split: str) -> Any:
        pin(tmp_path / "data", {"split": split})
        return read_json(file)["ledger"]

    assert pinned("heldout") is None  # there is no ledger yet
    found = []
    for _ in range(2):
        look(frozen(tmp_path / "other", ["?"]))
        assert pinned("dev") is None
        found.append(pinned("heldout"))
    assert None not in found
    assert found[0] != found[1]
