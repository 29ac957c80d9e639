import gc
import json
import os
import random
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.adapters.datasets.clapnq import Clapnq
from pipeline.adapters.datasets.jsonl import Jsonl
from pipeline.checks.ids import malformed
from pipeline.contract.errors import DataError
from pipeline.contract.files import read_json
from pipeline.contract.tables import (
    Claims,
    Documents,
    Evidence,
    LookedAt,
    Questions,
    Relevance,
    Responses,
    Support,
    Table,
    Verdicts,
    read,
)
from pipeline.manifest.schemas import validate
from pipeline.settings import QuestionSet, Versioned
from pipeline.stages import freeze
from tests.sets import DOCUMENTS, QUESTION, RESPONSE, RUBRIC, SETTINGS, folder

FIXTURE = Path(__file__).parents[2] / "data" / "raw" / "fixture" / "v1"
REAL = Path(os.environ.get("RAG_ASSAY_DATA", "/nonexistent")) / "clapnq"
TABLES = (
    Documents, Questions, Claims, Relevance, Support, LookedAt, Evidence, Responses, Verdicts,
)  # fmt: skip


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path / "project"))
    return tmp_path / "project"


def frozen(data: Path, source: Path, **changed: Any) -> dict[str, Any]:
    """Freeze the folder and return the manifest, which fits its schema."""
    freeze.run(data, dataset=Jsonl(str(source)), **{**SETTINGS, **changed})
    manifest: dict[str, Any] = read_json(data / "freeze" / "manifest.json")
    validate(manifest, "freeze")
    return manifest


def table(data: Path, one: Table) -> pl.DataFrame:
    return read(data / "freeze", one)


def contents(data: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in (data / "freeze").iterdir()}


def test_the_fixture_becomes_nine_tables_and_a_manifest(tmp_path: Path) -> None:
    manifest = frozen(tmp_path, FIXTURE)
    names = {one.name: len(table(tmp_path, one)) for one in TABLES}
    assert names == {
        "documents": 5, "questions": 4, "claims": 4, "relevance": 4, "support": 4,
        "looked_at": 0, "evidence": 0, "responses": 8, "verdicts": 0,
    }  # fmt: skip
    assert manifest["question_set"]["counts"] == {
        "questions": 4, "answerable": 3, "unanswerable": 1, "unresolved": 0, "not_labelled": 0,
        "claims": 4, "disputed_questions": 0, "dev": 4, "heldout": 0,
    }  # fmt: skip
    assert manifest["question_set"]["claims"] is True
    assert sorted(manifest["responses"]) == ["A", "B"]
    assert manifest["responses"]["A"]["delivered"] == "inferred"


def test_codes_are_rows_of_sorted_ids(tmp_path: Path) -> None:
    frozen(tmp_path, FIXTURE)
    documents = table(tmp_path, Documents)["doc_id"].to_list()
    assert documents == sorted(documents)
    responses = table(tmp_path, Responses)
    questions = table(tmp_path, Questions)["question_id"]
    one = responses.filter(pl.col("system") == "B").row(1, named=True)
    assert questions[one["question"]] == "owner"
    assert [documents[code] for code in one["retrieved"]] == ["owners", "archive"]
    assert (one["claim_ids"], one["citations"]) == (["aurora"], [["owners"]])
    assert one["line"] == 6


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    frozen(tmp_path / "a", FIXTURE)
    frozen(tmp_path / "b", FIXTURE)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_order_of_lines_and_keys_and_framing_change_no_hash_and_no_row(tmp_path: Path) -> None:
    other = tmp_path / "v1"
    other.mkdir()
    for file in FIXTURE.glob("*.jsonl"):
        lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        random.Random(7).shuffle(lines)
        rows = [dict(reversed(line.items())) for line in lines]
        text = "\ufeff" + "\r\n\r\n".join(json.dumps(row, indent=None) for row in rows) + "\r\n"
        (other / file.name).write_bytes(text.encode())
    one, two = frozen(tmp_path / "a", FIXTURE), frozen(tmp_path / "b", other)
    assert two.pop("notes") != one.pop("notes")
    assert one == two
    for each in TABLES:
        unplaced = [frame.drop("line", strict=False) for frame in
                    (table(tmp_path / "a", each), table(tmp_path / "b", each))]  # fmt: skip
        assert unplaced[0].equals(unplaced[1]), each.name
    parquet = [contents(tmp_path / name)["documents.parquet"] for name in ("a", "b")]
    assert parquet[0] == parquet[1]


def test_every_fault_is_in_the_error_and_nothing_is_left(tmp_path: Path) -> None:
    data = tmp_path / "data"
    frozen(data, folder(tmp_path / "mine"))
    source = folder(
        tmp_path / "mine",
        [*DOCUMENTS, {"doc_id": "x", "text": " "}],
        responses=[{**RESPONSE, "retrieved": ["Boats"]}],
    )
    with pytest.raises(DataError) as caught:
        frozen(data, source)
    assert str(caught.value) == (
        "documents.jsonl:3: x: expected text that is not blank, got ' '\n"
        "responses.jsonl:1: A / price: expected documents of the corpus in retrieved, "
        "got 'Boats' at 0 ('boats' is one: differs in case)\n"
        "mend the lines named above; nothing was scored"
    )
    assert not (data / "freeze").exists()


def test_an_overlap_that_no_marked_place_can_give_is_refused(tmp_path: Path) -> None:
    mark = {"doc_id": "boats", "claim_id": "nine", "start": 0, "end": 5}
    source = folder(tmp_path / "in", questions=[{**QUESTION, "evidence": [mark]}])
    frozen(tmp_path / "a", source, rubric=replace(RUBRIC, overlap=5))
    with pytest.raises(DataError) as caught:
        frozen(tmp_path / "b", source, rubric=replace(RUBRIC, overlap=6))
    assert str(caught.value) == (
        "conf: rubric.overlap: expected at most 5, the length of the longest place that is "
        "marked, got 6\nby it no chunk would be relevant: give a smaller rubric.overlap"
    )
    assert not (tmp_path / "b" / "freeze").exists()


def test_a_missing_response_can_be_frozen_as_failed(tmp_path: Path) -> None:
    questions = [QUESTION, {**QUESTION, "question_id": "other"}]
    source = folder(tmp_path / "mine", questions=questions)
    with pytest.raises(DataError, match=r"responses: A / other: expected a response"):
        frozen(tmp_path, source)
    manifest = frozen(tmp_path, source, missing="failed")
    assert manifest["responses"]["A"]["missing"] == [[1, "other"]]
    assert manifest["responses"]["A"]["failed"] == 1
    row = table(tmp_path, Responses).row(0, named=True)
    assert (row["line"], row["status"], row["error"]) == (0, "failed", "missing")
    assert row["retrieved"] is row["claim_ids"] is None


def test_a_split_holds_its_questions_alone_and_the_version_all_of_them(tmp_path: Path) -> None:
    other = {**QUESTION, "question_id": "other", "split": "heldout"}
    responses = [RESPONSE, {**RESPONSE, "question_id": "other"}]
    source = folder(tmp_path / "mine", questions=[QUESTION, other], responses=responses)
    dev = frozen(tmp_path / "dev", source)
    heldout = frozen(tmp_path / "heldout", source, split="heldout")
    both = frozen(tmp_path / "all", source, split="all")
    assert table(tmp_path / "dev", Questions)["question_id"].to_list() == ["price"]
    assert table(tmp_path / "heldout", Questions)["question_id"].to_list() == ["other"]
    assert len(table(tmp_path / "all", Responses)) == 2
    contents_ = {one["question_set"]["content"] for one in (dev, heldout, both)}
    assert len(contents_) == 1
    assert len({one["hashes"]["questions"] for one in (dev, heldout, both)}) == 3
    assert len({one["responses"]["A"]["content"] for one in (dev, heldout, both)}) == 3
    assert (dev["question_set"]["counts"]["dev"], dev["question_set"]["counts"]["heldout"]) == (
        1,
        1,
    )


def test_a_declared_version_is_kept_and_other_content_under_it_refused(
    tmp_path: Path, project: Path
) -> None:
    named = {
        "corpus": Versioned("handbook", "v1", None),
        "question_set": QuestionSet("asked", "v1", None, "auto"),
    }
    source = folder(tmp_path / "mine")
    manifest = frozen(tmp_path, source, **named)
    assert manifest["corpus"]["declared"] is True
    files = sorted(file.relative_to(project).as_posix() for file in project.rglob("*.json"))
    assert files == [
        "data/versions/corpus/handbook/v1.json", "data/versions/question_set/asked/v1.json",
    ]  # fmt: skip
    frozen(tmp_path, source, **named)
    changed = folder(tmp_path / "mine", documents=[*DOCUMENTS, {"doc_id": "x", "text": "x"}])
    with pytest.raises(DataError) as caught:
        frozen(tmp_path, changed, **named)
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("data/versions/corpus/handbook/v1.json: expected the content that")
    assert lines[1].startswith("v1 was frozen as ")
    assert lines[1].endswith(": restore it or name a new version, with a note")
    assert not (tmp_path / "freeze").exists()
    named["corpus"] = Versioned("handbook", "v2", "x is new")
    frozen(tmp_path, changed, **named)
    second = read_json(project / "data/versions/corpus/handbook/v2.json")
    assert second["changes"] == {"added": 1, "removed": 0, "changed": 0}


def test_a_set_without_a_version_takes_its_hash_and_leaves_git_alone(
    tmp_path: Path, project: Path
) -> None:
    manifest = frozen(tmp_path, folder(tmp_path / "mine"))
    corpus = manifest["corpus"]
    assert (corpus["name"], corpus["declared"]) == ("mine", False)
    assert corpus["version"] == corpus["content"][:12]
    assert not project.exists()


def test_the_configuration_goes_before_what_the_set_says(tmp_path: Path) -> None:
    source = folder(tmp_path / "mine")
    (source / "set.yaml").write_text(
        "corpus: {name: a, version: v1, licence: CC0, retention: until 2030, note: new}"
    )
    manifest = frozen(tmp_path / "a", source)
    assert manifest["corpus"]["version"] == "v1"
    assert manifest["corpus"]["licence"] == "CC0"
    assert manifest["corpus"]["retention"] == "until 2030"
    manifest = frozen(tmp_path / "b", source, corpus=Versioned("b", "v9", "mine"))
    assert [manifest["corpus"][key] for key in ("name", "version", "note")] == ["b", "v9", "mine"]


def test_nothing_in_the_folder_tells_where_or_when_it_was_frozen(tmp_path: Path) -> None:
    data = tmp_path / "secretly named"
    manifest = frozen(data, folder(tmp_path / "mine"))
    assert "secretly named" not in json.dumps(manifest)
    assert str(tmp_path) not in json.dumps(manifest)
    adapter = "pipeline.adapters.datasets.jsonl.Jsonl"
    assert manifest["dataset"] == {"adapter": adapter, "stale": "refuse"}


def test_claims_can_be_declared_away(tmp_path: Path) -> None:
    without = QuestionSet(None, None, None, False)
    manifest = frozen(tmp_path, FIXTURE, question_set=without)
    assert manifest["question_set"]["claims"] is False
    assert len(table(tmp_path, Claims)) == len(table(tmp_path, Support)) == 0
    assert len(table(tmp_path, Relevance)) == 4


def test_what_the_caller_may_not_read_leaves_the_labels(tmp_path: Path) -> None:
    documents = [{**DOCUMENTS[0]}, {**DOCUMENTS[1], "access_groups": ["staff"]}]
    question = {**QUESTION, "caller_groups": ["guests"]}
    manifest = frozen(tmp_path, folder(tmp_path / "mine", documents, [question]))
    assert manifest["question_set"]["counts"]["unanswerable"] == 1
    assert len(table(tmp_path, Relevance)) == 0


def test_usage_and_everything_optional_is_kept(tmp_path: Path) -> None:
    response = {
        **RESPONSE, "scores": [2, 1.5], "delivered": ["boats"], "answer": "Nine.",
        "usage": {"input_tokens": 3, "cost_usd": 0.5}, "latency_s": 1, "attempts": 2,
    }  # fmt: skip
    frozen(tmp_path, folder(tmp_path / "mine", responses=[response]))
    row = table(tmp_path, Responses).row(0, named=True)
    assert (row["scores"], row["delivered"], row["answer"]) == ([2.0, 1.5], [0], "Nine.")
    assert [row[name] for name in ("input_tokens", "output_tokens", "cost_usd")] == [3, None, 0.5]
    assert (row["latency_s"], row["attempts"]) == (1.0, 2)


def test_the_collector_is_left_as_it_was() -> None:
    def refused() -> None:
        with freeze.uncollected():
            assert not gc.isenabled()
            raise DataError([])

    assert gc.isenabled()
    with pytest.raises(DataError):
        refused()
    assert gc.isenabled()


def test_examining_writes_nothing_and_finds_what_freezing_and_answering_would(
    tmp_path: Path, project: Path
) -> None:
    source = folder(tmp_path / "mine", responses=[{**RESPONSE, "delivered": ["hours"]}])
    named = {**SETTINGS, "corpus": Versioned("handbook", "v1", None)}
    before = sorted(tmp_path.rglob("*"))
    faults, summary = freeze.examine(Jsonl(str(source)), cutoff=1, **named)
    assert [str(fault) for fault in faults] == [
        "responses.jsonl:1: A / price: expected the first 1 ranked as delivered context: "
        "'boats', got 'hours'"
    ]
    assert summary["corpus"] == "handbook v1"
    assert summary["found"] == "2 documents, 1 questions, 1 responses of 1 systems"
    assert sorted(tmp_path.rglob("*")) == before


def test_examining_finds_other_content_under_a_version(tmp_path: Path) -> None:
    named = {"corpus": Versioned("handbook", "v1", None)}
    frozen(tmp_path, folder(tmp_path / "mine"), **named)
    changed = folder(tmp_path / "mine", documents=[*DOCUMENTS, {"doc_id": "x", "text": "x"}])
    faults, _ = freeze.examine(Jsonl(str(changed)), cutoff=1, **{**SETTINGS, **named})
    assert [fault.file for fault in faults] == ["data/versions/corpus/handbook/v1.json"]


MARK = {"doc_id": "boats", "claim_id": "nine", "start": 11, "end": 15, "quote": "nine"}
QUOTED = [{**QUESTION, "evidence": [MARK]}, {**QUESTION, "question_id": "other"}]
DEARER = [DOCUMENTS[0], {"doc_id": "boats", "text": "Boats cost ten coins."}]
OPEN = {**RESPONSE, "question_id": "other"}


def versions(tmp_path: Path, stale: Literal["refuse", "exclude"]) -> Jsonl:
    """Questions that were labelled on a corpus whose boats cost nine, asked of a dearer one."""
    folder(tmp_path / "v1", questions=QUOTED, responses=[RESPONSE, OPEN])
    folder(tmp_path / "v2", DEARER)
    return Jsonl(str(tmp_path / "v1"), str(tmp_path / "v2"), stale)


def test_labels_that_do_not_hold_for_another_corpus_are_refused_with_the_way_out(
    tmp_path: Path,
) -> None:
    with pytest.raises(DataError) as caught:
        freeze.run(tmp_path, dataset=versions(tmp_path, "refuse"), **SETTINGS)
    assert str(caught.value) == (
        "questions.jsonl:1: price: expected 'nine' at 11–15 of boats in evidence[0] for claim "
        "nine, got 'ten '; the quote is not in the document\n"
        "mend the lines named above, or leave these questions without labels: "
        "dataset.stale=exclude; nothing was scored"
    )


def test_labels_that_do_not_hold_can_be_left_out_by_name(tmp_path: Path, project: Path) -> None:
    named = {**SETTINGS, "question_set": QuestionSet("prices", "v1", None, "auto")}
    old = frozen(tmp_path, folder(tmp_path / "v1", questions=QUOTED, responses=[RESPONSE, OPEN]),
                 question_set=named["question_set"])  # fmt: skip
    line = freeze.run(tmp_path, dataset=versions(tmp_path, "exclude"), **named)
    assert line.endswith("; labels of 1 questions do not hold and are left out: price")
    new = read_json(tmp_path / "freeze" / "manifest.json")
    validate(new, "freeze")
    assert new["notes"] == [
        "question price is not labelled, its labels do not hold: "
        "claim nine, boats 11–15, not in the document"
    ]
    assert new["question_set"]["counts"]["not_labelled"] == 1
    assert table(tmp_path, Questions)["labelled"].to_list() == [True, False]
    # the set is the one that was frozen as v1; what is measured by it is not
    assert new["question_set"]["content"] == old["question_set"]["content"]
    assert new["hashes"]["labels"] != old["hashes"]["labels"]


IDS = st.text(min_size=1, max_size=256).filter(lambda text: malformed(text) is None)
ODD = [
    "👩‍👩‍👧",
    "e\u0301",
    "é",
    "\u05e9\u05dc\u05d5\u05dd",
    'a"b',
    "a,b",
    "a'b\\",
    "x" * 256,
    "NaN",
    "1",
]


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(ids=st.lists(IDS | st.sampled_from(ODD), min_size=2, max_size=6, unique=True))
def test_odd_ids_come_back_from_the_tables_as_they_went_in(tmp_path: Path, ids: list[str]) -> None:
    documents = [{"doc_id": one, "text": one} for one in ids]
    questions = [
        {"question_id": one, "text": "?", "relevant": ids, "support": {one: [ids[0]]}}
        for one in ids
    ]
    responses = [
        {"system": ids[0], "question_id": one, "retrieved": ids[::-1],
         "claims": [{"claim_id": one, "citations": ids}]}
        for one in ids
    ]  # fmt: skip
    frozen(tmp_path, folder(tmp_path / "odd", documents, questions, responses))
    order = sorted(ids)
    found = table(tmp_path, Documents)
    assert found["doc_id"].to_list() == found["text"].to_list() == order
    rows = table(tmp_path, Responses)
    assert [[order[code] for code in row] for row in rows["retrieved"].to_list()] == [
        ids[::-1] for _ in ids
    ]
    assert rows["citations"].to_list() == [[ids] for _ in ids]
    assert table(tmp_path, Claims)["claim_id"].to_list() == order


@pytest.mark.skipif(not REAL.is_dir(), reason="RAG_ASSAY_DATA names no folder with clapnq")
def test_the_real_questions_freeze_with_their_disputes(tmp_path: Path) -> None:
    freeze.run(tmp_path, dataset=Clapnq(str(REAL)), **SETTINGS)
    manifest = read_json(tmp_path / "freeze" / "manifest.json")
    validate(manifest, "freeze")
    counts = manifest["question_set"]["counts"]
    assert (counts["questions"], counts["disputed_questions"]) == (300, 39)
    # in five questions one of the two found no answer at all
    assert (counts["answerable"], counts["unresolved"], counts["unanswerable"]) == (145, 5, 150)
    documents, evidence = table(tmp_path, Documents), table(tmp_path, Evidence)
    claims = table(tmp_path, Claims)
    texts = dict(zip(claims["claim"], claims["text"], strict=True))
    spans = evidence.join(documents.select("doc", "text"), on="doc").select(
        "claim", pl.col("text"), "start", "end"
    )
    assert len(spans) > 444
    for claim, text, start, end in spans.iter_rows():
        assert text[start:end] == texts[claim]
