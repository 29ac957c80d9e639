"""An overlap that no marked place can give is refused, for by it nothing would be relevant."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.checks.reach import check_overlap
from pipeline.contract.records import Mark, Question

PLACES = st.lists(st.tuples(st.integers(0, 12), st.integers(1, 5)), max_size=5)


def asked(*marks: Mark) -> Question:
    return Question("q", "?", evidence=list(marks))


def said(questions: list[Question], overlap: int) -> list[str]:
    return [str(fault) for fault in check_overlap(questions, overlap)]


def test_an_overlap_longer_than_every_place_is_refused_with_the_longest() -> None:
    questions = [asked(Mark("a", start=2, end=6)), asked(Mark("b", start=0, end=7))]
    assert said(questions, 7) == []
    assert said(questions, 8) == [
        "conf: rubric.overlap: expected at most 7, the length of the longest place that is "
        "marked, got 8"
    ]


def test_marks_that_touch_are_one_place_and_those_of_other_documents_are_not() -> None:
    # 2–6 and 6–9 are the seven characters 2–9
    assert said([asked(Mark("a", start=6, end=9), Mark("a", start=2, end=6))], 7) == []
    assert len(said([asked(Mark("a", start=6, end=9), Mark("b", start=2, end=6))], 7)) == 1


def test_without_a_span_that_says_yes_any_overlap_does() -> None:
    assert (
        said([Question("q", "?"), asked(Mark("a")), asked(Mark("a", grade=0, start=0, end=9))], 99)
        == []
    )


@given(places=PLACES, overlap=st.integers(1, 20))
def test_it_is_refused_exactly_where_no_run_of_marked_characters_is_as_long(
    places: list[tuple[int, int]], overlap: int
) -> None:
    marked = {at for start, length in places for at in range(start, start + length)}
    runs = [all(at in marked for at in range(first, first + overlap)) for first in range(20)]
    marks = [Mark("a", start=start, end=start + length) for start, length in places]
    assert bool(said([asked(*marks)], overlap)) is (bool(places) and not any(runs))
