from typing import Any

import msgspec
import pytest

from pipeline.contract.records import Document, Question
from pipeline.manifest import content

QUESTION: dict[str, Any] = {
    "question_id": "q", "text": "?", "relevant": ["a", "b"], "support": {"x": ["a", "b"]},
    "evidence": [{"doc_id": "a"}, {"doc_id": "b", "grade": 1}], "annotators": ["ada", "ben"],
    "caller_groups": ["g", "h"],
}  # fmt: skip


def digest(**fields: Any) -> str:
    row = msgspec.convert({**QUESTION, **fields}, Question)
    return content.digest(content.questions([row]))


@pytest.mark.parametrize(
    "fields",
    [
        {"relevant": ["b", "a"]},
        {"support": {"x": ["b", "a"]}},
        {"evidence": QUESTION["evidence"][::-1]},
        {"annotators": ["ben", "ada"]},
        {"caller_groups": ["h", "g"]},
        {"split": "dev"},
        {"asked_at": None, "attributes": {}},
    ],
)
def test_order_and_defaults_that_mean_nothing_are_not_hashed(fields: dict[str, Any]) -> None:
    assert digest(**fields) == digest()


@pytest.mark.parametrize(
    "fields",
    [
        {"text": "??"},
        {"relevant": ["a"]},
        {"relevant": []},
        {"relevant": None},
        {"annotators": None},
        {"split": "heldout"},
        {"attributes": {"topic": "x"}},
        {"caller_groups": []},
        {"caller_groups": None},
    ],
)
def test_whatever_means_something_is_hashed(fields: dict[str, Any]) -> None:
    assert digest(**fields) != digest()


def test_documents_are_hashed_in_order_of_their_ids() -> None:
    one, two = Document("a", "A", access_groups=["x", "y"]), Document("b", "B")
    other = Document("a", "A", access_groups=["y", "x"])
    assert content.digest(content.documents([two, other])) == content.digest(
        content.documents([one, two])
    )


def test_each_part_has_a_hash_of_its_own() -> None:
    def hashes(document: dict[str, Any], **fields: Any) -> dict[str, str]:
        rows = content.documents([msgspec.convert({"doc_id": "a", **document}, Document)])
        question = msgspec.convert({**QUESTION, **fields}, Question)
        return content.hashes(rows, content.questions([question]))

    def differing(document: dict[str, Any], **fields: Any) -> set[str]:
        before, after = hashes({"text": "A"}), hashes(document, **fields)
        return {name for name in before if before[name] != after[name]}

    assert differing({"text": "A"}) == set()
    assert differing({"text": "B"}) == {"corpus"}
    assert differing({"text": "A", "access_groups": ["g"]}) == {"permissions"}
    assert differing({"text": "A"}, caller_groups=None) == {"permissions"}
    assert differing({"text": "A"}, text="other") == {"questions"}
    assert differing({"text": "A"}, attributes={"t": 1}) == {"questions"}
    assert differing({"text": "A"}, relevant=["a"]) == {"labels"}
    assert differing({"text": "A"}, annotators=["ada"]) == {"labels"}


def test_an_id_in_a_hash_is_spelt_as_it_is() -> None:
    # sha256 of {"doc_id":"é","text":"x"} and a line feed
    assert content.digest([Document("é", "x")]) == (
        "480e5a21e19ce3e21e661137dc6407cf17eee80529a4432a974aa39d2c05d3ad"
    )
