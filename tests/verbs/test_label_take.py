"""`label-take`: what people filled in becomes votes in the set, and silence no label."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.adapters.datasets.jsonl import Jsonl
from pipeline.contract.errors import ConfigError, DataError
from pipeline.contract.files import read_json
from pipeline.contract.records import Question
from pipeline.stages.freeze import examine
from pipeline.verbs.label_take import main
from pipeline.verbs.labelling.sheet import Pooled, write_pool
from tests.finished import finish
from tests.sets import SETTINGS
from tests.sheets import Rows, rows, save
from tests.verbs.labelling.made import DOCUMENTS, QUESTIONS, made

POOL = {"q1": ["007", "dogs", "1-2"], "q2": ["1-2", "dogs", "007"]}
RIGHT = {("q1", "007"), ("q2", "1-2")}
CLAIMS = ["question_id", "claim_id", "text", "documents", "annotator"]


@pytest.fixture(autouse=True)
def _own_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))


def sheet(path: Path, pool: dict[str, list[str]] | None = None) -> Path:
    write_pool(
        path,
        [
            Pooled(q, QUESTIONS[q], (), doc, "", DOCUMENTS[doc], DOCUMENTS[doc])
            for q, docs in (pool or POOL).items()
            for doc in docs
        ],
        "",
    )
    return path


def right(row: dict[str, str]) -> str:
    return "yes" if (row["question_id"], row["doc_id"]) in RIGHT else "no"


def fill(path: Path, who: str, label: Callable[[dict[str, str]], str] = right) -> Path:
    filled = [{**row, "relevant": label(row), "annotator": who} for row in rows(path)]
    save(path, filled)
    return path


def take(tmp_path: Path, *words: str, source: Path | None = None) -> dict[str, Question]:
    source = source or made(tmp_path / "set")
    out = tmp_path / "new" / "questions.jsonl"
    assert main([*words, "--set", str(source), "--out", str(out), "--replace"], tmp_path) == 0
    for name in ("documents.jsonl", "responses.jsonl"):
        (out.parent / name).write_bytes((source / name).read_bytes())
    return {row.question_id: row for row in Jsonl(str(out.parent)).load().questions.rows}


def test_labels_become_votes_with_their_annotator_and_what_was_looked_at(tmp_path: Path) -> None:
    found = take(tmp_path, str(fill(sheet(tmp_path / "s.csv"), "ann")))
    assert found["q1"].judged == ["007", "1-2", "dogs"]
    assert found["q1"].annotators == ["ann"]
    assert [(mark.doc_id, mark.annotator) for mark in found["q1"].evidence or ()] == [
        ("007", "ann")
    ]
    assert found["q1"].relevant is None, "settled is what somebody settled"
    faults, _ = examine(Jsonl(str(tmp_path / "new")), cutoff=2, **SETTINGS)
    assert faults == []


def test_what_comes_back_can_be_run_and_says_how_much_was_looked_at(tmp_path: Path) -> None:
    pool = {"q1": ["007", "1-2"], "q2": ["1-2"]}
    take(tmp_path, str(fill(sheet(tmp_path / "s.csv", pool), "ann")))
    data = finish(tmp_path / "data", tmp_path / "new", cutoff=2)
    found = read_json(data / "score" / "judged_at_k.json")["systems"]
    # A: q1 [007, dogs] 1/2, q2 [1-2] 1/2; unseen 1/2 and 0. B: q1 [dogs, 1-2] 1/2, q2 0/2
    assert (found["A"]["macro"], found["A"]["unseen"]) == (0.5, 0.25)
    assert (found["B"]["macro"], found["B"]["unseen"]) == (0.25, 0.75)


def test_people_may_disagree_and_nobodys_vote_is_lost(tmp_path: Path) -> None:
    one = fill(sheet(tmp_path / "a.csv"), "ann")
    two = fill(sheet(tmp_path / "b.csv"), "bob", lambda row: "yes" if "dogs" in row["doc_id"]
               else right(row))  # fmt: skip
    found = take(tmp_path, str(one), str(two))
    said = [(mark.doc_id, mark.annotator) for mark in found["q1"].evidence or ()]
    assert said == [("007", "ann"), ("007", "bob"), ("dogs", "bob")]
    assert found["q1"].annotators == ["ann", "bob"]


def test_a_question_that_is_decided_in_part_is_not_labelled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = fill(
        sheet(tmp_path / "s.csv"), "ann", lambda row: "" if row["doc_id"] == "dogs" else right(row)
    )
    found = take(tmp_path, str(path))
    assert found["q1"] == Question("q1", QUESTIONS["q1"])
    printed = capsys.readouterr().out
    assert "labels of 1 person, new on 0 questions, 0 of them first ones" in printed
    assert "2 rows without a label" in printed
    assert "q1: ann, 2 of 3 documents decided" in printed
    assert max(map(len, printed.replace(str(tmp_path), "").splitlines())) <= 80
    found = take(tmp_path, str(path), "--silent-is-no")
    assert found["q1"].annotators == ["ann"]
    assert found["q1"].judged == ["007", "1-2", "dogs"]


def test_who_has_finished_is_taken_and_who_has_not_is_held_back(tmp_path: Path) -> None:
    one = fill(sheet(tmp_path / "a.csv"), "ann")
    two = fill(sheet(tmp_path / "b.csv"), "bob", lambda row: "no" if row["doc_id"] == "007" else "")
    found = take(tmp_path, str(one), str(two))
    assert found["q1"].annotators == found["q2"].annotators == ["ann"]


def test_new_documents_are_added_once_all_who_labelled_have_seen_them(tmp_path: Path) -> None:
    labels = {"judged": ["dogs"], "annotators": ["ann", "bob"]}
    source = made(tmp_path / "set", q1=labels)
    new = {"q1": ["007", "1-2"]}
    one, two = (fill(sheet(tmp_path / f"{who}.csv", new), who) for who in ("ann", "bob"))
    found = take(tmp_path, str(one), source=source)
    assert found["q1"].judged == ["dogs"], "bob would say no to what bob has not seen"
    found = take(tmp_path, str(one), str(two), source=source)
    assert found["q1"].judged == ["007", "1-2", "dogs"]
    assert len(found["q1"].evidence or ()) == 2


def test_a_newcomer_has_to_see_what_was_looked_at_before(tmp_path: Path) -> None:
    source = made(tmp_path / "set", q1={"judged": ["dogs", "007", "1-2"], "annotators": ["ann"]})
    part = fill(sheet(tmp_path / "part.csv", {"q1": ["007"]}), "bob")
    assert take(tmp_path, str(part), source=source)["q1"].annotators == ["ann"]
    all_of_it = fill(sheet(tmp_path / "all.csv"), "bob")
    assert take(tmp_path, str(all_of_it), source=source)["q1"].annotators == ["ann", "bob"]


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ({"relevant": ["dogs"]}, "q1: its labels were settled before; it stays as it is"),
        ({"annotators": ["ann"]}, "q1: it was labelled over the whole corpus before"),
        (
            {"judged": ["007"], "annotators": ["ann"]},
            "q1: ann said otherwise of 007 before; it stays as it is",
        ),
    ],
)
def test_labels_that_are_there_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], labels: dict[str, Any], said: str
) -> None:
    source = made(tmp_path / "set", q1=labels)
    before = Jsonl(str(source)).load().questions.rows[0]
    found = take(tmp_path, str(fill(sheet(tmp_path / "s.csv"), "ann")), source=source)
    assert found["q1"] == before
    assert said in " ".join(capsys.readouterr().out.split())


def test_the_same_sheet_again_changes_nothing(tmp_path: Path) -> None:
    path = str(fill(sheet(tmp_path / "s.csv"), "ann"))
    once = take(tmp_path, path)
    source = tmp_path / "new"
    assert main([path, "--set", str(source), "--out", str(tmp_path / "again.jsonl")], tmp_path) == 0
    assert (tmp_path / "again.jsonl").read_bytes() == (source / "questions.jsonl").read_bytes()
    assert once["q1"].annotators == ["ann"]


def test_claims_come_with_their_words_and_documents(tmp_path: Path) -> None:
    claims = tmp_path / "c.csv"
    told = [
        {"question_id": "q1", "claim_id": "coins", "text": "Two coins.", "documents": "007"},
        {"question_id": "q2", "claim_id": "bo", "text": "=Bo", "documents": ""},
        {"question_id": "q2", "claim_id": "none", "text": "Nobody.", "documents": ""},
        {"question_id": "q1", "claim_id": "", "text": "", "documents": ""},
    ]
    save(claims, [{**row, "annotator": "ann"} for row in told], columns=CLAIMS)
    path = fill(sheet(tmp_path / "s.csv"), "ann")
    filled = [{**row, "claims": "bo" if row["doc_id"] == "1-2" and row["question_id"] == "q2"
               else ""} for row in rows(path)]  # fmt: skip
    save(path, filled)
    found = take(tmp_path, str(path), "--claims", str(claims))
    assert found["q1"].claims == {"coins": "Two coins."}
    assert found["q2"].claims == {"bo": "=Bo"}, "what no document supports is not expected"
    for name, claim in (("q1", "coins"), ("q2", "bo")):
        assert [mark.claim_id for mark in found[name].evidence or ()] == [claim]
    faults, _ = examine(Jsonl(str(tmp_path / "new")), cutoff=2, **SETTINGS)
    assert faults == []


def test_every_fault_is_named_with_file_and_row_and_nothing_is_written(tmp_path: Path) -> None:
    good = rows(sheet(tmp_path / "s.csv"))
    yes = {"relevant": "yes", "annotator": "ann"}
    bad: Rows = [
        {**good[0], **yes},
        {**good[0], **yes, "relevant": "no"},
        {**good[1], **yes, "content": "v0"},
        {**good[2], **yes, "relevant": "perhaps"},
        {**good[3], **yes, "relevant": "-1"},
        {**good[4], **yes, "annotator": ""},
        {**good[5], **yes, "item": "q0-d0"},
        {**good[5], **yes, "claims": "c"},
        {**good[4], **yes, "relevant": "", "claims": "c"},
        {**good[5], "item": "q0-d0"},
    ]
    path, claims = tmp_path / "bad.csv", tmp_path / "c.csv"
    save(path, bad)
    told = [
        {"question_id": "q3", "claim_id": "c", "text": "x", "documents": "", "annotator": "ann"},
        {"question_id": "q1", "claim_id": "d", "text": "", "documents": "7", "annotator": ""},
    ]
    save(claims, told)
    source = made(tmp_path / "set")
    out = tmp_path / "out.jsonl"
    words = [str(path), "--claims", str(claims), "--set", str(source), "--out", str(out)]
    with pytest.raises(DataError) as caught:
        main(words, tmp_path)
    said = [(Path(one.file).name, one.line, one.expected) for one in caught.value.faults]
    now = good[1]["content"]
    assert said == [
        ("bad.csv", 3, "one label by ann"),
        ("bad.csv", 4, f"the texts as they are now, content {now}"),
        ("bad.csv", 5, "yes, no or a grade of 0 or more in relevant"),
        ("bad.csv", 6, "yes, no or a grade of 0 or more in relevant"),
        ("bad.csv", 7, "who says so in annotator"),
        ("bad.csv", 8, "an item of the set"),
        ("bad.csv", 9, "claims of the question (it has none) in claims"),
        ("bad.csv", 10, "claims of the question (it has none) in claims"),
        ("bad.csv", 10, "yes, no or a grade of 0 or more in relevant"),
        ("c.csv", 2, "a question of the set in question_id"),
        ("c.csv", 3, "the words of a new claim in text"),
        ("c.csv", 3, "documents of the set in documents"),
        ("c.csv", 3, "who says so in annotator"),
    ]
    assert not out.exists()


def test_a_changed_document_has_no_label_of_its_old_text(tmp_path: Path) -> None:
    path = fill(sheet(tmp_path / "s.csv"), "ann")
    source = made(tmp_path / "set")
    text = (source / "documents.jsonl").read_text("utf-8")
    (source / "documents.jsonl").write_text(text.replace("Dogs are free", "Dogs pay"), "utf-8")
    with pytest.raises(DataError) as caught:
        take(tmp_path, str(path), source=source)
    assert len(caught.value.faults) == 2
    assert "has changed since" in str(caught.value)


def test_the_source_is_not_overwritten_unless_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = made(tmp_path / "set")
    (source / "set.yaml").write_text("question_set:\n  version: v1\n")
    own = source / "questions.jsonl"
    before = own.read_bytes()
    path = str(fill(sheet(tmp_path / "s.csv"), "ann"))
    words = [path, "--set", str(source), "--out", str(own)]
    with pytest.raises(ConfigError, match="expected a new file"):
        main(words, tmp_path)
    assert own.read_bytes() == before
    assert main([*words, "--replace"], tmp_path) == 0
    assert json.loads(own.read_text("utf-8").splitlines()[0])["annotators"] == ["ann"]
    assert "a new version (it is v1)" in " ".join(capsys.readouterr().out.split())


def test_a_spreadsheet_may_spoil_ids_that_are_only_shown(tmp_path: Path) -> None:
    path = fill(sheet(tmp_path / "s.csv"), "ann")
    spoilt = [{**row, "doc_id": row["doc_id"].lstrip("0"), "text": "cut"} for row in rows(path)]
    save(path, spoilt)
    assert take(tmp_path, str(path))["q1"].judged == ["007", "1-2", "dogs"]


def test_nothing_relevant_in_a_pool_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    take(tmp_path, str(fill(sheet(tmp_path / "s.csv"), "ann", lambda row: "no")))
    printed = " ".join(capsys.readouterr().out.split())
    assert "q2: nothing in its pool is relevant, so it counts as unanswerable" in printed


def test_grades_are_kept_and_zero_is_no(tmp_path: Path) -> None:
    grades = {"007": "2", "dogs": "0", "1-2": "0.5"}
    path = fill(sheet(tmp_path / "s.csv"), "ann", lambda row: grades[row["doc_id"]])
    said = [(mark.doc_id, mark.grade) for mark in take(tmp_path, str(path))["q1"].evidence or ()]
    assert said == [("007", 2.0), ("1-2", 0.5)]


labels = st.lists(st.sampled_from(["yes", "no", "No", "TRUE", "1", "0", ""]), min_size=6)


@settings(deadline=None, max_examples=40)
@given(
    told=st.dictionaries(st.sampled_from(["ann", "=bob", "cy"]), labels, min_size=1),
    between=st.sampled_from([",", ";", "\t"]),
    ends=st.sampled_from(["\n", "\r\n"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig"]),
    seed=st.integers(0, 99),
)
def test_what_is_filled_in_comes_back_whatever_a_spreadsheet_does(
    told: dict[str, list[str]], between: str, ends: str, encoding: str, seed: int
) -> None:
    shuffle: Callable[[list[Any]], None] = random.Random(seed).shuffle
    wanted: dict[str, dict[str, set[str]]] = {}
    with TemporaryDirectory() as name:
        folder = Path(name)
        for at, (who, said) in enumerate(told.items()):
            path = sheet(folder / f"{at}.csv")
            filled = [{**row, "annotator": who, "relevant": label}
                      for row, label in zip(rows(path), said, strict=False)]  # fmt: skip
            for q, docs in POOL.items():
                mine = said[:3] if q == "q1" else said[3:6]
                if "" not in mine:  # who left a row open says nothing of the question
                    yes = {doc for doc, one in zip(docs, mine, strict=True)
                           if one in ("yes", "TRUE", "1")}  # fmt: skip
                    wanted.setdefault(q, {})[who] = yes
            columns = list(filled[0])
            shuffle(filled)
            shuffle(columns)
            save(path, filled, columns=columns, between=between, ends=ends, encoding=encoding)
        sheets = [str(folder / f"{at}.csv") for at in range(len(told))]
        found = take(folder, *sheets)
    for q, row in found.items():
        by = {who: {mark.doc_id for mark in row.evidence or () if mark.annotator == who}
              for who in row.annotators or ()}  # fmt: skip
        assert by == wanted.get(q, {})
        assert row.judged == (sorted(POOL[q]) if q in wanted else None)
