"""The scoring rules once more, slowly, from the contract's words alone.

Plain Python over plain data: one question, one response, one resolution at a time, and every
resolution is tried. Shares no code with `pipeline.scoring`.
"""

from fractions import Fraction
from itertools import product
from typing import Any

from tests.scoring.worlds import Asked, Said, World

Relevant = set[str]
Supports = dict[str, set[str]]
Outcome = Fraction | str
"""The value of a metric, or why it has none."""

METRICS = (
    "precision", "recall", "reciprocal_rank", "support", "coverage", "abstention",
    "false_abstention",
)  # fmt: skip

CAUSES = (
    "failed", "judge_failed", "not_retrieved", "below_cutoff", "not_used", "miscited",
    "cited_not_visible", "extra_claim", "claim_on_unanswerable", "false_abstention", "leak",
)  # fmt: skip


def rows(world: World) -> dict[tuple[str, int, str], dict[str, Any]]:
    """What is to be known of every response, by system, repeat and question."""
    questions = {question.name: question for question in world.questions}
    return {
        (said.system, said.repeat, said.question): row(world, questions[said.question], said)
        for said in world.responses
    }


def resolutions(world: World, question: Asked, policy: str) -> list[tuple[Relevant, Supports]]:
    """Every way of settling what is in dispute so that the labels fit together."""
    docs = {
        doc: votes
        for doc, votes in question.relevant.items()
        if votes[0] and world.may_read(question, doc)
    }
    pairs = {
        pair: votes
        for pair, votes in question.support.items()
        if votes[0] and world.may_read(question, pair[1])
    }
    for (_, doc), (yes, votes) in pairs.items():
        if yes == votes:
            docs[doc] = (votes, votes)
    found = []
    for verdict in product(
        *(verdicts(*votes, policy) for votes in [*docs.values(), *pairs.values()])
    ):
        relevant = {doc for doc, yes in zip(docs, verdict, strict=False) if yes}
        held = [pair for pair, yes in zip(pairs, verdict[len(docs) :], strict=True) if yes]
        if any(doc not in relevant for _, doc in held):
            continue
        if pairs and bool(relevant) != bool(held):
            continue
        supports: Supports = {}
        for claim, doc in held:
            supports.setdefault(claim, set()).add(doc)
        found.append((relevant, supports))
    return found or resolutions(world, question, "interval")


def verdicts(yes: int, votes: int, policy: str) -> list[bool]:
    if yes == votes:
        return [True]
    if policy == "majority" and 2 * yes != votes:
        return [2 * yes > votes]
    return [False, True]


def outcomes(
    world: World, question: Asked, said: Said, relevant: Relevant, supports: Supports
) -> dict[str, Outcome]:
    """The seven metrics of one response, were the labels these."""
    return {
        name: reason(name, world, question, said, relevant, supports)
        or value(name, world, said, relevant, supports)
        for name in METRICS
    }


def reason(
    name: str, world: World, question: Asked, said: Said, relevant: Relevant, supports: Supports
) -> str | None:
    of_claims = name not in ("precision", "recall", "reciprocal_rank")
    sees = name not in ("abstention", "false_abstention")
    if not question.labelled:
        return "not_labelled"
    if name in ("support", "coverage") and not world.with_claims:
        return "not_labelled"
    if of_claims and not said.failed and said.judged and said.claims is None:
        return "not_labelled"
    if not relevant and name not in ("support", "abstention"):
        return "unanswerable"
    if relevant and name == "abstention":
        return "answerable"
    if of_claims and said.failed:
        return "failed"
    if sees and said.ranking is None:
        return "failed"
    if of_claims and not said.judged:
        return "judge_failed"
    if name == "support" and not said.claims:
        return "no_claims"
    if name == "coverage" and not supports:
        return "no_claims"
    return None


def value(name: str, world: World, said: Said, relevant: Relevant, supports: Supports) -> Fraction:
    shown = [world.chunks[chunk] for chunk in (said.ranking or [])[: world.cutoff]]
    made = said.claims or []
    good = [claim for claim, cited in made if supported(claim, cited, shown, supports)]
    hits = [place for place, doc in enumerate(shown, 1) if doc in relevant]
    if name == "precision":
        return Fraction(len(hits), world.cutoff)
    if name == "recall":
        return Fraction(len(relevant & set(shown)), len(relevant))
    if name == "reciprocal_rank":
        return Fraction(1, hits[0]) if hits else Fraction(0)
    if name == "support":
        return Fraction(len(good), len(made))
    if name == "coverage":
        return Fraction(len(good), len(supports))
    return Fraction(not made)


def supported(claim: str, cited: list[str], shown: list[str], supports: Supports) -> bool:
    right = supports.get(claim, set()) & set(shown)
    return bool(cited) and all(doc in right for doc in cited)


def causes(
    world: World, question: Asked, said: Said, relevant: Relevant, supports: Supports
) -> set[str]:
    """What went wrong, were the labels these."""
    found = set()
    if said.failed or said.ranking is None:
        found.add("failed")
    if not said.failed and not said.judged:
        found.add("judge_failed")
    ranked = [world.chunks[chunk] for chunk in said.ranking or []]
    shown = ranked[: world.cutoff]
    if said.ranking is not None and not relevant <= set(ranked):
        found.add("not_retrieved")
    if relevant & (set(ranked) - set(shown)):
        found.add("below_cutoff")
    cited_anywhere = (
        {doc for _, cited in said.claims or [] for doc in cited} if said.judged else set()
    )
    if any(
        doc in world.documents and not world.may_read(question, doc)
        for doc in {*ranked, *cited_anywhere}
    ):
        found.add("leak")
    if said.failed or not said.judged or said.claims is None:
        return found
    made = dict(said.claims)
    if said.ranking is not None and any(
        doc in world.documents and doc not in shown for doc in cited_anywhere
    ):
        found.add("cited_not_visible")
    if not question.labelled:
        return found
    if not relevant:
        return found | ({"claim_on_unanswerable"} if made else set())
    if not made:
        found.add("false_abstention")
    if not world.with_claims:
        return found
    for claim, docs in supports.items():
        if claim not in made and docs & set(shown):
            found.add("not_used")
    for claim, cited in made.items():
        if claim not in supports:
            found.add("extra_claim")
        elif not cited or any(
            doc not in supports[claim] and (doc in shown or doc not in world.documents)
            for doc in cited
        ):
            found.add("miscited")
    return found


def row(world: World, question: Asked, said: Said) -> dict[str, Any]:
    """Everything that is to be known of one response."""
    ways = resolutions(world, question, world.policy)
    found: dict[str, Any] = {"population": population(question, ways)}
    tried = [outcomes(world, question, said, *way) for way in ways]
    for name in METRICS:
        found |= settled(name, [outcome[name] for outcome in tried], world.policy)
    proven = set.intersection(*(causes(world, question, said, *way) for way in ways))
    found["causes"] = [cause for cause in CAUSES if cause in proven]
    found |= counts(world, question, said, ways)
    found["leaks"] = sorted(
        {
            doc
            for doc in [
                *(world.chunks[chunk] for chunk in said.ranking or []),
                *(doc for _, cited in (said.claims or []) if said.judged for doc in cited),
            ]
            if doc in world.documents and not world.may_read(question, doc)
        }
    )
    return found


def population(question: Asked, ways: list[tuple[Relevant, Supports]]) -> str:
    if not question.labelled:
        return "not_labelled"
    kinds = {"answerable" if relevant else "unanswerable" for relevant, _ in ways}
    return kinds.pop() if len(kinds) == 1 else "unresolved"


def settled(name: str, tried: list[Outcome], policy: str) -> dict[str, Any]:
    """One outcome where all resolutions agree, else none, with the range of the values."""
    columns: dict[str, Any] = dict.fromkeys((name, f"{name}_reason", f"{name}_low", f"{name}_high"))
    if len(set(tried)) == 1:
        columns[f"{name}_reason" if isinstance(tried[0], str) else name] = tried[0]
        return columns
    columns[f"{name}_reason"] = "unresolved"
    values = [outcome for outcome in tried if not isinstance(outcome, str)]
    if values and policy != "exclude":
        columns |= {f"{name}_low": min(values), f"{name}_high": max(values)}
    return columns


def counts(
    world: World, question: Asked, said: Said, ways: list[tuple[Relevant, Supports]]
) -> dict[str, Any]:
    """What holds in every resolution, counted."""
    relevant = set.intersection(*(relevant for relevant, _ in ways))
    expected = set.intersection(*(set(supports) for _, supports in ways))
    shown = [world.chunks[chunk] for chunk in (said.ranking or [])[: world.cutoff]]
    good = [
        claim
        for claim, cited in said.claims or []
        if all(supported(claim, cited, shown, supports) for _, supports in ways)
    ]
    ranked = question.labelled and said.ranking is not None
    given = not said.failed and said.judged and said.claims is not None
    return {
        "hits": len([doc for doc in shown if doc in relevant]) if ranked else None,
        "reached": len(relevant & set(shown)) if ranked else None,
        "relevant": len(relevant),
        "claims": len(said.claims or []) if given else None,
        "supported": len(good) if given and ranked and world.with_claims else None,
        "expected": len(expected) if world.with_claims else 0,
    }
