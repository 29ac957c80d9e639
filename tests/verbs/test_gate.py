"""The verb `gate`: its exit codes, its screen, and the files that it writes."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import pipeline
from pipeline.__main__ import main
from tests.finished import finish
from tests.verbs.gates.documents import compared, ruled, written

NO_POLICY = compared(verdict=None) | {"acceptance": None}  # as a run under none writes it
NO_POLICY["candidates"]["branch"]["acceptance"] = None
FAILED = compared(
    ruled("leaks", "pass", measured=0, bound="≤ 0"),
    ruled(
        outcome="fail", questions=[f"q{at}" for at in range(11)], why="1 question n/a on a side",
        follow_up="look at the causes",
    ),
    verdict="reject",
    worse=("q1", "q2"),
)  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def gated(here: Path, document: Any, *words: str) -> int:
    written(here / "data" / "compare" / "comparison.json", document)
    return main(["gate", *words])


@pytest.mark.parametrize(
    ("outcome", "verdict", "code"),
    [("pass", "accept", 0), ("fail", "reject", 1), ("unmeasurable", "unmeasurable", 2)],
)
def test_the_exit_code_is_the_verdict(here: Path, outcome: str, verdict: str, code: int) -> None:
    assert gated(here, compared(ruled(outcome=outcome), verdict=verdict)) == code


@pytest.mark.parametrize("buffered", ["", "1"])
def test_a_reader_that_left_early_turns_no_reject_into_accept(here: Path, buffered: str) -> None:
    # as in `gate | head -3`, of which a shell with pipefail takes the code
    written(here / "data" / "compare" / "comparison.json", FAILED)
    read, write = os.pipe()
    os.close(read)
    words = [sys.executable, "-m", "pipeline", "gate"]
    paths = {"PYTHONPATH": str(Path(pipeline.__file__).parents[1]), "PYTHONUNBUFFERED": buffered}
    found = subprocess.run(words, stdout=write, check=False, env=os.environ | paths)
    os.close(write)
    assert found.returncode == 1


def test_the_screen_has_the_verdict_first_then_what_was_not_met(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gated(here, FAILED) == 1
    assert capsys.readouterr().out.splitlines() == [
        "REJECT: policy mine, against main",
        "branch: reject",
        "  fail          recall holds: -0.0500, bound delta ≥ -0.02, n=120; 1 question",
        "                n/a on a side",
        "                at q0, q1, q2, q3, q4, q5, and 5 more",
        "                then: look at the causes",
        "  pass          leaks: 0, bound ≤ 0, n=120",
        "  2 questions worse: q1, q2",
    ]


def test_a_policy_first_seen_after_the_scores_is_marked_everywhere(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    late = {"first_seen": "2026-05-05T00:00:00+00:00", "after_scores": True}
    document = compared(ruled(), acceptance=late)
    assert gated(here, document, "--junit", "g.xml", "--markdown", "g.md") == 0
    said = "first seen after the scores"
    assert said in capsys.readouterr().out
    assert said in (here / "g.md").read_text("utf-8")
    assert '<property name="after_scores" value="True" />' in (here / "g.xml").read_text("utf-8")


def test_no_candidate_is_unmeasurable(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = compared() | {"candidates": {}, "verdict": None}
    assert gated(here, document, "--junit", "g.xml", "--markdown", "g.md") == 2
    assert "no candidate to judge" in capsys.readouterr().out
    assert 'errors="1"' in (here / "g.xml").read_text("utf-8")


def test_another_comparison_is_read_where_it_is_named(here: Path) -> None:
    path = written(here / "other.json", compared(ruled()))
    assert main(["gate", "--comparison", str(path)]) == 0


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (NO_POLICY, "expected a policy, got 'none'; "),
        (compared(ruled(outcome="fail")), "expected the verdict that the rules of 'branch' come"),
        (compared(ruled()) | {"verdict": "reject"}, "expected the worst of its candidates, accept"),
        ({"schema_version": 1}, "expected a comparison, version 2"),
        ({}, "expected a comparison, version 2"),
        ([], "expected a comparison, version 2"),
        (compared(ruled(outcome="maybe")), "expected a comparison, version 2"),
        (compared(ruled(n="many")), "expected a comparison, version 2"),
    ],
)
def test_what_cannot_be_judged_by_is_bad_input(
    here: Path, capsys: pytest.CaptureFixture[str], document: Any, said: str
) -> None:
    assert gated(here, document) == 3
    assert said in capsys.readouterr().err


def test_rules_that_the_policy_has_and_the_verdict_lacks_are_bad_input(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # left with what passed, the document would say accept
    document = compared(ruled("recall"), ruled("leaks", "fail"), verdict="accept")
    held = document["candidates"]["branch"]["acceptance"]
    held["rules"] = held["rules"][:1]
    assert gated(here, document) == 3
    assert "expected the rules of its policy at 'branch', got others" in capsys.readouterr().err
    warned = compared(ruled("leaks", "fail"), verdict="accept")
    warned["candidates"]["branch"]["acceptance"]["rules"][0]["severity"] = "warn"
    assert gated(here, warned) == 3


def test_limits_of_the_policy_are_among_its_rules(here: Path) -> None:
    limits = {"leaks": {"most": 0, "severity": "block"}, "failures": None}
    shares = {"na": [{"metric": "recall", "most": 0.1, "severity": "warn"}]}
    document = compared(ruled("recall"), ruled("leaks"), ruled("na recall", severity="warn"))
    document["acceptance"] |= {"rules": [{"name": "recall", "severity": "block"}]}
    assert gated(here, document | {}) == 3
    document["acceptance"] |= {"limits": limits | shares}
    assert gated(here, document) == 0


@pytest.mark.parametrize(
    "words",
    [
        ["--junit", "data"],
        ["--junit", "data/compare/comparison.json"],
        ["--junit", "one", "--markdown", "./one"],
    ],
)
def test_a_folder_or_a_file_that_is_used_already_is_not_written(
    here: Path, words: list[str]
) -> None:
    assert gated(here, compared(ruled()), *words) == 3
    assert main(["gate"]) == 0  # nothing was overwritten


def test_a_run_without_a_policy_is_told_how_to_name_one(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DVC_ROOT", str(here))
    finish(here / "data")  # as the stage `compare` writes it under the policy none
    assert main(["gate"]) == 3
    err = capsys.readouterr().err
    assert "expected a policy, got 'none'; `python -m pipeline acceptance=default`" in err


def test_no_comparison_is_bad_input_with_the_way_out(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["gate"]) == 3
    assert "`python -m pipeline` makes one" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--junit", ""], ["--markdown", " "], ["more"], ["--x"]])
def test_words_that_are_not_right_are_bad_input(here: Path, words: list[str]) -> None:
    assert gated(here, compared(ruled()), *words) == 3


def test_a_tolerance_that_ended_since_fails_its_rule(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    leave = [{"question": "q7", "reason": "known", "until": "2020-01-01"}]
    assert gated(here, compared(ruled(tolerated=leave))) == 1
    out = capsys.readouterr().out
    assert "REJECT" in out
    assert "tolerances ended: q7 on 2020-01-01" in " ".join(out.split())


def test_what_a_rule_tolerated_is_shown_everywhere_with_reason_and_day(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    leave = [{"question": "q7", "reason": "known gap", "until": "2999-01-01"}]
    rules = [ruled(f"r{at}") for at in range(30)]
    document = compared(*rules, ruled("holds", tolerated=leave))
    assert gated(here, document, "--junit", "g.xml", "--markdown", "g.md") == 0
    said = "tolerated: q7 until 2999-01-01, known gap"
    lines = capsys.readouterr().out.splitlines()
    assert f"                {said}" in lines
    assert "  pass          30 rules" in lines
    assert said in (here / "g.xml").read_text("utf-8")
    assert "q7 until 2999-01-01, known gap" in (here / "g.md").read_text("utf-8")


def test_a_rule_that_warns_is_shown_as_a_warning(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gated(here, compared(ruled(outcome="fail", severity="warn"))) == 0
    assert "  warning       recall holds" in capsys.readouterr().out


def test_many_rules_that_pass_are_one_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = [ruled(f"r{at}") for at in range(30)]
    assert gated(here, compared(*rules)) == 0
    assert "  pass          30 rules" in capsys.readouterr().out.splitlines()


def leaning(labels: int, common: int, *rules: dict[str, Any], **policy: Any) -> dict[str, Any]:
    """A comparison under these rules that a model judged, with so many labels of people."""
    document = compared(*(ruled(rule["name"]) for rule in rules))
    document["acceptance"] |= {"rules": [{"severity": "block", **rule} for rule in rules]} | policy
    side = {"rulings": None, "metrics": {"expected": {"common": common, "raw": {}}}}
    judge = {"judge": "gpt|<b>", "labels": labels, "annotators": 1, "sides": {"main": side}}
    return document | {"judge": judge}


SUPPORT, RECALL = ({"name": f"{name} holds", "metric": name} for name in ("support", "recall"))


def test_a_rule_that_leans_on_a_judge_nobody_checked_is_named_everywhere(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = leaning(0, 0, SUPPORT, RECALL)
    assert gated(here, document, "--junit", "g.xml", "--markdown", "g.md") == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "judge gpt|<b>: unvalidated, no label of a person" in printed
    assert "1 rule leans on it: support holds" in printed
    assert "judge gpt&#124;&#60;b&#62;&#58; unvalidated" in (here / "g.md").read_text("utf-8")
    assert 'name="judge" value="judge gpt|&lt;b&gt;: unvalid' in (here / "g.xml").read_text("utf-8")


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (leaning(0, 0, RECALL), None),
        (leaning(0, 0, {"name": "x", "metric": "ndcg@10"}, {"name": "y", "metric": "ap"}), None),
        (leaning(0, 0, {"name": "x", "expects": "no_regression", "metrics": ["recall@5"]}), None),
        (leaning(3, 3, SUPPORT), None),
        (compared(ruled()), None),
        (leaning(3, 0, SUPPORT), "unvalidated for expected; 1 rule leans"),
        (leaning(0, 0, {"name": "x", "expects": "abstain"}), "1 rule leans on it: x"),
        (leaning(0, 0, {"name": "x", "expects": "no_regression"}), "1 rule leans on it: x"),
        (leaning(0, 0, {"name": "x", "expects": "no_regression", "metrics": ["recall"]}), None),
        (leaning(0, 0, {"name": "x", "expects": "no_regression", "metrics": ["recall", "raf"]}),
         "1 rule leans on it: x"),
    ],
)  # fmt: skip
def test_only_what_a_judge_can_move_leans_on_it(
    here: Path, capsys: pytest.CaptureFixture[str], document: dict[str, Any], said: str | None
) -> None:
    assert gated(here, document) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert ("lean" in printed) == (said is not None)
    assert said is None or said in printed


def test_limits_on_claims_and_on_shares_lean_on_a_judge_too(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    block = {"severity": "block", "most": 0}
    limits = {
        "unsupported_claims": block, "leaks": block, "failures": None,
        "na": [block | {"metric": name} for name in ("coverage", "recall", "recall@5")],
    }  # fmt: skip
    document = leaning(0, 0, RECALL, limits=limits)
    document["candidates"]["branch"]["acceptance"]["rules"] += [
        ruled(name)
        for name in (
            "unsupported_claims",
            "leaks",
            "na coverage",
            "na recall",
            "na recall@5",
        )
    ]
    assert gated(here, document) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "2 rules lean on it: unsupported_claims, na coverage" in printed
