"""Whatever people name their questions and rules: the pages stay whole and harmless."""

import re
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.verbs.gates.document import Comparison
from pipeline.verbs.gates.judged import read_judged
from pipeline.verbs.gates.junit import junit
from pipeline.verbs.gates.markdown import markdown
from pipeline.verbs.gates.page import page_lines
from pipeline.verbs.terminal.text import cells
from tests.verbs.gates.documents import compared, ruled, written

HOSTILE = [
    "a|b", r"a\|b", "`x`", "<script>alert(1)</script>", "@everyone", "#1", "[x](http://e.vil)",
    "![x](http://e.vil/p.png)", "http://e.vil", "www.e.vil", "a\nb", "\x1b[31m", "\x00", "]]>",
    "\ufffe", "&amp;", "<!-- x", "עברית", "\u202e", "*b* _i_ ~~s~~", "$x$", "- [ ] x",
]  # fmt: skip
texts = st.text(min_size=1, max_size=40) | st.sampled_from(HOSTILE)


def hostile(tmp: Path, text: str) -> Comparison:
    row = ruled(text, "fail", why=text, follow_up=text, questions=[text], bound=text)
    document = compared(row, verdict="reject", worse=(text,), acceptance={"policy": text})
    document["candidates"] = {text: document["candidates"]["branch"]}
    document["baseline"] = {"name": text}
    document["acceptance"]["rules"][0]["metric"] = "support"
    rates = {"metrics": {text: {"common": 0}, "deflection": {"common": 1}}}
    document["judge"] = {"judge": text, "labels": 1, "annotators": 1, "sides": {text: rates}}
    return read_judged(written(tmp / "c.json", document), date(2026, 1, 1))


@settings(max_examples=30, deadline=None)
@given(texts.filter(lambda text: text != "none"))
def test_the_pages_stay_whole(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    found = hostile(tmp_path_factory.mktemp("gate"), text)
    tree = ElementTree.fromstring(junit(found).encode())
    assert [tree.get(name) for name in ("tests", "failures", "errors", "skipped")] == [
        "1", "1", "0", "0",
    ]  # fmt: skip
    assert all(cells(line.text) <= 80 for line in page_lines(found, 80))
    rows = [line for line in markdown(found).splitlines() if line.startswith("|")]
    assert [line.count("|") for line in rows] == [7, 7, 7]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_in_the_markdown_has_a_meaning_but_our_own_tags(tmp_path: Path, text: str) -> None:
    page = markdown(hostile(tmp_path, text))
    bare = re.sub(r"</?code>|<br>|&#\d+;\u200b?", "", page)
    bare = re.sub(r"^(#+ |\| \| rule.*|\|-.*)", "", bare, flags=re.MULTILINE)
    assert not re.search(r"[<>`@\[\]*_~$\\#!&]|https?:|www\.", bare.replace("|", ""))


def test_an_at_sign_in_prose_calls_nobody(tmp_path: Path) -> None:
    assert "&#64;\u200beveryone" in markdown(hostile(tmp_path, "@everyone"))


def test_in_junit_a_rule_that_warns_is_skipped_and_one_without_a_number_is_an_error(
    tmp_path: Path,
) -> None:
    rules = [
        ruled("w", "fail", severity="warn"), ruled("u", "unmeasurable", measured=None),
        ruled("v", "unmeasurable", severity="warn"), ruled("p"),
    ]  # fmt: skip
    document = compared(*rules, verdict="unmeasurable")
    found = read_judged(written(tmp_path / "c.json", document), date(2026, 1, 1))
    tree = ElementTree.fromstring(junit(found).encode())
    cases = {case.get("name"): [one.tag for one in case] for case in tree.iter("testcase")}
    assert cases == {"w": ["skipped"], "u": ["error"], "v": ["skipped"], "p": ["system-out"]}
