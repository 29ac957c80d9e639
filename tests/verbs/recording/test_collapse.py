"""The first rank of each document, and marks that go on naming what they named."""

import re

from hypothesis import given
from hypothesis import strategies as st

from pipeline.verbs.recording.collapse import ranking, repeated
from pipeline.verbs.recording.rows import Item


def named(answer: str, documents: dict[str, str]) -> list[str | None]:
    """What each mark of an answer names; None: nothing that is there."""
    return [documents.get(number) for number in re.findall(r"\[([0-9]+)\]", answer)]


@given(
    doc_ids=st.lists(st.sampled_from("abc"), max_size=6),
    first=st.integers(1, 4),
    marks=st.lists(st.sampled_from(["0", "1", "2", "3", "4", "7", "01", "9"]), max_size=6),
)
def test_marks_name_the_same_documents_before_and_after(
    doc_ids: list[str], first: int, marks: list[str]
) -> None:
    items = [Item(text="x", mark=str(at)) for at in range(first, first + len(doc_ids))]
    made = ranking(doc_ids, items)
    answer = "".join(f"so [{mark}] and " for mark in marks)
    before = {item.mark or "": doc_id for item, doc_id in zip(items, doc_ids, strict=True)}
    after = {str(at): doc_id for at, doc_id in enumerate(made.doc_ids, 1)}
    assert named(made.renumbered(answer), after) == named(answer, before)
    assert made.doc_ids == list(dict.fromkeys(doc_ids))
    assert bool(repeated(doc_ids)) == (len(made.doc_ids) < len(doc_ids))


def test_an_answer_whose_marks_stay_is_left_as_it_is() -> None:
    made = ranking(["a", "b"], [Item(), Item()])
    assert made.renumbered("see [2], [7] and [1, 2]") == "see [2], [7] and [1, 2]"
