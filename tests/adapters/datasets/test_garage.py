"""GaRAGe's rows as a collection: by each rule, there and back, and every fault of a file."""

import hashlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings

from pipeline.adapters.datasets import garage as module
from pipeline.checks.collection import check
from pipeline.contract.errors import DataError
from pipeline.contract.records import Claim, Collection, Verdict
from tests.annotated import TYPES, garage, row, rows, written

SLICES = {
    "complexity": "question_complexity", "popularity": "question_popularity",
    "domain": "question_category",
}  # fmt: skip


def read(tmp_path: Path, *made: Any, **changed: Any) -> Collection:
    return garage(tmp_path, *made, **changed).load()


def faults(tmp_path: Path, *made: Any) -> list[str]:
    checked = check(
        read(tmp_path, *made), claims="auto", split="dev", missing="refuse", repeats=None,
        rule="open",
    )  # fmt: skip
    return [str(fault) for fault in checked.faults]


def relevant(tmp_path: Path, one: dict[str, Any], **changed: Any) -> list[str] | None:
    (question,) = read(tmp_path, one, **changed).questions.rows
    return question.relevant


def attribute(tmp_path: Path, one: dict[str, Any], name: str, **changed: Any) -> Any:
    (question,) = read(tmp_path, one, **changed).questions.rows
    return question.attributes.get(name)


def test_a_row_is_a_question_its_passages_and_the_human_answer(tmp_path: Path) -> None:
    found = read(tmp_path, row("q", answer="So [cite_3], and so [cite_1] [cite_3]."))
    assert found.faults == []
    (question,) = found.questions.rows
    assert (question.question_id, question.text, question.asked_at) == (
        "q", "What of q?", "2024-11-05",
    )  # fmt: skip
    assert [one.doc_id for one in found.documents.rows] == ["q/1", "q/2", "q/3"]
    first = found.documents.rows[0]
    assert (first.text, first.provider, first.date) == (
        "[cite_1] Passage 1 on q.", "web", "2024-11-02",
    )  # fmt: skip
    assert first.attributes == {
        "age": "3 days", "evidence_relevant": "YES", "evidence_correct": "ANSWER-THE-QUESTION",
        "evidence_cited": "YES",
    }  # fmt: skip
    (response,) = found.responses.rows
    assert response.system == "human"
    assert response.retrieved == response.delivered == ["q/1", "q/2", "q/3"]
    assert response.claims == [Claim("answer", ["q/3", "q/1"])]
    assert found.verdicts.rows == [Verdict("human", "q", "deflection", label="No")]


def test_an_answer_that_is_not_there_is_a_deflection_without_a_claim(tmp_path: Path) -> None:
    found = read(tmp_path, row("q", answer=""))
    assert found.responses.rows[0].claims == []
    assert found.verdicts.rows[0].label == "Yes"


@pytest.mark.parametrize(
    "mark", ["[cite_1, cite_2]", "[cite_01]", "[cite_0]", "[Cite_1]", "cite_1", "[cite_١]"]
)
def test_only_a_mark_as_the_format_has_it_is_a_citation(tmp_path: Path, mark: str) -> None:
    found = read(tmp_path, row("q", answer=f"So {mark}."))
    assert found.responses.rows[0].claims == [Claim("answer", [])]
    odd = [note for note in found.notes if "is no mark" in note]
    assert bool(odd) == ("cite_" in mark)


def test_a_mark_of_no_passage_is_a_wrong_citation_and_is_noted(tmp_path: Path) -> None:
    found = read(tmp_path, row("q", answer="So [cite_4]."), gold="cited")
    assert found.responses.rows[0].claims == [Claim("answer", ["q/4"])]
    assert found.questions.rows[0].relevant == []
    assert "1 citations of passages that their question lacks" in found.notes
    assert faults(tmp_path, row("q", answer="So [cite_4].")) == []


def test_the_gold_set_follows_the_rules(tmp_path: Path) -> None:
    one = row("q", ("A", "R", "O", "U", ""), ("YES", "YES", "YES", "NO", ""), "[cite_4]")
    # an outdated passage is never relevant
    assert relevant(tmp_path, one) == ["q/1", "q/2"]
    assert relevant(tmp_path, one, related=False) == ["q/1"]
    assert relevant(tmp_path, one, unlabelled="relevant") == ["q/1", "q/2", "q/5"]
    assert relevant(tmp_path, one, unlabelled="not_labelled") is None
    assert relevant(tmp_path, one, gold="cited", unlabelled="not_labelled") == ["q/4"]


def test_with_another_gold_set_each_passage_says_whether_it_is_relevant(tmp_path: Path) -> None:
    one = row("q", ("A", "R", "O"), answer="So [cite_3].")
    found = read(tmp_path, one, gold="cited").documents.rows
    assert [doc.attributes["relevant_passage"] for doc in found] == ["YES", "YES", "NO"]
    assert "relevant_passage" not in read(tmp_path, one).documents.rows[0].attributes


@pytest.mark.parametrize(
    ("labels", "relevant", "validated", "insufficient"),
    [
        # by answer_validate, by ANSWER-THE-QUESTION, by evidence_relevant
        (("A",), ("YES",), "YES", (False, False, False)),
        (("A",), ("YES",), "", (True, False, False)),
        (("R",), ("YES",), "YES", (False, True, False)),
        (("A",), ("NO",), "YES", (False, False, True)),
        ((), (), "", (True, True, True)),
    ],
)
def test_the_deflection_subset_follows_its_rule(
    tmp_path: Path, labels: Any, relevant: Any, validated: str, insufficient: tuple[bool, ...]
) -> None:
    one = row("q", labels, relevant, "So.", answer_validate=validated)
    ways = ("not_validated", "no_answering_passage", "no_relevant_passage")
    for way, expected in zip(ways, insufficient, strict=True):
        got = attribute(tmp_path, one, "grounding", deflection=way)
        assert got == ("insufficient" if expected else "sufficient"), way


def test_factuality_may_leave_out_what_has_no_sufficient_grounding(tmp_path: Path) -> None:
    one = row("q", answer_validate="")
    assert attribute(tmp_path, one, "factuality") is None
    assert attribute(tmp_path, one, "factuality", factuality="sufficient") == "left out"
    assert attribute(tmp_path, row("q"), "factuality", factuality="sufficient") is None


@pytest.mark.parametrize(
    ("labels", "band"),
    [("UUU", "none"), ("AUUU", "under 1/3"), ("AUU", "1/3 to 2/3"), ("AAU", "1/3 to 2/3"),
     ("AAAU", "over 2/3"), ("", "none")],
)  # fmt: skip
def test_shares_of_relevant_passages_fall_into_bands(
    tmp_path: Path, labels: str, band: str
) -> None:
    assert attribute(tmp_path, row("q", tuple(labels)), "relevant_share") == band


def test_slices_are_named_as_people_speak_of_them(tmp_path: Path) -> None:
    one = row("q", tempo="fast", question_category="")
    one["grounding"][1]["provider"] = "ent"
    (question,) = read(tmp_path, one).questions.rows
    assert question.attributes == {
        "temporal_dynamism": "fast", "complexity": "Simple", "popularity": "Tail",
        "provider": "mixed", "relevant_share": "1/3 to 2/3", "grounding": "sufficient",
    }  # fmt: skip


@settings(deadline=None)  # it writes a file
@given(rows())
def test_rows_come_back_from_the_collection(made: list[dict[str, Any]]) -> None:
    with TemporaryDirectory() as folder:
        found = read(Path(folder), *made)
    assert found.faults == []
    documents = {one.doc_id: one for one in found.documents.rows}
    for one, question, response in zip(
        made, found.questions.rows, found.responses.rows, strict=True
    ):
        assert (question.question_id, question.text) == (one["sample_id"], one["question"])
        assert question.asked_at == one["question_date"]
        for name, column in SLICES.items():
            assert question.attributes[name] == one[column]
        validated = question.attributes["grounding"] == "sufficient"
        assert validated == (one["answer_validate"] == "YES")
        assert response.answer == one["answer_generate"]
        assert TYPES[str(question.attributes["temporal_dynamism"])] == one["question_type"]
        again = [documents[id_] for id_ in response.delivered or ()]
        assert [
            {"age": doc.attributes["age"], "date": doc.date, "provider": doc.provider,
             f"cite_{at}": doc.text}
            for at, doc in enumerate(again, 1)
        ] == one["grounding"]  # fmt: skip
        for name in ("evidence_relevant", "evidence_correct", "evidence_cited"):
            assert [doc.attributes.get(name, "") for doc in again] == one[name]
        cited = {id_ for claim in response.claims or () for id_ in claim.citations}
        assert [doc.doc_id in cited for doc in again] == [
            label == "YES" for label in one["evidence_cited"]
        ]


def test_every_fault_is_listed_with_its_line_and_row(tmp_path: Path) -> None:
    odd = row("odd", evidence_cited=["YES"], question_type="FAST-CHANGING")
    del odd["grounding"][0]["age"]
    odd["grounding"][1]["provider"] = "intranet"
    odd["grounding"][2] = {"age": "", "date": "", "provider": "web", "cite_2": "x"}
    wrong = row("wrong", answer_validate="NO")
    del wrong["comments"]
    wrong["evidence_relevant"][1] = "MAYBE"
    assert faults(tmp_path, row("good"), odd, wrong) == [
        "garage.jsonl:2: odd: expected age in grounding[0], got no such field",
        "garage.jsonl:2: odd: expected ent or web in grounding[1].provider, got 'intranet'",
        "garage.jsonl:2: odd: expected cite_3 in grounding[2], got no such field",
        "garage.jsonl:2: odd: expected age, date, provider and cite_3 in grounding[2], "
        "got 'cite_2'",
        "garage.jsonl:2: odd: expected 3 in evidence_cited, one for each of grounding, got 1",
        "garage.jsonl:2: odd: expected question_type empty exactly where question_sensitive is "
        "NO, got 'FAST-CHANGING' beside NO",
    ] + [line for line in faults(tmp_path, row("good"), odd, wrong) if ":3: wrong:" in line]
    third = [line for line in faults(tmp_path, wrong) if line.startswith("garage.jsonl:1: wrong:")]
    assert len(third) == 3


def test_a_question_twice_or_a_blank_passage_is_refused(tmp_path: Path) -> None:
    blank = row("blank")
    blank["grounding"][0]["cite_1"] = " "
    found = faults(tmp_path, row("q"), row("q"), blank)
    assert any(line.startswith("garage.jsonl:2: q: ") for line in found)
    assert any(line.startswith("garage.jsonl:3: blank/1: ") for line in found)


def test_the_published_file_is_known_by_its_checksum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read(tmp_path, row("q")).notes == [
        "garage.jsonl: not the published file, by its SHA-256",
        module.LIMITS,
    ]
    digest = hashlib.sha256(written(tmp_path, row("q")).read_bytes()).hexdigest()
    monkeypatch.setattr(module, "OFFICIAL", digest)
    found = read(tmp_path, row("q"))
    assert found.notes == ["garage.jsonl: the published file, by its SHA-256", module.LIMITS]
    assert found.corpus.licence == found.question_set.licence == "CC-BY-NC-4.0"


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    made = garage(tmp_path, row("q"))
    Path(made.path).unlink()
    with pytest.raises(DataError, match="got no such file"):
        made.load()
