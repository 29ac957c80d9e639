"""Three mistakes that scorers make, each built from our own source, each caught by name."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType

import pytest

from pipeline.scoring import claims, values
from tests.scoring.cases import asked, one, said, scored
from tests.scoring.test_fixture import fixture


def assert_precision_divides_by_the_cutoff() -> None:
    # one relevant document is all that was returned, k = 2: 1/2, not 1/1
    value = one(asked("a", {"c": "a"}), said("a", {"c": "a"}))["precision"]
    assert value == 1 / 2, "precision divides by k"


def assert_one_wrong_citation_sinks_a_claim() -> None:
    # the claim cites a, which is labelled for it, and b, which is not; both are visible
    value = one(asked("a", {"c": "a"}), said("ab", {"c": "ab"}))["support"]
    assert value == 0.0, "every citation has to be right"


def assert_a_cited_document_has_to_be_visible() -> None:
    # k = 1: of rollback B's two claims the one on the second document loses its support
    (row,) = (
        row
        for row in scored(fixture(cutoff=1))
        if (row["question_id"], row["system"]) == ("rollback", "B")
    )
    assert row["support"] == 1 / 2, "a citation has to be visible"


TRAPS = {
    "dividing by the number returned": (
        values,
        "_of_ranking",
        {"block.cutoff": "(block.shown >= 0).sum(axis=0)"},
        assert_precision_divides_by_the_cutoff,
        "precision divides by k",
    ),
    "accepting a claim because one citation is right": (
        claims,
        "stated",
        {
            "(lists.sum(seen & sure) == cited.counts)": "(lists.sum(seen & sure) > 0)",
            "(lists.sum(seen & labelled) == cited.counts)": "(lists.sum(seen & labelled) > 0)",
        },
        assert_one_wrong_citation_sinks_a_claim,
        "every citation has to be right",
    ),
    "ignoring whether the cited document was visible": (
        claims,
        "stated",
        {"seen |= docs[owner] == citations": "seen |= True"},
        assert_a_cited_document_has_to_be_visible,
        "a citation has to be visible",
    ),
}


@contextmanager
def mutated(module: ModuleType, name: str, changes: dict[str, str]) -> Iterator[None]:
    """The module with one function replaced by a changed copy of its source."""
    source = inspect.getsource(getattr(module, name))
    for old, new in changes.items():
        assert source.count(old) == 1, f"{name} has no single {old!r} to change"
        source = source.replace(old, new)
    place = dict(vars(module))
    exec(compile(source, f"<mutant of {name}>", "exec"), place)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, name, place[name])
        yield


@pytest.mark.parametrize("trap", TRAPS)
def test_the_named_assertion_fails_on_the_mutant_and_holds_on_our_code(trap: str) -> None:
    module, name, changes, assertion, message = TRAPS[trap]
    holds: Callable[[], None] = assertion
    holds()
    with mutated(module, name, changes), pytest.raises(AssertionError, match=message):
        holds()
    holds()
