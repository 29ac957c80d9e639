"""What a judge or a benchmark ruled on one response, one row an item."""

from collections import defaultdict

from pipeline.contract.spelling import clean
from pipeline.contract.veil import Content, words
from pipeline.scoring.case import Case, Row

KIND = {
    "answer_to_reference": "claim of the answer, against the reference answer",
    "reference_to_answer": "claim of the reference answer, against the answer",
    "deflection": "does the answer decline to answer?",
    "eligibility": "does the answer address what is asked for?",
    "factual_relevant": "sentence, against the relevant passages",
    "factual_all": "sentence, against all passages",
    "expected": "is this claim expected?",
    "supported": "does the passage support the claim?",
    "judge_failed": "the judge failed",
}
"""What was asked of an item."""

REFERENCE = "the reference answer"
GOOD = ("Entailment", "Supported", "Yes")
BAD = ("Neutral", "Contradiction", "Unsupported", "Contradictory", "No")


def rulings(case: Case, at: int, content: Content) -> list[Row]:
    """Set the verdicts on one response.

    Args:
        case: the opened question.
        at: row of `case.answers`.
        content: how much of the texts may be shown.

    Returns:
        For each item what was asked, its words, the label, whether that is good (None:
        neither), the ranks of the passages that entail it, and the quoted words.
    """
    answer = case.answers[at]
    own = [row for row in case.verdicts if row["repeat"] == answer["repeat"]]
    passages = _entailing(own)
    return [
        {
            "asked": _asked(row),
            "text": _said(row["text"], content),
            "label": row["label"],
            "good": _good(row),
            "passages": passages.get((row["kind"].split("_")[0], row["item"]))
            if row["kind"] in ("answer_to_reference", "reference_to_answer")
            else None,
            "passage": None if row["against"] is None else row["against"] + 1,
            "quote": _said(row["quote"], content),
        }
        for row in own
        if row["kind"] in KIND and (row["label"] is not None or _asked(row) == REFERENCE)
    ]


def _asked(row: Row) -> str:
    """What was asked of an item; of the reference as a whole, that it is the reference."""
    whole = row["kind"] == "reference_to_answer" and row["item"] is None and row["text"]
    return REFERENCE if whole else KIND[row["kind"]]


def _said(text: str | None, content: Content) -> str | None:
    shown = words(text, content)
    return clean(shown) if shown else None


def _good(row: Row) -> bool | None:
    """Whether a ruling speaks for the answer; a deflection does neither by itself."""
    if row["kind"] == "deflection":
        return None
    return True if row["label"] in GOOD else False if row["label"] in BAD else None


def _entailing(own: list[Row]) -> dict[tuple[str, int], list[int]]:
    """Ranks, from 1, of the passages that entail a claim, by whose claim it is and its index."""
    found: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for row in own:
        if row["kind"].endswith("_to_passage") and row["item"] is not None:
            ranks = found[row["kind"].split("_")[0], row["item"]]
            if row["label"] == "Entailment":
                ranks.append(row["against"] + 1)
    return dict(found)
