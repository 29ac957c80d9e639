"""A folder of texts with a table of questions and the quotes that answer them."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.adapters.datasets.texts import Texts
from pipeline.checks.collection import check
from pipeline.contract.errors import DataError
from pipeline.contract.records import Collection, Mark
from tests.sets import folder as jsonl_folder

FERRY = "The ferry leaves at nine.\nTickets are four coins, four for all. 🚣\n"
PETS = "# Pets\n\nDogs travel free.\n"
HEAD = "question,quote,question_id,document,claim,split,topic\n"


def folder(path: Path, *rows: str, head: str = HEAD) -> Path:
    (path / "notes").mkdir(parents=True, exist_ok=True)
    (path / "ferry.txt").write_bytes(FERRY.encode())
    (path / "notes/pets.md").write_bytes(PETS.encode())
    table = head + "".join(f"{row}\n" for row in rows)
    (path / "questions.csv").write_bytes(table.encode("utf-8", "surrogatepass"))
    return path


def read(path: Path, *rows: str, head: str = HEAD) -> Collection:
    return Texts(str(folder(path, *rows, head=head))).load()


def faults(path: Path, *rows: str, head: str = HEAD) -> list[str]:
    return [str(fault) for fault in read(path, *rows, head=head).faults]


def test_every_text_is_a_document_named_by_its_path(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/a.md").write_text("hidden")
    (tmp_path / ".b.txt").write_text("hidden")
    (tmp_path / "LOUD.TXT").write_text("Loud.")
    (tmp_path / "scan.pdf").write_text("%PDF")
    found = read(tmp_path, "When?,at nine")
    assert [row.doc_id for row in found.documents.rows] == [
        "LOUD.TXT",
        "ferry.txt",
        "notes/pets.md",
    ]
    assert found.documents.rows[1].text == FERRY
    assert found.notes == ["neither .txt nor .md, not read: scan.pdf"]
    assert (found.faults, found.responses.rows) == ([], [])
    assert found.corpus.name == found.question_set.name == tmp_path.name


def test_a_quote_becomes_a_span_a_claim_and_settled_labels(tmp_path: Path) -> None:
    found = read(tmp_path, "When?,at nine,,,,,times").questions.rows[0]
    assert (found.question_id, found.text) == ("q1", "When?")
    assert found.evidence == [Mark("ferry.txt", "c1", start=17, end=24, quote="at nine")]
    assert (found.relevant, found.support) == (["ferry.txt"], {"c1": ["ferry.txt"]})
    assert found.claims == {"c1": "at nine"}
    assert (found.split, found.attributes) == (None, {"topic": "times"})


def test_rows_that_ask_the_same_are_several_claims_of_one_question(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        "What is free?,Dogs travel free.,,,Dogs are,dev,pets",
        "When?,at nine",
        "What is free?,four for all,,,Nobody is,,",
    ).questions
    assert [row.question_id for row in found.rows] == ["q1", "q2"]
    assert found.lines == [2, 3]
    assert found.rows[0].claims == {"c1": "Dogs are", "c2": "Nobody is"}
    assert found.rows[0].support == {"c1": ["notes/pets.md"], "c2": ["ferry.txt"]}
    assert found.rows[0].relevant == ["ferry.txt", "notes/pets.md"]


def test_quotes_for_the_same_words_are_evidence_for_one_claim(tmp_path: Path) -> None:
    found = read(
        tmp_path, "Cost?,Tickets are four,,,Four.", "Cost?,Dogs travel free,,,Four."
    ).questions.rows[0]
    assert found.support == {"c1": ["ferry.txt", "notes/pets.md"]}
    assert len(found.evidence or ()) == 2


def test_an_empty_quote_is_a_question_without_an_answer(tmp_path: Path) -> None:
    found = read(tmp_path, "Moon?,", "Sun?").questions.rows
    assert [(row.relevant, row.support, row.evidence) for row in found] == [([], {}, None)] * 2
    assert [row.text for row in found] == ["Moon?", "Sun?"]


def test_ids_may_be_given_to_some(tmp_path: Path) -> None:
    found = read(tmp_path, "A?,at nine", "B?,free,q2", "B?,Dogs", "C?,", "D?,,own").questions
    # C? is the third question; q2 is taken by B?, whose second row finds it by its text
    assert [row.question_id for row in found.rows] == ["q1", "q2", "q3", "own"]
    assert len(found.rows[1].claims or {}) == 2


def test_one_text_under_two_ids_is_two_questions(tmp_path: Path) -> None:
    assert len(read(tmp_path, "A?,free,x", "A?,at nine,y").questions.rows) == 2
    assert faults(tmp_path, "A?,free,x", "A?,at nine,y", "A?,Dogs") == [
        "questions.csv:4: 'A?': expected a question_id, got none, and 'x', 'y' ask the same"
    ]


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        (["A?,free,x", "B?,Dogs,x"],
         "3: x: expected the question that x is on line 2: 'A?', got 'B?'"),
        ([",free,x"], "2: x: expected text in question, got none"),
        (["A?,free,,,,dev,", "A?,Dogs,,,,heldout,"],
         "3: q1: expected 'dev' in split, as on line 2, got 'heldout'"),
        (["A?,free,,,,held-out,"],
         "2: q1: expected dev or heldout in split, got 'held-out' (did you mean 'heldout'?)"),
        (["A?,free,,,,,x", "A?,Dogs,,,,,y"], "3: q1: expected 'x' in topic, as on line 2, got 'y'"),
        (["A?,free", "A?,"], "3: q1: expected a quote in every row, or one row, got none"),
        (["A?,,,ferry.txt"], "2: q1: expected a quote beside document, got none"),
        (["A?,,,,It is free."], "2: q1: expected a quote beside claim, got none"),
        (["A?,free", "A?,free"],
         "3: q1: expected each quote once for a claim, got it again, first on line 2"),
        (['A?,"  "'], "2: q1: expected a quote that is not blank, or none, got '  '"),
        (["A?,free,,pets.md"],
         "2: q1: expected a file of the folder in document, got 'pets.md' "
         "(did you mean 'notes/pets.md'?)"),
        (["A?,free,,Notes/Pets.md"],
         "2: q1: expected a file of the folder in document, got 'Notes/Pets.md' "
         "('notes/pets.md' is one: differs in case)"),
        (["A?,nine,,notes/pets.md"],
         "2: q1: expected a quote that stands in notes/pets.md, got 'nine'; "
         "it stands in ferry.txt at 20–24"),
        (["A?,four"],
         "2: q1: expected a quote that stands once (take a longer one), "
         "got 'four' in ferry.txt at 38–42, 50–54"),
        (["A?,free,x y,,,,,more"],
         "2: expected 7 cells, one for each column, got 8 "
         "(a text with a comma in it needs quotation marks)"),
    ],
)  # fmt: skip
def test_each_fault_is_named_with_its_line(tmp_path: Path, rows: list[str], fault: str) -> None:
    assert faults(tmp_path, *rows) == [f"questions.csv:{fault}"]


def test_all_faults_are_listed(tmp_path: Path) -> None:
    assert len(faults(tmp_path, "A?,no such words", "B?,four", "C?,free,,x.md", ",free")) == 4


def test_a_quote_in_several_files_needs_its_document(tmp_path: Path) -> None:
    (tmp_path / "copy.md").write_text(PETS)
    assert faults(tmp_path, "A?,Dogs travel free.") == [
        "questions.csv:2: q1: expected a quote that stands once (name its file under document, or "
        "take a longer one), got 'Dogs travel free.' in copy.md at 8–25, in notes/pets.md at 8–25"
    ]
    found = read(tmp_path, "A?,Dogs travel free.,,copy.md", "A?,Dogs travel free.,,notes/pets.md")
    assert found.questions.rows[0].support == {"c1": ["copy.md", "notes/pets.md"]}


def test_the_table_is_framed_as_people_save_it(tmp_path: Path) -> None:
    folder(tmp_path)
    row = '\ufeffquestion,quote\r\n"When, then?","leaves at nine.\r\nTickets"\r\n\r\nB?,Dogs\r\n'
    (tmp_path / "questions.csv").write_bytes(row.encode())
    found = Texts(str(tmp_path)).load()
    assert found.faults == []
    assert found.questions.lines == [2, 5]
    assert found.questions.rows[0].claims == {"c1": "leaves at nine.\nTickets"}


def test_a_file_that_is_lost_raises_no_second_fault_for_its_quotes(tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_bytes(b"Br\xfccke")
    assert faults(tmp_path, "A?,Bridge,,old.txt", "B?,Bridge") == [
        "old.txt: expected UTF-8, got 'old.txt' with the byte 0xfc at byte 2"
    ]


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    folder(tmp_path / "set")
    (tmp_path / "set/link.txt").symlink_to(tmp_path / "secret.txt")
    found = Texts(str(tmp_path / "set")).load()
    assert [str(fault) for fault in found.faults] == [
        "link.txt: expected a file of the folder, got 'link.txt', which lies outside the folder"
    ]


def test_a_set_may_say_what_it_is_but_not_name_files(tmp_path: Path) -> None:
    (tmp_path / "set.yaml").write_text("corpus: {name: ferry, version: 2}\n")
    assert read(tmp_path, "A?,Dogs").corpus.version == "2"
    (tmp_path / "x.jsonl").write_text("")
    (tmp_path / "set.yaml").write_text("files: {questions: x.jsonl}\n")
    assert faults(tmp_path, "A?,Dogs") == [
        "set.yaml: expected no files section, for the files have their names, got one"
    ]


def test_a_folder_without_texts_or_without_the_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"questions\.csv: expected a file .*, got no such file"):
        Texts(str(jsonl_folder(tmp_path))).load()
    (tmp_path / "questions.csv").write_text("question,quote\n")
    with pytest.raises(DataError, match=r"expected \.txt or \.md files, got only documents\.jsonl"):
        Texts(str(tmp_path)).load()


PIECE = st.sampled_from(
    [
        "a",
        "b",
        " ",
        "\n",
        "\r\n",
        "🚣",
        "\u200d",
        "e\u0301",
        "é",
        "ﬁ",
        "漢",
        "\u00a0",
        ",",
        '"',
        "İ",
    ]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(pieces=st.lists(PIECE, min_size=1, max_size=30), data=st.data())
def test_a_quote_that_stands_once_is_found_at_its_code_points(
    tmp_path: Path, pieces: list[str], data: st.DataObject
) -> None:
    folder(tmp_path)
    text = "start " + "".join(pieces) + " end"
    plain = text.replace("\r\n", "\n")
    start = data.draw(st.integers(0, len(plain) - 1))
    end = data.draw(st.integers(start + 1, len(plain)))
    (tmp_path / "odd.txt").write_bytes(text.encode())
    quote = plain[start:end].replace('"', '""')
    (tmp_path / "questions.csv").write_bytes(
        f'question,quote,document\nA?,"{quote}",odd.txt'.encode()
    )
    found = Texts(str(tmp_path)).load()
    starts = [i for i in range(len(plain)) if plain.startswith(plain[start:end], i)]
    if len(starts) == 1 and plain[start:end].strip("\u200d \n\u00a0"):
        mark = (found.questions.rows[0].evidence or [])[0]
        assert (mark.start, mark.end, mark.quote) == (start, end, plain[start:end])
        rule = {"claims": "auto", "split": "dev", "missing": "refuse", "repeats": None}
        checked = check(found, rule="open", **rule)  # type: ignore[arg-type]
        assert checked.faults == []
    else:
        assert len(found.faults) == 1
