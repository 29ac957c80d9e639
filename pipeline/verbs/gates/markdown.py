"""The verdict as Markdown for a pull request: a table for each candidate.

Whatever stands in people's data and names is shown as they wrote it: it makes no link, no
mention and no tag, and breaks no table.
"""

import re

from pipeline.contract.words import counted
from pipeline.verbs.gates.document import Candidate, Comparison, Held, Rule
from pipeline.verbs.gates.page import ORDER, excused, shown, word
from pipeline.verbs.terminal.text import clean

MOST = 50
"""Ids of one list that are named; the rest are counted."""

LONGEST = 300
"""Code points of one text that are shown: a comment has room for 65,536 in all."""

MARK = {
    "accept": "✅", "pass": "✅", "reject": "❌", "fail": "❌",
    "unmeasurable": "❔", "warning": "⚠️",
}  # fmt: skip

SPECIAL = re.compile(r"[!\"#$&*/:<>?@\[\\\]^_`{|}~]|(?<=[wW])\.")
"""What Markdown, HTML and links are made of."""

NOWHERE = "\u200b"
"""A space of no width: a sign that is followed by it calls nobody."""


def markdown(found: Comparison) -> str:
    """The page; it ends in a line break."""
    policy = found.acceptance
    verdict = found.verdict or "unmeasurable"
    lines = [
        f"### {MARK[verdict]} {verdict}",
        "",
        f"Policy {code(policy.policy)}, against {code(found.baseline.name)}.",
    ]
    if policy.after_scores:
        since = code(str(policy.first_seen))
        lines += ["", f"⚠️ The policy was first seen after the scores ({since})."]
    unchecked = found.unchecked()
    if unchecked:
        lines += ["", f"⚠️ {prose(unchecked)}"]
    if not found.candidates:
        lines += ["", "There is no candidate to judge."]
    for name, candidate, held in found.held():
        lines += _candidate(name, candidate, held)
    return "\n".join(lines) + "\n"


def _candidate(name: str, candidate: Candidate, held: Held) -> list[str]:
    lines = [
        "",
        f"#### {MARK[held.verdict]} {code(name)}: {held.verdict}",
        "",
        "| | rule | measured | bound | n | |",
        "|---|---|---:|---|---:|---|",
    ]
    lines += map(_row, sorted(held.rules, key=lambda rule: ORDER.index(word(rule))))
    worse = [one.question_id for one in candidate.regressions]
    if worse:
        lines += ["", f"{counted(len(worse), 'question')} worse: {_listed(worse)}"]
    return lines


def _row(rule: Rule) -> str:
    parts = [prose(rule.why)] if rule.why else []
    parts += [f"at {_listed(rule.questions)}"] if rule.questions else []
    more = len(rule.tolerated) - MOST
    parts += [prose(excused(one)) for one in rule.tolerated[:MOST]]
    parts += [f"and {more:,} more tolerated"] if more > 0 else []
    follows = rule.outcome != "pass" and rule.follow_up
    parts += [f"then: {prose(rule.follow_up or '')}"] if follows else []
    n = "n/a" if rule.n is None else f"{rule.n:,}"
    cells = [
        f"{MARK[word(rule)]} {word(rule)}",
        code(rule.name),
        shown(rule.measured),
        prose(rule.bound),
        n,
        "<br>".join(parts),
    ]
    return f"| {' | '.join(cells)} |"


def code(text: str) -> str:
    """A name or an id, as code, in which nothing has a meaning."""
    return f"<code>{_entities(text)}</code>"


def prose(text: str) -> str:
    """A text, in which nothing has a meaning."""
    return re.sub("(&#64;|&#35;)", rf"\1{NOWHERE}", _entities(text))


def _entities(text: str) -> str:
    cleaned = clean(text)
    if len(cleaned) > LONGEST:
        cleaned = cleaned[:LONGEST] + "…"
    return SPECIAL.sub(lambda found: f"&#{ord(found[0])};", cleaned)


def _listed(ids: list[str]) -> str:
    more = len(ids) - MOST
    return ", ".join([*map(code, ids[:MOST]), *([f"and {more:,} more"] if more > 0 else [])])
