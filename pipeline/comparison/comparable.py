"""Whether two sides may be compared, and which settings differ between them.

Both are read from what the fingerprints are over, by content hash, never from the numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.contract.errors import IncomparableError
from pipeline.contract.files import canonical
from pipeline.contract.sides import Side

Parts = Mapping[str, Any]

FROZEN = {
    "contract_version": "contract",
    "corpus_hash": "corpus",
    "questions_hash": "questions",
    "split": "questions",
    "labels_hash": "labels",
    "claims": "labels",
    "permissions_hash": "permissions",
    "cutoff": "cutoff",
    "budget": "budget",
    "rubric": "rubric",
    "judge": "judge",
}
"""Parts that have to be the same on both sides, and the word by which people know each."""

BY_QUESTION = frozenset({"corpus", "questions", "labels", "permissions"})
"""Parts of which some questions can be the same although the whole is not."""

COMPARED = frozenset({"system", "responses_hash", "verdicts_hash", "decisions_hash", "cutoffs"})
"""Parts that differ between any two systems: they are what is compared, not how.

What people or a record ruled is about the answers of one system, as these answers are.
At how many cutoffs a ranking is measured changes nothing of it; `Cutoffs` says what is missing.
"""

REMEDIES = {
    "contract": "score both again with one version of rag-assay",
    "corpus": "run both on one corpus version, or ask for --common",
    "questions": "run both on one question set and split, or ask for --common",
    "labels": "score both again with one version of the labels, or ask for --common",
    "permissions": "score both again under the same groups, or ask for --common",
    "cutoff": "score both again with one cutoff=K",
    "budget": "score both again with one budget",
    "rubric": "score both again with one rubric; no new answer is needed",
    "judge": "judge both again with one judge; no new answer is needed",
}
"""What would make two sides comparable, by the word of the part that differs."""


@dataclass(frozen=True)
class Difference:
    """One frozen part in which two sides differ."""

    word: str
    part: str
    before: Any
    after: Any

    @property
    def remedy(self) -> str:
        """What would make the sides agree in it."""
        return REMEDIES[self.word]

    def __str__(self) -> str:
        sides = " against ".join(_short(value) for value in (self.before, self.after))
        return f"{self.word} ({self.part}: {sides})"


def differences(before: Parts, after: Parts) -> list[Difference]:
    """Name every frozen part in which two sides differ, in the order of `FROZEN`.

    Args:
        before: `Side.parts` of the baseline.
        after: `Side.parts` of the candidate.

    Returns:
        None of them: the sides are comparable.
    """
    return [
        Difference(word, part, before.get(part), after.get(part))
        for part, word in FROZEN.items()
        if before.get(part) != after.get(part)
    ]


def demand(baseline: Side, candidate: Side, *, common: bool) -> None:
    """Refuse two sides that may not be compared.

    Args:
        baseline: the one side.
        candidate: the other.
        common: whether only questions that are the same on both sides are compared, so that
            corpus, questions, labels and permissions may differ as wholes.

    Raises:
        IncomparableError: naming every part that differs and what would mend it.
    """
    found = [
        difference
        for difference in differences(baseline.parts, candidate.parts)
        if not (common and difference.word in BY_QUESTION)
    ]
    if not found:
        return
    lines = [
        f"{candidate.name} against {baseline.name}: not comparable; these have to be the same:"
    ]
    lines += [f"  {difference}" for difference in found]
    remedies = list(dict.fromkeys(difference.remedy for difference in found))
    lines += [f"to compare them: {remedy}" for remedy in remedies]
    raise IncomparableError("\n".join(lines))


def changed(before: Parts, after: Parts) -> dict[str, dict[str, Any]]:
    """List the settings in which two comparable sides differ, as `{key: {before, after}}`.

    A part that was swapped for another counts as one key (`chunker`); of a part that is the
    same on both sides each setting that differs counts (`chunker.chunk_size`). More than one
    key is no controlled change. Over common questions the corpus may differ as a whole, which
    is a key too: a system finds other things in other documents.
    """
    found: dict[str, dict[str, Any]] = {}
    corpora = [side.get("corpus_hash") for side in (before, after)]
    if corpora[0] != corpora[1]:
        found["corpus"] = {"before": corpora[0], "after": corpora[1]}
    for part in sorted(before.keys() | after.keys()):
        one, other = before.get(part), after.get(part)
        if one == other or part in COMPARED or part in FROZEN:
            continue
        if isinstance(one, dict) and isinstance(other, dict) and _same_adapter(one, other):
            for key in sorted(one.keys() | other.keys()):
                if one.get(key) != other.get(key):
                    found[f"{part}.{key}"] = {"before": one.get(key), "after": other.get(key)}
        else:
            found[part] = {"before": one, "after": other}
    return found


def listed(sides: Sequence[Side]) -> list[Side]:
    """Return the sides, or refuse two of one name: tables could not tell them apart.

    Raises:
        ValueError: two sides share a name; whoever resolved them should have told them apart.
    """
    names = [side.name for side in sides]
    if len(set(names)) < len(names):
        raise ValueError(f"sides: expected names that differ, got {names}")
    return list(sides)


def _same_adapter(one: Parts, other: Parts) -> bool:
    return bool(one.get("adapter") == other.get("adapter"))


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else canonical(value)
    is_hash = len(text) == 64 and not set(text) - set("0123456789abcdef")
    limit = 12 if is_hash else 60
    return text if len(text) <= limit else text[:limit] + "…"
