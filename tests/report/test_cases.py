from pathlib import Path

from pipeline.report.cases import stood
from tests.built_in import built
from tests.finished import finish, hand_in
from tests.report.compared import across, reported
from tests.report.reading import Page
from tests.sets import DOCUMENTS, QUESTION

SAMPLE = Path(__file__).parents[2] / "data" / "raw" / "sample" / "v1"


def test_a_chunk_stands_where_the_very_same_one_is_or_nearest_the_one_that_shares_most() -> None:
    there = [("a", 0, 10), ("b", 0, 4), ("a", 10, 20)]
    found = stood([("b", 0, 4), ("a", 8, 18), ("a", 20, 30), ("c", 0, 4)], there)
    # [8, 18) shares 2 with rank 1 and 8 with rank 3; [20, 30) only touches it
    assert found == [2, -3, 0, 0]


def test_sides_of_two_folders_meet_by_ids_whatever_their_codes(tmp_path: Path) -> None:
    small = built(tmp_path / "small", SAMPLE, chunk_size=12)
    large = built(tmp_path / "large", SAMPLE, chunk_size=40)
    text = across({"small": (small, "rag"), "large": (large, "rag")}, tmp_path / "report.html")
    page = Page(text)
    assert page.data()["baseline"] == "small"
    assert "large against small" in page.text
    cases = page.packed("cases")
    texts = page.packed("texts")
    lengths = [
        [
            len(texts[chunk["text"]].split())
            for case in cases
            for chunk in case["sides"][at][0]["context"]
        ]
        for at in (0, 1)
    ]
    assert max(lengths[0]) <= 12 < max(lengths[1]) <= 40
    # other chunks of the same documents: some of the text was there before, under another cut
    assert any(other < 0 for case in cases for other in case["moves"][0][0][0])


def test_every_repeat_of_a_side_is_kept(tmp_path: Path) -> None:
    responses = [
        {
            "system": system, "repeat": repeat, "question_id": "price", "retrieved": ["boats"],
            "claims": [{"claim_id": "nine", "citations": cites}],
        }
        for system, repeat, cites in (
            ("A", 1, ["boats"]), ("A", 2, ["boats"]), ("B", 1, ["hours"]), ("B", 2, ["boats"]),
        )
    ]  # fmt: skip
    source = hand_in(
        tmp_path / "set", documents=DOCUMENTS, questions=[QUESTION], responses=responses
    )
    page = Page(reported(finish(tmp_path / "data", source), tmp_path / "report.html"))
    (case,) = page.packed("cases")
    verdicts = [[one["claims"][0]["verdict"] for one in side] for side in case["sides"]]
    assert verdicts == [["supported", "supported"], ["unsupported", "supported"]]
    assert "answers per question: 2 (A), 2 (B)" in page.text


def test_leaks_stand_at_the_top_and_are_named(tmp_path: Path) -> None:
    documents = [{**DOCUMENTS[0], "access_groups": ["staff"]}, DOCUMENTS[1]]
    question = {**QUESTION, "caller_groups": ["guests"]}
    responses = [
        {
            "system": system, "question_id": "price", "retrieved": retrieved,
            "claims": [{"claim_id": "nine", "citations": ["boats"]}],
        }
        for system, retrieved in (("A", ["boats"]), ("B", ["boats", "hours"]))
    ]  # fmt: skip
    source = hand_in(
        tmp_path / "set", documents=documents, questions=[question], responses=responses
    )
    text = Page(reported(finish(tmp_path / "data", source), tmp_path / "report.html")).text
    warned = text.index("Leaks. B shows documents to people who may not read them")
    assert warned < text.index("leak: hours")
    assert "B: 1 question price : hours" in text
