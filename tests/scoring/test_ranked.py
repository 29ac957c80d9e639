"""Rankings at several cutoffs: as trec_eval, as a run with that cutoff, and what is open."""

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from math import log2
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.contract.metrics import RANKED, at, at_cutoff
from pipeline.contract.tables import Evidence, LookedAt, Ranking, Relevance
from pipeline.scoring.aggregates import over_cutoffs
from pipeline.scoring.frozen import Tables
from pipeline.scoring.ranked import ranked
from pipeline.scoring.values import score
from tests.scoring import oracle
from tests.scoring.cases import asked, said, world
from tests.scoring.marked_worlds import a_marked_world
from tests.scoring.worlds import World, a_world, frame, tables

DOCS = [f"d{number}" for number in range(8)]
CUT = ("precision", "recall", "reciprocal_rank")

Qrels = dict[str, int]
few = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def graded(
    qrels: list[Qrels], rankings: list[list[str]], scores: list[list[float]] | None = None
) -> Tables:
    """Questions q0, q1, … with graded judgements, each with a ranking of documents."""
    names = [f"q{number}" for number in range(len(qrels))]
    questions = [asked(name=name) for name in names]
    responses = []
    for name, found in zip(names, rankings, strict=True):
        response = said("", {}, question=name)
        response.ranking = [DOCS.index(doc) for doc in found]
        responses.append(response)
    made = tables(world(questions, responses, documents=dict.fromkeys(DOCS), chunks=list(DOCS)))
    marks = [
        (question, DOCS.index(doc), grade)
        for question, one in enumerate(qrels)
        for doc, grade in sorted(one.items())
    ]
    relevance = [(question, doc, 1, 1, float(grade)) for question, doc, grade in marks if grade]
    evidence = [(question, doc, None, None, float(g), None, None) for question, doc, g in marks]
    beside = pl.Series("scores", scores or [None] * len(names), Ranking.schema["scores"])
    return replace(
        made,
        relevance=frame(Relevance, relevance),
        evidence=frame(Evidence, evidence),
        ranking=made.ranking.with_columns(beside),
    )


def measured(of: Tables, cutoffs: list[int], **more: Any) -> dict[tuple[str, int], dict[str, Any]]:
    """Rows of Ranked by question and cutoff, of the one system there is."""
    values = ranked(of, cutoffs=cutoffs, policy="interval", with_claims=False, **more)
    return {(row["question_id"], row["cutoff"]): row for row in values.iter_rows(named=True)}


def test_what_people_looked_at_was_judged_and_is_relevant_to_nothing() -> None:
    # of d5, d2, d0 people marked d0; they looked at d0 and d2, and never at d5
    of = graded([{"d0": 1}], [["d5", "d2", "d0"]])
    looked = pl.DataFrame([(0, 0), (0, 2)], schema=LookedAt.schema, orient="row")
    row, before = measured(of, [3], looked_at=looked)["q0", 3], measured(of, [3])["q0", 3]
    assert (row["judged"], before["judged"]) == (2 / 3, 1 / 3)
    assert {name: row[name] for name in ("ndcg", "ap", "precision", "recall")} == {
        name: before[name] for name in ("ndcg", "ap", "precision", "recall")
    }


def test_the_gain_is_the_grade_and_the_best_order_is_that_of_all_relevant_documents() -> None:
    # d0: 3, d1: 1, d2: 0; ranked d1, d2, d0
    of = graded([{"d0": 3, "d1": 1, "d2": 0}], [["d1", "d2", "d0"]])
    row = measured(of, [1, 3])
    # k = 1: 1 of at best 3
    assert row["q0", 1]["ndcg"] == pytest.approx(1 / 3)
    # k = 3: 1 + 3 / log2(4) of at best 3 + 1 / log2(3)
    assert row["q0", 3]["ndcg"] == pytest.approx((1 + 3 / 2) / (3 + 1 / log2(3)))
    # relevant at ranks 1 and 3: (1/1 + 2/3) / 2, whatever the cutoff
    assert row["q0", 1]["ap"] == row["q0", 3]["ap"] == pytest.approx((1 + 2 / 3) / 2)


def test_judged_divides_by_k_and_a_no_is_a_judgement() -> None:
    # of d5, d2 (judged: no), d0 (yes) the first two hold one judged document, five ranks two
    row = measured(graded([{"d0": 1, "d2": 0}], [["d5", "d2", "d0"]]), [2, 5])
    assert row["q0", 2]["judged"] == 1 / 2
    assert row["q0", 5]["judged"] == 2 / 5


def test_success_is_whether_a_relevant_document_is_within_the_cutoff() -> None:
    row = measured(graded([{"d0": 1}], [["d5", "d0"]]), [1, 2])
    assert (row["q0", 1]["success"], row["q0", 2]["success"]) == (0.0, 1.0)


def test_where_all_judgements_say_no_every_value_is_na_as_unanswerable() -> None:
    row = measured(graded([{"d2": 0}], [["d2"]]), [1])["q0", 1]
    assert [row[metric.name] for metric in RANKED] == [None] * 7
    assert {row[f"{metric.name}_reason"] for metric in RANKED} == {"unanswerable"}


QRELS = st.dictionaries(st.sampled_from(DOCS), st.integers(0, 3), min_size=1, max_size=6)
RANKINGS = st.lists(st.sampled_from(DOCS), unique=True, max_size=8)


@few
@given(st.lists(st.tuples(QRELS, RANKINGS), min_size=1, max_size=4), st.sampled_from([1, 2, 3, 10]))
def test_every_value_is_trec_evals(made: list[tuple[Qrels, list[str]]], cutoff: int) -> None:
    ir_measures = pytest.importorskip("ir_measures", reason="pip install ir-measures")
    qrels, rankings = [one for one, _ in made], [found for _, found in made]
    rows = measured(graded(qrels, rankings), [cutoff, 20])
    names = {
        "P": "precision", "R": "recall", "RR": "reciprocal_rank", "nDCG": "ndcg",
        "Success": "success", "Judged": "judged",
    }  # fmt: skip
    measures = {ir_measures.parse_measure(f"{one}@{cutoff}"): ours for one, ours in names.items()}
    measures[ir_measures.AP] = "ap"
    judged = {f"q{at}": one for at, one in enumerate(qrels)}
    run = {
        f"q{at}": {doc: float(-rank) for rank, doc in enumerate(found)}
        for at, found in enumerate(rankings)
        if found
    }
    theirs = {
        (found.query_id, measures[found.measure]): found.value
        for found in ir_measures.iter_calc(list(measures), judged, run)
    }
    for at_, one in enumerate(qrels):
        row = rows[f"q{at_}", cutoff]
        for name in measures.values():
            if not any(one.values()):
                assert row[name] is None
            elif name == "judged" and len(rankings[at_]) < cutoff:
                # theirs divides by what came back, ours by k
                shown = rankings[at_][:cutoff]
                assert row[name] == sum(doc in one for doc in shown) / cutoff
            else:
                assert row[name] == pytest.approx(theirs.get((f"q{at_}", name), 0.0), abs=1e-9)
        assert row["ap"] == rows[f"q{at_}", 20]["ap"]


@pytest.mark.parametrize("make", [a_world, a_marked_world])
def test_precision_recall_and_reciprocal_rank_are_those_of_a_run_with_that_cutoff(
    make: Callable[[int], World],
) -> None:
    for seed in range(150):
        of = make(seed)
        frozen = tables(of)
        rules: dict[str, Any] = {
            "policy": of.policy, "with_claims": of.with_claims, "overlap": of.overlap
        }  # fmt: skip
        every = ranked(frozen, cutoffs=[1, 2, 4], **rules)
        for k in (1, 2, 4):
            rows = every.filter(cutoff=k)
            single = score(frozen, cutoff=k, **rules)
            columns = [
                *(f"{name}{end}" for name in CUT for end in ("", "_reason", "_low", "_high")),
                "hits", "reached", "relevant", "population",
            ]  # fmt: skip
            for name in columns:
                assert rows[name].equals(single[name], null_equal=True), (seed, k, name)
            first = rows["reciprocal_rank"].to_list()
            hit = [None if value is None else float(value > 0) for value in first]
            kept = rows["success"].to_list()
            assert all(a == b for a, b in zip(kept, hit, strict=True) if b is not None)


def test_ndcg_and_ap_in_dispute_have_the_bounds_of_all_resolutions() -> None:
    open_ = 0
    for seed in range(400):
        of = a_world(seed)
        if of.policy == "exclude":
            continue
        rules: dict[str, Any] = {"policy": of.policy, "with_claims": of.with_claims}
        rows = ranked(tables(of), cutoffs=[1, 3], **rules)
        questions = {question.name: question for question in of.questions}
        rankings = {(one.system, one.repeat, one.question): one.ranking for one in of.responses}
        for row in rows.iter_rows(named=True):
            ranking = rankings[row["system"], row["repeat"], row["question_id"]]
            question = questions[row["question_id"]]
            if ranking is None or not question.labelled:
                continue
            docs = list(dict.fromkeys(of.chunks[chunk] for chunk in ranking))
            ways = [relevant for relevant, _ in oracle.resolutions(of, question, of.policy)]
            for name, value in (("ndcg", ndcg), ("ap", ap)):
                tried = [value(docs, set(way), row["cutoff"]) for way in ways if way]
                if not tried:
                    assert row[f"{name}_reason"] == "unanswerable"
                elif row[name] is None:
                    assert row[f"{name}_reason"] == "unresolved"
                    assert row[f"{name}_low"] == pytest.approx(min(tried), abs=1e-12)
                    assert row[f"{name}_high"] == pytest.approx(max(tried), abs=1e-12)
                    open_ += 1
                else:
                    assert row[name] == pytest.approx(min(tried), abs=1e-12)
                    assert row[name] == pytest.approx(max(tried), abs=1e-12)
    assert open_ > 100


def ndcg(docs: list[str], relevant: set[str], k: int) -> float:
    gained = sum(1 / log2(rank + 2) for rank, doc in enumerate(docs[:k]) if doc in relevant)
    return gained / sum(1 / log2(rank + 2) for rank in range(min(k, len(relevant))))


def ap(docs: list[str], relevant: set[str], _: int) -> float:
    total, seen = 0.0, 0
    for rank, doc in enumerate(docs, 1):
        if doc in relevant:
            seen += 1
            total += seen / rank
    return total / len(relevant)


SCORED = st.lists(st.sampled_from([3.0, 2.0, 1.0]), max_size=6).map(
    lambda scores: sorted(scores, reverse=True)
)


@few
@given(QRELS, st.permutations(DOCS), SCORED, st.sampled_from([1, 2, 4]))
def test_what_is_tied_has_the_bounds_of_all_its_orders(
    qrels: Qrels, order: list[str], scores: list[float], cutoff: int
) -> None:
    docs = order[: len(scores)]
    found = measured(graded([qrels], [docs], [scores]), [cutoff], tied=frozenset("A"))
    row = found["q0", cutoff]
    ways = [
        list(way)
        for way in permutations(docs)
        if [scores[docs.index(doc)] for doc in way] == scores
    ]
    rows = [measured(graded([qrels], [way]), [cutoff])["q0", cutoff] for way in ways]
    for metric in RANKED:
        low, high = row[f"{metric.name}_low"], row[f"{metric.name}_high"]
        if len(ways) == 1 or row[metric.name] is None:
            assert low is None
            assert high is None
        else:
            values = [one[metric.name] for one in rows]
            assert low == pytest.approx(min(values), abs=1e-12)
            assert high == pytest.approx(max(values), abs=1e-12)
    across = len(scores) > cutoff and scores[cutoff - 1] == scores[cutoff]
    assert row["tie"] == across


def test_a_document_ranks_where_its_first_chunk_does() -> None:
    # chunks 0, 1 are of a, 2 of b; b is relevant: third chunk, second document
    of = tables(world(asked("b"), said("", {}), chunks=["a", "a", "b"]))
    chunks = pl.Series("chunks", [[0, 1, 2]], Ranking.schema["chunks"])
    of = replace(of, ranking=of.ranking.with_columns(chunks))
    row = measured(of, [2])["q", 2]
    assert row["precision"] == 0.0  # of chunks
    assert row["ndcg"] == pytest.approx(1 / log2(3))
    assert row["ap"] == 1 / 2


def test_each_average_bears_its_cutoff_and_ap_none() -> None:
    of = graded([{"d0": 1}, {"d1": 2}], [["d0"], ["d0", "d1"]])
    values = ranked(of, cutoffs=[2, 1, 2], policy="interval", with_claims=False)
    parts = over_cutoffs(values, of.questions["attributes"], bounded=True)
    means = pl.concat(parts)
    names = [at(metric, k).name for k in (1, 2) for metric in RANKED[:-1]]
    assert sorted(means["metric"]) == sorted([*names, "ap"])
    row = means.row(by_predicate=pl.col("metric") == "precision@2", named=True)
    # (1/2 + 1/2) / 2, and pooled 2 hits over 4 ranks
    assert (row["macro"], row["pooled"], row["n"]) == (0.5, 0.5, 2)
    assert means.filter(metric="ap")["macro"].to_list() == [(1 + 1 / 2) / 2]


def test_a_name_with_a_cutoff_is_read_back() -> None:
    found = at_cutoff("ndcg@10")
    assert found is not None
    assert (found.name, found.label) == ("ndcg@10", "nDCG@10")
    assert [at_cutoff(name) for name in ("ndcg", "ap@3", "support@1", "recall")] == [None] * 4
