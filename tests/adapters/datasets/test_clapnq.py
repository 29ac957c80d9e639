import json
import os
from pathlib import Path
from typing import Any

import pytest

from pipeline.adapters.datasets.clapnq import Clapnq, document_id
from pipeline.contract.errors import DataError
from pipeline.contract.records import Claim, Collection, Mark

REAL = Path(os.environ.get("RAG_ASSAY_DATA", "/nonexistent")) / "clapnq"

PASSAGE = {
    "title": "Ice",
    "text": "Ice floats. Ice melts. Ice floats. ",
    "sentences": ["Ice floats.", "Ice melts.", "Ice floats."],
}


def output(people: list[int], answer: str, *sentences: str, **meta: Any) -> dict[str, Any]:
    about = {"annotator": people, "has_minimal_answer": False, "non_consecutive": False,
             "round": 1, "skip": not answer, **meta}  # fmt: skip
    return {"answer": answer, "selected_sentences": list(sentences), "meta": about}


def item(*outputs: dict[str, Any], **fields: Any) -> dict[str, Any]:
    parts = {"passages": [PASSAGE], "output": list(outputs)}
    return {"id": "1", "input": "does ice float", **parts, **fields}


def read(tmp_path: Path, *items: dict[str, Any]) -> Collection:
    lines = "".join(json.dumps(one) + "\n" for one in items)
    (tmp_path / "dev.jsonl").write_text(lines)
    return Clapnq(str(tmp_path)).load()


def faults(tmp_path: Path, *items: dict[str, Any]) -> list[str]:
    return [str(fault) for fault in read(tmp_path, *items).faults]


DOC = document_id("Ice", str(PASSAGE["text"]))


def test_each_annotator_keeps_the_sentences_they_chose(tmp_path: Path) -> None:
    both = item(output([7], "Yes.", "Ice floats."), output([8], "It melts.", "Ice melts."))
    question = read(tmp_path, both).questions.rows[0]
    assert question.evidence == [
        Mark(DOC, "s0", "7", None, 0, 11), Mark(DOC, "s1", "8", None, 12, 22),
    ]  # fmt: skip
    assert question.annotators == ["7", "8"]
    assert (question.relevant, question.support) == (None, None)
    assert question.claims == {"s0": "Ice floats.", "s1": "Ice melts.", "s2": "Ice floats."}
    assert question.attributes == {
        "annotation": "separate", "consecutive": True, "minimal_answer": False,
    }  # fmt: skip


def test_of_equal_sentences_the_next_one_is_meant(tmp_path: Path) -> None:
    one = item(output([7], "Yes.", "Ice melts.", "Ice floats."))
    marks = read(tmp_path, one).questions.rows[0].evidence or []
    assert [(mark.claim_id, mark.start, mark.end) for mark in marks] == [
        ("s1", 12, 22),
        ("s2", 23, 34),
    ]


def test_both_of_a_joint_answer_are_kept(tmp_path: Path) -> None:
    found = read(tmp_path, item(output([8, 7], "Yes.", "Ice floats.")))
    marks = found.questions.rows[0].evidence or []
    assert [(mark.annotator, mark.claim_id) for mark in marks] == [("8", "s0"), ("7", "s0")]
    assert found.notes == [
        "1 questions carry one answer that two people gave together; "
        "agreement counts them as agreeing"
    ]


def test_who_found_no_answer_labelled_the_question_and_said_no(tmp_path: Path) -> None:
    question = read(
        tmp_path, item(output([7], "Yes.", "Ice floats."), output([8], ""))
    ).questions.rows[0]
    assert [mark.annotator for mark in question.evidence or []] == ["7"]
    assert question.annotators == ["7", "8"]


def test_a_question_that_nobody_is_named_for_is_unanswerable(tmp_path: Path) -> None:
    question = read(tmp_path, item(output([], ""))).questions.rows[0]
    assert (question.relevant, question.support) == ([], {})
    assert (question.evidence, question.annotators) == (None, None)


def test_what_people_wrote_are_two_recorded_systems(tmp_path: Path) -> None:
    found = read(tmp_path, item(output([7], "Yes.", "Ice floats."), output([8], "")))
    one, two = found.responses.rows
    assert (one.system, two.system) == ("human-1", "human-2")
    assert one.retrieved == one.delivered == two.retrieved == [DOC]
    assert one.claims == [Claim("s0", [DOC], "Ice floats.")]
    assert (one.answer, two.answer, two.claims) == ("Yes.", "", [])


def test_a_joint_answer_is_both_systems(tmp_path: Path) -> None:
    one, two = read(tmp_path, item(output([7, 8], "Yes.", "Ice floats."))).responses.rows
    assert one.claims == two.claims
    assert one.answer == two.answer == "Yes."


def test_a_passage_is_one_document_however_many_questions_share_it(tmp_path: Path) -> None:
    found = read(tmp_path, item(output([], "")), item(output([], ""), id="2"))
    assert [row.doc_id for row in found.documents.rows] == [DOC]
    assert found.documents.rows[0].title == "Ice"
    assert DOC.startswith("ice-")


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"passages": []}, "1: expected one passage, got 0"),
        ({"output": []}, "1: expected one output or two, got 0"),
        (
            {"output": [output([7], "x", "Ice sinks.")]},
            "1: expected sentences of the passage in output[0].selected_sentences, "
            "got 'Ice sinks.'",
        ),
        (
            {"output": [output([7], "x", "Ice melts.", "Ice melts.")]},
            "1: expected sentences of the passage in output[0].selected_sentences, "
            "got 'Ice melts.' again",
        ),
        (
            {"passages": [{**PASSAGE, "sentences": ["Ice floats.", "Ice sinks."]}]},
            "1: expected passages[0].sentences[1] in the text, after the one before, "
            "got 'Ice sinks.'",
        ),
        ({"input": 3}, "1: expected text in input, got number 3 where the text '3' belongs"),
        (
            {"outputs": 1},
            "1: expected a known field (did you mean 'output'?), got 'outputs'",
        ),
    ],
)
def test_each_fault_of_shape_is_named(tmp_path: Path, changed: dict[str, Any], fault: str) -> None:
    good = item(output([], ""), id="0")
    assert faults(tmp_path, good, {**item(output([], "")), **changed}) == [f"dev.jsonl:2: {fault}"]


def test_a_folder_without_such_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"expected files such as dev_answerable\.jsonl, got none"):
        Clapnq(str(tmp_path)).load()


@pytest.fixture(scope="module")
def real() -> Collection:
    """The 300 annotated questions."""
    if not REAL.is_dir():
        pytest.skip("RAG_ASSAY_DATA names no folder with clapnq")
    return Clapnq(str(REAL)).load()


def test_the_real_files_hold_300_questions_on_298_passages(real: Collection) -> None:
    assert real.faults == []
    assert len(real.questions.rows) == 300
    assert len(real.documents.rows) == 298
    assert len(real.responses.rows) == 600
    assert sum(row.relevant == [] for row in real.questions.rows) == 150


def test_every_real_span_is_its_sentence(real: Collection) -> None:
    texts = {row.doc_id: row.text or "" for row in real.documents.rows}
    marks = [(row, mark) for row in real.questions.rows for mark in row.evidence or ()]
    # each sentence that an answer rests on, once for each of those who gave the answer
    text = (REAL / "dev_answerable.jsonl").read_text("utf-8")
    lines = [json.loads(line) for line in text.split("\n") if line]
    outputs = [one for line in lines for one in line["output"]]
    chosen = [len(one["selected_sentences"]) * len(one["meta"]["annotator"]) for one in outputs]
    assert len(marks) == sum(chosen)
    for question, mark in marks:
        assert question.claims is not None
        assert texts[mark.doc_id][mark.start : mark.end] == question.claims[str(mark.claim_id)]


def test_real_annotators_are_two_a_question_and_differ_on_39(real: Collection) -> None:
    answerable = [row for row in real.questions.rows if row.relevant is None]
    assert all(len(row.annotators or ()) == 2 for row in answerable)
    differ = 0
    for row in answerable:
        one, two = (
            {mark.claim_id for mark in row.evidence or () if mark.annotator == name}
            for name in row.annotators or ()
        )
        differ += one != two
    assert differ == 39
