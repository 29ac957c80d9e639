"""The chain of the ledger: what was done to a line shows at the line after it."""

import json
from hashlib import sha256
from typing import Any

import pytest

from pipeline.manifest.chain import START, Chain, Written, walk


def grown(*more: Any, start: list[bytes] | None = None, at: int | None = None) -> list[bytes]:
    """Lines with these reasons, chained to line `at` of `start`, or to its last one."""
    lines = list(start or [])
    before = lines[: len(lines) if at is None else at]
    head = sha256(before[-1]).hexdigest() if before else START
    for reason in more:
        look = {"question_set": "q", "system": "A", "fingerprint": "f", "time": "t"}
        lines.append(json.dumps({**look, "reason": reason, "previous": head}).encode())
        head = sha256(lines[-1]).hexdigest()
    return lines


def walked(lines: list[bytes]) -> Chain:
    return walk([Written(n, line, json.loads(line)) for n, line in enumerate(lines, 1)])


WHOLE = grown(1, 2, 3, 4)


def test_a_chain_is_whole_and_its_head_is_the_hash_of_the_last_line() -> None:
    chain = walked(WHOLE)
    assert (chain.state, chain.breaks, chain.loose) == ("whole", (), ())
    assert chain.head == sha256(WHOLE[-1]).hexdigest()
    assert chain.heads == {sha256(line).hexdigest() for line in WHOLE}
    assert walked([]) == Chain(0, None, frozenset(), (), ())


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_line_that_was_edited_shows_at_the_next_one(at: int) -> None:
    lines = list(WHOLE)
    lines[at] = lines[at].replace(b'"system": "A"', b'"system": "B"')
    found = walked(lines).broken
    assert found is not None
    assert (found.kind, found.number) == ("lost", at + 2)
    assert found.expected == sha256(lines[at]).hexdigest()
    assert found.got == sha256(WHOLE[at]).hexdigest()


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_line_that_was_removed_shows_at_the_one_that_took_its_place(at: int) -> None:
    found = walked(WHOLE[:at] + WHOLE[at + 1 :]).broken
    assert found is not None
    assert (found.kind, found.number) == ("lost", at + 1)


@pytest.mark.parametrize("at", [0, 1, 2])
def test_two_lines_that_changed_places_show_at_the_first_of_them(at: int) -> None:
    lines = [*WHOLE[:at], WHOLE[at + 1], WHOLE[at], *WHOLE[at + 2 :]]
    found = walked(lines).broken
    assert found is not None
    assert (found.kind, found.number) == ("moved", at + 1)


def test_a_line_whose_hash_was_taken_out_shows_at_the_next_one() -> None:
    entry = json.loads(WHOLE[1])
    del entry["previous"]
    chain = walked([WHOLE[0], json.dumps(entry).encode(), *WHOLE[2:]])
    assert chain.state == "broken at line 3"


def test_lines_cut_off_the_end_do_not_show_but_the_head_of_then_is_missing() -> None:
    cut = walked(WHOLE[:3])
    assert cut.state == "whole"
    assert walked(WHOLE).head not in cut.heads
    assert walked(WHOLE[:2]).head in walked(WHOLE).heads, "an older head is still there"


def test_lines_of_an_earlier_version_amid_newer_ones_are_covered_by_the_next() -> None:
    plain = json.dumps({"question_set": "q", "system": "A", "reason": "old"}).encode()
    block = sha256(WHOLE[3] + b"\n" + plain).hexdigest()
    after = json.dumps({"reason": "new", "previous": block}).encode()
    assert walked([*WHOLE, plain, after]).state == "whole"
    assert walked([*WHOLE, plain.replace(b"old", b"odd"), after]).state == "broken at line 6"
    assert walked([*WHOLE, after]).state == "broken at line 5"


def test_branches_one_after_the_other_are_merged_and_not_broken() -> None:
    both = grown("b", "c", start=grown("x", "y", start=WHOLE), at=4)  # 1 2 3 4 x y b c
    chain = walked(both)
    assert (chain.state, chain.broken) == ("merged at line 7", None)
    assert [(one.kind, one.number) for one in chain.breaks] == [("branch", 7)]
    assert chain.loose == (sha256(both[5]).hexdigest(),)


def test_a_line_that_stands_there_twice_is_named() -> None:
    assert walked([*WHOLE, WHOLE[-1]]).state == "merged at line 5"


def test_branches_of_a_ledger_that_was_empty_are_merged() -> None:
    assert walked(grown("b", start=grown("a"), at=0)).state == "merged at line 2"


def test_a_line_that_joins_the_ends_makes_it_whole_and_holds_both() -> None:
    both = grown("b", start=grown("x", "y", start=WHOLE), at=4)  # 1 2 3 4 x y b
    joins = {
        "reason": "on", "previous": sha256(both[-1]).hexdigest(),
        "merged": list(walked(both).loose),
    }  # fmt: skip
    joined = [*both, json.dumps(joins).encode()]
    assert walked(joined).state == "whole"
    assert [one.kind for one in walked(joined).breaks] == ["branch"]
    for at in (4, 5, 6):  # x, y, b
        assert walked(joined[:at] + joined[at + 1 :]).broken, at
    assert walked(joined[:4] + joined[6:]).state == "broken at line 6", "without a whole branch"
