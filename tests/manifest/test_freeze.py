from pathlib import Path

import pytest

from pipeline.contract.files import read_json
from pipeline.contract.records import Part, Response, Verdict
from pipeline.manifest.freeze import recorded
from pipeline.manifest.schemas import validate


def part(*rows: tuple[Response, int]) -> Part[Response]:
    return Part([row for row, _ in rows], ["f" for _ in rows], [line for _, line in rows])


NONE: Part[Verdict] = Part()
GONE = Response("A", "p", status="failed", error="missing")
ONE = Response("A", "q", retrieved=["d"], delivered=["d"])


def test_a_systems_hash_does_not_depend_on_the_others() -> None:
    other = Response("B", "q", retrieved=[])
    assert recorded(part((ONE, 1), (other, 2)), NONE)["A"] == recorded(part((ONE, 9)), NONE)["A"]
    changed = Response("A", "q", retrieved=["e"], delivered=["d"])
    assert (
        recorded(part((changed, 1)), NONE)["A"]["content"]
        != recorded(part((ONE, 1)), NONE)["A"]["content"]
    )


def test_missing_responses_are_listed_and_count_as_failed() -> None:
    found = recorded(part((GONE, 0), (ONE, 4)), NONE)["A"]
    assert (found["responses"], found["failed"], found["missing"]) == (1, 1, [[1, "p"]])
    assert found["repeats"] == [1]


@pytest.mark.parametrize(
    ("delivered", "word"),
    [([["d"], ["d"]], "recorded"), ([["d"], None], "partly"), ([None, None], "inferred")],
)
def test_whether_the_context_was_recorded_is_said(
    delivered: list[list[str] | None], word: str
) -> None:
    rows = [
        (Response("A", f"q{n}", retrieved=["d"], delivered=one), n + 1)
        for n, one in enumerate(delivered)
    ]
    assert recorded(part(*rows), NONE)["A"]["delivered"] == word


def test_the_shipped_versions_fit_their_schema() -> None:
    shipped = sorted((Path(__file__).parents[2] / "data" / "versions").rglob("*.json"))
    assert shipped
    for file in shipped:
        validate(read_json(file), "version")
