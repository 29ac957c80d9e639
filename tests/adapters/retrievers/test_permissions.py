"""Who may read what."""

from pipeline.adapters.chunkers.document import Document
from pipeline.adapters.retrievers.permissions import readable
from tests.adapters.frames import documents, questions

DOCUMENTS = documents(["open", "staff", "nobody", "either"], [None, ["staff"], [], ["hr", "it"]])
CALLERS = questions(["?"] * 5, [None, ["staff"], [], ["it", "x"], ["staff"]])


def masks(permissions: bool) -> list[list[bool] | None]:
    chunks = Document().cut(DOCUMENTS)
    found = readable(CALLERS, chunks, DOCUMENTS, permissions=permissions)
    return [None if mask is None else mask.tolist() for mask in found]


def test_a_caller_reads_what_is_open_or_shares_a_group() -> None:
    assert masks(True) == [
        None,  # groups not stated: everything
        [True, True, False, False],
        [True, False, False, False],  # in no group: what is open
        [True, False, False, True],
        [True, True, False, False],
    ]


def test_without_the_switch_nothing_is_held_back() -> None:
    assert masks(False) == [None] * 5
