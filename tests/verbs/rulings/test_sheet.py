"""The round trip of a sheet: drawn, opened in a spreadsheet, filled in, taken back."""

import csv
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.__main__ import main
from pipeline.contract.cells import STARTS, escape, unescape
from pipeline.contract.errors import DataError
from pipeline.rulings.read import read
from pipeline.rulings.records import Ruling, Rulings, digest
from pipeline.verbs.rulings.sheet import write, write_rulings
from pipeline.verbs.rulings.take import take

printable = st.characters(blacklist_categories=("C", "Z"))
ids = st.text(st.one_of(st.sampled_from("=+-@',\";"), printable), min_size=1, max_size=8)
texts = st.text(st.one_of(st.sampled_from("=+-@'\t\n,\""), printable), max_size=12)


def judge(path: Path, n: int = 40) -> str:
    rows = ["item,annotator,label,role,kind"]
    rows += [f"i{at},gpt,{'no' if at % 4 else 'yes'},judge,{'ab'[at % 10 == 0]}" for at in range(n)]
    file = path / "judge.csv"
    file.write_text("\n".join(rows) + "\n")
    return str(file)


def sheet(path: Path, name: str, rows: str) -> str:
    (path / name).write_text("item,metric,annotator,decision\n" + rows)
    return str(path / name)


@given(texts)
def test_a_cell_comes_back_and_never_begins_like_a_formula(text: str) -> None:
    assert unescape(escape(text)) == text
    assert not escape(text).startswith(tuple(start for start in STARTS if start != "'"))


@given(st.dictionaries(ids, texts, min_size=1, max_size=5), st.data())
@settings(deadline=None, max_examples=30)
def test_what_is_written_into_a_sheet_is_what_is_taken(
    items: dict[str, str], data: st.DataObject
) -> None:
    found = Rulings()
    for item, text in items.items():
        found.add(Ruling("support", item, "gpt", "yes", "judge", "", 1))
        found.describe(item, {"text": text}, "", 1)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sheet.csv"
        write(path, [("support", item) for item in items], found, "=ann")
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.reader(file))
        assert not any(cell.startswith(("=", "+", "-", "@", "\t")) for r in rows for cell in r)
        decided = data.draw(st.lists(st.sampled_from(["yes", "no", ""]), min_size=len(items)))
        for row, decision in zip(rows[1:], decided, strict=False):
            row[3] = decision
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
        taken, undecided = take([str(path)], found, [], None)
        wanted = {item: label for item, label in zip(items, decided, strict=False) if label}
        assert {one.item: one.label for one in taken} == wanted
        assert undecided == len(items) - len(wanted)
        assert {one.annotator for one in taken} <= {"=ann"}
        write_rulings(Path(folder) / "out.csv", taken, found)
        again = read([str(Path(folder) / "out.csv")], judges=[])
        assert {one.item: one.label for one in again.rulings} == wanted


def test_a_sample_has_each_stratum_and_not_the_judges_label(tmp_path: Path) -> None:
    out = tmp_path / "sheet.csv"
    words = ["--n", "8", "--seed", "7", "--by", "kind", "--out", str(out)]
    assert main(["judge-sample", judge(tmp_path), *words]) == 0
    rows = list(csv.DictReader(out.read_text("utf-8-sig").splitlines()))
    assert list(rows[0]) == ["item", "metric", "annotator", "decision", "kind"]
    assert len({row["item"] for row in rows}) == 8
    # 40 items: yes a 8, yes b 2, no a 28, no b 2; shares of 8: 1.6, 0.4, 5.6, 0.4 -> 1 1 5 1
    strata = [(int(row["item"][1:]) % 4 == 0, row["kind"]) for row in rows]
    assert {one: strata.count(one) for one in set(strata)} == {
        (True, "a"): 1, (True, "b"): 1, (False, "a"): 5, (False, "b"): 1,
    }  # fmt: skip


def test_a_sheet_that_is_there_is_not_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "sheet.csv"
    out.write_text("work")
    assert main(["judge-sample", judge(tmp_path), "--out", str(out)]) == 3
    assert out.read_text() == "work"
    assert main(["judge-sample", judge(tmp_path), "--n", "1", "--out", f"{out}2"]) == 3
    assert "expected at least 2" in capsys.readouterr().err


def test_of_several_draws_of_one_judge_the_first_is_meant(tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    rows = [f"i1,{name},yes,judge" for name in ("gpt", "gpt#2", "gpt#3")]
    file.write_text("\n".join(["item,annotator,label,role", *rows]) + "\n")
    words = ["judge-sample", str(file), "--out", str(tmp_path / "s.csv")]
    assert main(words) == 0
    file.write_text("\n".join(["item,annotator,label,role", *rows, "i1,other,no,judge"]) + "\n")
    assert main([*words[:-1], str(tmp_path / "t.csv")]) == 3


def test_several_people_and_work_half_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = sheet(tmp_path, "one.csv", "i1,,ann,Yes\ni2,,ann,\n")
    two = sheet(tmp_path, "two.csv", "i2,,bob,no\ni1,,bob,no\n")
    out = tmp_path / "people.csv"
    rulings = ["--rulings", judge(tmp_path), "--out", str(out)]
    assert main(["judge-take", one, two, *rulings]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"wrote 3 decisions of 2 people to {out}",
        "1 row without a decision",
    ]
    on = digest({"kind": "a"})
    assert out.read_text("utf-8-sig").splitlines() == [
        "item,metric,annotator,label,role,words",
        f"i1,,ann,yes,person,{on}",
        f"i2,,bob,no,person,{on}",
        f"i1,,bob,no,person,{on}",
    ]


def test_decisions_that_no_sheet_has_are_not_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rulings, out = judge(tmp_path), tmp_path / "people.csv"
    words = ["--rulings", rulings, "--out", str(out)]
    one = sheet(tmp_path, "one.csv", "i0,,ada,yes\ni1,,ada,no\n")
    two = sheet(tmp_path, "two.csv", "i1,,ada,yes\ni2,,bo,no\n")
    assert main(["judge-take", one, *words]) == 0
    before = out.read_bytes()
    assert main(["judge-take", two, *words]) == 3  # ada's i0 is on one.csv only; i1 would change
    assert "1 decision that" in " ".join(capsys.readouterr().err.split())
    assert out.read_bytes() == before
    changed = sheet(tmp_path, "one.csv", "i0,,ada,no\ni1,,ada,no\n")
    assert main(["judge-take", changed, *words]) == 0
    assert [one.label for one in read([str(out)], judges=[]).rulings] == ["no", "no"]


def test_decisions_on_an_older_revisions_words_are_not_replaced_by_those_on_newer_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # main and branch both answer i1, in other words; ada's label on main's holds there still
    out = tmp_path / "people.csv"
    filled = sheet(tmp_path, "s.csv", "i1,,ada,yes\n")
    for name, code in (("main", 0), ("branch", 3)):
        rulings = tmp_path / f"{name}.csv"
        rulings.write_text(
            f"item,annotator,label,role,answer\ni1,gpt,yes,judge,{name}\ni2,gpt,no,judge,other\n"
        )
        words = ["--rulings", str(rulings), "--out", str(out)]
        assert main(["judge-take", filled, *words]) == code
    assert "1 decision that" in " ".join(capsys.readouterr().err.split())
    assert digest({"answer": "main"}) in out.read_text("utf-8")


@pytest.mark.parametrize("name", ["people.jsonl", "people.txt", "people"])
def test_rulings_go_into_a_file_that_is_read_again_as_what_it_is(tmp_path: Path, name: str) -> None:
    filled = sheet(tmp_path, "s.csv", "i1,,ada,yes\n")
    words = ["--rulings", judge(tmp_path), "--out", str(tmp_path / name)]
    assert main(["judge-take", filled, *words]) == 3
    assert not (tmp_path / name).exists()


def test_decisions_on_other_words_than_these_are_not_taken(tmp_path: Path) -> None:
    found = Rulings()
    found.add(Ruling("support", "i1", "gpt", "yes", "judge", "", 1))
    found.describe("i1", {"claim": "It has three gates."}, "", 1)
    file = tmp_path / "s.csv"
    file.write_text("item,metric,annotator,decision,claim\ni1,support,ann,no,It has two gates.\n")
    with pytest.raises(DataError, match="expected claim as in the rulings, got 'It has two gates"):
        take([str(file)], found, [], None)
    file.write_text(
        "item,metric,annotator,decision,claim\ni1,support,ann,no,It  has three gates.\n"
    )
    assert len(take([str(file)], found, [], None)[0]) == 1


def test_every_fault_is_listed_and_nothing_is_taken(tmp_path: Path) -> None:
    rows = "i1,,ann,yes\ni1,,ann,yes\nx9,,ann,yes\ni2,,ann,maybe\ni3,,,no\ni4,,gpt,no\n"
    found = read([judge(tmp_path)], judges=[])
    with pytest.raises(DataError) as caught:
        take([sheet(tmp_path, "s.csv", rows)], found, [], None)
    said = [(fault.line, fault.expected) for fault in caught.value.faults]
    assert said == [
        (3, "one ruling by ann"),
        (4, "an item of the rulings (did you mean 'i9'?)"),
        (5, "yes or no as decision"),
        (6, "an annotator"),
        (7, "a person as annotator"),
    ]
    out = tmp_path / "out.csv"
    bad = [str(tmp_path / "s.csv"), "--rulings", judge(tmp_path), "--out", str(out)]
    assert main(["judge-take", *bad]) == 3
    assert not out.exists()


def test_a_decision_that_the_rulings_hold_already_is_refused(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("item,annotator,label\na,ann,yes\n")
    found = read([str(tmp_path / "r.csv")], judges=[])
    with pytest.raises(DataError, match=r"one decision by ann, got a second one; the first is in"):
        take([sheet(tmp_path, "s.csv", "a,,ann,no\n")], found, [], None)
