"""Tables of CSV: named columns, lines, and what people's programs make of them."""

from pathlib import Path

import pytest

from pipeline.adapters.datasets.sheet import Row, Sheet, read_sheet
from pipeline.contract.records import Collection

REQUIRED, OPTIONAL = ("question", "quote"), ("document", "claim")


def read(tmp_path: Path, text: str) -> tuple[Sheet, list[str]]:
    (tmp_path / "q.csv").write_bytes(text.encode())
    collection = Collection()
    sheet = read_sheet(tmp_path / "q.csv", "q.csv", REQUIRED, OPTIONAL, collection)
    return sheet, [str(fault) for fault in collection.faults]


def test_rows_bear_the_line_they_begin_on(tmp_path: Path) -> None:
    sheet, faults = read(tmp_path, 'question,quote\n"two\nlines",b\n\n , \nc,d\n')
    assert faults == []
    assert sheet.rows == [
        Row(2, {"question": "two\nlines", "quote": "b"}),
        Row(6, {"question": "c", "quote": "d"}),
    ]


def test_a_cell_that_is_not_there_is_empty_and_white_space_at_the_ends_falls_off() -> None:
    row = Row(2, {"question": " a "})
    assert (row.get("question"), row.get("quote")) == ("a", "")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "q.csv: expected a first row with the columns question, quote, got no row"),
        ("question,quotes\na,b\n",
         "q.csv:1: expected a column quote, got 'question', 'quotes' (did you mean 'quotes'?)"),
        ("question;quote\na;b\n",
         "q.csv:1: expected a column question, got 'question;quote' "
         "(did you mean 'question;quote'?)"),
        ("question,quote,quote\n", "q.csv:1: expected each column once, got 'quote' again"),
        ("question,quote,\n", "q.csv:1: expected a name for each column, got an empty one"),
        ("question,quote,documents\n",
         "q.csv:1: expected document, or a name less like it, as the name of a column, "
         "got 'documents'"),
        ("question,quote,Claim\n",
         "q.csv:1: expected claim, or a name less like it, as the name of a column, got 'Claim'"),
        ('question,quote\n"a,b\n', "q.csv:2: expected a row of CSV, got unexpected end of data"),
        ('question,quote\n"a"b,c\n', "q.csv:2: expected a row of CSV, got ',' expected after '\"'"),
    ],
)  # fmt: skip
def test_each_fault_is_named(tmp_path: Path, text: str, fault: str) -> None:
    assert read(tmp_path, text)[1][0] == fault


@pytest.mark.parametrize("column", ["topic", "comment", "level"])
def test_another_name_is_an_attribute(tmp_path: Path, column: str) -> None:
    sheet, faults = read(tmp_path, f"question,quote,{column}\na,b,c\n")
    assert (sheet.columns[2], faults) == (column, [])


def test_a_column_like_one_that_is_there_is_an_attribute_too(tmp_path: Path) -> None:
    assert read(tmp_path, "question,quote,claim,claims\na,b,c,d\n")[1] == []


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_sheet_that_comes_back_may_have_other_marks_between_cells(
    tmp_path: Path, mark: str
) -> None:
    text = f'\ufeffquote{mark}question\r\n"a{mark}b"{mark}c,d;e\r\n'.replace("c,d;e", '"c,d;e"')
    (tmp_path / "q.csv").write_bytes(text.encode())
    collection = Collection()
    sheet = read_sheet(tmp_path / "q.csv", "q", REQUIRED, (), collection, returned=True)
    assert collection.faults == []
    assert sheet.rows == [Row(2, {"quote": f"a{mark}b", "question": "c,d;e"})]
