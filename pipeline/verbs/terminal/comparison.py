"""What a comparison found: each regression first, then what improved, then averages."""

from collections import Counter
from typing import Any

from pipeline.contract.rankings import lacking, told
from pipeline.contract.words import Cut, causes, change, counted, lost
from pipeline.scoring.deltas import ERRORS
from pipeline.scoring.findings import depth
from pipeline.verbs.terminal.averages import average_lines
from pipeline.verbs.terminal.text import Line, Style, clean, listed, wrapped
from pipeline.verbs.terminal.validation import standing_lines

MOST = 20
"""Questions of one list that are named; of more the deepest are, and the rest are counted."""


def comparison_lines(
    comparison: dict[str, Any],
    order: list[str],
    cutoff: Cut,
    width: int,
    heldout: str,
    folder: str = "data/compare",
) -> list[Line]:
    """Set a comparison.json for people.

    Args:
        comparison: the document.
        order: question ids as they stand in the questions' file.
        cutoff: k, for the names of metrics.
        width: columns of the page.
        heldout: what stands in each head when held-out questions are among them.
        folder: where it lies, with deltas.csv beside it.
    """
    baseline = comparison["baseline"]["name"]
    if not comparison["candidates"]:
        return [Line(f"One system only ({clean(baseline)}): nothing to compare.", "dim")]
    place = {question: at for at, question in enumerate(order)}
    table = f"{clean(folder)}/deltas.csv"
    lines = _common(comparison["common"], width)
    if missing := lacking(comparison.get("cutoffs")):
        lines += [Line(line, "yellow") for line in wrapped(missing, width, rest="  ")]
    for name, found in comparison["candidates"].items():
        lines += [Line("")] if lines else []
        lines += _head(name, baseline, found, width, heldout)
        lines += _named("worse", "red", _sorted(found["regressions"], place), cutoff, width, table)
        lines += _named(
            "better", "green", _sorted(found["improvements"], place), cutoff, width, table
        )
        lines += _unpaired(found, place, cutoff, width, table)
        lines += average_lines(found, comparison["method"], cutoff, width)
        lines += standing_lines(comparison["judge"], (baseline, name), width)
        lines += _verdict(found["acceptance"], comparison["acceptance"], width)
    return lines


def _common(found: dict[str, Any] | None, width: int) -> list[Line]:
    """How many questions are compared where the sides do not agree as wholes."""
    if found is None:
        return []
    why = Counter(found["why"].values())
    are = "is" if found["questions"] == 1 else "are"
    text = f"only the {counted(found['questions'], 'question')} that {are} the same on all sides"
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
    head: str,
    style: Style,
    found: list[dict[str, Any]],
    cutoff: Cut,
    width: int,
    table: str,
    most: int = MOST,
) -> list[Line]:
    """One question a line: what changed, and for a regression what the labels say went wrong.

    Where not all of them can stand here, these are the deepest, deepest first.
    """
    lines = []
    for entry in found if len(found) <= most else sorted(found, key=depth)[:most]:
        rows, more = told(entry["metrics"])
        gone = [row for row in rows if "causes" in entry and row["after_reason"] in ERRORS]
        what = [change(row, cutoff) for row in rows if row not in gone]
        what += [lost(gone, cutoff)] if gone else []
        what += [f"{more} more at cutoffs"] if more else []
        if entry.get("leaks"):
            what.append("shows what the caller may not read: " + ", ".join(entry["leaks"]))
        items = list(map(clean, what))
        items[0] = f"{clean(entry['question_id'])}: {items[0]}"
        why = entry.get("new_causes") or entry.get("causes")
        items[-1] += f"; {causes(why)}" if why else ""
        lines += [Line(line, style) for line in listed(items, width, first="    ", rest="      ")]
    if len(found) > most:
        rest = f"… and {len(found) - most:,} more, less deep: {table}"
        lines += [Line(line, "dim") for line in wrapped(rest, width, first="    ", rest="      ")]
    return [Line(f"  {head}", style), *lines] if lines else []


def _unpaired(
    found: dict[str, Any], place: dict[str, int], cutoff: Cut, width: int, table: str
) -> list[Line]:
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
    lines = _named("one side n/a", "yellow", one_sided, cutoff, width, table, most=MOST // 4)
    if neither:
        text = f"  both sides n/a: {counted(len(neither), 'question')}"
        lines.append(Line(text, "yellow"))
    return lines
