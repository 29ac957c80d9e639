from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline.contract.results import PerQuestion
from pipeline.contract.tables import read, write
from pipeline.manifest import ledger
from pipeline.verbs.results import result_lines, show_results
from pipeline.verbs.terminal import leaks
from pipeline.verbs.terminal.text import cells
from tests.finished import FIXTURE, finish, hand_in
from tests.held_out import frozen, look

EXPECTED = (FIXTURE / "expected.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def fixture_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fixture")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DVC_ROOT", str(folder))
        return finish(folder / "data")


@pytest.fixture(autouse=True)
def _own_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))


def page(data: Path, width: int = 80) -> list[str]:
    return [line.text for line in result_lines(data, width)]


def handed_in(folder: Path, **changed: Any) -> Path:
    """Two systems and two documents, one for the board alone; `changed` goes into question q."""
    documents: list[dict[str, Any]] = [
        {"doc_id": "open", "text": "for all"},
        {"doc_id": "shut", "text": "for the board", "access_groups": ["board"]},
    ]
    question = {"question_id": "q", "text": "?", "relevant": ["open"], "support": {"c": ["open"]}}
    claim = {"claim_id": "c", "citations": ["open"]}
    responses = [
        {"system": s, "question_id": "q", "retrieved": ["open", "shut"], "claims": [claim]}
        for s in "AB"
    ]
    return hand_in(folder, documents=documents, questions=[question | changed], responses=responses)


@pytest.mark.parametrize("columns", ["80", "40", "200"])
def test_the_fixture_prints_its_table_line_for_line(
    fixture_run: Path,
    columns: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    show_results(fixture_run)
    lines = capsys.readouterr().out.splitlines()
    start = lines.index(EXPECTED[0])
    assert lines[start : start + len(EXPECTED)] == EXPECTED


def test_launch_is_named_as_the_regression_before_any_mean(fixture_run: Path) -> None:
    lines = page(fixture_run)
    named = lines.index("    launch: support 1.00 → 0.50; extra claim")
    assert lines[named - 2] == "B against A: 1 worse, 3 better, 0 the same"
    assert named < next(at for at, line in enumerate(lines) if "mean over pairs" in line)


def test_rollback_owner_and_region_are_named_as_better(fixture_run: Path) -> None:
    lines = page(fixture_run)
    start = lines.index("  better") + 1
    assert [line.split(":")[0].strip() for line in lines[start : start + 3]] == [
        "rollback",
        "owner",
        "region",
    ]


def test_the_fixtures_means_are_those_of_its_contract(fixture_run: Path) -> None:
    lines = page(fixture_run)
    recall = [line.split()[1] for line in lines if line.startswith("  R@2  ")]
    support = [line.split()[1:4] for line in lines if line.startswith("  support  ")]
    assert recall == ["0.833", "0.8333", "1.0000"]
    assert support[1:] == [["0.6667", "0.6667", "3"], ["0.8333", "0.8000", "3"]]


def test_the_page_fits_a_terminal_of_eighty_columns(fixture_run: Path) -> None:
    assert max(cells(line) for line in page(fixture_run)) <= 80


def test_a_leak_stands_before_everything_else(tmp_path: Path) -> None:
    data = finish(tmp_path / "data", handed_in(tmp_path / "in", caller_groups=["staff"]))
    lines = page(data)
    assert lines[2] == "LEAKS: 2 responses showed what must not be read"
    assert lines[3:6] == [
        "  to the answer, in its context or by a citation",
        "    q, system A: shut",
        "    q, system B: shut",
    ]
    assert not any("LEAK" in line for line in page(finish_without_leaks(tmp_path)))


def finish_without_leaks(folder: Path) -> Path:
    return finish(folder / "other", handed_in(folder / "out", caller_groups=["board"]))


def test_what_was_only_retrieved_leaks_too_and_a_citation_reaches_the_answer(
    tmp_path: Path,
) -> None:
    # k = 1, so that the second document, the secret one, is out of the context; B cites it
    source = handed_in(tmp_path / "in", caller_groups=["staff"])
    responses = source / "responses.jsonl"
    first, second = responses.read_text().splitlines()
    cites = second.replace('"citations": ["open"]', '"citations": ["shut"]')
    responses.write_text(f"{first}\n{cites}\n")
    assert page(finish(tmp_path / "data", source, cutoff=1))[2:7] == [
        "LEAKS: 2 responses showed what must not be read",
        "  to the answer, in its context or by a citation",
        "    q, system B: shut",
        "  retrieved only, by document",
        "    shut: q, system A",
    ]


def test_many_leaks_are_counted_and_not_all_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaks, "MOST", 20)
    source = handed_in(tmp_path / "in", caller_groups=["staff"])
    for name in ("questions", "responses"):
        text = (source / f"{name}.jsonl").read_text()
        many = [text.replace('"question_id": "q"', f'"question_id": "q{at}"') for at in range(15)]
        (source / f"{name}.jsonl").write_text("".join(many))
    lines = page(finish(tmp_path / "data", source))
    assert lines[2] == "LEAKS: 30 responses showed what must not be read"
    assert lines[24] == "  … and 10 more: column `leaks` of per_question"


def test_failures_and_disputes_are_counted_for_each_system(tmp_path: Path) -> None:
    votes = {"annotators": ["x", "y"], "evidence": [
        {"doc_id": "open", "claim_id": "c", "annotator": "x"},
        {"doc_id": "open", "claim_id": "c", "annotator": "y"},
        {"doc_id": "shut", "claim_id": "c", "annotator": "y"},
    ]}  # fmt: skip
    source = handed_in(tmp_path / "in", relevant=None, support=None, **votes)
    responses = source / "responses.jsonl"
    first, _ = responses.read_text().splitlines()
    failure = '{"system": "B", "question_id": "q", "status": "failed", "error": "timeout"}'
    responses.write_text(f"{first}\n{failure}\n")
    lines = page(finish(tmp_path / "data", source))
    assert "A: 1 question with labels in dispute" in lines
    assert "B: 1 of 1 response failed" in lines


def test_beside_held_out_numbers_stands_how_often_they_were_looked_at(tmp_path: Path) -> None:
    source = handed_in(tmp_path / "in", split="heldout")
    lines = page(finish(tmp_path / "data", source, split="heldout"))
    heads = [line for line in lines if line.startswith(("questions", "A: ", "B"))]
    after = [lines[lines.index(head) + 1] for head in heads]
    both = [f"{head} {rest.strip()}" for head, rest in zip(heads, after, strict=True)]
    assert len(both) == 4
    assert all("; held-out questions opened 1 time" in text for text in both)


def test_over_the_budget_held_out_questions_no_longer_are_and_a_broken_chain_is_named(
    tmp_path: Path,
) -> None:
    data = finish(tmp_path / "data", handed_in(tmp_path / "in", split="heldout"), split="heldout")
    look(frozen(tmp_path / "other", ["?"]), times=2)

    def heads(budget: int) -> list[str]:
        text = " ".join(" ".join(line.text for line in result_lines(data, 80, budget)).split())
        return text.split("; held-out questions opened ")[1:]

    assert all(head.startswith("3 times ") for head in heads(3))
    over = "3 times, budget 2: these questions no longer are held out"
    assert [head.startswith(over) for head in heads(2)] == [True] * 4
    path = tmp_path / ledger.NAME
    path.write_text(path.read_text().replace("a look 0", "no look"))
    said = f"{over}; the ledger's chain is broken at line 4"
    assert [head.startswith(said) for head in heads(2)] == [True] * 4


def test_numbers_that_are_not_held_out_have_no_count_of_looks(fixture_run: Path) -> None:
    assert not any("held-out" in line for line in page(fixture_run))


def test_ids_and_names_cannot_act_on_the_terminal(tmp_path: Path) -> None:
    data = finish(tmp_path / "data", handed_in(tmp_path / "in", caller_groups=["staff"]))
    values = read(data / "score", PerQuestion)
    write(
        data / "score",
        PerQuestion,
        values.with_columns(leaks=pl.lit(["d\x1b[2J"], dtype=pl.List(pl.String))),
    )
    assert not any("\x1b" in line for line in page(data))


def test_the_way_to_one_question_is_shown_at_the_end(fixture_run: Path) -> None:
    assert page(fixture_run)[-2:] == [
        "One question in full: python -m pipeline show QUESTION",
        "The comparison as a page: data/compare/report.html",
    ]


def test_thin_labels_are_named_where_a_question_says_what_was_looked_at(tmp_path: Path) -> None:
    # both systems retrieve open and shut, and people looked at one of the two
    lines = page(finish(tmp_path / "data", handed_in(tmp_path / "set", judged=["open"])))
    told = " ".join(" ".join(lines).split())
    assert "Judged@2: A 0.5000, B 0.5000" in told
    assert "labels are thin for A: 0.50 of what it retrieved was looked at by nobody" in told
    assert all(len(line) <= 80 for line in lines)
    lines = page(finish(tmp_path / "more", handed_in(tmp_path / "set", judged=["open", "shut"])))
    assert not any("thin" in line for line in lines)


def test_what_people_have_still_to_decide_is_said(tmp_path: Path) -> None:
    data = finish(tmp_path / "data", handed_in(tmp_path / "set"))
    (data / "judge" / "remark.txt").write_text("2 of 9 decisions are open: x/decide.csv\n")
    assert "judge: 2 of 9 decisions are open: x/decide.csv" in page(data)
