"""BEIR's folders: corpus and queries as JSON lines, judgements as TSV."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.contract.errors import DataError
from pipeline.contract.records import Document, Mark
from tests.adapters.datasets.collections import CORPUS, JUDGED, QUERIES, lines, read_beir


def test_a_text_is_title_space_text_and_the_note_says_of_how_many(tmp_path: Path) -> None:
    found = read_beir(tmp_path)
    assert found.faults == []
    assert found.documents.rows == [
        Document("a", "Ice It floats.", title="Ice"),
        Document("b", "Water flows."),
    ]
    assert "the text of 1 documents is title, space, text" in found.notes


def test_or_it_is_the_text_alone(tmp_path: Path) -> None:
    found = read_beir(tmp_path, titled=False)
    assert found.documents.rows[0].text == "It floats."
    assert not any("title" in note for note in found.notes)


def test_asked_are_the_queries_that_the_split_judges_the_others_are_counted(tmp_path: Path) -> None:
    found = read_beir(tmp_path)
    [question] = found.questions.rows
    assert (question.question_id, question.text, question.relevant) == ("q1", "what floats", ["a"])
    assert question.evidence == [Mark("a", grade=2.0), Mark("b", grade=0.0)]
    assert found.notes[-1] == "queries.jsonl: 1 queries that qrels/test.tsv does not judge left out"


def test_a_document_without_text_is_refused_or_dropped_by_name(tmp_path: Path) -> None:
    corpus = [*CORPUS, {"_id": "c", "text": " "}]
    assert lines(read_beir(tmp_path, corpus)) == [
        "corpus.jsonl:3: c: expected text, got none (dataset.blank=drop leaves such documents out)"
    ]
    found = read_beir(tmp_path, corpus, judged=JUDGED + "q1\tc\t1\n", blank="drop")
    assert found.faults == []
    assert "1 documents without text dropped: c" in found.notes
    assert any("topic q1, document c, grade 1" in note for note in found.notes)


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        (
            {"judged": "q1\ta\t1\n"},
            "qrels/test.tsv:1: expected a first line with query-id corpus-id score, by tabs, "
            "got 'q1 a 1'",
        ),
        (
            {"judged": JUDGED + "q1 a 1\n"},
            "qrels/test.tsv:4: expected 3 columns: query-id corpus-id score, got 1: 'q1 a 1'",
        ),
        (
            {"judged": JUDGED + "q3\ta\t1\n"},
            "qrels/test.tsv:4: expected a topic that queries.jsonl has, got 'q3', on 1 line(s)",
        ),
        (
            {"queries": [*QUERIES, QUERIES[0]]},
            "queries.jsonl:3: q1: expected each query once, got it again, first on line 1",
        ),
        (
            {"corpus": [*CORPUS, {"_id": "c", "txt": "x", "metadata": {"n": 1.5}}]},
            "corpus.jsonl:3: c: expected text in text, got no such field\n"
            "corpus.jsonl:3: c: expected a known field (did you mean 'text'?), got 'txt'",
        ),
    ],
)
def test_each_fault_of_shape_is_named(tmp_path: Path, changed: dict[str, Any], fault: str) -> None:
    assert "\n".join(lines(read_beir(tmp_path, **changed))) == fault


def test_a_split_that_is_not_there_is_refused_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"expected the judgements of the split, got .*test"):
        read_beir(tmp_path, split="dev")
