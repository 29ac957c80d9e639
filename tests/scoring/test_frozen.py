from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from pipeline.scoring import frozen
from pipeline.scoring.corpus import Corpus
from pipeline.scoring.frozen import Responses, Tables
from pipeline.scoring.values import score
from tests.scoring.cases import asked, said, world
from tests.scoring.worlds import a_world, tables


def two_systems() -> Tables:
    """Questions p and q; system A in repeats 1 and 2, system B in repeat 1."""
    runs = [("A", 1), ("A", 2), ("B", 1)]
    responses = [
        said("ab", {"k": "a", "m": "b?"}, question=name, system=system, repeat=repeat)
        for system, repeat in runs
        for name in "pq"
    ]
    return tables(world([asked("a", {"k": "a"}, "p"), asked(name="q")], responses))


def test_chunks_become_documents_and_citations_stay_in_order() -> None:
    part = taken(two_systems())
    assert part.question.tolist() == [0, 1] * 3
    assert part.ranking.values.tolist() == [0, 1] * 6
    assert part.claims.values.tolist() == [0, -1, -1, -1] * 3
    assert part.cited.values.tolist() == [1, 2] * 6
    assert part.citations.values.tolist() == [0, 1, -1] * 6
    assert not part.failed.any()
    assert part.judged.all()


def taken(tables: Tables) -> Responses:
    return Responses.of(tables, Corpus.of(tables.documents, tables.chunks, tables.found))


def shuffled(tables: Tables, name: str) -> Tables:
    return replace(tables, **{name: getattr(tables, name).reverse()})


def short(tables: Tables, name: str) -> Tables:
    return replace(tables, **{name: getattr(tables, name).head(5)})


@pytest.mark.parametrize("name", ["ranking", "answers", "statements"])
@pytest.mark.parametrize("spoilt", [shuffled, short])
def test_tables_with_other_responses_are_refused(spoilt: Any, name: str) -> None:
    with pytest.raises(
        ValueError, match=r"^score: expected the same responses in all tables, got others$"
    ):
        taken(spoilt(two_systems(), name))


def everywhere(tables: Tables, change: Any) -> Tables:
    """The same change to all tables of responses."""
    names = ("ranking", "answers", "statements")
    return replace(tables, **{name: change(getattr(tables, name)) for name in names})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda frame: frame.head(5), "each question once a repeat"),
        (lambda frame: frame.reverse(), "each question once a repeat"),
        (lambda frame: frame.filter(pl.col("question") == 0), "each question once a repeat"),
        (
            lambda frame: frame.with_columns(system=pl.Series(list("AABBBB"))),
            "whole repeats of each system",
        ),
        (
            lambda frame: frame.with_columns(repeat=pl.Series([1, 2, 3, 3, 1, 1], dtype=pl.UInt32)),
            "whole repeats of each system",
        ),
        (
            lambda frame: frame.with_columns(repeat=pl.lit(1, pl.UInt32)),
            "whole repeats of each system",
        ),
    ],
)
def test_responses_that_are_not_complete_and_in_order_are_refused(
    change: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=rf"^score: expected {message}, in order, got others$"):
        taken(everywhere(two_systems(), change))


@pytest.mark.parametrize(
    ("column", "values"),
    [("cited", [[1, 1]] * 6), ("cited", [[3]] * 6), ("citations", [[0, 1]] * 6)],
)
def test_citations_that_do_not_add_up_are_refused(column: str, values: list[list[int]]) -> None:
    whole = two_systems()
    dtype = whole.statements.schema[column]
    changed = whole.statements.with_columns(pl.Series(column, values, dtype=dtype))
    with pytest.raises(
        ValueError, match=r"^statements: expected as many citations as counted, got others$"
    ):
        taken(replace(whole, statements=changed))


def test_support_by_a_document_that_nobody_called_relevant_is_refused() -> None:
    whole = two_systems()
    with pytest.raises(
        ValueError, match=r"^support: expected documents that are in relevance, got others$"
    ):
        score(
            replace(whole, relevance=whole.relevance.clear()),
            cutoff=2,
            policy="interval",
            with_claims=True,
        )


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_it_does_not_matter_how_many_responses_are_scored_at_a_time(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(8):
        made = a_world(seed)
        arguments: Any = {
            "cutoff": made.cutoff, "policy": made.policy, "with_claims": made.with_claims,
        }  # fmt: skip
        whole = score(tables(made), **arguments)
        with monkeypatch.context() as patch:
            patch.setattr(frozen, "BLOCK", size)
            assert score(tables(made), **arguments).equals(whole)


def test_claim_labels_that_the_set_does_not_carry_are_not_looked_at() -> None:
    values = score(two_systems(), cutoff=2, policy="interval", with_claims=False)
    assert values["support"].null_count() == len(values)
    assert values["expected"].to_list() == [0] * 6
    assert values.filter(pl.col("question_id") == "p")["causes"].to_list() == [[]] * 3
