"""The publisher's rule for one question, character by character, from its description.

A chunk of a marked document is found again by its text less a full stop at the end, where
that first occurs. Chunks that overlap or only touch a mark count. Marks are not united.
"""

from fractions import Fraction

from tests.scoring.worlds import Asked, Said, World

At = set[tuple[str, int]]


def value(name: str, world: World, question: Asked, said: Said) -> Fraction:
    """A metric whose evidence is settled and somewhere."""
    marks = [
        (doc, span or (0, max(world.cut(c)[1] for c, of in enumerate(world.chunks) if of == doc)))
        for _, doc, _, span in question.marks
        if question.relevant.get(doc, (0, 0))[0] and world.may_read(question, doc)
    ]
    refs = [{(doc, at) for at in range(*span)} for doc, span in marks]
    evidence: At = set().union(*refs)
    if name == "precision_omega_publisher":
        near = [c for c in range(len(world.chunks)) if touches(world, c, marks)]
        held = set().union(*(found(world, c) for c in near))
        both = held | evidence
        return Fraction(len(held & evidence), len(both)) if both else Fraction(0)
    shown = (said.ranking or [])[: world.cutoff]
    held = set().union(*(found(world, c) for c in shown))
    inside = len(held & evidence)
    context = sum(len(found(world, c)) for c in shown)
    missed = sum(len(ref - held) for ref in refs)
    if name == "span_recall_publisher":
        return share(inside, sum(map(len, refs)))
    if name == "span_precision_publisher":
        return share(inside, context)
    return share(inside, context + missed)


def share(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else Fraction(0)


def place(world: World, chunk: int) -> tuple[int, int]:
    doc, (start, end) = world.chunks[chunk], world.cut(chunk)
    text = world.texts[doc]
    sought = text[start:end].removesuffix(".")
    return text.index(sought), text.index(sought) + len(sought)


def found(world: World, chunk: int) -> At:
    return {(world.chunks[chunk], at) for at in range(*place(world, chunk))}


def touches(world: World, chunk: int, marks: list[tuple[str, tuple[int, int]]]) -> bool:
    first, last = place(world, chunk)
    return any(
        doc == world.chunks[chunk] and max(first, start) <= min(last, end)
        for doc, (start, end) in marks
    )
