"""One trace a response: which are drawn, what they show."""

from pathlib import Path

import polars as pl
import pytest

from pipeline.adapters.trackers.spans import spans, summary
from pipeline.adapters.trackers.traces import Trace, sample, traces
from pipeline.contract.results import PerQuestion
from pipeline.contract.tables import read, write
from pipeline.contract.veil import Content
from tests.tracked import CANARY, folder

NAMES = [f"q{i:03d}" for i in range(100)]


def of(data: Path, system: str, content: Content = "full", limit: int = 100) -> list[Trace]:
    return traces(data, system, content, limit=limit, seed=7, cutoff=2)


def test_a_small_set_is_drawn_whole() -> None:
    assert sample(NAMES, 100, seed=7) == set(NAMES)


def test_the_draw_depends_on_the_seed_alone() -> None:
    assert sample(NAMES, 10, seed=7) == sample(NAMES[::-1], 10, seed=7)
    assert sample(NAMES, 10, seed=7) != sample(NAMES, 10, seed=8)
    assert len(sample(NAMES, 10, seed=7)) == 10


def test_a_larger_draw_keeps_the_smaller_one_and_other_questions_change_nothing() -> None:
    few = sample(NAMES, 10, seed=7)
    assert few < sample(NAMES, 20, seed=7)
    without = [name for name in NAMES if name in few or name < "q050"]
    assert sample(without, 10, seed=7) == few


def test_systems_are_drawn_alike_so_that_they_can_be_joined_by_request(root: Path) -> None:
    data = folder(root, 20)
    a, b = of(data, "A", limit=5), of(data, "B", limit=5)
    assert len(a) == 5
    assert [trace.request for trace in a] == [trace.request for trace in b]


def test_with_repeats_a_question_is_drawn_with_all_of_its_own(root: Path) -> None:
    found = of(folder(root, repeats=2), "A", limit=5)
    # 5 traces, 2 repeats: two whole questions
    assert len(found) == 4
    assert {trace.repeat for trace in found} == {1, 2}
    assert len({trace.request for trace in found}) == 4


def test_a_trace_shows_what_was_delivered_and_which_of_it_is_relevant(root: Path) -> None:
    trace = of(folder(root), "B")[1]
    assert trace.request == f"{CANARY} question 2"
    assert trace.response == f"{CANARY} answer of B · claims: fact [d001]; bonus [d001]"
    assert [shown["metadata"]["doc_uri"] for shown in trace.documents] == ["d001", "d002"]
    assert [shown["metadata"]["relevant"] for shown in trace.documents] == [True, False]
    assert trace.documents[0]["page_content"] == f"{CANARY} text of document 1"
    assert trace.scores["support"] == 0.5
    assert "abstention" not in trace.scores  # n/a is no score
    assert trace.tags["not_applicable"] == "abstention: answerable"
    assert trace.tags["causes"] == trace.rationale == "extra_claim"
    assert trace.tags["expected_documents"] == "d001"


def test_support_of_an_unanswerable_question_is_no_part_of_the_headlines_average(
    root: Path,
) -> None:
    data = folder(root)
    scored = read(data / "score", PerQuestion)
    # As if A had made a claim at q004: its support is 0 there.
    changed = scored.with_columns(
        support=pl.when(question_id="q004").then(0.0).otherwise("support")
    )
    write(data / "score", PerQuestion, changed)
    scores = of(data, "A")[3].scores
    assert scores["support_unanswerable"] == 0.0
    assert "support" not in scores


def test_a_failed_answer_is_an_error_with_its_message_and_no_scores(root: Path) -> None:
    trace = of(folder(root), "B")[0]
    assert trace.failed
    assert trace.response == f"failed: {CANARY} error"
    assert trace.documents == []
    assert trace.scores == {}


@pytest.mark.parametrize("content", ["redacted", "ids"])
def test_a_veiled_trace_says_no_text(root: Path, content: Content) -> None:
    found = of(folder(root), "A", content) + of(folder(root), "B", content)
    shown = "".join(
        f"{trace.request} {trace.response} {trace.documents} {trace.rationale}" for trace in found
    )
    assert CANARY not in shown
    assert len({trace.request for trace in found}) == 4


def test_among_ids_the_request_is_the_questions_id(root: Path) -> None:
    assert [trace.request for trace in of(folder(root), "A", "ids")] == NAMES[1:5]


def test_spans_are_a_question_with_a_retrieval_and_an_answer_below(root: Path) -> None:
    trace = of(folder(root), "A")[0]
    root_span, retrieval, answer = spans("run", trace, 10**9)
    assert root_span["parent_span_id"] is None
    assert retrieval["parent_span_id"] == answer["parent_span_id"] == root_span["span_id"]
    assert retrieval["attributes"]["mlflow.spanType"] == '"RETRIEVER"'
    # a recorded latency of 0.25 s is how long the answer took
    assert answer["end_time_unix_nano"] - answer["start_time_unix_nano"] == 250_000_000
    assert '"total_tokens": 110' in answer["attributes"]["mlflow.chat.tokenUsage"]


def test_a_trace_has_one_id_in_each_run(root: Path) -> None:
    a, b = of(folder(root), "A")[:2]
    ids = {summary(run, trace, 0)["trace_id"] for run in ("1", "2") for trace in (a, b)}
    assert len(ids) == 4
    assert summary("1", a, 0)["trace_id"] == summary("1", a, 5)["trace_id"]
