"""Run files as recorded systems: what orders them, what is refused."""

from pathlib import Path

import pytest

from pipeline.contract.errors import DataError
from tests.adapters.datasets.collections import DOCUMENTS, QRELS, lines, read_trec, trec

RUN = "7 Q0 b 1 2.0 mine\n7 Q0 a 2 9.0 mine\n9 Q0 a 1 1.0 mine\n"


def test_ranks_are_the_order_whatever_the_scores_say(tmp_path: Path) -> None:
    found = read_trec(tmp_path, run=RUN)
    assert found.faults == []
    one, two = found.responses.rows
    assert (one.system, one.question_id, one.retrieved) == ("mine", "7", ["b", "a"])
    assert one.scores == [2.0, 9.0]
    assert (one.delivered, one.claims, one.answer) == (None, None, None)
    assert (two.question_id, two.retrieved) == ("9", ["a"])
    assert found.responses.lines == [1, 3]
    assert found.order == "list"
    assert found.notes[-1] == "one.run: in 1 lists a score rises along the ranks; the ranks hold"


def test_lines_may_stand_in_any_order(tmp_path: Path) -> None:
    shuffled = "\n".join(reversed(RUN.strip().split("\n")))
    one = next(
        row for row in read_trec(tmp_path, run=shuffled).responses.rows if row.question_id == "7"
    )
    assert one.retrieved == ["b", "a"]


def test_by_score_the_order_is_score_falling_then_id_rising(tmp_path: Path) -> None:
    run = "7 Q0 c 1 1.0 mine\n7 Q0 b 1 1.0 mine\n7 Q0 a 1 2.0 mine\n"
    found = read_trec(tmp_path, run=run, order="score")
    assert found.faults == []
    assert found.responses.rows[0].retrieved == ["a", "b", "c"]
    assert found.order == "scores"


def test_a_rank_twice_is_refused_with_the_setting_that_goes_by_scores(tmp_path: Path) -> None:
    found = read_trec(tmp_path, run="7 Q0 b 1 2 mine\n7 Q0 a 1 9 mine\n")
    assert lines(found) == [
        "one.run:2: mine / 7: expected each rank once (dataset.order=score goes by the scores), "
        "got rank 1 again, first on line 1"
    ]
    assert ("mine", "1", "7") in found.responses.lost


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (
            "7 Q0 a 1 2.0",
            "one.run:1: expected 6 columns: topic Q0 document rank score tag, got 5: "
            "'7 Q0 a 1 2.0'",
        ),
        (
            "7 Q0 a first 2.0 mine",
            "one.run:1: 7: expected a whole number of 0 or more as rank, got 'first'",
        ),
        ("7 Q0 a 1 high mine", "one.run:1: 7: expected a finite number as score, got 'high'"),
        ("7 Q0 a 1 nan mine", "one.run:1: 7: expected a finite number as score, got 'nan'"),
    ],
)
def test_each_fault_of_a_line_is_named(tmp_path: Path, line: str, fault: str) -> None:
    assert lines(read_trec(tmp_path, run=line + "\n")) == [fault]


def test_a_system_is_called_by_its_tag_or_by_its_file(tmp_path: Path) -> None:
    found = read_trec(tmp_path, run=RUN, system="file")
    assert {row.system for row in found.responses.rows} == {"one"}


def test_dropped_documents_leave_the_lists_and_the_note_counts_these(tmp_path: Path) -> None:
    found = read_trec(
        tmp_path, DOCUMENTS.replace("Ice floats &amp; melts.", ""), qrels=QRELS, run=RUN,
        blank="drop",
    )  # fmt: skip
    assert [row.retrieved for row in found.responses.rows] == [["b"], []]
    assert found.notes[-1] == (
        "one.run: dropped documents left out of 2 lists; what is below moves up"
    )


def test_one_file_or_a_folder_of_them_and_nothing_else(tmp_path: Path) -> None:
    read_trec(tmp_path, run=RUN)
    (tmp_path / "runs" / "two.run").write_text(RUN.replace("mine", "yours"))
    (tmp_path / "runs" / ".hidden").write_text("no run")
    found = trec(tmp_path, runs=str(tmp_path / "runs")).load()
    assert [row.system for row in found.responses.rows] == ["mine"] * 2 + ["yours"] * 2
    one = trec(tmp_path, runs=str(tmp_path / "runs" / "two.run")).load()
    assert {row.system for row in one.responses.rows} == {"yours"}
    with pytest.raises(DataError, match=r"expected a run file or a folder of them, got no such"):
        trec(tmp_path, runs=str(tmp_path / "run")).load()
