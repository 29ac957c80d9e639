"""The verdict as one screen of text: what was not met first, then what got worse."""

from pipeline.contract.words import counted
from pipeline.verbs.gates.document import Candidate, Comparison, Held, Rule, Tolerated
from pipeline.verbs.terminal.text import Line, Style, clean, listed, padded, wrapped

MOST = 6
"""Ids of one list that are named; the rest are counted."""

PASSES = 10
"""Rules that pass which are named; of more there is only the number."""

STYLE: dict[str, Style] = {
    "reject": "red", "fail": "red", "unmeasurable": "yellow", "warning": "yellow",
    "accept": "green", "pass": "green",
}  # fmt: skip

ORDER = ("fail", "unmeasurable", "warning", "pass")


def page_lines(found: Comparison, width: int) -> list[Line]:
    """Set a comparison's verdict for a terminal of `width` columns."""
    policy = found.acceptance
    head = (found.verdict or "unmeasurable").upper()
    text = f"{head}: policy {clean(policy.policy)}, against {clean(found.baseline.name)}"
    style = STYLE[head.lower()]
    lines = [Line(line, style) for line in wrapped(text, width, rest="  ")]
    if policy.after_scores:
        late = f"the policy was first seen after the scores ({clean(str(policy.first_seen))})"
        lines += [Line(line, "yellow") for line in wrapped(late, width, first="  ")]
    unchecked = found.unchecked()
    if unchecked:
        lines += [Line(line, "yellow") for line in wrapped(clean(unchecked), width, first="  ")]
    if not found.candidates:
        lines.append(Line("  there is no candidate to judge", "yellow"))
    for name, candidate, held in found.held():
        lines += _candidate(name, candidate, held, width)
    return lines


def word(rule: Rule) -> str:
    """What became of a rule, in a word: one that only warns is not called failed."""
    met = rule.outcome == "pass"
    return rule.outcome if met or rule.severity == "block" else "warning"


def numbers(rule: Rule) -> str:
    """`-0.0500, bound delta ≥ -0.02, n=120`; not cleaned."""
    n = "n/a" if rule.n is None else f"{rule.n:,}"
    return f"{shown(rule.measured)}, bound {rule.bound}, n={n}"


def shown(number: float | None) -> str:
    """A count as it is, any other number with four decimals."""
    if number is None:
        return "n/a"
    return f"{number:,}" if isinstance(number, int) else f"{number:.4f}"


def excused(leaned: Tolerated) -> str:
    """`tolerated: q until 2026-12-31, a known gap`; not cleaned."""
    return f"tolerated: {leaned.question} until {leaned.until}, {leaned.reason}"


def named(ids: list[str]) -> list[str]:
    """The first ids, cleaned, and how many more there are."""
    more = len(ids) - MOST
    return [*map(clean, ids[:MOST]), *([f"and {more:,} more"] if more > 0 else [])]


def _candidate(name: str, candidate: Candidate, held: Held, width: int) -> list[Line]:
    lines = wrapped(f"{clean(name)}: {held.verdict}", width, rest="  ")
    found = [Line(line, "bold") for line in lines]
    ordered = sorted(held.rules, key=lambda rule: ORDER.index(word(rule)))
    plain = [rule.outcome == "pass" and not rule.tolerated for rule in ordered]
    passed = [rule for rule, is_plain in zip(ordered, plain, strict=True) if is_plain]
    for rule in (rule for rule, is_plain in zip(ordered, plain, strict=True) if not is_plain):
        found += _rule(rule, width)
    if len(passed) > PASSES:
        found.append(Line(f"  {'pass':<12}  {counted(len(passed), 'rule')}", "green"))
    else:
        for rule in passed:
            found += _rule(rule, width)
    worse = [one.question_id for one in candidate.regressions]
    if worse:
        first = f"  {counted(len(worse), 'question')} worse: "
        found += [Line(line) for line in listed(named(worse), width, first=first, rest="    ")]
    return found


def _rule(rule: Rule, width: int) -> list[Line]:
    said, rest = word(rule), " " * 16
    text = f"{clean(rule.name)}: {clean(numbers(rule))}"
    text += f"; {clean(rule.why)}" if rule.why else ""
    lines = wrapped(text, width, first=f"  {padded(said, 12)}  ", rest=rest)
    if rule.questions:
        lines += listed(named(rule.questions), width, first=f"{rest}at ", rest=rest)
    for leaned in rule.tolerated[:MOST]:
        lines += wrapped(clean(excused(leaned)), width, first=rest, rest=f"{rest}  ")
    if len(rule.tolerated) > MOST:
        lines.append(f"{rest}and {len(rule.tolerated) - MOST:,} more tolerated")
    if rule.outcome != "pass" and rule.follow_up:
        lines += wrapped(clean(f"then: {rule.follow_up}"), width, first=rest)
    return [Line(line, STYLE[said] if at == 0 else "") for at, line in enumerate(lines)]
