"""A model judge held to people, driven by DVC: a label more compares anew, and asks nobody."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai")

from pipeline.contract.files import read_json
from tests.finished import hand_in
from tests.llm import ruled_world as world
from tests.llm.server import Body, Server, serving
from tests.project import Project
from tests.report.reading import Page
from tests.sheets import decide

pytestmark = pytest.mark.slow

TEXTS = {"gates": "The town has three gates.", "mayor": "Its mayor is Bo."}
SAID = {"A": "{} [1]", "B": "It seems that {} [1]"}


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(answer=ruling) as made:
        yield made


def ruling(body: Body) -> str:
    """A model that finds one claim in each answer, the right one, which its passage supports.

    Only answers that seem are not what was asked for.
    """
    if world.kind(body) == "support":
        return json.dumps({"quote": world.fences(body)[1], "supported": True})
    seems = any("seems" in text for text in world.fences(body))
    claim = {"text": "It is so.", "expected": 1, "citations": [1]}
    return json.dumps({"claims": [claim], "deflects": False, "eligible": not seems})


@pytest.mark.long
def test_labels_reach_the_comparison_and_take_themselves_back(
    server: Server, tmp_path: Path
) -> None:
    source = hand_in(
        tmp_path / "set",
        documents=[{"doc_id": name, "text": text} for name, text in TEXTS.items()],
        questions=[
            {"question_id": name, "text": f"{name}?", "relevant": [name], "support": {name: [name]}}
            for name in TEXTS
        ],
        responses=[
            {"system": system, "question_id": name, "retrieved": [name],
             "answer": said.format(text)}
            for system, said in SAID.items()
            for name, text in TEXTS.items()
        ],
    )  # fmt: skip
    made = Project.at(tmp_path / "project")
    project = Project(made.folder, {"no_proxy": "*"})
    words = ["experiment=recorded", f"dataset.path={source}", "cutoff=2", "tracker=none"]
    words += ["judge=openai", f"judge.base_url={server.url}", "judge.api_key_env=null"]
    compare = project.folder / "data" / "compare"

    def entry() -> Any:
        return read_json(compare / "comparison.json")["judge"]

    def page() -> str:
        return Page((compare / "report.html").read_text("utf-8")).text

    printed = project.pipeline(*words)
    assert "judge gpt-4o-mini: unvalidated" in printed
    assert entry()["labels"] == 0
    command = "judge-sample data/judge/rulings.jsonl --out sheet.csv"
    assert f"python -m pipeline {command}" in page()
    asked, scores = len(server.seen), project.metrics()

    project.pipeline(*command.split(), "--metric", "eligibility")
    decide(project.folder / "sheet.csv", lambda row: "yes", "ann")
    project.pipeline("judge-take", "sheet.csv", "--rulings", "data/judge/rulings.jsonl")
    assert set(project.ran(project.dvc("repro"))) == {"compose", "compare", "track"}
    assert (len(server.seen), project.metrics()) == (asked, scores)
    # the judge calls both of A's answers eligible and none of B's; ann calls all four so
    found = {name: side["metrics"]["eligibility"] for name, side in entry()["sides"].items()}
    raw = {name: rate["raw"]["value"] for name, rate in found.items()}
    assert raw == {"A": 1.0, "B": 0.0}
    corrected = {name: rate["powered"]["value"] for name, rate in found.items()}
    assert corrected == {"A": 1.0, "B": 1.0}
    assert "Judge gpt-4o-mini: held to 4 labels of 1 person." in page()
    assert "Unvalidated for deflection, expected, supported:" in page()
    assert project.metrics() == scores

    printed = project.pipeline("compare", "system:A", "system:B")
    assert "judge gpt-4o-mini: held to 4 labels of 1 person; unvalidated for" in printed
    other = read_json(project.folder / "data/comparisons/A..B/comparison.json")
    assert other["judge"] == entry()

    shutil.rmtree(project.folder / "data" / "people")
    project.dvc("repro")
    assert entry()["labels"] == 0
    assert "Unvalidated judge. The model gpt-4o-mini ruled" in page()
