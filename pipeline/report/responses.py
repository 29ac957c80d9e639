"""What the page holds of one response: context, answer, claims with their rulings, values."""

from collections.abc import Iterable
from typing import Any

from pipeline.contract.metrics import JUDGED, METRICS, SPANS, Metric
from pipeline.contract.rankings import rankings
from pipeline.contract.spelling import clean
from pipeline.contract.veil import Content, words
from pipeline.contract.words import CAUSE, GROUND, PLACE, REASON, STANDING, label, value
from pipeline.report.highlight import highlights
from pipeline.report.rulings import rulings
from pipeline.report.store import Texts
from pipeline.scoring.case import Case, Row
from pipeline.scoring.made import Made, left_out, made

UNLABELLED: Row = {"claims": None, "unknown": "nobody labelled the question", "missing": []}
"""What is said of claims where there are rulings, but no labels to compare with."""

VERDICT = {"supported": "supported", "unsupported": "not supported", "unresolved": "in dispute"}
"""What became of a claim, in words."""


def response(case: Case, at: int, texts: Texts, content: Content) -> dict[str, Any]:
    """Set one response for the page.

    Args:
        case: the opened question.
        at: row of `case.answers`.
        texts: takes the long texts; they are named by number.
        content: how much of the texts may be shown.
    """
    answer, values = case.answers[at], case.values[at]

    ruled = rulings(case, at, content)
    by_label = case.question["labelled"] or not ruled

    def text(full: str | None) -> int | None:
        shown = words(full, content)
        return None if shown is None else texts.number(shown)

    return {
        "repeat": answer["repeat"],
        "error": _error(answer, content),
        "answer": text(answer["answer"]),
        "context": _context(case, at, texts, content),
        "recorded": answer["context_recorded"],
        "k": values["cutoff"],
        "retrieved": values["depth"],
        **(_claims(case, at, texts, content) if by_label else UNLABELLED),
        "rulings": ruled,
        "values": _values(values),
        **({"rankings": rankings(values["ranked"])} if values.get("ranked") else {}),
        "causes": [CAUSE[cause] for cause in values["causes"]],
        "leaks": [clean(doc) for doc in values["leaks"]],
    }


def _error(answer: Row, content: Content) -> str | None:
    if answer["status"] != "failed":
        return None
    told = words(answer["error"], content)
    return f"failed: {clean(told)}" if told else "failed"


def _context(case: Case, at: int, texts: Texts, content: Content) -> list[Row] | None:
    """The visible chunks in order, each with its text, what labels make of it and its marks."""
    if case.contexts[at] is None:
        return None
    return [_chunk(case, code, texts, content) for code in case.contexts[at] or ()]


def _chunk(case: Case, code: int, texts: Texts, content: Content) -> Row:
    chunk = case.chunks[code]
    document = case.documents[chunk["doc"]]
    start, end = chunk["start"], chunk["end"]
    text = document["text"][start:end]
    shown = words(text, content)
    marks = highlights(text, start, case.marks(chunk["doc"])) if content == "full" else []
    place = case.place(code)
    title = document["title"] if content == "full" else None
    return {
        "doc": clean(document["doc_id"]),
        "title": clean(title) if title else None,
        "place": place,
        "says": PLACE[place],
        "span": None if start == 0 and end == len(document["text"]) else [start, end],
        "text": texts.number(shown) if shown else None,
        "marks": marks,
    }


def _claims(case: Case, at: int, texts: Texts, content: Content) -> Row:
    """The claims and what was left out; where there is no record of claims, that in words."""
    if not case.statements[at]["judged"]:
        return {"claims": None, "unknown": "the judge gave no ruling", "missing": []}
    claims = made(case, at)
    if claims is None:
        return {"claims": None, "unknown": "no record of claims, or of the context", "missing": []}
    missing = [
        {
            "name": clean(row["claim_id"]),
            "says": "expected, not made" if sure else "in dispute whether expected; not made",
        }
        for row, sure in left_out(case, at)
    ]
    return {"claims": [_claim(one, texts, content) for one in claims], "missing": missing}


def _claim(claim: Made, texts: Texts, content: Content) -> Row:
    names = [clean(name or "a document") for name in claim.cites]
    quotes = (words(quote, content) for quote in claim.quotes)
    return {
        "name": clean(claim.name),
        "verdict": claim.ruling.verdict,
        "says": VERDICT[claim.ruling.verdict],
        "ground": GROUND.get(claim.ruling.ground),
        "cites": [
            {"doc": name, "counts": standing, "says": STANDING[standing].removeprefix("which is ")}
            for name, standing in zip(names, claim.ruling.citations, strict=True)
        ],
        "quotes": [texts.number(quote) for quote in quotes if quote],
    }


def _values(values: Row) -> list[list[str]]:
    """`[metric, value]` in words for what is given or n/a for a reason worth saying."""
    judged = [metric for metric in JUDGED if metric.name in values]
    plain = [metric for metric in METRICS if not metric.variant]
    return [list(pair) for pair in _worded(values, [*plain, *judged])]


def _worded(values: Row, metrics: Iterable[Metric]) -> Iterable[tuple[str, str]]:
    for metric in metrics:
        number, reason = values[metric.name], values[f"{metric.name}_reason"]
        if reason in ("answerable", "unanswerable"):
            continue  # another population's metric
        if reason == "not_labelled" and (metric in SPANS or metric in JUDGED):
            continue  # most sets have no such labels
        shown = value(metric.name, number)
        low, high = values[f"{metric.name}_low"], values[f"{metric.name}_high"]
        if number is None:
            shown += f" ({REASON[reason]})"
            shown += "" if low is None else f", {low:.2f} to {high:.2f}"
        yield label(metric, values["cutoff"]), shown
