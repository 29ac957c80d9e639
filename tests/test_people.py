"""People as judge, driven by DVC: a new decision leads to a new judgement, and nothing else."""

from pathlib import Path

import pytest

from tests.finished import hand_in
from tests.project import Project
from tests.sheets import decide

pytestmark = pytest.mark.slow

TEXTS = {"gates": "The town has three gates.", "mayor": "Its mayor is Bo."}


@pytest.mark.long
def test_decisions_are_asked_for_read_and_depended_on(tmp_path: Path) -> None:
    source = hand_in(
        tmp_path / "set",
        documents=[{"doc_id": name, "text": text} for name, text in TEXTS.items()],
        questions=[
            {"question_id": name, "text": f"{name}?", "relevant": [name], "support": {name: [name]}}
            for name in TEXTS
        ],
        responses=[
            {"system": "A", "question_id": name, "retrieved": [name], "answer": f"{text} [1]"}
            for name, text in TEXTS.items()
        ],
    )
    project = Project.at(tmp_path / "project")
    words = ["experiment=recorded", f"dataset.path={source}", "cutoff=2", "tracker=none"]
    words += ["judge=human"]
    sheet = project.folder / "data/decisions/decide.csv"

    printed = project.pipeline(*words)
    assert "4 of 4 decisions are open: data/decisions/decide.csv" in printed
    assert project.metrics()["A"]["support"]["macro"] is None
    printed = project.pipeline(*words)
    assert set(project.ran(printed)) <= {"compose", "track"}
    assert "4 of 4 decisions are open" in printed, "said again, though no stage ran"

    decide(
        sheet,
        lambda row: "" if "mayor" in row["question"] else "yes" if row["passage"] else "gates",
        "ann",
    )
    printed = project.dvc("repro")
    assert set(project.ran(printed)) == {"compose", "judge", "score", "compare", "track"}
    support = project.metrics()["A"]["support"]
    assert (support["macro"], support["strict"], support["n"]) == (1.0, 0.5, 1)
    assert project.metrics()["A"]["coverage"]["strict"] == 0.5
