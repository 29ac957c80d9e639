"""GaRAGe's measures: by hand for each rule, and against plain loops over drawn answers."""

from fractions import Fraction
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.contract.metrics import GROUNDED
from pipeline.contract.results import Judged, present
from pipeline.contract.tables import PAIRS, Questions, Relevance, Statements, Verdicts
from pipeline.scoring.aggregates import aggregate, summary
from pipeline.scoring.grounding import grounds
from pipeline.scoring.judged import judged

SAID = {name: Verdicts.schema[name] for name in ("system", "repeat", "question", "kind")}
NAMES = [metric.name for metric in GROUNDED]
OF_VERDICTS = ("eligibility", "uraf", "raf", "factuality_all")
S, U, C, N = "Supported", "Unsupported", "Contradictory", "No claim"

Answer = dict[str, Any]


def answer(
    cited: list[int] | None = None,
    gold: list[int] | None = None,
    grounding: str = "sufficient",
    deflects: str | None = "No",
    eligible: str | None = None,
    facts: tuple[str, ...] | None = None,
    facts_all: tuple[str, ...] | None = None,
    **fields: Any,
) -> Answer:
    """One answer and its question; gold None: not labelled; a ruling None: not made."""
    return {
        "cited": cited, "gold": gold, "grounding": grounding, "deflection": deflects,
        "eligibility": eligible, "factual_relevant": facts, "factual_all": facts_all,
        "status": "ok", "judged": True, "factuality": None, **fields,
    }  # fmt: skip


def ruled(*answers: Answer) -> pl.DataFrame:
    """Judged of one system's answers, a question each."""
    n = range(len(answers))
    key = {"system": ["A"] * len(answers), "repeat": [1] * len(answers), "question": list(n)}
    types = {"repeat": pl.UInt32, "question": pl.UInt32}
    asked = pl.DataFrame(
        {
            "labelled": [one["gold"] is not None for one in answers],
            "attributes": [
                [{"key": k, "value": one[k]} for k in ("factuality", "grounding") if one[k]]
                for one in answers
            ],
        },
        schema={name: Questions.schema[name] for name in ("labelled", "attributes")},
    )
    relevance = pl.DataFrame(
        [
            (at, doc, 1, 1 + (doc == one.get("open")), 1.0)
            for at, one in enumerate(answers)
            for doc in one["gold"] or ()
        ],
        schema=Relevance.schema, orient="row",
    )  # fmt: skip
    verdicts = pl.DataFrame(
        [
            ("A", 1, at, *row, *[None] * 4)
            for at, one in enumerate(answers)
            for row in _rulings(one)
        ],
        schema=Verdicts.schema, orient="row",
    )  # fmt: skip
    rows = pl.DataFrame(
        {**key, "status": [one["status"] for one in answers]}, schema_overrides=types
    )
    statements = pl.DataFrame(
        {
            "judged": [one["judged"] for one in answers],
            "citations": [one["cited"] for one in answers],
        },
        schema={name: Statements.schema[name] for name in ("judged", "citations")},
    )
    ids = pl.Series([f"q{at}" for at in n])
    return judged(verdicts, rows, statements, ids, grounds(asked, relevance, verdicts))


def _rulings(one: Answer) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    for kind in ("deflection", "eligibility"):
        if one[kind] is not None:
            rows.append((kind, None, None, one[kind]))
    for kind in ("factual_relevant", "factual_all"):
        if one[kind] is not None:
            rows.append((kind, None, None, None))
            rows += [(kind, item, None, label) for item, label in enumerate(one[kind])]
    return rows


def value(name: str, *answers: Answer) -> Any:
    """The first answer's value, or the reason why it has none."""
    row = ruled(*answers).row(0, named=True)
    assert (row[name] is None) == (row[f"{name}_reason"] is not None)
    return row[f"{name}_reason"] if row[name] is None else row[name]


def means(*answers: Answer) -> dict[str, Any]:
    frame = ruled(*answers)
    attributes = pl.Series([[] for _ in answers], dtype=PAIRS)
    return summary(aggregate(frame, attributes, bounded=True, metrics=GROUNDED))["A"]


def test_attribution_by_hand() -> None:
    # 4 documents cited, 2 of them gold, of a gold set of 3: P = 2/4, R = 2/3, F1 = 4/7
    one = answer([0, 1, 5, 6], [0, 1, 2])
    assert value("attribution_precision", one) == 1 / 2
    assert value("attribution_recall", one) == 2 / 3
    assert value("attribution_f1", one) == 4 / 7
    frame = ruled(one)
    assert frame.select("attributed", "cited", "gold").row(0) == (2, 4, 3)


def test_a_document_cited_in_several_claims_counts_once_and_an_unknown_one_is_wrong() -> None:
    # cited: 0 and two that the corpus lacks, one of them right: P = 1/3
    assert value("attribution_precision", answer([0, 0, -1, -1], [0])) == 1 / 3


def test_silence_has_no_precision_and_recalls_nothing() -> None:
    silent = answer([], [0, 1])
    assert value("attribution_precision", silent) == "no_claims"
    assert value("attribution_recall", silent) == 0.0
    assert value("attribution_f1", silent) == "no_claims"


def test_without_a_gold_set_each_citation_is_wrong_and_there_is_nothing_to_recall() -> None:
    assert value("attribution_precision", answer([0], [])) == 0.0
    assert value("attribution_recall", answer([0], [])) == "unanswerable"
    assert value("attribution_recall", answer([0], None)) == "not_labelled"
    assert value("attribution_precision", answer([0], None)) == "not_labelled"
    assert value("attribution_precision", answer([0], [0, 1], open=1)) == "unresolved"


def test_an_error_has_its_reason() -> None:
    fine = answer([0], [0], eligible="Yes", facts=(S,), facts_all=(S,))
    failed = answer(None, [0], deflects=None, status="failed")
    lost = answer(None, [0], deflects=None, judged=False)
    for name in set(NAMES) - {"deflection_tpr"}:
        assert value(name, failed, fine) == "failed", name
        assert value(name, lost, fine) == "judge_failed", name
    assert value("deflection_tpr", failed, fine) == "answerable"


def test_f1_of_several_is_the_harmonic_mean_of_the_averages() -> None:
    # P = 1/1, R = 1/2 and P = 1/4, R = 1/1
    found = means(answer([0], [0, 1]), answer([0, 1, 2, 3], [0]))
    # macro: P = 5/8, R = 3/4, so F1 = 2 * 15/32 / (11/8) = 15/22; the mean of F1 were 8/15
    assert found["attribution_precision"]["macro"] == 5 / 8
    assert found["attribution_recall"]["macro"] == 3 / 4
    assert found["attribution_f1"]["macro"] == pytest.approx(15 / 22, abs=1e-15)
    # pooled: P = 2/5, R = 2/3, F1 = 2 * 4/15 / (16/15) = 1/2
    assert found["attribution_precision"]["pooled"] == 2 / 5
    assert found["attribution_recall"]["pooled"] == 2 / 3
    assert found["attribution_f1"]["pooled"] == pytest.approx(1 / 2, abs=1e-15)
    assert (found["attribution_f1"]["n"], found["attribution_f1"]["sd"]) == (2, None)


def test_failures_lower_the_strict_f1() -> None:
    # strict: P = R = 1/2 where macro has 1
    found = means(answer([0], [0]), answer(None, [0], deflects=None, status="failed"))
    f1 = found["attribution_f1"]
    assert (f1["macro"], f1["strict"], f1["na"]) == (1.0, 0.5, {"failed": 1})


def test_deflection_rates_are_over_their_own_questions() -> None:
    found = means(
        answer(grounding="insufficient", deflects="Yes"),
        answer(grounding="insufficient", deflects="No"),
        answer(grounding="sufficient", deflects="Yes"),
        answer(grounding="sufficient", deflects="No"),
        answer(grounding="sufficient", deflects="No"),
        answer(grounding="sufficient", deflects="No"),
    )
    # of 2 questions that call for it 1 is deflected, of the 4 others 1
    tpr, fpr = found["deflection_tpr"], found["deflection_fpr"]
    assert (tpr["macro"], tpr["n"], tpr["na"]) == (1 / 2, 2, {"answerable": 4})
    assert (fpr["macro"], fpr["n"], fpr["na"]) == (1 / 4, 4, {"unanswerable": 2})


def test_a_failed_answer_is_the_worst_of_both_rates() -> None:
    lost: dict[str, Any] = {"deflects": None, "status": "failed"}
    found = means(answer(), answer(**lost), answer(grounding="insufficient", **lost))
    assert found["deflection_fpr"]["strict"] == 1 / 2
    assert found["deflection_tpr"]["strict"] == 0.0


def test_without_a_verdict_of_its_kind_a_measure_is_not_labelled() -> None:
    for name in OF_VERDICTS:
        assert value(name, answer([0], [0])) == "not_labelled"
    assert value("deflection_fpr", answer([0], [0], deflects=None)) == "not_labelled"
    frame = ruled(answer([0], [0], deflects=None))
    assert present(frame) == GROUNDED
    assert frame.schema == Judged.schema


@pytest.mark.parametrize(
    ("eligible", "facts", "uraf", "raf"),
    [
        ("Yes", (S, N, S), 1.0, 1.0),
        ("Yes", (S, U), 0.0, 0.0),
        ("Yes", (S, C), 0.0, 0.0),
        ("No", (S,), 1.0, 0.0),
        # without a factual sentence there is nothing to be right about
        ("Yes", (N, N), "no_claims", "no_claims"),
        ("Yes", (), "no_claims", "no_claims"),
        ("No", (N,), "no_claims", 0.0),
    ],
)
def test_raf_needs_eligibility_and_every_fact(
    eligible: str, facts: tuple[str, ...], uraf: Any, raf: Any
) -> None:
    one = answer([0], [0], eligible=eligible, facts=facts)
    assert (value("uraf", one), value("raf", one)) == (uraf, raf)
    assert value("eligibility", one) == (eligible == "Yes")


def test_factuality_against_all_passages_stands_by_itself() -> None:
    one = answer([0], [0], facts=(U,), facts_all=(S,))
    assert (value("uraf", one), value("factuality_all", one)) == (0.0, 1.0)


def test_a_deflection_is_neither_eligible_nor_factual_nor_the_contrary() -> None:
    one = answer([0], [0], deflects="Yes", eligible="No", facts=(N,), facts_all=(U,))
    assert {value(name, one) for name in OF_VERDICTS} == {"no_claims"}
    assert value("deflection_fpr", one) == 1.0


def test_a_label_that_nobody_knows_is_the_judges_failure_not_a_no() -> None:
    one = answer([0], [0], deflects="No", eligible="yes!", facts=(S, "supported"))
    assert {value(name, one) for name in ("eligibility", "uraf", "raf")} == {"judge_failed"}


def test_what_is_left_out_of_factuality_keeps_its_other_values() -> None:
    one = answer([0], [0], eligible="Yes", facts=(S,), facts_all=(S,), factuality="left out")
    assert {value(name, one) for name in OF_VERDICTS} == {"unanswerable"}
    assert value("attribution_f1", one) == 1.0


def test_relevant_passages_that_nobody_labelled_are_no_failure_of_the_judge() -> None:
    bare = answer([0], None, eligible="Yes", facts_all=(S,))
    other = answer([0], [0], eligible="Yes", facts=(S,), facts_all=(S,))
    assert {value(name, bare, other) for name in ("uraf", "raf")} == {"not_labelled"}
    assert (value("factuality_all", bare, other), value("eligibility", bare, other)) == (1.0, 1.0)
    # where somebody ruled all the same, the ruling counts
    assert value("uraf", answer([0], None, facts=(U,), eligible="Yes")) == 0.0


def test_a_set_that_says_nothing_of_grounding_has_none_of_these() -> None:
    asked = pl.DataFrame({"labelled": [True], "attributes": [[{"key": "grounding", "value": "?"}]]})
    assert grounds(asked, Relevance.empty(), Verdicts.empty()) is None
    # but where sentences were ruled on, there is something to say
    said = pl.DataFrame([("A", 1, 0, "factual_all")], schema=SAID, orient="row")
    assert grounds(asked, Relevance.empty(), said) is not None


LABELS = st.lists(st.sampled_from((S, U, C, N)), max_size=3).map(tuple)
DOCS = st.lists(st.integers(0, 5), max_size=5)
ANSWERS = st.builds(
    answer,
    cited=DOCS,
    gold=DOCS.map(lambda docs: sorted(set(docs))),
    grounding=st.sampled_from(("sufficient", "insufficient")),
    deflects=st.sampled_from(("Yes", "No")),
    eligible=st.sampled_from(("Yes", "No")),
    facts=LABELS,
    facts_all=LABELS,
)


def share(part: int, whole: int) -> Fraction | None:
    return Fraction(part, whole) if whole else None


def mean(values: list[Any]) -> Fraction | None:
    defined = [Fraction(value) for value in values if value is not None]
    return sum(defined, Fraction()) / len(defined) if defined else None


def harmonic(p: Fraction | None, r: Fraction | None) -> Fraction | None:
    if p is None or r is None:
        return None
    return 2 * p * r / (p + r) if p + r else Fraction()


def all_hold(facts: tuple[str, ...]) -> bool | None:
    told = [label for label in facts if label != N]
    return all(label == S for label in told) if told else None


def oracle(answers: list[Answer]) -> dict[str, Fraction | None]:
    """Each macro average by plain loops over the definitions."""
    sets = [(set(one["cited"]), set(one["gold"])) for one in answers]
    p = mean([share(len(cited & gold), len(cited)) for cited, gold in sets])
    r = mean([share(len(cited & gold), len(gold)) for cited, gold in sets])
    rate = {
        way: mean([one["deflection"] == "Yes" for one in answers if one["grounding"] == way])
        for way in ("sufficient", "insufficient")
    }
    said = [one for one in answers if one["deflection"] == "No"]
    raf = [
        False if one["eligibility"] == "No" else all_hold(one["factual_relevant"]) for one in said
    ]
    return {
        "attribution_precision": p,
        "attribution_recall": r,
        "attribution_f1": harmonic(p, r),
        "deflection_tpr": rate["insufficient"],
        "deflection_fpr": rate["sufficient"],
        "eligibility": mean([one["eligibility"] == "Yes" for one in said]),
        "uraf": mean([all_hold(one["factual_relevant"]) for one in said]),
        "raf": mean(raf),
        "factuality_all": mean([all_hold(one["factual_all"]) for one in said]),
    }


@settings(deadline=None)  # the first one waits for what is imported late
@given(st.lists(ANSWERS, min_size=1, max_size=6))
def test_averages_are_those_of_plain_loops(answers: list[Answer]) -> None:
    found = means(*answers)
    for name, expected in oracle(answers).items():
        got = found[name]["macro"]
        assert got == (None if expected is None else pytest.approx(float(expected))), name
    sets = [(set(one["cited"]), set(one["gold"])) for one in answers]
    hits = sum(len(cited & gold) for cited, gold in sets)
    p = share(hits, sum(len(cited) for cited, _ in sets))
    r = share(hits, sum(len(gold) for _, gold in sets))
    pooled = harmonic(p, r)
    assert found["attribution_f1"]["pooled"] == (
        None if pooled is None else pytest.approx(float(pooled))
    )
