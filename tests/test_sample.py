"""The sample collection, checked: labels quote what they claim, splits do not leak."""

import difflib
import json
import re
from collections import Counter, defaultdict
from itertools import combinations, product
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
import yaml

from pipeline.adapters.datasets.jsonl import Jsonl
from pipeline.checks.collection import check
from pipeline.contract.records import Document, Mark, Question, Version

SAMPLE = Path(__file__).parents[1] / "data/raw/sample"
SPLITS = ("dev", "heldout")
KINDS = {  # the least number of questions of each kind
    "lookup": 60,
    "multi": 15,
    "near_duplicate": 15,
    "outdated": 15,
    "conflict": 15,
    "unanswerable": 15,
    "permission": 15,
}
COMMON = """
a an the of to is are be was were it its in on at by for from with and or as not no than up may
can must only this that these they there their who which what when how much many does do has
have had one i my we our us per if so all any each
"""

# Of the labels of v1 these hold no longer, or not as they stand, in v2: a quote is gone.
LOST = {
    "adult-fare-hesk",
    "adult-fare-hesk-2",
    "camera-pictures",
    "car-checkin",
    "car-checkin-2",
    "carry-over",
    "change-fee",
    "drydock-budget",
    "foghorn-length",
    "lost-items-days",
    "lost-items-days-2",
    "orders-fulmar-patrol",
    "park-pc-day",
    "park-pc-day-2",
    "pay-master",
    "pay-master-out",
    "session-timeout",
    "shearwater-wind",
    "shearwater-wind-2",
}
# Of these a quote is still in its document, but at another place.
MOVED = {
    "alcohol-rule",
    "bunker-pc-fill",
    "bunker-pc-notice",
    "carry-over",
    "galley-floor",
    "group-size-gangway",
    "kittiwake-wave-limit",
    "last-boat-cancelled",
    "park-pc-cash",
    "razorbill-skellin-wind",
    "red-warning-cancel",
    "skellin-supply",
    "spill-boom-pc",
    "wedding-leave",
}


def lines(name: str) -> list[str]:
    return (SAMPLE / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


def read(version: str) -> dict[str, Document]:
    rows = [msgspec.json.decode(x, type=Document) for x in lines(f"{version}/documents.jsonl")]
    found = {row.doc_id: row for row in rows}
    assert len(found) == len(rows), "a document id stands twice"
    return found


DOCS = read("v1")
DOCS_2 = read("v2")
QUESTIONS = [msgspec.json.decode(x, type=Question) for x in lines("v1/questions.jsonl")]
BY_ID = {q.question_id: q for q in QUESTIONS}


def kind(q: Question) -> str:
    return str(q.attributes["kind"])


def family(q: Question) -> str:
    return str(q.attributes["family"])


def of_kind(name: str) -> list[Question]:
    return [q for q in QUESTIONS if kind(q) == name]


def body(doc: Document) -> str:
    assert doc.text is not None
    return doc.text


def marks(q: Question) -> list[Mark]:
    return q.evidence or []


def quote(mark: Mark) -> str:
    return body(DOCS[mark.doc_id])[mark.start : mark.end]


def cited(q: Question) -> set[str]:
    return {m.doc_id for m in marks(q)}


def stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    return word[:6]


def numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:[.:,]\d+)*", text))


def words(text: str) -> set[str]:
    return {stem(w) for w in re.findall(r"[a-z]+", text.lower()) if w not in COMMON.split()}


def tokens(text: str) -> set[str]:
    return words(text) | numbers(text)


def shared(a: set[str], b: set[str]) -> float:
    return len(a & b) / len(a | b)


def may_read(groups: list[str] | None, doc_id: str) -> bool:
    needed = DOCS[doc_id].access_groups
    return needed is None or bool(set(needed) & set(groups or []))


def votes(q: Question) -> dict[str, set[tuple[str, str | None]]]:
    """What each annotator of a question that nobody settled said yes to."""
    return {
        who: {(m.doc_id, m.claim_id) for m in marks(q) if m.annotator == who}
        for who in q.annotators or []
    }


def settings(version: str) -> dict[str, Version]:
    found: Any = yaml.safe_load((SAMPLE / version / "set.yaml").read_text(encoding="utf-8"))
    return msgspec.convert(found, dict[str, Version])


MARKS = [(q, m) for q in QUESTIONS for m in marks(q)]
DOUBLE = [q for q in QUESTIONS if q.annotators is not None]
SETTLED = [q for q in QUESTIONS if q.annotators is None]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("v1/documents.jsonl", "doc_id"),
        ("v2/documents.jsonl", "doc_id"),
        ("v1/questions.jsonl", "question_id"),
    ],
)
def test_lines_are_compact_and_sorted(name: str, key: str) -> None:
    fields: tuple[str, ...] = Document.__struct_fields__
    if key == "question_id":
        fields = Question.__struct_fields__
    ids = []
    for line in lines(name):
        row = json.loads(line)
        assert json.dumps(row, ensure_ascii=False, separators=(",", ":")) == line
        assert list(row) == [f for f in fields if f in row], f"{row[key]}: order of keys"
        ids.append(row[key])
    assert ids == sorted(set(ids))


def test_sets_say_what_they_are() -> None:
    assert set(settings("v1")) == {"corpus", "question_set"}
    assert set(settings("v2")) == {"corpus"}
    for version in ("v1", "v2"):
        for part in settings(version).values():
            assert (part.name, part.version, part.licence) == ("sample", version, "Apache-2.0")
            assert part.authorisation == "invented for this project"


@pytest.mark.parametrize("docs", [DOCS, DOCS_2], ids=["v1", "v2"])
def test_documents_are_whole(docs: dict[str, Document]) -> None:
    assert len(docs) >= 60
    for doc in docs.values():
        count = len(re.findall(r"\w+(?:[.,:'’-]\w+)*", body(doc)))
        assert 200 <= count <= 1500, f"{doc.doc_id}: {count} words"
        assert doc.title, doc.doc_id
        assert doc.provider, doc.doc_id
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", doc.date or ""), doc.doc_id
        assert doc.attributes["status"] in ("current", "superseded"), doc.doc_id
    assert len({body(doc) for doc in docs.values()}) == len(docs)
    assert len({doc.title for doc in docs.values()}) == len(docs)


def test_each_kind_is_there_in_each_split() -> None:
    count = Counter((kind(q), str(q.split)) for q in QUESTIONS)
    assert {k for k, _ in count} == set(KINDS)
    for name, least in KINDS.items():
        assert sum(count[name, s] for s in SPLITS) >= least, name
        assert min(count[name, s] for s in SPLITS) >= 5, name
    share = sum(q.split == "heldout" for q in QUESTIONS) / len(QUESTIONS)
    assert len(QUESTIONS) >= 150
    assert 0.25 <= share <= 0.35


def test_every_question_has_its_attributes() -> None:
    for q in QUESTIONS:
        assert (
            {"kind", "family", "topic"}
            <= set(q.attributes)
            <= {
                "kind",
                "family",
                "topic",
                "critical",
            }
        ), q.question_id
    assert 12 <= sum(q.attributes.get("critical") is True for q in QUESTIONS) <= 25


def test_spans_lie_in_their_documents_and_occur_once() -> None:
    for q, mark in MARKS:
        text = body(DOCS[mark.doc_id])
        assert mark.start is not None, q.question_id
        assert mark.end is not None, q.question_id
        assert 0 <= mark.start < mark.end <= len(text), q.question_id
        found = quote(mark)
        assert mark.quote == found, f"{q.question_id}: the quote is another text"
        assert found == found.strip(), f"{q.question_id}: white space at the border"
        assert text.count(found) == 1, f"{q.question_id}: {found!r} stands more than once"
        assert mark.claim_id in (q.claims or {}), q.question_id


def test_quotes_say_what_the_claim_says() -> None:
    for q in QUESTIONS:
        for claim, text in (q.claims or {}).items():
            mine = [m for m in marks(q) if m.claim_id == claim]
            assert mine, f"{q.question_id}: nobody marked {claim}"
            for who in {m.annotator for m in mine}:
                own = [m for m in mine if m.annotator == who]
                said = " ".join(quote(m) for m in own)
                missing = numbers(text) - numbers(said)
                assert not missing, f"{q.question_id}: {missing} of {claim} not in {said!r}"
                about = tokens(said + " " + " ".join(DOCS[m.doc_id].title or "" for m in own))
                share = len(tokens(text) & about) / len(tokens(text))
                assert share >= 0.5, f"{q.question_id}: {claim} is not what {said!r} says"


def test_settled_labels_agree_with_the_marks() -> None:
    for q in SETTLED:
        assert q.relevant is not None, q.question_id
        assert q.support is not None, q.question_id
        assert set(q.support) == set(q.claims or {}), q.question_id
        for claim, ids in q.support.items():
            assert set(ids) == {m.doc_id for m in marks(q) if m.claim_id == claim}, q.question_id
        assert q.relevant == sorted({i for ids in q.support.values() for i in ids}), q.question_id
        assert len({m.annotator for m in marks(q)}) <= 1, q.question_id


def test_two_annotators_and_their_disagreements() -> None:
    assert len(DOUBLE) >= 40
    split = set()
    for q in DOUBLE:
        assert q.annotators == ["ann-1", "ann-2"], q.question_id
        assert q.relevant is None, q.question_id
        assert q.support is None, q.question_id
        assert {m.annotator for m in marks(q)} <= set(q.annotators), q.question_id
        if len({frozenset(v) for v in votes(q).values()}) > 1:
            split.add(family(q))
    assert len(split) >= 12
    assert len(split) <= len({family(q) for q in DOUBLE}) / 2, "more quarrel than agreement"


def test_annotators_set_borders_differently() -> None:
    differ = set()
    for q in DOUBLE:
        for a, b in combinations(marks(q), 2):
            same = a.doc_id == b.doc_id and a.claim_id == b.claim_id and a.annotator != b.annotator
            spans = (a.start, a.end, b.start, b.end)
            if same and (a.start, a.end) != (b.start, b.end) and None not in spans:
                low, high = max(a.start or 0, b.start or 0), min(a.end or 0, b.end or 0)
                if low < high:
                    differ.add(q.question_id)
    assert len(differ) >= 10


def test_no_family_crosses_the_splits() -> None:
    seen = defaultdict(set)
    for q in QUESTIONS:
        seen[family(q)].add(q.split)
    assert {f for f, splits in seen.items() if len(splits) > 1} == set()


def test_no_near_copy_of_a_question_crosses_the_splits() -> None:
    dev, heldout = ([q for q in QUESTIONS if q.split == s] for s in SPLITS)
    known = {q.question_id: tokens(q.text) for q in QUESTIONS}
    close = [
        (a.question_id, b.question_id)
        for a, b in product(dev, heldout)
        if shared(known[a.question_id], known[b.question_id]) >= 0.5
    ]
    assert close == []


def test_equal_texts_differ_in_who_asks() -> None:
    asked = Counter((q.text, tuple(q.caller_groups or ())) for q in QUESTIONS)
    assert max(asked.values()) == 1


def test_near_duplicates_have_a_twin_and_stay_in_one_split() -> None:
    used: dict[str, set[str]] = {s: set() for s in SPLITS}
    pieces = {i: words(body(d)) for i, d in DOCS.items()}
    for q in of_kind("near_duplicate"):
        right = marks(q)[0].doc_id
        twin = max((i for i in DOCS if i != right), key=lambda i: shared(pieces[right], pieces[i]))
        assert shared(pieces[right], pieces[twin]) > 0.3, f"{right} has no twin"
        assert q.annotators or twin not in cited(q), q.question_id
        used[str(q.split)] |= {right, twin}
    assert used["dev"] & used["heldout"] == set()


def test_outdated_questions_have_a_superseded_note_beside_the_right_one() -> None:
    def line(doc_id: str) -> str:
        return re.sub(r"(-\d+)+$", "", doc_id)

    old = {line(i) for i, d in DOCS.items() if d.attributes["status"] == "superseded"}
    for q in of_kind("outdated"):
        current = {i for i in cited(q) if DOCS[i].attributes["status"] == "current"}
        assert current, q.question_id
        assert {line(i) for i in current} <= old, q.question_id
        assert q.annotators or cited(q) == current, q.question_id
        assert q.asked_at, q.question_id
        assert all((DOCS[i].date or "") < q.asked_at for i in cited(q)), q.question_id


def test_conflicts_have_two_positions_in_two_current_documents() -> None:
    for q in of_kind("conflict"):
        sides = [{m.doc_id for m in marks(q) if m.claim_id == c} for c in q.claims or {}]
        assert len(sides) == 2, q.question_id
        assert not sides[0] & sides[1], q.question_id
        assert all(DOCS[i].attributes["status"] == "current" for i in cited(q)), q.question_id
        said = [" ".join(quote(m) for m in marks(q) if m.claim_id == c) for c in q.claims or {}]
        assert said[0] != said[1], q.question_id


def test_several_pieces_of_evidence_means_several() -> None:
    for q in of_kind("multi"):
        assert len({(m.doc_id, m.start) for m in marks(q)}) >= 2, q.question_id
        assert len(q.claims or {}) >= 2, q.question_id


def test_unanswerable_questions_have_no_agreed_evidence() -> None:
    for q in of_kind("unanswerable"):
        if q.annotators is None:
            assert q.relevant == [], q.question_id
            assert q.support == {}, q.question_id
        else:
            assert set.intersection(*votes(q).values()) == set(), q.question_id
    for q in QUESTIONS:
        assert (kind(q) == "unanswerable") or cited(q), q.question_id


def test_permission_questions_are_asked_from_inside_and_from_outside() -> None:
    families = defaultdict(list)
    for q in of_kind("permission"):
        assert q.caller_groups, q.question_id
        assert any(DOCS[i].access_groups for i in cited(q)), q.question_id
        families[family(q)].append(q)
    partly = set()
    for name, asked in families.items():
        groups: defaultdict[frozenset[str], set[str]] = defaultdict(set)
        for q in asked:
            readable = {i for i in cited(q) if may_read(q.caller_groups, i)}
            seen = "all" if readable == cited(q) else "part" if readable else "none"
            groups[frozenset(cited(q))].add(seen)
            if seen == "part":
                partly.add(name)
        for seen_by in groups.values():
            assert "all" in seen_by, name
            assert seen_by & {"part", "none"}, name
    assert len(partly) >= 3, "an open document gives part of some answers"


def test_nobody_else_needs_a_document_that_they_may_not_read() -> None:
    for q in QUESTIONS:
        if kind(q) != "permission":
            assert all(may_read(q.caller_groups, i) for i in cited(q)), q.question_id


def test_some_questions_carry_a_content_note() -> None:
    assert any(q.content_note for q in QUESTIONS)


def test_the_second_corpus_changed_as_its_note_says() -> None:
    note = settings("v2")["corpus"].note or ""
    changed = {i for i in DOCS.keys() & DOCS_2.keys() if body(DOCS[i]) != body(DOCS_2[i])}
    said = dict(re.findall(r"(Changed|Withdrawn|Added): ([^.]*)\.", note))
    listed = {word: set(ids.split(", ")) for word, ids in said.items()}
    assert listed == {
        "Changed": changed,
        "Withdrawn": DOCS.keys() - DOCS_2.keys(),
        "Added": DOCS_2.keys() - DOCS.keys(),
    }
    assert 8 <= len(changed) <= 12
    for doc_id, doc in DOCS_2.items():
        new = doc_id in changed or doc_id not in DOCS
        assert doc.version == ("v2" if new else "v1"), doc_id
        if not new:
            assert doc == DOCS[doc_id], doc_id


def test_the_labels_that_hold_no_longer_are_found() -> None:
    lost, moved = set(), set()
    for q, mark in MARKS:
        text = body(DOCS_2[mark.doc_id]) if mark.doc_id in DOCS_2 else ""
        if quote(mark) not in text:
            lost.add(q.question_id)
        elif text[mark.start : mark.end] != quote(mark):
            moved.add(q.question_id)
    assert lost == LOST
    assert moved == MOVED
    rewritten = quote(next(m for m in marks(BY_ID["orders-fulmar-patrol"])))
    near = difflib.get_close_matches(rewritten, body(DOCS_2["standing-orders-fulmar"]).split("\n"))
    assert near, "a rewritten sentence still stands there in other words"


@pytest.mark.parametrize("stale", ["refuse", "exclude"])
def test_what_holds_no_longer_is_what_the_pipeline_reports(
    stale: Literal["refuse", "exclude"],
) -> None:
    read = Jsonl(str(SAMPLE / "v1"), str(SAMPLE / "v2"), stale).load()
    found = check(read, claims="auto", split="all", missing="refuse", repeats=None, rule="open")
    assert {fault.id for fault in found.faults} == (LOST | MOVED if stale == "refuse" else set())
    assert set(found.stale) == LOST | MOVED
    moved = {q for q, why in found.stale.items() if any("moved to" in one for one in why)}
    gone = ("not in the document", "no document")
    lost = {q for q, why in found.stale.items() if any(text in w for w in why for text in gone)}
    assert (moved, lost) == (MOVED, LOST)
    assert len(found.notes) == (len(LOST | MOVED) if stale == "exclude" else 0)


def test_on_its_own_corpus_every_label_holds() -> None:
    read = Jsonl(str(SAMPLE / "v1")).load()
    found = check(read, claims="auto", split="all", missing="refuse", repeats=None, rule="open")
    assert (found.faults, found.stale, found.notes) == ([], {}, [])
