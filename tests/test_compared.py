"""`compare` and `gate` as people call them: sides from everywhere, refusals, exit codes."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from pipeline.__main__ import main
from tests.finished import finish
from tests.project import Project

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The fixture's run, committed at its two cutoffs and logged to MLflow."""
    made = Project.at(tmp_path_factory.mktemp("project"))
    made.dvc("repro", "-q")
    made.commit("k = 2")
    made.git("tag", "two")
    return made


def document(project: Project, printed: str) -> Any:
    """The document that a comparison says it has written."""
    words = "".join(line.strip() for line in printed[printed.index("written:") :].splitlines())
    folder = words.removeprefix("written:").strip().split("/report.html")[0].strip()
    return json.loads((project.folder / folder / "comparison.json").read_text("utf-8"))


def test_two_systems_of_the_run_are_compared_by_their_bare_names(project: Project) -> None:
    printed = project.pipeline("compare", "A", "B")
    assert "B against A: 1 worse, 3 better, 0 the same" in printed
    found = document(project, printed)
    assert [e["question_id"] for e in found["candidates"]["B"]["regressions"]] == ["launch"]
    assert project.git("status", "--porcelain") == ""


def test_swapping_the_sides_flips_every_sign(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project.folder)
    there = document(project, said(["compare", "A", "B"], capsys))["candidates"]["B"]
    back = document(project, said(["compare", "B", "A"], capsys))["candidates"]["A"]
    assert len(there["uncertainty"]) == len(back["uncertainty"]) > 5
    for one, other in zip(there["uncertainty"], back["uncertainty"], strict=True):
        assert one["metric"] == other["metric"]
        if one["delta"] is not None:
            assert one["delta"] == -other["delta"]
        if one["low"] is not None:
            assert (one["low"], one["high"]) == (-other["high"], -other["low"])
        assert one["p_holm"] == other["p_holm"]


def test_a_revision_is_compared_with_the_run_at_hand(project: Project) -> None:
    printed = project.pipeline("compare", "rev:two#A", "system:B")
    assert document(project, printed)["baseline"]["spec"] == "rev:two"
    assert "B against A: 1 worse, 3 better" in printed


def test_a_copy_of_a_revision_that_lost_a_part_is_taken_out_again(project: Project) -> None:
    (kept,) = (project.folder / ".rag-assay/sides").glob("*/score")
    shutil.rmtree(kept)
    assert "1 worse, 3 better" in project.pipeline("compare", "rev:two#A", "system:B")


def test_a_run_in_mlflow_is_found_by_id_and_gets_the_report(project: Project) -> None:
    runs = json.loads((project.folder / "data/track/run.json").read_text("utf-8"))["runs"]
    one, other = (runs[name]["run_id"] for name in "AB")
    printed = project.pipeline("compare", f"run:{one}", f"run:{other}")
    assert "B against A: 1 worse, 3 better" in printed
    (attached,) = (project.folder / "mlartifacts").glob(
        f"**/{other}/artifacts/comparisons/*/report.html"
    )
    assert attached.stat().st_size > 1_000


def said(words: list[str], capsys: pytest.CaptureFixture[str], *, code: int = 0) -> str:
    """What the door prints, in this process; the exit code has to be `code`."""
    assert main(words) == code
    printed = capsys.readouterr()
    return printed.out + printed.err


def test_another_cutoff_is_refused_with_what_would_make_them_comparable(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project.folder)
    finish(project.folder / "one", cutoff=1)
    printed = said(["compare", "system:A", "dir:one#A"], capsys, code=2)
    assert "not comparable" in printed
    assert "cutoff (cutoff: 2 against 1)" in printed
    assert "score both again with one cutoff" in printed


def test_only_the_questions_that_are_the_same_are_compared_when_asked(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project.folder)
    shutil.copytree(project.folder / "data/raw/fixture/v1", project.folder / "other")
    file = project.folder / "other/questions.jsonl"
    file.write_text(file.read_text("utf-8").replace("new builds go", "builds go"), "utf-8")
    finish(project.folder / "reworded", project.folder / "other")
    sides = ["system:A", "dir:reworded#B"]
    assert "questions (questions_hash: " in said(["compare", *sides], capsys, code=2)
    printed = said(["compare", "--common", *sides, "--out", "same"], capsys)
    assert "only the 3 questions that are the same on all sides; left out: 1 (text)" in printed
    assert "B against A: 0 worse, 3 better, 0 the same" in printed
    found = json.loads((project.folder / "same/comparison.json").read_text("utf-8"))
    assert found["common"] == {
        "questions": 3, "left_out": ["launch"], "why": {"launch": "text"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("C", "a system, a run, a revision or a folder, got none of that name"),
        ("rev:nowhere", "a git revision or a DVC experiment, got none"),
        ("dir:nowhere", "the results of a finished run"),
        ("run:nowhere", "one run of that id or name"),
        ("system:C", "one of its systems (A, B)"),
        ("rev:two", "one system, or the name of one, got 2: A, B"),
    ],
)
def test_a_side_that_is_not_there_is_one_line_and_exit_code_3(
    project: Project,
    word: str,
    expected: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(project.folder)
    told = said(["compare", "A", word], capsys, code=3)
    assert expected in told
    assert len(told.splitlines()) == 1


def test_a_revision_that_never_ran_says_how_to_make_its_results(project: Project) -> None:
    cache = Path(project.folder / ".dvc/cache")
    cache.rename(cache.with_name("away"))
    shutil.rmtree(project.folder / ".rag-assay/sides", ignore_errors=True)
    try:
        printed = project.pipeline("compare", "A", "rev:two#B", code=3)
    finally:
        shutil.rmtree(cache, ignore_errors=True)
        cache.with_name("away").rename(cache)
    assert "expected its results in DVC's cache" in printed
    assert "python -m pipeline" in printed
    assert not list((project.folder / ".rag-assay/sides").glob("*"))


def test_a_baseline_from_elsewhere_is_pinned_and_compared_in_the_run(project: Project) -> None:
    project.pipeline("experiment=fixture", "baseline=rev:two#A")
    pinned = json.loads((project.folder / "data/compose/baseline.json").read_text("utf-8"))
    found = json.loads((project.folder / "data/compare/comparison.json").read_text("utf-8"))
    assert found["baseline"]["fingerprint"] == pinned["fingerprint"]
    assert found["baseline"]["spec"] == "rev:two"
    assert [found["candidates"][name]["questions"]["worse"] for name in ("A (system:A)", "B")] == [
        0, 1,
    ]  # fmt: skip


def test_the_gate_says_by_its_exit_code_what_the_policy_says(project: Project) -> None:
    project.pipeline("gate", code=3)  # no policy, nothing to pass
    project.pipeline("experiment=fixture", "acceptance=default")
    found = json.loads((project.folder / "data/compare/comparison.json").read_text("utf-8"))
    code = {"accept": 0, "reject": 1, "unmeasurable": 2}[found["verdict"]]
    assert found["verdict"] != "accept"  # launch got worse, and three questions show little
    project.pipeline("gate", code=code)
