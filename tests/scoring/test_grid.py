"""Every ranking of up to three of four documents, under eight labellings, with ten answers."""

from itertools import permutations, product

import pytest

from tests.scoring.cases import DOCS, asked, said, scored, world

RANKINGS = ["".join(way) for size in range(4) for way in permutations(DOCS, size)]

LABELS: list[tuple[str, dict[str, str]]] = [
    ("", {}),
    ("a", {"one": "a"}),
    ("b", {"one": "b"}),
    ("ab", {"one": "a", "two": "b"}),
    ("ab", {"one": "ab"}),
    ("abc", {"one": "ab", "two": "c"}),
    ("abcd", {"one": "a", "two": "b", "three": "cd"}),
    ("cd", {"one": "c", "two": "cd"}),
]

ANSWERS: dict[str, dict[str, str]] = {
    "no claim": {},
    "one right claim": {"one": "a"},
    "both claims": {"one": "a", "two": "b"},
    "an extra claim": {"one": "a", "more": "a"},
    "a wrong but existing citation": {"one": "d"},
    "no citation": {"one": ""},
    "an unknown citation": {"one": "?"},
    "a mixed citation": {"one": "a?"},
    "two documents for a claim": {"one": "ab", "two": "c"},
    "only an extra claim": {"more": "b"},
}


@pytest.mark.parametrize("cutoff", [1, 2, 3, 4])
def test_every_value_is_what_counting_by_hand_gives(cutoff: int) -> None:
    cases = list(product(RANKINGS, LABELS, ANSWERS.values()))
    questions = [
        asked(relevant, support, name=f"q{number:05}")
        for number, (_, (relevant, support), _) in enumerate(cases)
    ]
    responses = [
        said(ranking, claims, question=f"q{number:05}")
        for number, (ranking, _, claims) in enumerate(cases)
    ]
    rows = scored(world(questions, responses, cutoff))
    assert len(rows) == len(cases) == 41 * 8 * 10
    for (ranking, (relevant, support), claims), row in zip(cases, rows, strict=True):
        context = f"{ranking} {relevant} {support} {claims}"
        shown = ranking[:cutoff]
        hits = sum(shown.count(doc) for doc in relevant)
        ranks = [1 + shown.index(doc) for doc in relevant if doc in shown]
        good = 0
        for claim, cited in claims.items():
            wrong = [doc for doc in cited if doc not in support.get(claim, "") or doc not in shown]
            good += bool(cited) and not wrong
        assert row["precision"] == (hits / cutoff if relevant else None), context
        assert row["recall"] == (hits / len(relevant) if relevant else None), context
        best = 1 / min(ranks) if ranks else 0.0
        assert row["reciprocal_rank"] == (best if relevant else None), context
        assert row["support"] == (good / len(claims) if claims else None), context
        assert row["coverage"] == (good / len(support) if support else None), context
        silent = float(not claims)
        assert row["abstention"] == (None if relevant else silent), context
        assert row["false_abstention"] == (silent if relevant else None), context
