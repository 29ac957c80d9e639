"""What a comparison found: each regression first, then what improved, then averages."""

from collections import Counter
from typing import Any

from pipeline.contract.metrics import SHOWN
from pipeline.contract.words import METRIC, Cut, causes, change, counted, label, lost, widest
from pipeline.scoring.deltas import ERRORS
from pipeline.verbs.terminal.text import Line, Style, clean, listed, padded, wrapped

MOST = 20
"""Questions of one list that are named; the rest are counted."""

TOGETHER = frozenset({"support", "coverage", "false_abstention"})
"""Support can rise by silence, so it is never shown without the other two."""


def comparison_lines(
    comparison: dict[str, Any], order: list[str], cutoff: Cut, width: int, heldout: str
) -> list[Line]:
    """Set data/compare/comparison.json for people.

    Args:
        comparison: the document.
        order: question ids as they stand in the questions' file.
        cutoff: k, for the names of metrics.
        width: columns of the page.
        heldout: what stands in each head when held-out questions are among them.
    """
    baseline = comparison["baseline"]["name"]
    if not comparison["candidates"]:
        return [Line(f"One system only ({clean(baseline)}): nothing to compare.", "dim")]
    place = {question: at for at, question in enumerate(order)}
    lines = _common(comparison["common"], width)
    for name, found in comparison["candidates"].items():
        lines += [Line("")] if lines else []
        lines += _head(name, baseline, found, width, heldout)
        lines += _named("worse", "red", _sorted(found["regressions"], place), cutoff, width)
        lines += _named("better", "green", _sorted(found["improvements"], place), cutoff, width)
        lines += _unpaired(found, place, cutoff, width)
        lines += _averages(found, comparison["method"], cutoff, width)
        lines += _verdict(found["acceptance"], comparison["acceptance"], width)
    return lines


def _common(found: dict[str, Any] | None, width: int) -> list[Line]:
    """How many questions are compared where the sides do not agree as wholes."""
    if found is None:
        return []
    why = Counter(found["why"].values())
    text = f"only the {counted(found['questions'], 'question')} that are the same on all sides"
    if why:
        text += "; left out: " + ", ".join(f"{n:,} ({clean(word)})" for word, n in why.items())
    return [Line(line, "yellow") for line in wrapped(text, width, rest="  ")]


def _head(name: str, baseline: str, found: dict[str, Any], width: int, heldout: str) -> list[Line]:
    counts = found["questions"]
    text = (
        f"{clean(name)} against {clean(baseline)}: {counts['worse']:,} worse, "
        f"{counts['better']:,} better, {counts['same']:,} the same"
    )
    if counts["mixed"]:
        text += f"; {counts['mixed']:,} of them both worse and better"
    if counts["no_pair"]:
        text += f"; {counted(counts['no_pair'], 'question')} with no value to compare"
    lines = [Line(line, "bold") for line in wrapped(text + heldout, width, rest="  ")]
    if found["differs"]:
        parts = ", ".join(clean(part) for part in found["differs"])
        note = f"settings differ: {parts}"
        note += "" if found["controlled"] else " (not a controlled change)"
        lines += [Line(line, "yellow") for line in wrapped(note, width, first="  ")]
    return lines


def _verdict(found: dict[str, Any] | None, policy: dict[str, Any] | None, width: int) -> list[Line]:
    """What the policy says, with the rules that do not pass."""
    if found is None or policy is None:
        return []
    styles: dict[str, Style] = {"accept": "green", "reject": "red"}
    text = f"{found['verdict']} by policy {clean(policy['policy'])}"
    outcomes = {"fail": "not met", "unmeasurable": "unmeasurable"}
    for outcome, word in outcomes.items():
        names = [clean(rule["name"]) for rule in found["rules"] if rule["outcome"] == outcome]
        text += f"; {word}: {', '.join(names)}" if names else ""
    style = styles.get(found["verdict"], "yellow")
    lines = [Line(line, style) for line in wrapped(text, width, first="  ", rest="    ")]
    if policy["after_scores"]:
        late = "the policy was first seen after the scores: it was not written before looking"
        lines += [Line(line, "yellow") for line in wrapped(late, width, first="  ", rest="    ")]
    return lines


def _sorted(found: list[dict[str, Any]], place: dict[str, int]) -> list[dict[str, Any]]:
    return sorted(found, key=lambda entry: place.get(entry["question_id"], len(place)))


def _named(
    head: str, style: Style, found: list[dict[str, Any]], cutoff: Cut, width: int, most: int = MOST
) -> list[Line]:
    """One question a line: what changed, and for a regression what the labels say went wrong."""
    lines = []
    for entry in found[:most]:
        gone = [
            row for row in entry["metrics"] if "causes" in entry and row["after_reason"] in ERRORS
        ]
        what = [change(row, cutoff) for row in entry["metrics"] if row not in gone]
        what += [lost(gone, cutoff)] if gone else []
        if entry.get("leaks"):
            what.append("shows what the caller may not read: " + ", ".join(entry["leaks"]))
        items = list(map(clean, what))
        items[0] = f"{clean(entry['question_id'])}: {items[0]}"
        why = entry.get("new_causes") or entry.get("causes")
        items[-1] += f"; {causes(why)}" if why else ""
        lines += [Line(line, style) for line in listed(items, width, first="    ", rest="      ")]
    if len(found) > most:
        lines.append(Line(f"    … and {len(found) - most:,} more: data/compare/deltas.csv", "dim"))
    return [Line(f"  {head}", style), *lines] if lines else []


def _unpaired(found: dict[str, Any], place: dict[str, int], cutoff: Cut, width: int) -> list[Line]:
    """Pairs with a value on one side, unless named as worse; those with none are counted."""
    worse = {
        (entry["question_id"], row["metric"])
        for entry in found["regressions"]
        for row in entry["metrics"]
    }
    one_sided, neither = [], set()
    for entry in _sorted(found["unpaired"], place):
        question = entry["question_id"]
        rows = [row for row in entry["metrics"] if (question, row["metric"]) not in worse]
        some = [row for row in rows if (row["before"], row["after"]) != (None, None)]
        one_sided += [{"question_id": question, "metrics": some}] if some else []
        neither |= {question} if len(some) < len(rows) else set()
    lines = _named("one side n/a", "yellow", one_sided, cutoff, width, most=MOST // 4)
    if neither:
        text = f"  both sides n/a: {counted(len(neither), 'question')}"
        lines.append(Line(text, "yellow"))
    return lines


def _averages(found: dict[str, Any], method: dict[str, Any], cutoff: Cut, width: int) -> list[Line]:
    """Means over pairs with their interval and n; metrics without a pair are left out."""
    rows = found["averages"]
    some = {row["metric"] for row in rows if row["n"] or row["unpaired"]}
    shown = some | (TOGETHER if some & TOGETHER else set())
    kept = [row for row in rows if row["metric"] in shown]
    if not kept:
        none = Line("  no pair of values to average", "dim")
        return [none, *_context(found["context"], widest(()))]
    names = {metric.name: label(metric, cutoff) for metric in SHOWN}
    sure = {row["metric"]: row for row in found["uncertainty"] if row["attribute"] == ""}
    wide = widest(names[row["metric"]] for row in kept)
    interval = f"{method['level']:.0%} interval"
    head = (
        f"  {padded('mean over pairs', wide)} before  after  change  {interval:>16}  {'p':>5}     n"
    )
    lines = [Line(head, "dim")]
    for row in kept:
        before, after = _mean(row["before"], ""), _mean(row["after"], "")
        text = (
            f"  {padded(names[row['metric']], wide)} {before:>6} {after:>6}  "
            f"{_mean(row['delta'], '+'):>6}  {_interval(sure.get(row['metric']))}  {row['n']:>4,}"
        )
        lines.append(Line(text.rstrip(), _style(row)))
    lines += _context(found["context"], wide)
    return lines + _beside(kept, names, found, method, width)


def _interval(row: dict[str, Any] | None) -> str:
    """Interval of a difference and its corrected p-value, in 23 columns."""
    if row is None or row["low"] is None:
        return f"{'n/a':>16}  {'n/a':>5}"
    ends = f"[{row['low']:+.3f}, {row['high']:+.3f}]"
    p = row["p_holm"]
    return f"{ends:>16}  {'n/a' if p is None else f'{p:.3f}':>5}"


def _beside(
    rows: list[dict[str, Any]],
    names: dict[str, str],
    found: dict[str, Any],
    method: dict[str, Any],
    width: int,
) -> list[Line]:
    """What belongs to the table and is no row of it: lost pairs, small n, how it was made."""
    unpaired = [f"{names[row['metric']]} {row['unpaired']:,}" for row in rows if row["unpaired"]]
    said = [f"unpaired: {', '.join(unpaired)}"] if unpaired else []
    small = [
        row for row in found["uncertainty"] if row["attribute"] == "" and row["small"] and row["n"]
    ]
    if small:
        most = max(row["n"] for row in small)
        said.append(
            f"few questions ({most:,} pairs at most): intervals and p-values say little here"
        )
    wanted = [row["needed"] for row in found["uncertainty"] if row["needed"] is not None]
    if wanted:
        said.append(
            f"to see a difference of {method['difference']:g} (power 80 %): "
            f"{min(wanted):,} to {max(wanted):,} questions, by metric"
            if min(wanted) < max(wanted)
            else f"to see a difference of {method['difference']:g}: {wanted[0]:,} questions"
        )
    said.append(
        f"interval: {method['interval']}, {method['resamples']:,} resamples of questions; "
        f"p: {method['test']}, {method['correction']}'s correction over {method['family']:,}"
    )
    return [
        Line(line, "dim") for text in said for line in wrapped(text, width, first="  ", rest="    ")
    ]


def _context(found: dict[str, Any], wide: int) -> list[Line]:
    """How much text each side was given: a longer context is another change."""
    if not found["n"]:
        return []
    before, after = found["before"], found["after"]
    digits = 1 if max(before, after) < 1_000 else 0
    sides = " ".join(f"{side:>6,.{digits}f}" for side in (before, after))
    numbers = f"{sides} {after - before:>+7,.{digits}f}  {'':>23}  {found['n']:>4,}"
    return [Line(f"  {padded('context, characters', wide)} {numbers}")]


def _mean(number: float | None, sign: str) -> str:
    return "n/a" if number is None else f"{number:{sign}.3f}"


def _style(row: dict[str, Any]) -> Style:
    if not row["delta"]:
        return ""
    up = row["delta"] > 0
    return "green" if up == (METRIC[row["metric"]].better == "higher") else "red"
