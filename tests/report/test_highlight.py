from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pipeline.report.highlight import highlights

TEXTS = st.text(st.sampled_from("ab é😀𝄞"), max_size=12)
SPANS = st.lists(st.tuples(st.integers(0, 20), st.integers(1, 8)), max_size=4)


def as_javascript_cuts(text: str, first: int, last: int) -> str:
    """`text.slice(first, last)` of a string of UTF-16 code units."""
    return text.encode("utf-16-le")[2 * first : 2 * last].decode("utf-16-le")


def test_a_mark_behind_an_astral_character_is_counted_in_its_two_units() -> None:
    # code points: 😀 0, a 1, b 2; units: 😀 0-1, a 2, b 3
    assert highlights("😀ab", 0, [(1, 3)]) == [(2, 4)]


def test_marks_that_touch_are_one_and_those_outside_are_left_out() -> None:
    assert highlights("abcdef", 10, [(13, 14), (10, 13), (0, 10), (16, 20)]) == [(0, 4)]


@given(TEXTS, st.integers(0, 5), SPANS)
def test_what_is_highlighted_is_what_is_marked(
    text: str, start: int, lengths: list[tuple[int, int]]
) -> None:
    marks = [(first, first + length) for first, length in lengths]
    found = highlights(text, start, marks)
    # by hand: a code point of the text is marked when some span holds its place in the document
    marked = [any(first <= start + at < last for first, last in marks) for at in range(len(text))]
    whole = "".join(as_javascript_cuts(text, first, last) for first, last in found)
    assert whole == "".join(c for c, held in zip(text, marked, strict=True) if held)
    assert all(one[1] < other[0] for one, other in pairwise(found))
