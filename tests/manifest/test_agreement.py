import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.adapters.datasets.clapnq import Clapnq
from pipeline.checks.documents import document_table
from pipeline.checks.questions import question_table
from pipeline.checks.tables import label_tables
from pipeline.contract.records import Question
from pipeline.manifest.agreement import agreement, alpha, kappa
from tests.sets import collection, part

REAL = Path(os.environ.get("RAG_ASSAY_DATA", "/nonexistent")) / "clapnq"


def of(*rows: dict[str, Any], claims: bool = True) -> dict[str, Any]:
    """Agreement over questions on the two documents `boats` and `hours`."""
    named = [{"question_id": f"q{n}", "text": "?", **row} for n, row in enumerate(rows)]
    questions = part(named, Question, "f")
    asked = question_table(questions)
    documents = document_table(collection().documents)
    labelled = label_tables(questions, asked, documents, claims=claims)
    return agreement(asked, labelled.marks, labelled.candidates)


def mark(who: str | None, doc: str = "boats", claim: str | None = None) -> dict[str, Any]:
    return {"doc_id": doc, "annotator": who, "claim_id": claim}


def test_alpha_of_krippendorffs_example_on_binary_data() -> None:
    # Krippendorff 2011, example A: two observers, ten units, alpha = 0.095
    one = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    two = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    yes = np.array(one) + np.array(two)
    assert alpha(np.column_stack([2 - yes, yes])) == pytest.approx(0.095, abs=5e-4)


def test_kappa_by_hand() -> None:
    # 20 yes-yes, 5 and 10 apart, 15 no-no: agreed 35/50, by chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5
    pairs = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15
    assert kappa(np.array(pairs, np.bool_)) == pytest.approx((0.7 - 0.5) / 0.5)


@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=12))
def test_kappa_lies_between_minus_1_and_1(pairs: list[tuple[bool, bool]]) -> None:
    found = kappa(np.array(pairs, np.bool_).reshape(-1, 2))
    assert found is None or -1 <= found <= 1
    if found is not None and all(one == two for one, two in pairs):
        assert found == 1


def test_without_variation_or_items_agreement_is_not_defined() -> None:
    assert alpha(np.array([[0, 2], [0, 2]])) is None
    assert alpha(np.empty((0, 2), np.int64)) is None
    assert kappa(np.array([[True, True]])) is None
    assert kappa(np.empty((0, 2), np.bool_)) is None


def test_two_people_have_a_kappa_and_silence_is_a_no() -> None:
    both = {"annotators": ["ada", "ben"]}
    found = of(
        {**both, "evidence": [mark("ada"), mark("ben"), mark("ada", "hours")]},
        {**both, "evidence": [mark("ada")]},
    )
    # yes-yes, yes-no, yes-no. kappa: agreed 1/3, and as ada always says yes, by chance 1/3 too.
    # alpha: observed 4/6, expected 2 * 2 * 4 / (6 * 5): 1 - 0.6667 / 0.5333
    assert found["documents"] == {"items": 3, "annotators": 2, "alpha": -0.25, "kappa": 0.0}
    assert found["claims"] == {"items": 0, "annotators": 0, "alpha": None, "kappa": None}


def test_a_candidate_claim_that_nobody_marked_is_a_no_by_all() -> None:
    labels = {
        "annotators": ["ada", "ben"],
        "claims": {"a": "A.", "b": "B."},
        "evidence": [mark("ada", claim="a"), mark("ben", claim="a")],
    }
    # one item yes by both, one no by both
    assert of(labels)["claims"] == {"items": 2, "annotators": 2, "alpha": 1.0, "kappa": 1.0}


def test_three_people_or_a_nameless_one_have_no_kappa() -> None:
    found = of({"annotators": ["ada", "ben", "cy"], "evidence": [mark("ada")]})
    assert found["documents"] == {"items": 1, "annotators": 3, "alpha": 0.0, "kappa": None}
    found = of({"annotators": ["ada", "ben"], "evidence": [mark(None)]})
    assert (found["documents"]["annotators"], found["documents"]["kappa"]) == (3, None)


def test_settled_labels_and_single_annotators_are_no_agreement() -> None:
    found = of(
        {"relevant": [], "annotators": ["ada", "ben"], "evidence": [{**mark("ada"), "grade": 0}]},
        {"evidence": [mark("ada")]},
    )
    assert found["documents"]["items"] == 0


def test_in_a_set_without_claim_labels_claims_are_no_items() -> None:
    labels = {
        "annotators": ["ada", "ben"],
        "claims": {"a": "A."},
        "evidence": [mark("ada", claim="a")],
    }
    assert of(labels, claims=False)["claims"]["items"] == 0
    assert of(labels, claims=False)["documents"]["items"] == 1


@pytest.mark.skipif(not REAL.is_dir(), reason="RAG_ASSAY_DATA names no folder with clapnq")
def test_real_annotators_agree_on_sentences_as_counted_from_the_file() -> None:
    read = Clapnq(str(REAL)).load()
    questions = part([], Question, "f")
    for row in sorted(read.questions.rows, key=lambda row: row.question_id):
        questions.add(row, "f", 1)
    asked = question_table(questions)
    labelled = label_tables(questions, asked, document_table(read.documents), claims=True)
    found = agreement(asked, labelled.marks, labelled.candidates)["claims"]
    no_yes = []
    for line in (REAL / "dev_answerable.jsonl").read_text("utf-8").splitlines():
        item = json.loads(line)
        chosen = [one["selected_sentences"] for one in item["output"]] * (3 - len(item["output"]))
        for sentence in item["passages"][0]["sentences"]:
            yes = sum(sentence in sentences for sentences in chosen)
            no_yes.append((2 - yes, yes))
    assert found["items"] == len(no_yes)
    assert found["alpha"] == alpha(np.array(no_yes))
    assert isinstance(found["alpha"], float)
