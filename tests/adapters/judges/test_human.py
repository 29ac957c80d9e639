"""People as judge: what is asked, what comes back, what is refused, and what never helps."""

import random
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.adapters.judges import decisions
from pipeline.adapters.judges.asked import Item
from pipeline.adapters.judges.cases import Case, Passage
from pipeline.adapters.judges.human import Human
from pipeline.adapters.judges.sentences import Unit, units
from pipeline.contract.errors import ConfigError, DataError
from pipeline.contract.tables import Answers, Statements, Verdicts, read, write
from pipeline.stages import judge
from tests.built_in import configured
from tests.llm.ruled_world import scored, until_answers
from tests.sheets import Rows, decide, rows, save

EXPECTED = {
    "Three gates [1].": "gates",
    "The mayor is Bo [1].": "mayor",
    "Cats pay two coins [1].": "coins",
    "Dogs are free [2][9].": "none",
    "I do not know.": "no claim",
    "Das weiß ich leider nicht [1].": "No Claim",
}
STARTS = ("=", "+", "-", "@", "\t", "\r")


def right(row: dict[str, str]) -> str:
    if row["passage"]:
        return "yes" if EXPECTED[row["sentence"]] in ("gates", "coins") else "no"
    return EXPECTED[row["sentence"]]


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return until_answers(tmp_path_factory.mktemp("answered"))


@pytest.fixture
def data(answered: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DVC_ROOT", str(answered.parent))
    return answered


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "decisions"


def people(folder: Path, **changed: Any) -> Human:
    made: Human = configured("judge", "human", folder=str(folder), **changed)
    return made


def ruled(data: Path, folder: Path, **changed: Any) -> tuple[str, pl.DataFrame, pl.DataFrame]:
    line = judge.run(data, judge=people(folder, **changed))
    return line, read(data / "judge", Statements), read(data / "judge", Verdicts)


def test_what_nobody_has_decided_is_on_a_sheet_and_counts_as_failed(
    data: Path, folder: Path
) -> None:
    line, statements, verdicts = ruled(data, folder)
    sheet = folder / "decide.csv"
    # 6 sentences, and 5 citations of delivered passages: [9] is of none that was delivered
    assert line.endswith(f"the judge failed on 4; 11 of 11 decisions are open: {sheet}")
    assert (data / "judge" / "remark.txt").read_text("utf-8").startswith("11 of 11 decisions")
    assert not statements["judged"].any()
    assert set(verdicts["kind"]) == {"judge_failed"}
    assert verdicts["text"].to_list() == [
        f"{n} of {n} sentences are not decided yet" for n in (2, 2, 1, 1)
    ]
    asked = rows(sheet)
    assert len(asked) == 11
    assert {row["sentence"] for row in asked} == set(EXPECTED)
    assert "system" not in asked[0], "who answered would lead people"
    found = scored(data)
    assert found["support"]["strict"] == 0.0
    assert found["support"]["na"]["judge_failed"] == 3


def test_decisions_make_claims_with_their_citations(data: Path, folder: Path) -> None:
    ruled(data, folder)
    decide(folder / "decide.csv", right, "ann")
    line, statements, verdicts = ruled(data, folder)
    assert "0 of 11 decisions are open" in line
    assert statements["judged"].all()
    names = statements["claim_ids"].to_list()
    assert names == [["gates", "mayor"], ["coins", "Dogs are free [2][9]."], [], []]
    assert statements["cited_ids"].to_list()[1][1][1] == "[0]", "[9] was not delivered"
    said = verdicts.filter(pl.col("kind") == "supported").select("question", "item", "label")
    assert said.rows() == [(0, 0, "Yes"), (0, 1, "No"), (1, 0, "Yes"), (1, 1, "No")]
    found = scored(data)
    # q0: the mayor is cited from the wrong passage, 1/2; q1: dogs are an extra claim, 1/2
    assert found["support"]["macro"] == pytest.approx(1 / 2)
    assert found["false_abstention"]["macro"] == pytest.approx(1 / 3)


def test_half_the_work_judges_the_answers_that_are_done(data: Path, folder: Path) -> None:
    ruled(data, folder)
    decide(folder / "decide.csv", lambda row: right(row) if "Cats" in row["answer"] else "", "ann")
    line, statements, _ = ruled(data, folder)
    assert statements["judged"].to_list() == [False, True, False, False]
    # of q1's answer 2 sentences and 2 passages are decided: 11 - 4
    assert "7 of 11 decisions are open" in line


def test_the_passages_of_a_sentence_need_no_decision_for_its_answer_to_be_judged(
    data: Path, folder: Path
) -> None:
    ruled(data, folder)
    decide(folder / "decide.csv", lambda row: "" if row["passage"] else right(row), "ann")
    _, statements, verdicts = ruled(data, folder)
    assert statements["judged"].all()
    assert set(verdicts["kind"]) == {"expected"}


def test_a_dispute_is_neither_yes_nor_no_until_it_is_resolved(data: Path, folder: Path) -> None:
    ruled(data, folder)
    sheet = folder / "decide.csv"
    other = folder / "bob.csv"
    decide(sheet, lambda row: "none" if row["sentence"] == "Three gates [1]."
           and not row["passage"] else right(row), "bob", to=other)  # fmt: skip
    decide(sheet, right, "ann")
    _, statements, verdicts = ruled(data, folder)
    assert statements["judged"].to_list() == [False, True, True, True]
    lost = verdicts.filter(pl.col("kind") == "judge_failed")
    assert lost["text"].to_list() == ["ann, bob disagree on 1 of 2 sentences"]
    _, statements, _ = ruled(data, folder, resolver="bob")
    assert statements["judged"].all()
    assert statements["claim_ids"].to_list()[0] == ["Three gates [1].", "mayor"]


def test_what_is_open_or_in_dispute_never_scores_more_than_any_decision(
    data: Path, folder: Path
) -> None:
    ruled(data, folder)
    left = scored(data)["support"]["strict"]
    decide(folder / "decide.csv", lambda row: "no" if row["passage"] else "none", "ann")
    ruled(data, folder)
    # every sentence an extra claim: 0 supported, and no strict value lies below that
    assert left <= scored(data)["support"]["strict"] == 0.0


def test_two_sentences_make_one_claim_and_one_sentence_two(data: Path, folder: Path) -> None:
    ruled(data, folder)
    told = {"Three gates [1].": "gates; mayor", "The mayor is Bo [1].": "mayor"}
    decide(
        folder / "decide.csv",
        lambda row: right(row) if row["passage"] else told.get(row["sentence"], right(row)),
        "ann",
    )
    _, statements, verdicts = ruled(data, folder)
    assert statements["claim_ids"].to_list()[0] == ["gates", "mayor"]
    assert statements["cited"].to_list()[0] == [1, 1]
    # the one passage supports the first sentence and not the second: not the claim of both
    said = verdicts.filter(pl.col("kind") == "supported", pl.col("question") == 0)
    assert said["label"].to_list() == ["Yes", "No"]


def test_every_fault_is_named_with_file_and_row_and_nothing_is_judged(
    data: Path, folder: Path
) -> None:
    ruled(data, folder)
    sheet = folder / "decide.csv"
    one_line = {"expected": "", "asked": ""}  # so that rows are lines
    good = [{**row, **one_line} for row in rows(sheet) if not row["passage"]]
    bad: Rows = [
        {**good[0], "decision": "none", "annotator": "ann"},
        {**good[0], "decision": "no claim", "annotator": "ann"},
        {**good[1], "decision": "none", "annotator": "ann", "content": "v0"},
        {**good[2], "decision": "maybe", "annotator": "ann"},
        {**good[3], "decision": "none", "annotator": " "},
        {**good[4], "decision": "none", "annotator": "ann", "item": "i0"},
        {**good[4], "decision": "", "annotator": "ann", "item": "i0"},
    ]
    save(folder / "ann.csv", bad)
    before = sheet.read_bytes()
    with pytest.raises(DataError) as caught:
        ruled(data, folder)
    said = [(fault.file, fault.line, fault.got) for fault in caught.value.faults]
    name = f"{folder}/ann.csv"
    assert [got for _, _, got in said] == [
        f"another one; the first is in {name}:2",
        "'v0': its texts have changed since",
        "'maybe'",
        "an empty text",
        "no such item",
    ]
    assert [(file, line) for file, line, _ in said] == [(name, n) for n in range(3, 8)]
    assert sheet.read_bytes() == before


def test_a_sheet_without_its_columns_is_refused(data: Path, folder: Path) -> None:
    folder.mkdir()
    (folder / "x.csv").write_text("item,decision\ni1,none\n")
    with pytest.raises(DataError, match="expected a column content"):
        ruled(data, folder)


def test_another_answer_is_another_item_and_its_old_decision_is_refused(
    data: Path, folder: Path, tmp_path: Path
) -> None:
    ruled(data, folder)
    decide(folder / "decide.csv", lambda row: right(row) if "Cats" in row["answer"] else "", "ann")
    answers = read(data / "answer", Answers)
    new = pl.col("answer").str.replace("Cats pay two coins", "Cats pay three coins")
    try:
        write(data / "answer", Answers, answers.with_columns(new))
        with pytest.raises(DataError) as caught:
            ruled(data, folder)
        assert len(caught.value.faults) == 4, "each decision on the answer rests on its words"
    finally:
        write(data / "answer", Answers, answers)


def test_the_sheet_grows_and_peoples_work_and_columns_stay(data: Path, folder: Path) -> None:
    ruled(data, folder, ask=["expected"])
    sheet = folder / "decide.csv"
    filled = [
        {**row, "decision": right(row), "annotator": "ann", "note": "=mine"} for row in rows(sheet)
    ]
    save(sheet, filled)
    ruled(data, folder, ask=["expected", "supported", "deflection"])
    grown = rows(sheet)
    assert len(grown) == 6 + 5 + 4
    kept = {row["item"]: row for row in grown if row["decision"]}
    assert {row["item"]: row["decision"] for row in filled} == {
        item: row["decision"] for item, row in kept.items()
    }
    assert {row["note"] for row in kept.values()} == {"'=mine"}


def test_what_is_asked_no_longer_leaves_the_sheet_where_nobody_decided_it(
    data: Path, folder: Path
) -> None:
    ruled(data, folder)
    line, _, _ = ruled(data, folder, ask=["expected"])
    assert "6 of 6 decisions are open" in line


def test_a_sheet_that_lacks_nothing_is_left_as_it_is(data: Path, folder: Path) -> None:
    ruled(data, folder)
    decide(folder / "decide.csv", right, "ann")
    before = (folder / "decide.csv").read_bytes()
    ruled(data, folder)
    assert (folder / "decide.csv").read_bytes() == before


def test_the_hash_of_decisions_is_of_what_was_decided(data: Path, folder: Path) -> None:
    none = people(folder).decided()
    ruled(data, folder)
    assert people(folder).decided() == none, "an empty sheet decides nothing"
    decide(folder / "decide.csv", right, "ann")
    some = people(folder).decided()
    assert some != none
    save(folder / "decide.csv", rows(folder / "decide.csv")[::-1])
    assert people(folder).decided() == some, "the order of rows says nothing"
    decide(folder / "decide.csv", right, "bob")
    assert people(folder).decided() != some


def test_sheets_count_whatever_the_case_of_their_names(data: Path, folder: Path) -> None:
    ruled(data, folder)
    before = people(folder).decided()
    (folder / "older.csv").mkdir()
    decide(folder / "decide.csv", right, "ann")
    (folder / "decide.csv").rename(folder / "BOB.CSV")
    assert people(folder).decided() != before
    assert "; 0 of 11 decisions are open" in ruled(data, folder)[0]


def test_no_cell_of_the_sheet_can_be_a_formula(data: Path, folder: Path) -> None:
    answers = read(data / "answer", Answers)
    for start in STARTS:
        hostile = pl.lit(f"{start}cmd|' /C calc'!A0 [1]")
        (folder / "decide.csv").unlink(missing_ok=True)
        try:
            write(data / "answer", Answers, answers.with_columns(answer=hostile))
            ruled(data, folder)
        finally:
            write(data / "answer", Answers, answers)
        cells = [cell for row in rows(folder / "decide.csv") for cell in row.values()]
        assert any("calc" in cell for cell in cells)
        assert not any(cell.startswith(STARTS) for cell in cells)


def asked(number: int, claims: tuple[str, ...]) -> Item:
    kind: Any = "expected" if number % 2 else "supported"
    shown = {"question": "=1", "sentence": f'-{number};\n"x",'}
    return Item(f"i{number}", f"v{number}", kind, 0, number, None, claims, shown)


names = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Cf", "Zl", "Zp", "Cn"]), min_size=1, max_size=6
).filter(lambda text: text.strip() == text and text.casefold() not in ("none", "no claim"))


@settings(deadline=None)
@given(
    claims=st.lists(names, min_size=1, max_size=3, unique=True).map(tuple),
    count=st.integers(1, 6),
    between=st.sampled_from([",", ";", "\t"]),
    ends=st.sampled_from(["\n", "\r\n"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig"]),
    seed=st.integers(0, 99),
    data=st.data(),
)
def test_what_is_filled_in_comes_back_whatever_a_spreadsheet_does(
    claims: tuple[str, ...],
    count: int,
    between: str,
    ends: str,
    encoding: str,
    seed: int,
    data: st.DataObject,
) -> None:
    items = [asked(number, claims) for number in range(count)]
    with TemporaryDirectory() as name:
        folder = Path(name)
        sheet = folder / "decide.csv"
        decisions.put(sheet, f"{name}/decide.csv", decisions.Sheets(), items)
        filled = rows(sheet)
        wanted: decisions.Votes = {}
        for row, item in zip(filled, items, strict=True):
            words = ["", "yes", "no"] if item.kind == "supported" else ["", "none", *claims]
            row["decision"] = data.draw(st.sampled_from(words))
            row["annotator"] = data.draw(st.sampled_from(["ann", "bob"]))
            said = item.read(row["decision"]) if row["decision"] else None
            if said is not None:
                wanted[item.id] = {row["annotator"]: said}
        shuffle: Callable[[list[Any]], None] = random.Random(seed).shuffle
        columns = list(filled[0])
        shuffle(filled)
        shuffle(columns)
        save(sheet, filled, columns=columns, between=between, ends=ends, encoding=encoding)
        assert decisions.votes(decisions.read(folder, name), items) == wanted


@given(claims=st.lists(names, min_size=1, max_size=3, unique=True).map(tuple))
def test_each_expected_claim_can_be_named_by_its_id(claims: tuple[str, ...]) -> None:
    item = asked(1, claims)
    for number, name in enumerate(claims, 1):
        assert item.read(name) == (number,)
    assert item.read("\n".join(claims)) == tuple(range(1, len(claims) + 1))
    assert (item.read("none"), item.read(" No claim ")) == ((0,), ())


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10_000), dispute=st.booleans())
def test_no_decision_taken_back_or_disputed_raises_a_strict_score(
    answered: Path, seed: int, dispute: bool
) -> None:
    draw = random.Random(seed)
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DVC_ROOT", name)
        folder = Path(name) / "decisions"
        ruled(answered, folder)
        told: dict[str, str] = {}
        for row in rows(folder / "decide.csv"):
            told[row["item"]] = draw.choice(row["allowed"].split(" | "))
        decide(folder / "decide.csv", lambda row: told[row["item"]], "ann")
        ruled(answered, folder)
        before = scored(answered)
        item = draw.choice(sorted(told))
        if dispute:
            other = {"yes": "no", "no": "yes", "none": "no claim"}.get(told[item], "none")
            decide(folder / "decide.csv", lambda row: other if row["item"] == item else "",
                   "bob", to=folder / "bob.csv")  # fmt: skip
        else:
            left = {**told, item: ""}
            decide(folder / "decide.csv", lambda row: left[row["item"]], "ann")
        ruled(answered, folder)
        after = scored(answered)
    for metric in ("support", "coverage", "support_unanswerable", "abstention"):
        least, most = (found.get(metric, {}).get("strict") for found in (after, before))
        assert least is None or most is None or least <= most, metric


def test_quotes_and_sentences_with_marks_are_asked_one_by_one(tmp_path: Path) -> None:
    for quotes in (True, False):
        case = Case(
            {"system": "A", "repeat": 1, "question": 0}, "?", "Boats cost. Nine [2].",
            False, False, False, (),
            (Passage(4, "c4", 0, "Boats cost"), Passage(9, "c9", 0, "Nine")), None, False,
        )  # fmt: skip
        row = {
            "quotes": [{"chunk": 9, "start": 11, "end": 15}] if quotes else None,
            "sentences": [
                {"start": 0, "end": 11, "chunks": [], "marks": []},
                {"start": 12, "end": 21, "chunks": [9, -1], "marks": ["[2]", "[7]"]},
            ],
        }
        found = units(row, case, ["Boats cost Nine coins"], "en")
        if quotes:
            assert found == (Unit("Nine", (2,)),)
        else:
            assert found == (Unit("Boats cost.", ()), Unit("Nine [2].", (2, 0)))


def test_claims_that_the_record_names_are_taken_as_they_are(data: Path, folder: Path) -> None:
    answers = read(data / "answer", Answers)
    named = answers.with_columns(
        claim_ids=pl.lit(["gates"], pl.List(pl.String)),
        citations=pl.lit([["d0"]], pl.List(pl.List(pl.String))),
    )
    try:
        write(data / "answer", Answers, named)
        line, statements, verdicts = ruled(data, folder)
    finally:
        write(data / "answer", Answers, answers)
    assert statements["judged"].all()
    assert statements["claim_ids"].to_list() == [["gates"]] * 4
    assert verdicts.is_empty()
    assert "decisions" not in line
    assert not (folder / "decide.csv").exists()


def test_a_kind_is_asked_for_once() -> None:
    with pytest.raises(ConfigError, match=r"conf: judge\.ask: expected each kind once"):
        people(Path("x"), ask=["expected", "expected"])


def test_a_text_too_long_for_a_cell_is_cut_and_still_the_whole_counts(tmp_path: Path) -> None:
    items_ = [Item(f"i{n}", "v", "supported", 0, n, None, (), {"passage": "x" * 200_000})
              for n in range(2)]  # fmt: skip
    decisions.put(tmp_path / "decide.csv", "s/decide.csv", decisions.Sheets(), items_)
    assert decisions.read(tmp_path, "s").faults == []
    assert {len(row["passage"]) for row in rows(tmp_path / "decide.csv")} == {30_004}
