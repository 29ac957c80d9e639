"""One question, one response, and what scoring says of it: for tests that show one rule."""

from typing import Any

from pipeline.scoring.aggregates import aggregate
from pipeline.scoring.values import score
from tests.scoring.worlds import Asked, Said, Votes, World, tables

DOCS = ("a", "b", "c", "d")


def asked(
    relevant: str = "", support: dict[str, str] | None = None, name: str = "q", **more: Any
) -> Asked:
    """A question with settled labels: relevant documents, and claims with theirs."""
    pairs: dict[tuple[str, str], Votes] = {
        (claim, doc): (1, 1) for claim, docs in (support or {}).items() for doc in docs
    }
    return Asked(name, True, dict.fromkeys(relevant, (1, 1)), pairs, **more)


def said(
    ranking: str | None = "",
    claims: dict[str, str] | None = None,
    *,
    question: str = "q",
    system: str = "A",
    repeat: int = 1,
    **more: Any,
) -> Said:
    """A response: ranked documents, and claims with the documents they cite; ? is unknown."""
    made: list[tuple[str, list[str | int]]] | None = None
    if claims is not None:
        made = [(claim, list(docs)) for claim, docs in claims.items()]
    ranked = None if ranking is None else [DOCS.index(doc) for doc in ranking]
    return Said(system, repeat, question, ranked, made, **more)


def world(
    questions: list[Asked] | Asked, responses: list[Said] | Said, cutoff: int = 2, **more: Any
) -> World:
    """These questions and responses over the documents a, b, c, d of one chunk each."""
    return World(
        more.pop("documents", dict.fromkeys(DOCS)),
        more.pop("chunks", list(DOCS)),
        questions if isinstance(questions, list) else [questions],
        responses if isinstance(responses, list) else [responses],
        cutoff,
        **more,
    )


def scored(of: World) -> list[dict[str, Any]]:
    """The rows of PerQuestion."""
    values = score(
        tables(of),
        cutoff=of.cutoff,
        policy=of.policy,  # type: ignore[arg-type]
        with_claims=of.with_claims,
        overlap=of.overlap,
    )
    return list(values.iter_rows(named=True))


def one(question: Asked, response: Said, cutoff: int = 2, **more: Any) -> dict[str, Any]:
    """The row of a single response."""
    (row,) = scored(world(question, response, cutoff, **more))
    return row


def averaged(of: World) -> dict[tuple[str, str, str, str], dict[str, Any]]:
    """The rows of Aggregates by system, attribute, value and metric."""
    frozen = tables(of)
    values = score(
        frozen,
        cutoff=of.cutoff,
        policy=of.policy,  # type: ignore[arg-type]
        with_claims=of.with_claims,
    )
    rows = aggregate(values, frozen.questions["attributes"], bounded=of.policy != "exclude")
    return {
        (row["system"], row["attribute"], row["value"], row["metric"]): row
        for row in rows.iter_rows(named=True)
    }
