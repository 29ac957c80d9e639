"""The report: numbers of a published evaluation, disputes, and a judge by hand."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pipeline.__main__ import main
from pipeline.contract.errors import ConfigError, DataError
from pipeline.rulings.measure import Choices, measure
from pipeline.rulings.read import read
from pipeline.rulings.records import spelled

REAL = Path(os.environ.get("RAG_ASSAY_DATA", "/nonexistent")) / "mtrag/human_evaluations.json"


def report(path: Path, text: str, name: str = "r.csv", **choices: Any) -> dict[str, Any]:
    (path / name).write_text(text, encoding="utf-8")
    found = read([str(path / name)], judges=choices.get("judges", ()))
    return measure(found, Choices(**choices))


PEOPLE = """item,annotator,label,role,kind
a,ann,yes,,x
a,bob,yes,,x
b,ann,no,,x
b,bob,no,,x
c,ann,yes,,y
c,bob,no,,y
d,ann,yes,,y
a,gpt,yes,judge,x
b,gpt,yes,judge,x
c,gpt,no,judge,y
d,gpt,yes,judge,y
e,gpt,no,judge,y
f,gpt,,judge,y
"""


@pytest.mark.skipif(not REAL.is_file(), reason="RAG_ASSAY_DATA names no folder with mtrag")
def test_the_alphas_and_means_of_mtrags_people(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = tmp_path / "report.json"
    words = ["--format", "mtrag", "--by", "model", "--judge", "rl_f", "--json", str(out)]
    assert main(["judge-report", str(REAL), *words]) == 0
    found = json.loads(out.read_text("utf-8"))
    alphas = {name: round(one["people"]["alpha_interval"], 3) for name, one in found.items()}
    assert {name: alphas[name] for name in alphas if name != "win-rate"} == {
        "faithfulness": 0.550,
        "completeness": 0.392,
        "appropriateness": 0.050,
        "naturalness": 0.299,
    }
    means = {
        row["value"]: round(row["mean"], 3) for row in found["faithfulness"]["people"]["means"]
    }
    assert means["reference"] == 3.608
    assert means["gpt-4o"] == 3.239
    assert means["llama-3.1-405b-instruct"] == 3.243
    assert found["faithfulness"]["people"]["items"] == 477
    judge = found["faithfulness"]["judges"]["rl_f"]
    assert round(judge["spearman"]["value"], 3) == 0.571
    printed = capsys.readouterr().out
    assert "alpha interval 0.550" in printed
    assert max(map(len, printed.splitlines())) <= 80


def test_a_judge_by_hand(tmp_path: Path) -> None:
    # people: a yes, b no, d yes (one person); c in dispute; e nobody. Judge: a yes, b yes, d yes
    found = report(tmp_path, PEOPLE, by=["kind"])[""]
    assert found["kind"] == "yes/no"
    assert (found["people"]["labelled"], found["people"]["disputed"]) == (3, 1)
    judge = found["judges"]["gpt"]
    assert [judge[name] for name in ("ruled", "failed", "common", "judge_only", "disputed")] == [
        5, 1, 3, 1, 1,
    ]  # fmt: skip
    assert judge["confusion"] == {"labels": ["yes", "no"], "counts": [[2, 0], [1, 0]]}
    assert (judge["tpr"]["value"], judge["tpr"]["n"]) == (1.0, 2)
    assert (judge["tnr"]["value"], judge["tnr"]["n"]) == (0.0, 1)
    assert judge["rate"]["raw"]["value"] == 0.6
    assert judge["rate"]["rogan_gladen"]["value"] is None  # TPR + TNR = 1: no better than chance
    assert [(row["value"], row["n"]) for row in judge["slices"]] == [("x", 2), ("y", 1)]


def test_a_majority_settles_nothing_and_a_resolver_does(tmp_path: Path) -> None:
    text = "item,annotator,label\na,x,yes\na,y,yes\na,z,no\n"
    assert report(tmp_path, text)[""]["people"]["disputed"] == 1
    settled = report(tmp_path, text + "a,chair,no\n", resolver="chair")[""]["people"]
    assert (settled["disputed"], settled["resolved"], settled["labelled"]) == (0, 1, 1)
    assert settled["annotators"] == 3  # the resolver is none of those who are compared


def test_the_label_of_grades_is_their_median(tmp_path: Path) -> None:
    # medians a 3.5, b 1, c 2; judge 4, 1, 2: the same order
    text = "item,annotator,label\na,x,4\na,y,3\nb,x,1\nc,x,2\na,j,4\nb,j,1\nc,j,2\n"
    found = report(tmp_path, text, judges=["j"])[""]
    assert found["people"]["label"] == "median"
    assert found["judges"]["j"]["spearman"]["value"] == 1.0
    # the mean of the medians, 6.5 / 3: with no item of the judge's alone it is people's
    assert found["judges"]["j"]["mean"]["powered"]["value"] == pytest.approx(6.5 / 3, abs=1e-6)


def test_without_peoples_labels_the_judge_is_unvalidated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r.jsonl").write_text('{"item": "a", "annotator": "gpt", "label": true}\n')
    assert main(["judge-report", str(tmp_path / "r.jsonl"), "--judge", "gpt"]) == 0
    printed = capsys.readouterr().out
    assert "unvalidated judge" in printed
    assert "rate of yes, raw  1.000  n 1" in printed
    assert "powered" not in printed


def test_positive_labels_make_categories_a_yes_or_no(tmp_path: Path) -> None:
    text = "item,annotator,label\na,x,full\nb,x,partly\nc,x,none\na,j,partly\nb,j,full\nc,j,none\n"
    assert report(tmp_path, text, judges=["j"])[""]["kind"] == "categories"
    judge = report(tmp_path, text, judges=["j"], positive=["full", "partly"])[""]["judges"]["j"]
    assert (judge["tpr"]["value"], judge["tnr"]["value"]) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ("a,x,yes\na,x,no\n", "r.csv:3: a: expected one ruling by x, got a second one"),
        (",x,yes\n", "expected an id as item, got an empty text"),
        ("a,,yes\n", "expected an id as annotator, got an empty text"),
    ],
)
def test_faults_name_their_line(tmp_path: Path, rows: str, fault: str) -> None:
    with pytest.raises(DataError) as caught:
        report(tmp_path, "item,annotator,label\n" + rows)
    assert fault in str(caught.value)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"judges": ["gptt"]}, "did you mean 'gpt'"),
        ({"by": ["kin"]}, "did you mean 'kind'"),
        ({"resolver": "an"}, "did you mean 'ann'"),
        ({"positive": ["ye"]}, "did you mean 'yes'"),
    ],
)
def test_a_name_that_is_not_there_is_refused(
    tmp_path: Path, choices: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        report(tmp_path, PEOPLE, **choices)


def test_numbers_among_words_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"expected numbers or words, got both \(n/a, 4\)"):
        report(tmp_path, "item,annotator,label\na,x,4\nb,x,n/a\n")


@pytest.mark.parametrize(
    ("written", "label"),
    [("4.0", "4"), (" Yes", "yes"), ("FALSE", "no"), ("-0", "0"), ("nan", "nan"), ("1_0", "1_0")],
)
def test_a_label_has_one_spelling(written: str, label: str) -> None:
    assert spelled(written) == label


@pytest.mark.parametrize("text", ["{", "[]", '{"metrics": [], "tasks": []}'])
def test_another_shape_than_mtrags_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "r.json").write_text(text)
    assert main(["judge-report", str(tmp_path / "r.json"), "--format", "mtrag"]) == 3
