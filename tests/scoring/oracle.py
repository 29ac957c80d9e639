"""The scoring rules once more, slowly, from the contract's words alone.

Plain Python over plain data: one question, one response, one resolution at a time, and every
resolution is tried. Shares no code with `pipeline.scoring`.
"""

from fractions import Fraction
from itertools import combinations, product
from typing import Any

from tests.scoring import publisher
from tests.scoring.worlds import Asked, Said, World

Places = dict[str, frozenset[int]]
"""By document, the positions that are evidence."""

Relevant = Places
Supports = dict[str, Places]
Outcome = Fraction | str
"""The value of a metric, or why it has none."""

METRICS = (
    "precision", "recall", "reciprocal_rank", "support", "coverage", "abstention",
    "false_abstention", "span_recall", "span_precision", "span_iou", "precision_omega",
)  # fmt: skip

SPANS = METRICS[-4:]

PUBLISHED = tuple(f"{name}_publisher" for name in SPANS)

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
        for places in product(
            *(readings(world, question, doc, None) for doc in sorted(relevant)),
            *(readings(world, question, doc, claim) for claim, doc in held),
        ):
            supports: Supports = {}
            for (claim, doc), place in zip(held, places[len(relevant) :], strict=True):
                supports.setdefault(claim, {})[doc] = place
            found.append((dict(zip(sorted(relevant), places, strict=False)), supports))
    return found or resolutions(world, question, "interval")


def readings(world: World, question: Asked, doc: str, claim: str | None) -> list[frozenset[int]]:
    """Every way to say where in a relevant document the evidence (for a claim) lies."""
    whole = (0, extent(world, doc))
    made: dict[str, frozenset[int]] = {}
    votes = question.relevant[doc][1]
    for who, where, which, span in question.marks:
        if where == doc and claim in (None, which):
            reader = who if votes > 1 else ""
            made[reader] = made.get(reader, frozenset()) | frozenset(range(*(span or whole)))
    if not made:
        return [frozenset(range(*whole))]
    some = [
        frozenset().union(*chosen)
        for count in range(1, len(made) + 1)
        for chosen in combinations(made.values(), count)
    ]
    return list(dict.fromkeys(some))


def extent(world: World, doc: str) -> int:
    return max(world.cut(c)[1] for c, of in enumerate(world.chunks) if of == doc)


def hit(world: World, chunk: int, places: Places) -> bool:
    """Whether a chunk is relevant: enough positions in a row are evidence, or all there are."""
    if world.chunks[chunk] not in places:
        return False
    if len(places[world.chunks[chunk]]) == extent(world, world.chunks[chunk]):
        return True
    row = 0
    for at in range(*world.cut(chunk)):
        row = row + 1 if at in places[world.chunks[chunk]] else 0
        if row >= world.overlap:
            return True
    return False


def verdicts(yes: int, votes: int, policy: str) -> list[bool]:
    if yes == votes:
        return [True]
    if policy == "majority" and 2 * yes != votes:
        return [2 * yes > votes]
    return [False, True]


def outcomes(
    world: World, question: Asked, said: Said, relevant: Relevant, supports: Supports, bare: bool
) -> dict[str, Outcome]:
    """The metrics of one response, were the labels these; `bare`: none of them says where."""
    return {
        name: reason(name, world, question, said, relevant, supports, bare)
        or (of_spans if name in SPANS else value)(name, world, said, relevant, supports)
        for name in METRICS
    }


def reason(
    name: str, world: World, question: Asked, said: Said,
    relevant: Relevant, supports: Supports, bare: bool,
) -> str | None:  # fmt: skip
    of_claims = name not in ("precision", "recall", "reciprocal_rank", *SPANS)
    sees = name not in ("abstention", "false_abstention", "precision_omega")
    if not question.labelled:
        return "not_labelled"
    if name in ("support", "coverage") and not world.with_claims:
        return "not_labelled"
    if of_claims and not said.failed and said.judged and said.claims is None:
        return "not_labelled"
    if name in SPANS and bare:
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


def unmarked(question: Asked, ways: list[tuple[Relevant, Supports]]) -> bool:
    """Whether some document is relevant in some resolution, and no mark on one says where."""
    possible = {doc for relevant, _ in ways for doc in relevant}
    return bool(possible) and not any(
        span and doc in possible for _, doc, _, span in question.marks
    )


def value(name: str, world: World, said: Said, relevant: Relevant, supports: Supports) -> Fraction:
    shown = (said.ranking or [])[: world.cutoff]
    made = said.claims or []
    good = [claim for claim, cited in made if supported(world, claim, cited, shown, supports)]
    hits = [place for place, chunk in enumerate(shown, 1) if hit(world, chunk, relevant)]
    if name == "precision":
        return Fraction(len(hits), world.cutoff)
    if name == "recall":
        return Fraction(len({world.chunks[c] for c in shown} & set(relevant)), len(relevant))
    if name == "reciprocal_rank":
        return Fraction(1, hits[0]) if hits else Fraction(0)
    if name == "support":
        return Fraction(len(good), len(made))
    if name == "coverage":
        return Fraction(len(good), len(supports))
    return Fraction(not made)


def of_spans(name: str, world: World, said: Said, relevant: Relevant, _: Supports) -> Fraction:
    evidence = {(doc, at) for doc, places in relevant.items() for at in places}
    if name == "precision_omega":
        touching = [c for c in range(len(world.chunks)) if positions(world, c) & evidence]
        held = set().union(*(positions(world, c) for c in touching))
        return Fraction(len(held & evidence), len(held | evidence))
    shown = (said.ranking or [])[: world.cutoff]
    inside = evidence & set().union(*(positions(world, c) for c in shown))
    context = sum(len(positions(world, c)) for c in shown)
    if name == "span_recall":
        return Fraction(len(inside), len(evidence))
    if name == "span_precision":
        return Fraction(len(inside), context) if context else Fraction(0)
    return Fraction(len(inside), context + len(evidence - inside))


def positions(world: World, chunk: int) -> set[tuple[str, int]]:
    return {(world.chunks[chunk], at) for at in range(*world.cut(chunk))}


def supported(
    world: World, claim: str, cited: list[str | int], shown: list[int], supports: Supports
) -> bool:
    return bool(cited) and all(right(world, claim, one, shown, supports) for one in cited)


def right(world: World, claim: str, cited: str | int, shown: list[int], supports: Supports) -> bool:
    """Whether a citation is of what supports the claim and was visible."""
    return visible(world, cited, shown) and labelled(world, cited, supports.get(claim, {}))


def visible(world: World, cited: str | int, shown: list[int]) -> bool:
    return cited in (shown if isinstance(cited, int) else [world.chunks[c] for c in shown])


def labelled(world: World, cited: str | int, places: Places) -> bool:
    return hit(world, cited, places) if isinstance(cited, int) else cited in places


def causes(
    world: World, question: Asked, said: Said, relevant: Relevant, supports: Supports
) -> set[str]:
    """What went wrong, were the labels these."""
    found = set()
    if said.failed or said.ranking is None:
        found.add("failed")
    if not said.failed and not said.judged:
        found.add("judge_failed")
    ranked = said.ranking or []
    shown = ranked[: world.cutoff]
    for doc, places in relevant.items():
        there = [c for c in ranked if hit(world, c, {doc: places})]
        if said.ranking is not None and not there:
            found.add("not_retrieved")
        if there and not set(there) & set(shown):
            found.add("below_cutoff")
    cited_anywhere = (
        {one for _, cited in said.claims or [] for one in cited} if said.judged else set()
    )
    if leaked(world, question, said):
        found.add("leak")
    if said.failed or not said.judged or said.claims is None:
        return found
    made = dict(said.claims)
    if said.ranking is not None and any(
        document(world, one) in world.documents and not visible(world, one, shown)
        for one in cited_anywhere
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
    for claim, of in supports.items():
        if claim not in made and any(hit(world, c, of) for c in shown):
            found.add("not_used")
    for claim, cited in made.items():
        if claim not in supports:
            found.add("extra_claim")
        elif not cited or any(
            document(world, one) not in world.documents
            or (visible(world, one, shown) and not labelled(world, one, supports[claim]))
            for one in cited
        ):
            found.add("miscited")
    return found


def document(world: World, cited: str | int) -> str:
    return world.chunks[cited] if isinstance(cited, int) else cited


def leaked(world: World, question: Asked, said: Said) -> list[str]:
    shown = [world.chunks[chunk] for chunk in said.ranking or []]
    cited = [document(world, one) for _, of in (said.claims or []) if said.judged for one in of]
    return sorted(
        {
            doc
            for doc in [*shown, *cited]
            if doc in world.documents and not world.may_read(question, doc)
        }
    )


def row(world: World, question: Asked, said: Said) -> dict[str, Any]:
    """Everything that is to be known of one response."""
    ways = resolutions(world, question, world.policy)
    found: dict[str, Any] = {"population": population(question, ways)}
    bare = unmarked(question, ways)
    tried = [outcomes(world, question, said, *way, bare) for way in ways]
    for name in METRICS:
        found |= settled(name, [outcome[name] for outcome in tried], world.policy)
    for name in PUBLISHED:
        found |= published(name, world, question, said, ways, tried)
    proven = set.intersection(*(causes(world, question, said, *way) for way in ways))
    found["causes"] = [cause for cause in CAUSES if cause in proven]
    found |= counts(world, question, said, ways)
    found["leaks"] = leaked(world, question, said)
    found["context_length"] = None
    if said.ranking is not None:
        found["context_length"] = sum(
            len(positions(world, c)) for c in said.ranking[: world.cutoff]
        )
    return found


def published(
    name: str, world: World, question: Asked, said: Said,
    ways: list[tuple[Relevant, Supports]], tried: list[dict[str, Outcome]],
) -> dict[str, Any]:  # fmt: skip
    """A metric of the publisher's; where the evidence is in dispute it has no value."""
    columns: dict[str, Any] = dict.fromkeys((name, f"{name}_reason", f"{name}_low", f"{name}_high"))
    outcome = {of[name.removesuffix("_publisher")] for of in tried}
    reasons = {of for of in outcome if isinstance(of, str)}
    if reasons and len(outcome) == 1:
        return columns | {f"{name}_reason": reasons.pop()}
    if len({tuple(sorted(relevant.items())) for relevant, _ in ways}) > 1:
        return columns | {f"{name}_reason": "unresolved"}
    return columns | {name: publisher.value(name, world, question, said)}


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
    relevant = set.intersection(*(set(relevant) for relevant, _ in ways))
    expected = set.intersection(*(set(supports) for _, supports in ways))
    shown = (said.ranking or [])[: world.cutoff]
    good = [
        claim
        for claim, cited in said.claims or []
        if all(supported(world, claim, cited, shown, supports) for _, supports in ways)
    ]
    hits = [
        min(sum(hit(world, c, {doc: way[doc]}) for c in shown) for way, _ in ways)
        for doc in relevant
    ]
    ranked = question.labelled and said.ranking is not None
    given = not said.failed and said.judged and said.claims is not None
    return {
        "hits": sum(hits) if ranked else None,
        "reached": len(relevant & {world.chunks[c] for c in shown}) if ranked else None,
        "relevant": len(relevant),
        "claims": len(said.claims or []) if given else None,
        "supported": len(good) if given and ranked and world.with_claims else None,
        "expected": len(expected) if world.with_claims else 0,
    }
