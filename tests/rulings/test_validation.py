"""A judge's rates stand beside people's rulings on the very same words, or it is unvalidated."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline.contract.errors import DataError
from pipeline.contract.files import write_json
from pipeline.contract.tables import Verdicts, write
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
    folder = tmp_path / "data" / "judge"
    folder.mkdir(parents=True)
    row: dict[str, Any] = dict.fromkeys(Verdicts.columns) | {"system": "A", "repeat": 1}
    row |= {"question": 0, "kind": "eligibility", "label": "Yes"}
    write(folder, Verdicts, pl.DataFrame([row], schema=Verdicts.schema))
    write_json(folder / "settings.json", {"judge": {"adapter": "x.OpenAI", "model": "gpt"}})
    items = [f"A/1/q{at}" for at in range(ITEMS)] + ["B/1/q0", "B/1/q1"]
    rows = [
        ruling(item, "gpt", "yes" if at % 2 == 0 else "no", "judge", **words(item))
        for at, item in enumerate(items[:ITEMS])
    ]
    rows += [ruling(item, "gpt", "yes", "judge", **words(item)) for item in items[ITEMS:]]
    rows += [ruling(item, "gpt#2", "no", "judge", **words(item)) for item in items]
    lines(folder / "rulings.jsonl", rows)
    return tmp_path / "data"


def lines(path: Path, rows: list[dict[str, str]]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def test_a_judge_that_is_people_is_held_to_nobody(data: Path) -> None:
    said = {"judge": {"adapter": "x.Human"}, "decisions_hash": "0"}
    write_json(data / "judge" / "settings.json", said)
    assert validation(data, seed=7) is None


def test_where_every_ruling_was_lost_there_is_nothing_to_label(data: Path) -> None:
    row: dict[str, Any] = dict.fromkeys(Verdicts.columns) | {"system": "A", "repeat": 1}
    rows = [row | {"question": 0, "kind": kind} for kind in ("eligibility", "judge_failed")]
    write(data / "judge", Verdicts, pl.DataFrame(rows, schema=Verdicts.schema))
    found = validation(data, seed=7)
    assert found is not None
    assert found["rulings"] is None


def people(data: Path, labels: dict[str, str], on: Any = words, name: str = "ann") -> None:
    rows = [
        ruling(item, name, label, "person", words=digest(on(item)))
        for item, label in labels.items()
    ]
    lines(data / "people" / f"{name}.jsonl", rows)


def test_without_people_the_judge_is_unvalidated(data: Path) -> None:
    found = validation(data, seed=7)
    assert found is not None
    assert (found["judge"], found["labels"], found["systems"]) == ("gpt", 0, {})
    assert found["rulings"] == (data / "judge" / "rulings.jsonl").as_posix()


def test_rates_are_corrected_system_by_system_by_the_first_draw_only(data: Path) -> None:
    # of A's items people call q0 yes (so does the judge), q1 yes and q2, q3 no (judge: no yes no)
    people(data, {"A/1/q0": "yes", "A/1/q1": "yes", "A/1/q2": "no", "A/1/q3": "no"})
    found = validation(data, seed=7)
    assert found is not None
    assert (found["labels"], found["annotators"]) == (4, 1)
    rate = found["systems"]["A"]["eligibility"]
    # the 16 other items have 8 yes
    expected = powered_rate(8, 16, Counts(yes_yes=1, yes_no=1, no_yes=1, no_no=1))
    assert rate["powered"]["value"] == expected.value
    assert (rate["powered"]["low"], rate["powered"]["high"]) == (
        round(expected.low, 6), round(expected.high, 6),
    )  # fmt: skip
    assert (rate["common"], rate["ruled"]) == (4, 20)
    other = found["systems"]["B"]["eligibility"]
    assert (other["raw"]["value"], other["common"], other["powered"]["value"]) == (1.0, 0, None)


def test_labels_on_other_words_or_items_are_counted_and_not_used(data: Path) -> None:
    people(data, {"A/1/q0": "yes", "A/1/q99": "yes"}, on=lambda item: {"answer": "older words"})
    found = validation(data, seed=7)
    assert found is not None
    assert (found["labels"], found["stale"]) == (0, 2)


def test_where_no_judge_rules_there_is_nothing_to_validate(data: Path) -> None:
    write(data / "judge", Verdicts, Verdicts.empty())
    assert validation(data, seed=7) is None


def test_verdicts_without_a_file_to_label_are_unvalidated_too(data: Path) -> None:
    (data / "judge" / "rulings.jsonl").unlink()
    found = validation(data, seed=7)
    assert found is not None
    assert (found["rulings"], found["systems"]) == (None, {})


def test_a_judge_that_failed_on_everything_has_nothing_to_label(data: Path) -> None:
    row: dict[str, Any] = dict.fromkeys(Verdicts.columns) | {"system": "A", "repeat": 1}
    rows = [row | {"question": 0, "kind": "judge_failed", "text": "why"}]
    write(data / "judge", Verdicts, pl.DataFrame(rows, schema=Verdicts.schema))
    found = validation(data, seed=7)
    assert found is not None
    assert found["rulings"] is None


def test_a_broken_file_of_people_is_refused_with_its_line(data: Path) -> None:
    (data / "people").mkdir()
    (data / "people" / "bob.jsonl").write_text('{"item": "A/1/q0"}\n', "utf-8")
    with pytest.raises(DataError, match=r"bob\.jsonl"):
        validation(data, seed=7)
