"""What a run cost, in the words that stand apart from its quality."""

from collections.abc import Iterator
from typing import Any

from pipeline.calls.estimate import money
from pipeline.contract.words import NA, counted
from pipeline.manifest.spending import recorded
from pipeline.verbs.terminal.text import Line, clean, wrapped

HEAD = "What it cost (no score depends on it)"

Page = dict[str, Any]


def cost_lines(costs: Page | None, width: int) -> list[Line]:
    """Set what each system and the judge cost; nothing where nothing was recorded.

    Args:
        costs: as `manifest.measurement.costs` gives it; None: nothing is known.
        width: columns of the page.
    """
    if costs is None:
        return []
    measurement = costs["measurement"]
    parts: list[Line] = []
    for name, spent in costs["systems"].items():
        if recorded(spent):
            parts += _block(clean(name), "response", spent, measurement["answerer"], width)
    judge = costs["judge"]
    if judge is not None and recorded(judge):
        parts += _block("the judge, apart", "call", judge, measurement["judge"], width)
        parts += _draws(costs["judge_agreement"], width)
    if not parts:
        return []
    if any(one and one["by"] == "us" for one in measurement.values()):
        machine = costs["machine"]
        text = (
            f"timed on {machine['system']} {machine['machine']}, "
            f"{counted(machine['processors'], 'processor')}, Python {machine['python']}; "
            "an answer kept from an earlier run keeps its time"
        )
        parts += [Line(line, "dim") for line in wrapped(text, width, first="  ", rest="    ")]
    return [Line(HEAD, "bold"), *parts]


def _block(name: str, noun: str, spent: Page, how: Page | None, width: int) -> Iterator[Line]:
    asked = f"{name}: {counted(spent['asked'], noun)}, {spent['failures']:,} failed"
    if spent["requests"]["total"] is not None:
        retries = spent["retries"]["total"]
        again = f"{retries:,} {'retry' if retries == 1 else 'retries'}"
        asked += f"; {counted(spent['requests']['total'], 'request')}, {again}"
        asked += _of(spent["requests"], spent["asked"])
    cost = spent["cost_usd"]
    tokens = ", ".join(
        f"{_count(spent[key])} {way}{_of(spent[key], spent['asked'])}"
        for key, way in (("input_tokens", "in"), ("output_tokens", "out"))
    )
    paid = NA if cost["total"] is None else money(cost["total"])
    lines = [(asked, "  "), (f"tokens {tokens}; cost {paid}{_of(cost, spent['asked'])}", "    ")]
    waited = spent["latency_s"]
    if waited["n"]:
        times = ", ".join(f"{at} {waited[at]:.2f}" for at in ("p50", "p90", "p95", "p99", "max"))
        lines.append((f"seconds {times} (n = {waited['n']:,}{_how(how)})", "    "))
    for text, first in lines:
        yield from (Line(line) for line in wrapped(text, width, first=first, rest="      "))


def _draws(agreement: Page, width: int) -> Iterator[Line]:
    """How far the judge says the same when it is asked again."""
    for kind, of in agreement.items():
        share = NA if of["share"] is None else f"{of['share']:.2f}"
        alpha = NA if of["alpha"] is None else f"{of['alpha']:.2f}"
        text = f"{clean(kind)}: {share} of {of['n']:,} alike in {of['draws']} draws, alpha {alpha}"
        yield from (Line(line) for line in wrapped(text, width, first="    ", rest="      "))


def _how(how: Page | None) -> str:
    if how is None:
        return ""
    if how["by"] == "recorded":
        return "; as the set says"
    return f"; {how['concurrency']} at once"


def _count(total: Page) -> str:
    return NA if total["total"] is None else f"{total['total']:,}"


def _of(total: Page, asked: int) -> str:
    """How many of them it is known of, where that is some and not all."""
    return f" (known of {total['recorded']:,})" if 0 < total["recorded"] < asked else ""
