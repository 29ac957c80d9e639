"""What a run cost is said apart, fits the terminal, and n/a is not 0."""

from typing import Any

import pytest

from pipeline.verbs.terminal.costs import cost_lines

NONE = {"total": None, "recorded": 0}
WAITED = {"n": 151, "p50": 0.5, "p90": 1.25, "p95": 1.5, "p99": 20.0, "max": 21.125}
US = {"by": "us", "concurrency": 8}


def spent(**changed: Any) -> dict[str, Any]:
    return {
        "asked": 152,
        "failures": 1,
        "requests": {"total": 1154, "recorded": 152},
        "retries": {"total": 2, "recorded": 152},
        "input_tokens": {"total": 123456, "recorded": 152},
        "output_tokens": {"total": 12345, "recorded": 151},
        "cost_usd": NONE,
        "latency_s": WAITED,
        **changed,
    }


def nothing() -> dict[str, Any]:
    silent = dict.fromkeys(("requests", "retries", "input_tokens", "output_tokens"), NONE)
    return spent(**silent, latency_s={**dict.fromkeys(WAITED), "n": 0})


def page(systems: dict[str, Any], calls: Any = None, **how: Any) -> dict[str, Any]:
    machine = {"system": "Linux", "machine": "x86_64", "processors": 2, "python": "3.11.7"}
    measurement = {"answerer": None, "judge": None, **how}
    return {
        "judge_agreement": {},
        "systems": systems,
        "judge": calls,
        "machine": machine,
        "measurement": measurement,
    }


def test_costs_of_systems_and_judge_stand_apart() -> None:
    judge = spent(asked=1, failures=0, cost_usd={"total": 0.0021, "recorded": 1})
    lines = [line.text for line in cost_lines(page({"rag": spent()}, judge, answerer=US), 80)]
    assert lines == [
        "What it cost (no score depends on it)",
        "  rag: 152 responses, 1 failed; 1,154 requests, 2 retries",
        "    tokens 123,456 in, 12,345 out (known of 151); cost n/a",
        "    seconds p50 0.50, p90 1.25, p95 1.50, p99 20.00, max 21.12 (n = 151; 8 at",
        "      once)",
        "  the judge, apart: 1 call, 0 failed; 1,154 requests, 2 retries",
        "    tokens 123,456 in, 12,345 out; cost $0.0021",
        "    seconds p50 0.50, p90 1.25, p95 1.50, p99 20.00, max 21.12 (n = 151)",
        "  timed on Linux x86_64, 2 processors, Python 3.11.7; an answer kept from an",
        "    earlier run keeps its time",
    ]


def test_how_far_a_judge_agrees_with_itself_stands_with_what_it_cost() -> None:
    of = {"draws": 3, "items": 12, "n": 10, "share": 0.9, "alpha": None}
    made = page({"rag": nothing()}, spent(), judge=US) | {"judge_agreement": {"supported": of}}
    lines = [line.text for line in cost_lines(made, 80)]
    assert "    supported: 0.90 of 10 alike in 3 draws, alpha n/a" in lines


def test_times_of_others_are_not_called_ours() -> None:
    lines = [
        line.text for line in cost_lines(page({"A": spent()}, answerer={"by": "recorded"}), 99)
    ]
    assert lines[-1].endswith("(n = 151; as the set says)")


def test_nothing_recorded_is_nothing_said() -> None:
    assert cost_lines(page({"rag": nothing()}), 80) == []


@pytest.mark.parametrize("width", [40, 60, 80])
def test_every_line_fits(width: int) -> None:
    lines = cost_lines(page({"a system of many words": spent()}, spent(), judge=US), width)
    assert max(len(line.text) for line in lines) <= width
