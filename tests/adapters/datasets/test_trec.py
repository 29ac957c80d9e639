"""TREC's documents, topics and qrels: what is read, what is refused, what is said."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.contract.errors import ConfigError, DataError
from pipeline.contract.records import Document, Mark
from pipeline.settings.adapters import adapter
from tests.adapters.datasets.collections import (
    DOCUMENTS,
    QRELS,
    TOPICS,
    lines,
    read_trec,
    trec,
)

CONF = Path(__file__).parents[3] / "conf" / "dataset" / "trec.yaml"


def test_documents_have_their_text_as_it_stands_without_tags(tmp_path: Path) -> None:
    found = read_trec(tmp_path)
    assert found.faults == []
    assert found.documents.rows == [
        Document("a", "Ice floats & melts.", title="Ice floats"),
        Document("b", "Water flows."),
        Document("c", "Steam rises."),
    ]
    assert found.documents.lines == [1, 7, 8]


def test_topics_are_read_closed_or_not_and_without_what_old_ones_say_first(tmp_path: Path) -> None:
    found = read_trec(tmp_path, query="title,desc")
    asked = [(row.question_id, row.text) for row in found.questions.rows]
    assert asked == [("7", "ice"), ("9", "what flows of water")]


def test_judgements_are_labels_with_their_grades_and_a_zero_is_a_judgement(tmp_path: Path) -> None:
    one, two = read_trec(tmp_path).questions.rows
    assert one.relevant == ["a"]
    assert one.evidence == [Mark("a", grade=2.0), Mark("b", grade=0.0)]
    assert (two.relevant, two.support) == (["b"], None)


def test_a_topic_whose_judgements_all_say_no_is_unanswerable_one_without_is_not_labelled(
    tmp_path: Path,
) -> None:
    found = read_trec(tmp_path, qrels="7 0 a 0\n7 0 b -1\n")
    one, two = found.questions.rows
    assert one.relevant == []
    assert [mark.grade for mark in one.evidence or ()] == [0.0, 0.0]
    assert (two.relevant, two.evidence) == (None, None)
    assert found.notes == [
        "qrels.txt: judgements by grade -1: 1, 0: 1; relevant from 1",
        "qrels.txt: 1 topics without a judgement are not labelled",
    ]


def test_grades_below_the_first_that_is_relevant_are_judged_and_gain_nothing(
    tmp_path: Path,
) -> None:
    found = read_trec(tmp_path, relevant_from=2)
    one, two = found.questions.rows
    assert (one.relevant, two.relevant) == (["a"], [])
    assert two.evidence == [Mark("b", grade=0.0)]
    assert "qrels.txt: 1 grades above 0 below that count as 0" in found.notes


def test_qrels_that_number_by_position_join_by_position_and_the_note_says_so(
    tmp_path: Path,
) -> None:
    found = read_trec(tmp_path, qrels="1 0 a 1\n2 0 b 1\n", topics_by="position")
    assert [(row.question_id, row.relevant) for row in found.questions.rows] == [
        ("1", ["a"]),
        ("2", ["b"]),
    ]
    assert found.notes[0] == (
        "topics.xml: topics are called by their position in the file; of 2, 2 have another "
        "<num>: 1 is <num> 7; 2 is <num> 9"
    )


def test_a_topic_that_is_called_otherwise_is_refused_once_with_the_setting(tmp_path: Path) -> None:
    assert lines(read_trec(tmp_path, qrels="1 0 a 1\n1 0 b 1\n")) == [
        "qrels.txt:1: expected a topic by its <num>, or by position with "
        "dataset.topics_by=position, got '1', on 2 line(s)"
    ]
    assert lines(read_trec(tmp_path, topics_by="position")) == [
        "qrels.txt:1: expected a topic by position, 1 to 2, got '7', on 2 line(s)",
        "qrels.txt:3: expected a topic by position, 1 to 2, got '9', on 1 line(s)",
    ]


BLANK = DOCUMENTS.replace("Steam rises.", " ")


def test_documents_without_text_are_refused_unless_they_are_to_be_dropped(tmp_path: Path) -> None:
    assert lines(read_trec(tmp_path, documents=BLANK)) == [
        "documents.xml:8: c: expected text in text, got none (dataset.blank=drop leaves such "
        "documents out)"
    ]


def test_dropped_documents_are_named_and_so_are_the_judgements_they_take_along(
    tmp_path: Path,
) -> None:
    found = read_trec(tmp_path, documents=BLANK, qrels=QRELS + "9 0 c 1\n", blank="drop")
    assert found.faults == []
    assert [row.doc_id for row in found.documents.rows] == ["a", "b"]
    assert found.questions.rows[1].relevant == ["b"]
    assert found.notes[:2] == [
        "1 documents without text dropped: c",
        "qrels.txt: 1 judgement(s) of dropped documents left out: topic 9, document c, grade 1",
    ]


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        (
            {"qrels": "7 0 a\n"},
            "qrels.txt:1: expected 4 columns: topic 0 document grade, got 3: '7 0 a'",
        ),
        (
            {"qrels": "7 0 a 1.5\n"},
            "qrels.txt:1: 7 a: expected a whole number as grade, got '1.5'",
        ),
        (
            {"qrels": "7 0 a 1\n\n7 0 a 1\n"},
            "qrels.txt:3: 7 a: expected one judgement a topic and document, got another, the "
            "first is on line 1",
        ),
        (
            {"qrels": "7 0 A 1\n"},
            "qrels.txt:1: 7: expected a document of the corpus, got 'A' ('a' is one: differs in "
            "case)",
        ),
        (
            {"documents": DOCUMENTS.replace("<docno>c</docno>", "")},
            "documents.xml:8: expected one <docno>, got '<text>'",
        ),
        (
            {"documents": DOCUMENTS.replace("<docno>c", "<docno>c</docno><docno>d")},
            "documents.xml:8: expected one <docno>, got 'c', 'd'",
        ),
        (
            {"documents": DOCUMENTS.replace("</DOC>", "")},
            "documents.xml:7: expected </doc> at the end of the record, got another <doc>",
        ),
        (
            {"documents": DOCUMENTS + "<doc><docno>e</docno><text>x</text>"},
            "documents.xml:9: expected </doc> at the end of the record, got the end of the file",
        ),
        (
            {"documents": DOCUMENTS + "\nleft over\n"},
            "documents.xml:10: expected nothing outside of <doc> … </doc>, got 'left over'",
        ),
        (
            {"topics": TOPICS.replace(" 9<", " 7<"), "qrels": "7 0 a 1\n"},
            "topics.xml:7: 7: expected each topic once, got it again, first on line 3",
        ),
        (
            {"topics": "words only\n", "qrels": ""},
            "topics.xml:1: expected nothing outside of <top> … </top>, got 'words only'",
        ),
    ],
)
def test_each_fault_of_shape_is_named(tmp_path: Path, changed: dict[str, Any], fault: str) -> None:
    assert lines(read_trec(tmp_path, **changed)) == [fault]


@pytest.mark.parametrize("name", ["documents.xml", "topics.xml", "qrels.txt"])
def test_bytes_that_are_no_utf_8_are_named(tmp_path: Path, name: str) -> None:
    read_trec(tmp_path)
    (tmp_path / name).write_bytes(b"caf\xe9")
    assert f"{name}: expected UTF-8, got '{name}' with the byte 0xe9 at byte 3" in lines(
        trec(tmp_path).load()
    )


def test_a_pattern_names_several_files(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for name, text in zip("xy", DOCUMENTS.split("<DOC>"), strict=True):
        (tmp_path / "docs" / name).write_text(text if name == "x" else f"<DOC>{text}")
    found = read_trec(tmp_path, corpus="docs/*")
    assert [row.doc_id for row in found.documents.rows] == ["a", "b", "c"]
    assert found.documents.files == ["docs/x", "docs/y", "docs/y"]


@pytest.mark.parametrize("key", ["corpus", "topics", "qrels"])
def test_a_file_that_is_not_there_is_refused(tmp_path: Path, key: str) -> None:
    read_trec(tmp_path)
    with pytest.raises(DataError, match=f"dataset.{key}"):
        trec(tmp_path, **{key: "other.txt"}).load()


def test_a_setting_that_is_none_is_refused() -> None:
    fields = yaml.safe_load(CONF.read_text("utf-8"))
    with pytest.raises(ConfigError, match="one of num, position"):
        adapter("dataset", {"dataset": {**fields, "path": ".", "topics_by": "place"}})
