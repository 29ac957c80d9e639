"""RAGChecker's results as a collection, and every fault of such a file with its place."""

import os
from pathlib import Path
from typing import Any

import pytest

from pipeline.adapters.datasets.ragchecker import Ragchecker
from pipeline.checks.collection import check
from pipeline.contract.errors import DataError
from pipeline.contract.records import Claim, Collection
from tests.entailed import result, written

REAL = Path(os.environ.get("RAG_ASSAY_DATA", "/nonexistent")) / "ragchecker"


def read(tmp_path: Path, *results: Any) -> Collection:
    return Ragchecker(str(written(tmp_path, *results)), "mine").load()


def faults(tmp_path: Path, *results: Any) -> list[str]:
    collection = read(tmp_path, *results)
    checked = check(
        collection, claims="auto", split="dev", missing="refuse", repeats=None, rule="open"
    )
    return [str(fault) for fault in checked.faults]


def test_a_result_is_a_question_its_passages_and_a_response_to_it(tmp_path: Path) -> None:
    found = read(tmp_path, result("q", response_claims=["It is.", ["it", "is", "so"]]))
    assert found.faults == []
    (question,) = found.questions.rows
    assert (question.question_id, question.text) == ("q", "What of q?")
    assert (question.relevant, question.evidence, question.attributes) == (None, None, {})
    assert [(row.doc_id, row.text) for row in found.documents.rows] == [("000", "Passage 0 on q.")]
    (response,) = found.responses.rows
    assert (response.system, response.answer) == ("mine", "It is.")
    assert response.retrieved == response.delivered == ["000"]
    assert response.claims == [Claim("c0", [], "It is."), Claim("c1", [], "it is so")]


def test_each_label_is_a_verdict_and_each_text_is_there_without_a_claim_too(
    tmp_path: Path,
) -> None:
    one = result("q", precise="", recalled="C", held=(), expected=("EN",))
    rows = [
        (row.kind, row.item, row.against, row.label, row.text)
        for row in read(tmp_path, one).verdicts.rows
    ]
    assert rows == [
        ("answer_to_reference", None, None, None, None),
        ("reference_to_answer", None, None, None, "It is so."),
        ("reference_to_answer", 0, None, "Contradiction", "so is 0"),
        ("reference_to_passage", 0, 0, "Entailment", None),
        ("reference_to_passage", 0, 1, "Neutral", None),
    ]


def test_passages_that_two_questions_share_stay_one_document(tmp_path: Path) -> None:
    same = [{"doc_id": "000", "text": "The same."}]
    found = read(tmp_path, *(result(name, retrieved_context=same) for name in "pq"))
    assert [row.doc_id for row in found.documents.rows] == ["000"]
    assert found.notes == []


def test_ids_that_stand_for_several_texts_are_made_unique_per_question(tmp_path: Path) -> None:
    found = read(tmp_path, result("p"), result("q"))
    assert [row.doc_id for row in found.documents.rows] == ["p/000", "q/000"]
    assert found.responses.rows[1].retrieved == ["q/000"]
    assert found.notes == [
        "checked.json: a doc_id stands for several texts, so each is named <query_id>/<doc_id>"
    ]


def test_a_passage_without_an_id_is_named_by_its_place(tmp_path: Path) -> None:
    found = read(tmp_path, result("q", retrieved_context=[{"doc_id": None, "text": "x"}]))
    assert found.documents.rows[0].doc_id == "q/0"


def test_labels_that_do_not_fit_claims_and_passages_are_refused_all_of_them(
    tmp_path: Path,
) -> None:
    odd = result("odd", answer2response=["Entailment"], retrieved2answer=[["Neutral"], []])
    odd["retrieved2response"].append(["Neutral", "Neutral"])
    place = "checked.json:2: odd: expected"
    assert faults(tmp_path, result("good"), odd) == [
        f"{place} 2 in results[1].answer2response, one for each of response_claims, got 1",
        f"{place} 2 in results[1].retrieved2response, one for each of response_claims, got 3",
        f"{place} 1 in results[1].retrieved2response[2], one for each of retrieved_context, got 2",
        f"{place} 1 in results[1].retrieved2answer[1], one for each of retrieved_context, got 0",
    ]


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"answer2response": ["Entailment", "Maybe"]},
         "Contradiction or Entailment or Neutral in results[0].answer2response[1], got 'Maybe'"),
        ({"response_claims": None}, "a list in results[0].response_claims, got null"),
        ({"query_id": 7}, "text in results[0].query_id, got number 7 where the text '7' belongs"),
        ({"querry": "?"}, "a known field (did you mean 'query'?), got 'results[0].querry'"),
        ({"response_claims": [["it"], [" "]]}, "a claim in results[0].response_claims[1], got ' '"),
    ],
)  # fmt: skip
def test_a_field_that_is_not_right_is_named_with_its_place(
    tmp_path: Path, fields: dict[str, Any], fault: str
) -> None:
    (found,) = faults(tmp_path, {**result("q"), **fields})
    name = "q: " if "query_id" not in fields else ""
    assert found == f"checked.json:1: {name}expected {fault}"


def test_a_wrong_label_does_not_hide_a_list_that_is_too_short(tmp_path: Path) -> None:
    odd = result("q", answer2response=["Maybe", "Neutral"], response2answer=["Neutral"])
    assert [line.split(", got ")[1] for line in faults(tmp_path, odd)] == ["'Maybe'", "1"]


@pytest.mark.parametrize("value", [3, None, [], {"retrieved2answer": [3], "response_claims": [3]}])
def test_a_result_that_is_none_is_refused_not_a_crash(tmp_path: Path, value: Any) -> None:
    assert all(line.startswith("checked.json:1: ") for line in faults(tmp_path, value))


def test_a_field_that_is_not_there_is_named(tmp_path: Path) -> None:
    one = result("q")
    del one["retrieved2answer"]
    assert faults(tmp_path, one) == [
        "checked.json:1: q: expected a list in results[0].retrieved2answer, got no such field"
    ]


def test_a_question_or_a_passage_named_twice_is_refused(tmp_path: Path) -> None:
    twice = result("p", held=("EE", "EE"), expected=("EE", "EE"))
    for passage in twice["retrieved_context"]:
        passage["doc_id"] = "000"
    assert faults(tmp_path, twice, result("q"), result("q")) == [
        "checked.json:1: p: expected each doc_id once in results[0].retrieved_context, "
        "got '000' again",
        "checked.json:3: q: expected each query_id once, got it again, first in results[1]",
    ]


def test_a_blank_passage_is_refused_with_its_row(tmp_path: Path) -> None:
    blank = result("q", retrieved_context=[{"doc_id": "000", "text": " "}])
    (fault,) = faults(tmp_path, result("p", retrieved_context=[]
                                       , held=("", ""), expected=("", "")), blank)  # fmt: skip
    assert fault.startswith("checked.json:2: 000: expected ")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[]", "checked.json: expected an object, got a list"),
        ("{}", "checked.json: expected a list in results, got no such field"),
        ('{"results": 3}', "checked.json: expected a list in results, got number 3"),
        ('{"results":\n [1,]}', "checked.json: expected JSON, got "),
        ('{"results": [], "results": []}', "checked.json: expected each field once, "),
    ],
)
def test_a_file_of_another_shape_is_refused(tmp_path: Path, text: str, fault: str) -> None:
    path = written(tmp_path)
    path.write_text(text)
    found = [str(one) for one in Ragchecker(str(path), "mine").load().faults]
    assert found[0].startswith(fault)


def test_an_empty_file_asks_nothing(tmp_path: Path) -> None:
    assert "questions: expected one question or more, got none" in faults(tmp_path)


def test_its_stored_metrics_are_not_read(tmp_path: Path) -> None:
    assert read(tmp_path, result("q", metrics={"f1": "wrong"})).faults == []


def test_a_file_that_is_not_there_or_is_a_folder_is_said(tmp_path: Path) -> None:
    written(tmp_path)
    with pytest.raises(DataError, match=r"got no such file.*checked\.json"):
        Ragchecker(str(tmp_path / "cheked.json"), "mine").load()
    with pytest.raises(DataError, match="got a folder"):
        Ragchecker(str(tmp_path), "mine").load()


@pytest.mark.skipif(not REAL.is_dir(), reason="RAG_ASSAY_DATA names no folder with ragchecker")
def test_the_published_example_is_read_whole() -> None:
    found = Ragchecker(str(REAL / "checking_outputs.json"), "mine").load()
    assert found.faults == []
    assert len(found.questions.rows) == len(found.responses.rows) == 2
    assert [len(row.retrieved or ()) for row in found.responses.rows] == [4, 3]
    # 2 + 11 + 22 + 11 * 4 + 22 * 4 labels of the first, the rest of the second
    assert len(found.verdicts.rows) == 221
