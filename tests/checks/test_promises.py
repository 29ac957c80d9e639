"""What passes the checks can be frozen, whatever it is; what does not pass says why."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from pipeline.contract.errors import DataError
from pipeline.contract.files import read_json
from pipeline.contract.records import Collection, Document, Question, Response
from pipeline.manifest.schemas import validate
from pipeline.settings import QuestionSet
from pipeline.stages import freeze
from tests.sets import SETTINGS, Rows, collection

KINDS: tuple[Any, ...] = (Document, Question, Response)

ODD: Any = st.sampled_from(
    ["a", "b", "A", "é", "b ", "", "\ud800", "x\ny", 0, -1, 2**64, 1.5, float("nan"), None, True,
     [], ["a"], ["b", "a"], ["a", "a"], ["x"], ["\ud800"], {}, {"a": ["a"]}, {"c": ["a"]},
     {"c": []}, {"": "x"}, {"\n": True}, {"c": "C."}, [{"doc_id": "a"}], [{"doc_id": "A"}],
     [{"doc_id": "a", "start": 0, "end": 9}], [{"doc_id": "a", "claim_id": "c"}],
     [{"claim_id": "c", "citations": ["a", "x"]}], "failed", "heldout", "2024"]
)  # fmt: skip
DOCS = st.sampled_from([[], ["a"], ["b"], ["a", "b"], ["b", "a"]])
SOME = st.sampled_from([["a"], ["b"], ["a", "b"], ["b", "a"]])
PEOPLE = st.sampled_from([["ada"], ["ada", "ben"], ["cy", "ben", "ada"]])
GROUPS = st.none() | DOCS
MARK: Any = st.builds(
    lambda doc, claim, who, grade, end: {
        "doc_id": doc, "claim_id": claim, "annotator": who, "grade": grade,
        "start": end and 0, "end": end,
    },
    st.sampled_from("ab"), st.sampled_from("cd"), st.sampled_from(["ada", "ben", None]),
    st.sampled_from([None, 0.0, 2.0]), st.sampled_from([None, 2]),
)  # fmt: skip
MARKS = st.lists(MARK, max_size=3).map(
    lambda marks: list({(m["doc_id"], m["claim_id"]): m for m in marks}.values())
)
LABELS = st.one_of(
    st.just({}),
    st.just({"relevant": [], "support": {}}),
    st.builds(lambda ids: {"relevant": ids, "support": {"c": ids[:1], "d": ids}}, SOME),
    st.builds(lambda marks, people: {"evidence": marks, "annotators": people}, MARKS, PEOPLE),
)


@st.composite
def sets(draw: st.DrawFn) -> tuple[Rows, Rows, Rows]:
    """A good set in which, half of the time, one field of one row is anything."""
    documents: Rows = [
        {"doc_id": one, "text": "Text.", "access_groups": draw(GROUPS)} for one in "ab"
    ]
    questions: Rows = [
        {"question_id": one, "text": "?", "caller_groups": draw(GROUPS), **draw(LABELS),
         "split": draw(st.sampled_from([None, "heldout"]))}
        for one in draw(st.sampled_from([["é"], ["b", "a"], ["a", "é", "b"]]))
    ]  # fmt: skip
    responses: Rows = [
        {"system": system, "question_id": row["question_id"], "retrieved": draw(DOCS),
         "claims": [{"claim_id": "c", "citations": draw(DOCS)}]}
        for system in draw(DOCS) for row in questions if draw(st.integers(0, 9))
    ]  # fmt: skip
    parts = documents, questions, responses
    if draw(st.booleans()):
        rows, kind = draw(st.sampled_from(list(zip(parts, KINDS, strict=True))))
        if rows:
            row = draw(st.sampled_from(rows))
            row[draw(st.sampled_from(kind.__struct_fields__))] = draw(ODD)
    return parts


class Given:
    """A dataset that is there already; rows of another shape are what an adapter refuses."""

    def __init__(self, parts: tuple[Rows, Rows, Rows]) -> None:
        self._parts = parts

    def load(self) -> Collection:
        documents, questions, responses = self._parts
        return collection(documents, questions, responses)


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    parts=sets(),
    claims=st.sampled_from([True, False, "auto"]),
    missing=st.sampled_from(["refuse", "failed"]),
    split=st.sampled_from(["dev", "all"]),
)
def test_any_records_are_frozen_or_refused_in_words(
    tmp_path: Path, parts: tuple[Rows, Rows, Rows], claims: Any, missing: str, split: str
) -> None:
    dataset: Any = Given(parts)
    try:
        dataset.load()
    except (msgspec.ValidationError, UnicodeEncodeError):
        assume(False)
    wanted = {
        **SETTINGS, "missing": missing, "split": split,
        "question_set": QuestionSet(None, None, None, claims),
    }  # fmt: skip
    faults, _ = freeze.examine(dataset, cutoff=100, **wanted)
    for fault in faults:
        assert str(fault).isprintable()
    if [fault for fault in faults if "delivered context" not in fault.expected]:
        event("refused")
        with pytest.raises(DataError):
            run(tmp_path, dataset, wanted)
        return
    event("frozen")
    run(tmp_path, dataset, wanted)
    validate(read_json(tmp_path / "freeze" / "manifest.json"), "freeze")


def run(data: Path, dataset: Any, wanted: dict[str, Any]) -> None:
    # the manifest names the adapter by its fields, which this one has none of
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(freeze, "describe", lambda _: {"adapter": "given"})
        freeze.run(data, dataset=dataset, **wanted)
