"""The model's road through DVC, as a person goes it: kept calls, prompts, repeats, the key."""

import json
from collections.abc import Iterator

import pytest

pytest.importorskip("openai")

from pipeline.contract.tables import Answers, read
from tests.llm.server import Server, serving
from tests.project import Project

pytestmark = pytest.mark.slow

KEY = "sk-this-must-stand-nowhere-42"
COUNT, CALLS = 152, 150
"""Questions of the sample's development split; two of them are asked by a second caller who
may read the same, which makes the same call."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as made:
        yield made


@pytest.fixture(scope="module")
def project(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Project:
    made = Project.at(tmp_path_factory.mktemp("project"))
    return Project(made.folder, {"MY_KEY": KEY, "no_proxy": "*"})


@pytest.fixture
def words(server: Server) -> tuple[str, ...]:
    url = f"answerer.base_url={server.url}"
    key = "answerer.api_key_env=MY_KEY"
    return "experiment=sample", "answerer=openai", url, key, "tracker=none"


def test_a_run_asks_each_question_once_and_its_key_stands_nowhere(
    project: Project, server: Server, words: tuple[str, ...]
) -> None:
    server.faults = iter(["400", "429", "500"])  # the first one's message repeats the key
    printed = project.pipeline(*words[:-1])  # with MLflow
    assert f"{CALLS} calls to gpt-4o-mini" in printed
    assert "cost n/a" in printed
    assert f"{COUNT} answers, 1 failed; `dvc repro -f -s answer` asks again" in printed
    assert len(server.seen) == CALLS + 2
    assert set(server.keys) == {f"Bearer {KEY}"}
    assert KEY not in printed
    for file in project.folder.rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes(), file
    assert project.git("status", "--porcelain", "--", ".rag-assay") == ""


def test_what_failed_is_asked_again_and_nothing_else(
    project: Project, server: Server, words: tuple[str, ...]
) -> None:
    before = len(server.seen)
    project.dvc("repro", "-f", "-s", "answer")
    assert len(server.seen) == before + 1
    assert set(read(project.folder / "data" / "answer", Answers)["status"]) == {"ok"}


@pytest.mark.long
def test_how_it_is_asked_and_what_it_costs_asks_nobody_again(
    project: Project, server: Server, words: tuple[str, ...]
) -> None:
    project.pipeline(*words)  # where no test before has asked
    before = len(server.seen)
    project.pipeline(*words, "answerer.concurrency=2", "answerer.price_input=1")
    project.pipeline(*words, "answerer.retries=0")
    assert len(server.seen) == before


def test_the_store_outlives_dvcs_spring_cleaning(
    project: Project, server: Server, words: tuple[str, ...]
) -> None:
    before = len(server.seen)
    project.dvc("gc", "-w", "-f")
    project.pipeline(*words, "answerer.retries=1")
    assert len(server.seen) == before


def test_another_prompt_asks_everything_anew(
    project: Project, server: Server, words: tuple[str, ...]
) -> None:
    before = len(server.seen)
    project.edit("conf/prompts/answer.md", "revision: 1", "revision: 2")
    project.pipeline(*words)
    assert len(server.seen) == before + CALLS
    path = project.folder / "data" / "track" / "rag.manifest.json"
    said = json.loads(path.read_text("utf-8"))["parts"]["answerer"]["prompt"]
    assert said["revision"] == "2"


def test_repeats_are_drawn_by_the_model_and_not_by_quotes(
    project: Project, server: Server, words: tuple[str, ...]
) -> None:
    before = len(server.seen)
    project.pipeline(*words, "repeats=2")
    assert len(server.seen) == before + CALLS  # the first repeat is kept
    assert len(read(project.folder / "data" / "answer", Answers)) == 2 * COUNT
    printed = project.pipeline("experiment=sample", "repeats=2", "tracker=none", code=3)
    assert "this answerer draws nothing at random" in printed


def test_calls_can_be_purged_by_the_set_they_were_about(project: Project) -> None:
    manifest = json.loads((project.folder / "data/freeze/manifest.json").read_text("utf-8"))
    name = manifest["question_set"]["name"]
    assert "purged 0 calls" in project.pipeline("purge", "--dataset", "nobodys")
    assert f"purged {3 * CALLS} calls" in project.pipeline("purge", "--dataset", name)


@pytest.mark.long
def test_another_rubric_asks_no_judge_and_another_judge_is_asked_about_every_answer(
    project: Project, server: Server
) -> None:
    said = '{"claims": [], "deflects": false, "eligible": true}'
    asked, server.answer = server.answer, lambda body: said
    words = ["experiment=sample", "judge=openai", f"judge.base_url={server.url}", "tracker=none"]
    words.append("judge.api_key_env=null")
    before = len(server.seen)
    project.pipeline(*words)
    first = len(server.seen) - before
    answers = read(project.folder / "data" / "answer", Answers)
    # answers without a quote are not asked about, and equal ones to equal questions once
    assert 0 < first <= answers["quotes"].list.len().gt(0).sum()
    project.pipeline(*words, "rubric.overlap=2", "rubric.unresolved=majority")
    assert len(server.seen) == before + first
    project.pipeline(*words, "judge.model=other")
    assert [body["model"] for body in server.seen[before + first :]] == ["other"] * first
    server.answer = asked


def test_a_key_that_is_not_set_is_bad_input(
    project: Project, server: Server, words: tuple[str, ...]
) -> None:
    printed = project.pipeline(
        *words, "answerer.api_key_env=NOT_SET", "answerer.model=other", code=3
    )
    assert "conf: answerer.api_key_env: expected the name of an environment variable" in printed


def test_a_server_that_refuses_the_key_is_an_endpoint_error(
    project: Project, server: Server, words: tuple[str, ...]
) -> None:
    server.faults = iter(["401"] * 999)
    printed = project.pipeline(*words, "answerer.model=other", code=4)
    assert "got status 401" in printed
    assert KEY not in printed
