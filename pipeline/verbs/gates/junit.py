"""The verdict as JUnit XML: a suite for each candidate, a test case for each rule."""

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from pipeline.verbs.gates.document import Comparison, Rule
from pipeline.verbs.gates.page import excused, numbers, word
from pipeline.verbs.terminal.text import clean

ELEMENT = {"fail": "failure", "unmeasurable": "error", "warning": "skipped"}
"""What a case holds; a rule that passes holds nothing, and one that warns fails no build."""

COUNTED = {"failures": "failure", "errors": "error", "skipped": "skipped"}

UNSPEAKABLE = re.compile("[\ud800-\udfff\ufffe\uffff]")
"""Code points beside control characters that XML does not allow."""


def junit(found: Comparison) -> str:
    """The document; without a candidate one case says so."""
    top = Element("testsuites", name="rag-assay gate")
    policy = found.acceptance
    for name, _, held in found.held():
        suite = SubElement(top, "testsuite", name=_text(f"{name} against {found.baseline.name}"))
        facts = SubElement(suite, "properties")
        for key in ("policy", "hash", "first_seen", "after_scores"):
            value = _text(str(getattr(policy, key)))
            SubElement(facts, "property", name=key, value=value)
        unchecked = found.unchecked()
        if unchecked:
            SubElement(facts, "property", name="judge", value=_text(unchecked))
        for rule in held.rules:
            _case(suite, policy.policy, rule)
        _count(suite)
    if not found.candidates:
        suite = SubElement(top, "testsuite", name="no candidate")
        case = SubElement(suite, "testcase", classname=_text(policy.policy), name="candidates")
        SubElement(case, "error", message="there is no candidate to judge")
        _count(suite)
    _count(top)
    indent(top)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(top, "unicode") + "\n"


def _case(suite: Element, policy: str, rule: Rule) -> None:
    case = SubElement(suite, "testcase", classname=_text(policy), name=_text(rule.name))
    element = ELEMENT.get(word(rule))
    if element is None:
        parts = [numbers(rule), *map(excused, rule.tolerated)]
        SubElement(case, "system-out").text = "\n".join(map(_text, parts))
        return
    said = SubElement(case, element, message=_text(f"{rule.outcome}: {numbers(rule)}"))
    parts = [rule.why, *rule.questions, *map(excused, rule.tolerated)]
    parts += [f"then: {rule.follow_up}"] if rule.follow_up else []
    said.text = "\n".join(_text(part) for part in parts if part)


def _count(suite: Element) -> None:
    suite.set("tests", str(len(list(suite.iter("testcase")))))
    for name, element in COUNTED.items():
        suite.set(name, str(len(list(suite.iter(element)))))


def _text(text: str) -> str:
    return UNSPEAKABLE.sub("\ufffd", clean(text))
