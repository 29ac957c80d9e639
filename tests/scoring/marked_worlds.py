"""Small worlds whose annotators mark spans, and whose documents are cut into chunks."""

from random import Random

from tests.scoring.worlds import Asked, Mark, Said, World


def a_marked_world(seed: int) -> World:
    """Make one by chance; the same seed gives the same one."""
    chance = Random(f"marked {seed}")
    texts = {
        name: "".join(chance.choice("ab. ") for _ in range(chance.randint(4, 14)))
        for name in ("d0", "d1", "d2")[: chance.randint(1, 3)]
    }
    chunks: list[str] = []
    cuts: list[tuple[int, int]] = []
    for name, text in texts.items():
        for cut in _cuts(chance, len(text)):
            chunks.append(name)
            cuts.append(cut)
    groups: dict[str, set[str] | None] = {
        name: {"x"} if chance.random() < 0.15 else None for name in texts
    }
    questions = [_asked(chance, f"q{number}", texts) for number in range(chance.randint(1, 3))]
    responses = [_said(chance, question, chunks) for question in questions]
    policy = chance.choice(["interval", "interval", "interval", "majority", "exclude"])
    return World(
        groups, chunks, questions, responses, chance.randint(1, 4), policy, True,
        cuts, texts, chance.choice([1, 1, 1, 2]),
    )  # fmt: skip


def _cuts(chance: Random, length: int) -> list[tuple[int, int]]:
    """Chunks that cover a text, with or without overlap, in order."""
    step, overlap = chance.randint(2, 6), chance.choice([0, 0, 1, 2])
    return [(start, min(start + step + overlap, length)) for start in range(0, length, step)]


def _asked(chance: Random, name: str, texts: dict[str, str]) -> Asked:
    question = Asked(name, caller=set() if chance.random() < 0.3 else None)
    if chance.random() < 0.05:
        question.labelled = False
        return question
    people = chance.choice([1, 1, 2, 2, 2])
    question.marks = [
        mark for person in range(people) for mark in _marks(chance, f"p{person}", texts)
    ]
    settled = chance.random() < 0.3
    docs: dict[str, set[str]] = {}
    pairs: dict[tuple[str, str], set[str]] = {}
    for who, doc, claim, _ in question.marks:
        docs.setdefault(doc, set()).add(who)
        pairs.setdefault((str(claim), doc), set()).add(who)
    for doc, yes in docs.items():
        question.relevant[doc] = (1, 1) if settled else (len(yes), people)
    for pair, yes in pairs.items():
        question.support[pair] = (1, 1) if settled else (len(yes), people)
    return question


def _marks(chance: Random, who: str, texts: dict[str, str]) -> list[Mark]:
    found: list[Mark] = []
    for _ in range(chance.choice([0, 1, 1, 2])):
        doc = chance.choice(sorted(texts))
        start = chance.randrange(len(texts[doc]))
        end = min(start + chance.randint(1, 4), len(texts[doc]))
        span = None if chance.random() < 0.15 else (start, end)
        found.append((who, doc, chance.choice(["c1", "c2"]), span))
    return found


def _said(chance: Random, question: Asked, chunks: list[str]) -> Said:
    ranking = chance.sample(range(len(chunks)), chance.randint(0, min(6, len(chunks))))
    stated: list[tuple[str, list[str | int]]] = []
    for claim in chance.sample(["c1", "c2", "more"], chance.choice([0, 1, 2, 2])):
        pool: list[str | int] = [*range(len(chunks)), *ranking, *ranking, *sorted(set(chunks))]
        cited = chance.sample(pool, chance.choice([0, 1, 1, 2]))
        stated.append((claim, list(dict.fromkeys(cited))))
    lost = chance.random() < 0.05
    return Said("rag", 1, question.name, None if lost else ranking, stated, lost)
