"""The pipeline as DVC drives it: what is taken, kept, refused, cached, survived."""

import json
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.verbs.stage import ORDER
from tests.project import INTERRUPT, KILL, ROOT, Project, signalled

pytestmark = pytest.mark.slow
FIXTURE = "conf/experiment/fixture.yaml"
RECORDED = ["experiment=recorded", "cutoff=2", "tracker=none"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project that has run once, without a tracker, and was committed."""
    project = Project.at(tmp_path_factory.mktemp("project"))
    project.edit("conf/config.yaml", "tracker: mlflow", "tracker: none")
    project.dvc("repro")
    project.commit("ran")
    return project


@pytest.fixture
def project(made: Project) -> Iterator[Project]:
    made.restore()
    made.dvc("repro", "-q")
    yield made
    made.restore()


def support(project: Project, system: str) -> float:
    return float(project.metrics()[system]["support"]["macro"])


# With k = 1 rollback's second document is out of sight, so that one of B's two claims there
# loses support: launch 1/2, rollback 1/2, owner 1 → 2/3. With k = 2: (1/2 + 1 + 1) / 3 = 5/6.
AT_2, AT_1 = pytest.approx(5 / 6), pytest.approx(2 / 3)


def test_a_second_repro_runs_only_what_always_runs(project: Project) -> None:
    before = project.results()
    assert set(project.ran(project.dvc("repro"))) <= {"compose", "track"}
    assert project.results() == before
    assert project.git("status", "--porcelain") == ""


def test_an_edit_of_conf_is_taken(project: Project) -> None:
    assert support(project, "B") == AT_2
    project.edit(FIXTURE, "cutoff: 2", "cutoff: 1")
    project.dvc("repro")
    assert project.params()["cutoff"] == 1
    assert support(project, "B") == AT_1


def test_a_hand_edit_of_params_is_kept_and_named(project: Project) -> None:
    project.edit("params.yaml", "cutoff: 2", "cutoff: 1")
    assert "override cutoff: 2 → 1" in project.dvc("repro")
    assert project.params()["cutoff"] == 1
    assert support(project, "B") == AT_1
    assert "override cutoff: 2 → 1" in project.dvc("repro"), "it stands, so it is said again"


def test_edits_of_both_are_refused_by_key_and_leave_no_result(project: Project) -> None:
    project.edit("params.yaml", "cutoff: 2", "cutoff: 1")
    project.edit(FIXTURE, "cutoff: 2", "cutoff: 3")
    printed = project.dvc("repro", code=255)
    assert "got cutoff (3 in conf/, 1 in params.yaml)" in printed
    assert project.params()["cutoff"] == 1
    assert not (project.folder / "data/score/metrics.json").exists()


def test_a_hand_edit_out_of_range_is_refused_in_one_line(project: Project) -> None:
    project.edit("params.yaml", "cutoff: 2", "cutoff: 101")
    printed = project.dvc("repro", code=255)
    assert "conf: cutoff: expected a whole number from 1 to 100, got 101" in printed
    assert "Traceback" not in printed


def test_words_of_the_door_win_and_without_words_it_returns_to_conf(project: Project) -> None:
    project.pipeline("cutoff=1", "experiment=fixture")
    assert support(project, "B") == AT_1
    project.pipeline()
    assert project.params()["cutoff"] == 2
    assert support(project, "B") == AT_2


def test_the_doors_words_stand_in_the_next_repro(project: Project) -> None:
    project.pipeline("cutoff=1")
    assert "override cutoff: 2 → 1" in project.dvc("repro")
    assert support(project, "B") == AT_1


def test_the_door_takes_an_edit_of_conf_together_with_a_word(project: Project) -> None:
    project.edit(FIXTURE, "cutoff: 2", "cutoff: 3")
    project.pipeline("cutoff=1")
    assert support(project, "B") == AT_1


@pytest.mark.long
def test_an_experiment_of_dvc_sets_a_key_and_can_be_applied(project: Project) -> None:
    project.dvc("exp", "run", "-q", "-n", "one", "-S", "cutoff=1")
    assert support(project, "B") == AT_1
    project.restore()
    project.dvc("repro", "-q")
    assert support(project, "B") == AT_2
    project.dvc("exp", "apply", "-q", "one")
    assert project.params()["cutoff"] == 1
    assert support(project, "B") == AT_1
    project.dvc("repro", "-q")
    assert support(project, "B") == AT_1, "an applied experiment is kept by the next repro"
    shown = json.loads(project.dvc("exp", "show", "--json"))
    assert "one" in json.dumps(shown)
    project.dvc("exp", "remove", "one")


def test_params_and_metrics_can_be_compared_with_the_last_commit(project: Project) -> None:
    project.pipeline("cutoff=1")
    params = json.loads(project.dvc("params", "diff", "--json"))
    assert params["params.yaml"]["cutoff"] == {"old": 2, "new": 1, "diff": -1}
    metrics = json.loads(project.dvc("metrics", "diff", "--json"))
    change = metrics["data/score/metrics.json"]["B.support.macro"]
    assert (change["old"], change["new"]) == (AT_2, AT_1)


@pytest.mark.long
def test_a_queued_sweep_runs_each_value(project: Project) -> None:
    project.dvc("exp", "run", "--queue", "-S", "cutoff=1,3")
    project.dvc("exp", "run", "-q", "--run-all", "-j", "2")
    shown = json.loads(project.dvc("exp", "show", "--json"))
    text = json.dumps(shown)
    assert '"cutoff": 1' in text
    assert '"cutoff": 3' in text
    assert "Failed" not in text
    project.dvc("exp", "remove", "-A")


def test_going_back_is_served_from_cache_and_is_right(project: Project) -> None:
    first = project.results()
    project.pipeline("cutoff=1")
    assert project.results() != first
    project.edit("params.yaml", "cutoff: 1", "cutoff: 2")
    printed = project.dvc("repro")
    assert project.results() == first
    assert "Stage 'score' is cached" in printed


def test_changed_data_are_not_served_from_cache(project: Project, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    shutil.copytree(ROOT / "data/raw/fixture/v1", mine)
    words = [*RECORDED, f"dataset.path={mine}"]
    project.pipeline(*words)
    assert support(project, "B") == AT_2
    text = (mine / "responses.jsonl").read_text("utf-8")
    extra = ', {"claim_id": "bonus", "citations": ["launch"]}'
    assert extra in text
    (mine / "responses.jsonl").write_text(text.replace(extra, ""), "utf-8")
    project.dvc("repro")
    assert support(project, "B") == pytest.approx(1.0), "launch B now makes its one right claim"
    (mine / "responses.jsonl").write_text(text, "utf-8")
    project.dvc("repro")
    assert support(project, "B") == AT_2
    assert project.git("status", "--porcelain", "data/versions") == ""


@pytest.mark.long
def test_another_path_in_conf_is_read_at_once(project: Project, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    shutil.copytree(ROOT / "data/raw/fixture/v1", mine)
    text = (mine / "responses.jsonl").read_text("utf-8")
    (mine / "responses.jsonl").write_text(text.replace('"A"', '"first"'), "utf-8")
    project.edit(FIXTURE, "data/raw/fixture/v1", str(mine))
    project.edit(FIXTURE, "baseline: A", "baseline: first")
    project.dvc("repro")
    assert set(project.metrics()) == {"first", "B"}


def test_other_content_under_a_frozen_version_is_refused(project: Project) -> None:
    project.edit("data/raw/fixture/v1/documents.jsonl", "never on a Friday", "any day")
    printed = project.pipeline(code=3)
    assert "v1 was frozen as" in printed
    assert not (project.folder / "data/score/metrics.json").exists()


def test_refused_data_leave_no_older_result_and_say_exit_3(project: Project) -> None:
    line = '{"system": "A", "question_id": "lunch", "retrieved": [], "claims": []}\n'
    with (project.folder / "data/raw/fixture/v1/responses.jsonl").open("a") as file:
        file.write(line)
    printed = project.pipeline(code=3)
    assert "responses.jsonl:9" in printed
    assert "Traceback" not in printed
    for name in ("freeze", "score", "compare", "track"):
        assert not (project.folder / "data" / name).exists(), name


@pytest.mark.long
def test_a_kill_in_any_stage_costs_nothing(project: Project) -> None:
    wanted = project.results()
    for name in ORDER[1:]:
        shutil.rmtree(project.folder / "data" / name, ignore_errors=True)
    shutil.rmtree(project.folder / ".dvc/cache", ignore_errors=True)
    for name in ORDER:
        process = project.start("dvc", "repro", "-q")
        signalled(process, name, KILL)
        (project.folder / ".dvc/tmp/rwlock").unlink(missing_ok=True)
    project.dvc("repro", "-q")
    assert project.results() == wanted
    assert project.git("status", "--porcelain") == ""


@pytest.mark.parametrize("name", ["dvc.lock", ".dvc/tmp/rwlock"])
@pytest.mark.parametrize("kept", [0.0, 0.3, 0.997])
def test_a_file_of_dvc_that_a_kill_cut_short_is_made_anew(
    project: Project, name: str, kept: float
) -> None:
    wanted = project.results()
    file = project.folder / name
    whole = (project.folder / "dvc.lock").read_bytes() if name == "dvc.lock" else b'{"read": {}}'
    file.write_bytes(whole[: int(len(whole) * kept)])
    printed = project.pipeline()
    assert "Traceback" not in printed
    assert project.results() == wanted
    assert project.git("status", "--porcelain") == ""


@pytest.mark.long
def test_two_runs_in_one_folder_do_not_mix(project: Project) -> None:
    # The second would change the params.yaml that the first one's stages read.
    (project.folder / "dvc.lock").unlink()
    shutil.rmtree(project.folder / ".dvc/cache", ignore_errors=True)
    words = [[sys.executable, "-m", "pipeline", f"cutoff={k}"] for k in (1, 2)]
    runs = [project.start(*command) for command in words]
    printed = [run.communicate(timeout=300)[0] for run in runs]
    assert [run.returncode for run in runs] == [0, 0], printed
    assert "k = 1, split dev" in printed[0]
    assert "k = 2, split dev" in printed[1]
    assert sum("waiting for another run" in text for text in printed) == 1


@pytest.mark.long  # on a busy machine the signal can come while a stage still imports
def test_ctrl_c_ends_in_a_line_and_130(project: Project) -> None:
    shutil.rmtree(project.folder / "data/freeze")
    shutil.rmtree(project.folder / ".dvc/cache", ignore_errors=True)
    process = project.start("python", "-m", "pipeline")
    printed = signalled(process, "freeze", INTERRUPT)
    assert process.returncode == 130, printed
    assert "interrupted" in printed
    assert "Traceback" not in printed
    time.sleep(0.1)
    project.pipeline()


def test_outside_of_git_the_door_says_what_to_do(tmp_path: Path) -> None:
    project = Project.at(tmp_path / "project")
    shutil.rmtree(project.folder / ".git")
    printed = project.pipeline(code=4)
    assert "git init" in printed
    assert "Traceback" not in printed
