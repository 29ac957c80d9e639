"""What a judge ruled on one answer: as a whole, claim by claim, sentence by sentence."""

from pipeline.scoring.case import Case, Row
from pipeline.verbs.terminal.silences import disagreement
from pipeline.verbs.terminal.text import Line, Style, clean, fitted, wrapped

WHOLE = {"deflection": "deflects", "eligibility": "eligible"}
CLAIMS = ("expected", "supported")
SENTENCES = {"factual_relevant": "relevant passages", "factual_all": "all passages"}
GOOD = ("Yes", "Supported")


def grounded_lines(case: Case, at: int, width: int, limit: int | None) -> list[Line]:
    """Set the rulings on a response, each with its evidence, below the judge's name.

    Args:
        case: the opened question.
        at: row of `case.answers`.
        width: columns of the page.
        limit: with one, evidence is one line; None: all of it.
    """
    answer = case.answers[at]
    key = answer["system"], answer["repeat"]
    own = [row for row in case.verdicts if (row["system"], row["repeat"]) == key]
    lines = [*_whole(own, width), *_claims(own, width, limit), *_sentences(own, width, limit)]
    if lines:
        head = f"rulings by {clean(case.judge)}"
        lines = [*(Line(s, "dim") for s in wrapped(head, width, first="  ")), *lines]
    for row in case.silences:
        if (row["system"], row["repeat"]) == key:
            text = f"abstention and deflection disagree: {disagreement(row)}"
            lines += [Line(s, "yellow") for s in wrapped(text, width, first="  ", rest="    ")]
    return lines


def _whole(own: list[Row], width: int) -> list[Line]:
    """Why there is no ruling, or what the answer is as a whole."""
    for row in own:
        if row["kind"] == "judge_failed":
            text = f"none: {clean(row['text'] or 'no reason recorded')}"
            return [Line(s, "red") for s in wrapped(text, width, first="    ", rest="      ")]
    told = [
        f"{WHOLE[row['kind']]}: {clean(row['label'] or 'no label').lower()}"
        for row in own
        if row["kind"] in WHOLE and row["item"] is None
    ]
    return [Line(s) for s in wrapped("; ".join(told), width, first="    ")] if told else []


def _claims(own: list[Row], width: int, limit: int | None) -> list[Line]:
    """Each claim, whether it is one that is expected, and each passage that was to support it."""
    lines: list[Line] = []
    for item in _items(own, CLAIMS):
        rows = [row for row in own if row["kind"] in CLAIMS and row["item"] == item]
        words = next((row["text"] for row in rows if row["text"]), None)
        lines += _item("claim", item, words, width)
        for row in rows:
            yes = row["label"] == "Yes"
            if row["kind"] == "expected":
                text = "is an expected claim" if yes else "is no expected claim"
            else:
                passage = "" if row["against"] is None else f" {row['against'] + 1}"
                text = f"{'supported' if yes else 'not supported'} by passage{passage}"
            lines += _ruling(text, row, width, limit)
    return lines


def _sentences(own: list[Row], width: int, limit: int | None) -> list[Line]:
    """Each sentence, and what the relevant and all passages make of it."""
    lines: list[Line] = []
    for item in _items(own, SENTENCES):
        rows = [row for row in own if row["kind"] in SENTENCES and row["item"] == item]
        words = next((row["text"] for row in rows if row["text"]), None)
        lines += _item("sentence", item, words, width)
        for row in sorted(rows, key=lambda row: list(SENTENCES).index(row["kind"])):
            text = f"{SENTENCES[row['kind']]}: {clean(row['label'])}"
            ranks = ", ".join(str(at + 1) for at in row["passages"] or ())
            text += f" by {ranks}" if ranks else ""
            lines += _ruling(text, row, width, limit)
    return lines


def _items(own: list[Row], kinds: tuple[str, ...] | dict[str, str]) -> list[int]:
    found = {row["item"] for row in own if row["kind"] in kinds and row["item"] is not None}
    return sorted(found)


def _item(noun: str, item: int, words: str | None, width: int) -> list[Line]:
    text = f"{noun} {item + 1}: {clean(' '.join((words or 'not in words').split()))}"
    return [Line(part) for part in wrapped(text, width, first="    ", rest="      ")]


def _ruling(text: str, row: Row, width: int, limit: int | None) -> list[Line]:
    good = row["label"] in GOOD
    style: Style = "green" if good else "dim" if row["label"] == "No claim" else "yellow"
    lines = [Line(part, style) for part in wrapped(text, width, first="      ", rest="        ")]
    if row["quote"]:
        quote = f"“{clean(' '.join(row['quote'].split()))}”"
        if limit is None:
            shown = wrapped(quote, width, first="        ", rest="         ")
        else:
            shown = [f"        {fitted(quote, width - 8)}"]
        lines += [Line(part, "dim") for part in shown]
    return lines
