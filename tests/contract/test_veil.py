"""What leaves with a run under full, redacted and ids."""

from hashlib import sha256

import polars as pl
import pytest

from pipeline.contract import tables
from pipeline.contract.results import Aggregates, Judged, PerQuestion
from pipeline.contract.tables import PAIRS, TEXT, TEXTS, Table
from pipeline.contract.veil import Content, label, veiled, words

TABLES = [
    *(item for item in vars(tables).values() if isinstance(item, Table)),
    PerQuestion,
    Judged,
    Aggregates,
]


def filled(table: Table) -> pl.DataFrame:
    """One row in which every string is `secret`."""
    values = {TEXT: "secret", TEXTS: ["secret"], PAIRS: [{"key": "k", "value": "secret"}]}
    row = {
        name: [next((v for dtype, v in values.items() if column.dtype == dtype), None)]
        for name, column in table.columns.items()
    }
    return pl.DataFrame(row, schema=table.schema)


@pytest.mark.parametrize("content", ["full", "redacted", "ids"])
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_veiled_table_keeps_its_columns_and_types(table: Table, content: Content) -> None:
    assert veiled(filled(table), content).schema == table.schema


@pytest.mark.parametrize(
    ("table", "column"),
    [
        (tables.Documents, "text"),
        (tables.Documents, "title"),
        (tables.Questions, "text"),
        (tables.Questions, "content_note"),
        (tables.Claims, "text"),
        (tables.Responses, "answer"),
        (tables.Responses, "error"),
        (tables.Answers, "answer"),
        (tables.Answers, "error"),
        (tables.Verdicts, "text"),
    ],
)
def test_a_text_becomes_its_length_and_hash_or_nothing(table: Table, column: str) -> None:
    digest = sha256(b"secret").hexdigest()[:12]
    assert veiled(filled(table), "full")[column].item() == "secret"
    assert veiled(filled(table), "redacted")[column].item() == f"[6 characters, sha256 {digest}]"
    assert veiled(filled(table), "ids")[column].item() == ""


def test_labels_stay_when_redacted_and_are_hashed_alike_among_ids() -> None:
    frame = filled(tables.Questions)
    digest = "#" + sha256(b"secret").hexdigest()[:12]
    for column, plain, hashed in (
        ("attributes", [{"key": "k", "value": "secret"}], [{"key": "k", "value": digest}]),
        ("annotators", ["secret"], [digest]),
    ):
        assert veiled(frame, "redacted")[column].to_list() == [plain]
        assert veiled(frame, "ids")[column].to_list() == [hashed]


def test_a_column_nobody_has_thought_of_counts_as_text() -> None:
    frame = pl.DataFrame({"question_id": ["q"], "verdict": ["because"], "reasons": [["a", "b"]]})
    assert veiled(frame, "ids").rows() == [("q", "", ["", ""])]


def test_null_stays_null_and_empty_stays_empty() -> None:
    frame = pl.DataFrame(
        {"answer": [None, ""], "notes": [None, []]}, schema_overrides={"notes": TEXTS}
    )
    assert veiled(frame, "redacted").rows() == [(None, None), ("", [])]
    assert veiled(frame, "ids").rows() == [(None, None), ("", [])]


def test_single_words_follow_the_same_rule() -> None:
    assert words("secret", "full") == "secret"
    assert (
        words("secret", "redacted")
        == f"[6 characters, sha256 {sha256(b'secret').hexdigest()[:12]}]"
    )
    assert words("secret", "ids") is None
    assert words(None, "redacted") is None
    assert label("legal", "redacted") == "legal"
    assert label("legal", "ids") == "#" + sha256(b"legal").hexdigest()[:12]
    assert label("", "ids") == ""
