"""Small evaluations in plain Python, made by chance, and the tables they would be frozen to.

A world is what people would hand in: nothing in it is a code, and nothing has been decided.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import polars as pl

from pipeline.contract.spans import refound
from pipeline.contract.tables import (
    Answers,
    Chunks,
    Claims,
    Documents,
    Evidence,
    Questions,
    Ranking,
    Relevance,
    Statements,
    Support,
    Table,
)
from pipeline.scoring.frozen import Tables

Votes = tuple[int, int]
"""How many said yes, of how many who labelled."""


Mark = tuple[str, str, str | None, tuple[int, int] | None]
"""Who marked which document, for which claim (None: the question), and where (None: all)."""


@dataclass
class Asked:
    """A question, its labels and who asks."""

    name: str
    labelled: bool = True
    relevant: dict[str, Votes] = field(default_factory=dict)
    support: dict[tuple[str, str], Votes] = field(default_factory=dict)
    caller: set[str] | None = None
    attributes: dict[str, str] = field(default_factory=dict)
    marks: list[Mark] = field(default_factory=list)


@dataclass
class Said:
    """One response; chunks by number, documents and claims by name; a citation by either."""

    system: str
    repeat: int
    question: str
    ranking: list[int] | None
    claims: list[tuple[str, list[str | int]]] | None
    failed: bool = False
    judged: bool = True


@dataclass
class World:
    """Everything that a run is scored from."""

    documents: dict[str, set[str] | None]
    chunks: list[str]
    questions: list[Asked]
    responses: list[Said]
    cutoff: int = 2
    policy: str = "interval"
    with_claims: bool = True
    cuts: list[tuple[int, int]] | None = None
    texts: dict[str, str] = field(default_factory=dict)
    overlap: int = 1

    def cut(self, chunk: int) -> tuple[int, int]:
        """First position of a chunk and that after its last."""
        return self.cuts[chunk] if self.cuts else (0, 1)

    def may_read(self, question: Asked, doc: str) -> bool:
        groups = self.documents[doc]
        return groups is None or question.caller is None or bool(groups & question.caller)


def tables(world: World) -> Tables:
    """Freeze a world: names become codes, rows come in order; chunks are in it already."""
    docs = {name: code for code, name in enumerate(sorted(world.documents))}
    questions = sorted(world.questions, key=lambda question: question.name)
    codes = {question.name: code for code, question in enumerate(questions)}
    claim_rows, relevance, support = [], [], []
    claims: dict[tuple[int, str], int] = {}
    for code, question in enumerate(questions):
        for doc, (yes, votes) in question.relevant.items():
            if yes and world.may_read(question, doc):
                relevance.append((code, docs[doc], yes, votes, 1.0))
        pairs = [
            (claim, doc, *votes)
            for (claim, doc), votes in question.support.items()
            if votes[0] and world.may_read(question, doc)
        ]
        for claim in sorted({pair[0] for pair in pairs}):
            claims[code, claim] = len(claims)
            claim_rows.append((claims[code, claim], code, claim, None))
        support += [(code, claims[code, c], docs[d], yes, votes) for c, d, yes, votes in pairs]
    said = sorted(world.responses, key=lambda row: (row.system, row.repeat, codes[row.question]))
    chunks = frame(Chunks, [
        (code, f"c{code:03}", docs[doc], None, *world.cut(code))
        for code, doc in enumerate(world.chunks)
    ])  # fmt: skip
    documents = frame(Documents, [
        (code, name, None, world.texts.get(name, name), None, None, None,
         _groups(world.documents[name]), [])
        for name, code in docs.items()
    ])  # fmt: skip
    keys = [(row.system, row.repeat, codes[row.question]) for row in said]
    return Tables(
        documents=documents,
        questions=frame(Questions, [
            _question(code, question) for code, question in enumerate(questions)
        ]),
        claims=frame(Claims, claim_rows),
        relevance=frame(Relevance, sorted(relevance)),
        support=frame(Support, sorted(support)),
        evidence=frame(Evidence, [
            (code, docs[doc], claims.get((code, str(claim))), who, None, *(span or (None, None)))
            for code, question in enumerate(questions)
            for who, doc, claim, span in question.marks
        ]),
        chunks=chunks,
        found=refound(chunks, documents, set(docs.values())),
        ranking=frame(Ranking, [
            (*key, row.ranking, None) for key, row in zip(keys, said, strict=True)
        ]),
        answers=frame(Answers, [
            (*key, "failed" if row.failed else "ok", None, None, None, False, *[None] * 4)
            for key, row in zip(keys, said, strict=True)
        ]),
        statements=frame(Statements, [
            (*key, row.judged, *_statements(world, row, claims, key[2], docs), None, None)
            for key, row in zip(keys, said, strict=True)
        ]),
    )  # fmt: skip


def frame(table: Table, rows: Sequence[tuple[object, ...]]) -> pl.DataFrame:
    """Rows -> a frame of that table."""
    return pl.DataFrame(rows, schema=table.schema, orient="row")


def _groups(groups: set[str] | None) -> list[str] | None:
    return None if groups is None else sorted(groups)


def _question(code: int, question: Asked) -> tuple[object, ...]:
    values = {
        "question": code,
        "question_id": question.name,
        "line": 0,
        "text": question.name,
        "split": "dev",
        "labelled": question.labelled,
        "annotators": [],
        "caller_groups": _groups(question.caller),
        "attributes": [
            {"key": key, "value": value} for key, value in sorted(question.attributes.items())
        ],
    }
    return tuple(values.get(name) for name in Questions.columns)


def _statements(
    world: World, row: Said, claims: dict[tuple[int, str], int], question: int, docs: dict[str, int]
) -> tuple[object, ...]:
    if row.claims is None or not row.judged:
        return None, None, None, None
    cited = [one for _, named in row.claims for one in named]
    chunks = [one if isinstance(one, int) else -1 for one in cited]
    return (
        [claims.get((question, claim), -1) for claim, _ in row.claims],
        [len(named) for _, named in row.claims],
        [docs.get(world.chunks[one] if isinstance(one, int) else one, -1) for one in cited],
        chunks if any(chunk >= 0 for chunk in chunks) else None,
    )


def a_world(seed: int) -> World:
    """Make a small world by chance; the same seed gives the same one."""
    chance = Random(seed)
    permissions = chance.random() < 0.4
    with_claims = chance.random() < 0.8
    names = [f"d{number}" for number in range(chance.randint(1, 5))]
    groups = {
        name: set(chance.sample("xyz", chance.randint(0, 2)))
        if permissions and chance.random() < 0.5
        else None
        for name in names
    }
    chunks = [name for name in names for _ in range(chance.choice([1, 1, 1, 2, 3]))]
    questions = [
        _asked(chance, f"q{number}", names, with_claims, permissions)
        for number in range(chance.randint(1, 4))
    ]
    systems = [("A", chance.randint(1, 3)), ("B", chance.choice([1, 1, 2]))]
    responses = [
        _said(chance, system, repeat + 1, question, names, chunks, with_claims)
        for system, repeats in systems[: chance.randint(1, 2)]
        for repeat in range(repeats)
        for question in questions
    ]
    chance.shuffle(responses)
    policy = chance.choice(["interval", "interval", "majority", "exclude"])
    return World(groups, chunks, questions, responses, chance.randint(1, 4), policy, with_claims)


def _asked(
    chance: Random, name: str, names: list[str], with_claims: bool, permissions: bool
) -> Asked:
    question = Asked(name, attributes={"topic": chance.choice("uvw")})
    if chance.random() < 0.3:
        question.attributes["hard"] = chance.choice(["yes", "no"])
    if permissions and chance.random() < 0.8:
        question.caller = set(chance.sample("xyz", chance.randint(0, 2)))
    if chance.random() < 0.1:
        question.labelled = False
        return question
    people = chance.choice([1, 1, 1, 2, 3, 4])
    for _ in range(people):
        relevant, pairs = _opinion(chance, names, with_claims)
        for doc in relevant:
            yes, _ = question.relevant.get(doc, (0, people))
            question.relevant[doc] = (yes + 1, people)
        for pair in pairs:
            yes, _ = question.support.get(pair, (0, people))
            question.support[pair] = (yes + 1, people)
    return question


def _opinion(
    chance: Random, names: list[str], with_claims: bool
) -> tuple[set[str], set[tuple[str, str]]]:
    """What one person says: no document, or some, with a claim for at least one of them."""
    if chance.random() < 0.25:
        return set(), set()
    relevant = set(chance.sample(names, chance.randint(1, min(3, len(names)))))
    if not with_claims:
        return relevant, set()
    pairs = {
        (chance.choice(["c1", "c2", "c3"]), chance.choice(sorted(relevant)))
        for _ in range(chance.randint(1, 3))
    }
    return relevant, pairs


def _said(
    chance: Random, system: str, repeat: int, question: Asked,
    names: list[str], chunks: list[str], with_claims: bool,
) -> Said:  # fmt: skip
    ranking = chance.sample(range(len(chunks)), chance.randint(0, min(5, len(chunks))))
    failed = chance.random() < 0.1
    stated: list[tuple[str, list[str | int]]] = []
    response = Said(system, repeat, question.name, ranking, stated, failed)
    if chance.random() < (0.5 if failed else 0.03):
        response.ranking = None
    if not failed and chance.random() < 0.08:
        response.judged = False
    if failed or (not with_claims and chance.random() < 0.4):
        response.claims = None
        return response
    for claim in chance.sample(["c1", "c2", "c3", "more"], chance.choice([0, 1, 1, 2, 2, 3])):
        likely = sorted(doc for known, doc in question.support if known == claim)
        pool = likely if likely and chance.random() < 0.7 else [*names, "unknown"]
        cited: list[str | int] = list(
            chance.sample(pool, chance.choice([0, 1, 1, 1, min(2, len(pool))]))
        )
        stated.append((claim, cited))
    return response
