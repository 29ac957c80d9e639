"""The built-in system from files to scores, as a person runs it, without a network."""

from pathlib import Path

import polars as pl
import pytest

from pipeline.contract.files import read_json
from pipeline.contract.results import PerQuestion
from pipeline.contract.tables import Answers, Documents, Statements, read
from tests.project import Project

pytestmark = pytest.mark.slow

WORDS = ("experiment=sample", "tracker=none")
PARTS = (
    "experiment=recorded", "dataset=sample", "chunker=recursive", "retriever=bm25",
    "answerer=extractive", "cutoff=5", "tracker=none",
)  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project.at(tmp_path_factory.mktemp("project"))
    project.pipeline(*WORDS)
    return project


@pytest.fixture
def data(made: Project) -> Path:
    return made.folder / "data"


def test_every_question_has_an_answer_of_quotes_from_its_context(data: Path) -> None:
    answers = read(data / "answer", Answers)
    assert set(answers["system"]) == {"rag"}
    assert set(answers["status"]) == {"ok"}
    quotes = answers.explode("quotes", empty_as_null=False, keep_nulls=False).unnest("quotes")
    assert quotes.select(pl.col("context").list.contains(pl.col("chunk")).all()).item()
    chunks = pl.read_parquet(data / "chunk" / "chunks.parquet")
    texts = read(data / "freeze", Documents)["text"].to_list()
    for row in quotes.join(
        chunks.select("chunk", "doc", first="start", last="end"), on="chunk"
    ).iter_rows(named=True):
        assert row["first"] <= row["start"] < row["end"] <= row["last"]
        words = texts[row["doc"]][row["start"] : row["end"]]
        assert " ".join(words.split()) in row["answer"]


def test_the_caller_is_shown_nothing_that_they_may_not_read(data: Path) -> None:
    scored = read(data / "score", PerQuestion)
    assert scored["leaks"].list.len().sum() == 0
    assert len(scored) > 100


@pytest.mark.long
def test_without_permissions_each_leak_is_named_before_anything_else(made: Project) -> None:
    # read by the same questions, so that no leak above is for want of something to leak
    printed = made.pipeline(*WORDS, "retriever.permissions=false")
    scored = read(made.folder / "data" / "score", PerQuestion)
    leaking = scored.filter(pl.col("leaks").list.len() > 0)
    assert len(leaking) > 20
    page = printed[printed.index("LEAKS: ") : printed.index("Worst first")]
    assert page.startswith(f"LEAKS: {len(leaking)} responses")
    assert "more: column" not in page
    for question, leaks in leaking.select("question_id", "leaks").iter_rows():
        assert question in page
        assert all(leak in page for leak in leaks)
    made.pipeline(*WORDS)


def test_it_answers_what_it_can_and_abstains_on_most_of_what_it_cannot(data: Path) -> None:
    values = read_json(data / "score" / "metrics.json")["rag"]
    assert values["abstention"]["macro"] > 0.5
    assert values["false_abstention"]["macro"] < 0.5
    assert values["coverage"]["macro"] > 0.35
    # an abstention is an answer without claims, never a failure and never without a record
    statements = read(data / "judge", Statements)
    assert statements["claims"].null_count() == 0
    assert statements["claims"].list.len().min() == 0


def test_its_parts_named_one_by_one_give_the_same_run(made: Project) -> None:
    before = made.results()
    printed = made.pipeline(*PARTS)
    assert made.results() == before
    assert "rag: 152 questions" in printed
    opened = made.pipeline("show", "adult-fare-hesk")
    assert "Route 2" in opened


def test_a_cited_claim_is_opened_with_its_words(made: Project) -> None:
    statements = read(made.folder / "data" / "judge", Statements)
    at = statements.filter(pl.col("claims").list.max() >= 0)["question"][0]
    questions = pl.read_parquet(made.folder / "data/freeze/questions.parquet")
    opened = made.pipeline("show", questions["question_id"][at])
    assert "labelled for this claim and visible" in opened
    assert "“" in opened[opened.index("  claims") :]


@pytest.mark.long
def test_another_chunk_size_runs_from_chunk_on_and_the_way_back_is_served_from_cache(
    made: Project,
) -> None:
    made.pipeline(*WORDS)
    before = made.results()
    printed = made.pipeline(*WORDS, "chunker.chunk_size=100")
    assert printed.index("chunk: ") < printed.index("retrieve: ")
    assert "freeze: " not in printed
    other = made.results()
    changed = {name.split("/")[1] for name in before if before[name] != other[name]}
    assert {"chunk", "retrieve", "answer", "score"} <= changed
    assert "freeze" not in changed
    made.edit("params.yaml", "chunk_size: 100", "chunk_size: 200")
    assert set(made.ran(made.dvc("repro"))) <= {"compose", "track"}
    assert made.results() == before
