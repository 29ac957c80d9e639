"""A judge's rates stand beside people's rulings on the very same words, or it is unvalidated."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline.contract.errors import DataError
from pipeline.contract.files import read_json, write_json
from pipeline.contract.sides import Side
from pipeline.contract.tables import Verdicts, write
from pipeline.rulings.pinned import label_files, pin
from pipeline.rulings.records import digest
from pipeline.rulings.validation import validation
from pipeline.scoring.powered import powered_rate
from pipeline.scoring.proportions import Counts

ITEMS = 20
"""Answers of A; the judge calls every other eligible. B has two, both eligible."""


def words(item: str) -> dict[str, str]:
    return {"system": item[0], "question": f"about {item}?", "answer": f"words of {item}"}


def ruling(item: str, annotator: str, label: str, role: str, **more: str) -> dict[str, str]:
    return {
        "item": item, "annotator": annotator, "metric": "eligibility", "label": label,
        "role": role, **more,
    }  # fmt: skip


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    return made(tmp_path / "data")


def made(data: Path) -> Path:
    """The rulings of the judge on both systems, in this data folder."""
    folder = data / "judge"
    folder.mkdir(parents=True)
    row: dict[str, Any] = dict.fromkeys(Verdicts.columns) | {"repeat": 1}
    row |= {"question": 0, "kind": "eligibility", "label": "Yes"}
    frame = pl.DataFrame([row | {"system": name} for name in "AB"], schema=Verdicts.schema)
    write(folder, Verdicts, frame)
    write_json(folder / "settings.json", {"judge": {"adapter": "x.OpenAI", "model": "gpt"}})
    items = [f"A/1/q{at}" for at in range(ITEMS)] + ["B/1/q0", "B/1/q1"]
    rows = [
        ruling(item, "gpt", "yes" if at % 2 == 0 else "no", "judge", **words(item))
        for at, item in enumerate(items[:ITEMS])
    ]
    rows += [ruling(item, "gpt", "yes", "judge", **words(item)) for item in items[ITEMS:]]
    rows += [ruling(item, "gpt#2", "no", "judge", **words(item)) for item in items]
    lines(folder / "rulings.jsonl", rows)
    return data


def side(data: Path, system: str, name: str | None = None) -> Side:
    return Side(name or system, f"system:{system}", system, data, "f", {})


def held(data: Path) -> dict[str, Any] | None:
    """The judge of both systems held to the project's people."""
    return validation([side(data, "A"), side(data, "B")], label_files(Path("data")), seed=7)


def lines(path: Path, rows: list[dict[str, str]]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def test_a_judge_that_is_people_is_held_to_nobody(data: Path) -> None:
    said = {"judge": {"adapter": "x.Human"}, "decisions_hash": "0"}
    write_json(data / "judge" / "settings.json", said)
    assert held(data) is None


def test_where_every_ruling_was_lost_there_is_nothing_to_label(data: Path) -> None:
    row: dict[str, Any] = dict.fromkeys(Verdicts.columns) | {"system": "A", "repeat": 1}
    rows = [row | {"question": 0, "kind": kind} for kind in ("eligibility", "judge_failed")]
    write(data / "judge", Verdicts, pl.DataFrame(rows, schema=Verdicts.schema))
    found = held(data)
    assert found is not None
    assert found["sides"]["A"]["rulings"] is None


def people(data: Path, labels: dict[str, str], on: Any = words, name: str = "ann") -> None:
    rows = [
        ruling(item, name, label, "person", words=digest(on(item)))
        for item, label in labels.items()
    ]
    lines(data / "people" / f"{name}.jsonl", rows)


def test_without_people_the_judge_is_unvalidated(data: Path) -> None:
    found = held(data)
    assert found is not None
    assert (found["judge"], found["labels"]) == ("gpt", 0)
    unread = {"rulings": "data/judge/rulings.jsonl", "metrics": {}}
    assert found["sides"] == {"A": unread, "B": unread}


def test_rates_are_corrected_system_by_system_by_the_first_draw_only(data: Path) -> None:
    # of A's items people call q0 yes (so does the judge), q1 yes and q2, q3 no (judge: no yes no)
    people(data, {"A/1/q0": "yes", "A/1/q1": "yes", "A/1/q2": "no", "A/1/q3": "no"})
    found = held(data)
    assert found is not None
    assert (found["labels"], found["annotators"]) == (4, 1)
    rate = found["sides"]["A"]["metrics"]["eligibility"]
    # the 16 other items have 8 yes
    expected = powered_rate(8, 16, Counts(yes_yes=1, yes_no=1, no_yes=1, no_no=1))
    assert rate["powered"]["value"] == expected.value
    assert (rate["powered"]["low"], rate["powered"]["high"]) == (
        round(expected.low, 6), round(expected.high, 6),
    )  # fmt: skip
    assert (rate["common"], rate["ruled"]) == (4, 20)
    # people's two yes have one of the judge, their two no have one
    assert (rate["tpr"]["value"], rate["tpr"]["n"], rate["tnr"]["value"]) == (0.5, 2, 0.5)
    assert rate["kappa"]["value"] == 0.0
    other = found["sides"]["B"]["metrics"]["eligibility"]
    assert (other["raw"]["value"], other["common"], other["powered"]["value"]) == (1.0, 0, None)


def test_labels_on_other_words_or_items_are_counted_and_not_used(data: Path) -> None:
    people(data, {"A/1/q0": "yes", "A/1/q99": "yes"}, on=lambda item: {"answer": "older words"})
    found = held(data)
    assert found is not None
    assert (found["labels"], found["stale"]) == (0, 2)


def test_where_no_judge_rules_there_is_nothing_to_validate(data: Path) -> None:
    write(data / "judge", Verdicts, Verdicts.empty())
    assert held(data) is None


def test_verdicts_without_a_file_to_label_are_unvalidated_too(data: Path) -> None:
    (data / "judge" / "rulings.jsonl").unlink()
    found = held(data)
    assert found is not None
    assert found["sides"]["A"] == {"rulings": None, "metrics": {}}


def test_a_judge_that_failed_on_everything_has_nothing_to_label(data: Path) -> None:
    row: dict[str, Any] = dict.fromkeys(Verdicts.columns) | {"system": "A", "repeat": 1}
    rows = [row | {"question": 0, "kind": "judge_failed", "text": "why"}]
    write(data / "judge", Verdicts, pl.DataFrame(rows, schema=Verdicts.schema))
    found = held(data)
    assert found is not None
    assert found["sides"]["A"]["rulings"] is None


def test_a_broken_file_of_people_is_refused_with_its_line(data: Path) -> None:
    (data / "people").mkdir()
    (data / "people" / "bob.jsonl").write_text('{"item": "A/1/q0"}\n', "utf-8")
    with pytest.raises(DataError, match=r"bob\.jsonl"):
        held(data)


def test_the_same_system_of_two_folders_has_a_rate_each_by_the_name_of_its_side(
    data: Path, tmp_path: Path
) -> None:
    # the other revision answers q0 and q1 in other words; ann labelled both, a file each
    other = made(tmp_path / "other")
    path = other / "judge" / "rulings.jsonl"
    path.write_text(path.read_text("utf-8").replace("words of A/1/q", "newer words of A/1/q"))
    newer = {"answer": "newer words of A/1/q0"}
    people(data, {"A/1/q0": "yes", "A/1/q1": "no"})
    people(data, {"A/1/q0": "no"}, on=lambda item: words(item) | newer, name="ann-again")
    lines_of = data / "people" / "ann-again.jsonl"
    lines_of.write_text(lines_of.read_text("utf-8").replace("ann-again", "ann"))
    sides = [side(data, "A", "A (main)"), side(other, "A", "A (branch)")]
    found = validation(sides, label_files(Path("data")), seed=7)
    assert found is not None
    assert (found["labels"], found["annotators"], found["stale"]) == (3, 1, 0)
    assert list(found["sides"]) == ["A (main)", "A (branch)"]
    common = [of["metrics"]["eligibility"]["common"] for of in found["sides"].values()]
    assert common == [2, 1]
    places = [of["rulings"] for of in found["sides"].values()]
    assert places == ["data/judge/rulings.jsonl", "other/judge/rulings.jsonl"]


def test_a_second_label_by_the_same_person_on_the_same_words_is_refused(data: Path) -> None:
    people(data, {"A/1/q0": "yes"})
    again = data / "people" / "again.jsonl"
    again.write_bytes((data / "people" / "ann.jsonl").read_bytes())
    with pytest.raises(DataError, match=r"expected one label by ann, got a second one"):
        held(data)


def test_a_side_whose_rulings_are_not_beside_it_is_unvalidated_and_the_others_are_not(
    data: Path, tmp_path: Path
) -> None:
    # the artifacts of a run in MLflow hold its verdicts, not the file that people label
    other = made(tmp_path / "run")
    (other / "judge" / "rulings.jsonl").unlink()
    people(data, {"A/1/q0": "yes"})
    sides = [side(other, "A", "run"), side(data, "A")]
    found = validation(sides, label_files(Path("data")), seed=7)
    assert found is not None
    assert found["sides"]["run"] == {"rulings": None, "metrics": {}}
    assert found["sides"]["A"]["metrics"]["eligibility"]["common"] == 1


def test_rulings_of_no_system_are_of_no_side(data: Path) -> None:
    # a file that somebody put there, or cut columns off
    lines(data / "judge" / "rulings.jsonl", [ruling("A/1/q0", "gpt", "yes", "judge")])
    people(data, {"A/1/q0": "yes"})
    found = held(data)
    assert found is not None
    assert (found["labels"], found["stale"]) == (0, 1)
    assert found["sides"]["A"]["metrics"] == {}


def test_labels_that_are_words_have_an_agreement_and_no_rate(data: Path) -> None:
    path = data / "judge" / "rulings.jsonl"
    path.write_text(path.read_text("utf-8").replace('"yes"', '"Supported"'))
    people(data, {"A/1/q0": "Supported", "A/1/q1": "no"})
    found = held(data)
    assert found is not None
    rate = found["sides"]["A"]["metrics"]["eligibility"]
    none = {"value": None, "low": None, "high": None}
    assert (rate["common"], rate["kappa"]["value"]) == (2, 1.0)
    assert rate["raw"] == rate["powered"] == rate["rogan_gladen"] == rate["tpr"] == none


@pytest.mark.parametrize("label", ["1", "Maybe", "4.5", "WAHR"])
def test_labels_of_another_kind_than_the_judges_are_refused_with_their_lines(
    data: Path, label: str
) -> None:
    # beside the judge's yes and no they would leave it without a rate, and nobody told
    people(data, {"A/1/q0": "yes", "A/1/q1": label, "B/1/q0": label})
    with pytest.raises(DataError) as caught:
        held(data)
    said = [(Path(one.file).name, one.line, one.id, one.expected) for one in caught.value.faults]
    expected = "yes or no as label of eligibility, as the judge's are"
    assert said == [
        ("ann.jsonl", 2, "A/1/q1", expected),
        ("ann.jsonl", 3, "B/1/q0", expected),
    ]


def test_a_number_beside_the_judges_words_is_refused(data: Path) -> None:
    path = data / "judge" / "rulings.jsonl"
    path.write_text(path.read_text("utf-8").replace('"yes"', '"Supported"'))
    people(data, {"A/1/q0": "Contradictory", "A/1/q1": "2"})
    with pytest.raises(DataError, match=r"A/1/q1: expected a word as label of eligibility"):
        held(data)
    people(data, {"A/1/q0": "Contradictory"})  # a word that the judge never said is fine
    found = held(data)
    assert found is not None
    assert found["sides"]["A"]["metrics"]["eligibility"]["common"] == 1


def test_files_are_found_whatever_the_case_of_their_names_and_hidden_ones_are_none(
    data: Path,
) -> None:
    people(data, {"A/1/q0": "yes"})
    folder = data / "people"
    (folder / "ann.jsonl").rename(folder / "ANN.JSONL")
    (folder / "._ANN.JSONL").write_bytes(b"\x00\x05\x16\x07")  # a Mac's, beside each copy
    (folder / "older.csv").mkdir()
    assert [path.name for path in label_files(Path("data"))] == ["ANN.JSONL"]
    found = held(data)
    assert found is not None
    assert found["labels"] == 1


def test_the_digest_of_words_is_no_number_to_a_spreadsheet() -> None:
    # one in about 700 hexadecimal digests is: 16 digits, or 12e34; saved again it says 1.2E+35
    for at in range(2000):
        with pytest.raises(ValueError, match="could not convert"):
            float(digest({"answer": str(at)}))


def test_a_run_depends_on_what_people_have_labelled(data: Path, tmp_path: Path) -> None:
    def pinned() -> Any:
        pin(Path("data"))
        return read_json(Path("data") / "compose" / "people.json")["people"]

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        assert pinned() is None
        people(data, {"A/1/q0": "yes"})
        first = pinned()
        assert first == pinned()
        people(data, {"A/1/q0": "no"})
        assert len({None, first, pinned()}) == 3
        before = pinned()
        (data / "people" / "notes.txt").write_text("no labels")
        assert pinned() == before
        (data / "people" / "ann.jsonl").unlink()
        assert pinned() is None
