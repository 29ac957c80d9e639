"""The head of an opened question: its text and what people labelled."""

from pipeline.contract.words import counted
from pipeline.scoring.case import Case, Row
from pipeline.verbs.terminal.text import Line, block, clean, fitted, wrapped

QUOTE = 200
"""Code points of a quoted span that are shown without --full."""

MARKS = 20
"""Marks that are shown without --full."""


def question_lines(case: Case, width: int, limit: int | None) -> list[Line]:
    """Set the question, its attributes and its labels, disputes and spans with them.

    Args:
        case: the opened question.
        width: columns of the page.
        limit: code points of a text that are shown; None: all.
    """
    question = case.question
    lines = [Line(clean(question["question_id"]), "bold")]
    if question["content_note"]:
        note = f"note: {clean(question['content_note'])}"
        lines += [Line(line, "yellow") for line in wrapped(note, width, first="  ")]
    lines += [Line(line) for line in block(question["text"], width, indent="  ", limit=limit)]
    facts = _facts(case)
    if facts:
        lines += [Line(line, "dim") for line in wrapped(facts, width, first="  ")]
    return [*lines, Line(""), *_labels(case, width), *_evidence(case, width, limit)]


def _facts(case: Case) -> str:
    question = case.question
    facts = []
    if question["split"] == "heldout":
        facts.append(f"held-out question, opened {counted(case.looks, 'time')}")
    if question["caller_groups"] is not None:
        facts.append(f"asked by {', '.join(question['caller_groups']) or 'nobody in a group'}")
    if question["asked_at"]:
        facts.append(f"asked at {question['asked_at']}")
    facts += [f"{pair['key']}={pair['value']}" for pair in question["attributes"]]
    return clean("; ".join(facts))


def _labels(case: Case, width: int) -> list[Line]:
    """Relevant documents, expected claims and the documents that support each."""
    if not case.question["labelled"]:
        return [Line("not labelled: nobody said which documents are relevant", "bold")]
    by = ", ".join(map(clean, case.question["annotators"]))
    head = "labels" + (f" by {by}" if by else "")
    lines = [Line(line, "bold") for line in wrapped(head, width, rest="  ")]
    if not case.relevance:
        who = "" if case.question["caller_groups"] is None else " that who asks may read"
        return [*lines, Line(f"  unanswerable: no document{who} is relevant")]
    for row in case.relevance:
        sure = case.labels.relevant.get(row["doc"])
        text = f"relevant: {_document(case, row['doc'])}{_dispute(row, sure)}"
        lines += [Line(line) for line in wrapped(text, width, first="  ", rest="    ")]
    for claim in case.claims:
        text = f"expected claim {clean(claim['claim_id'])}"
        text += f": {clean(claim['text'])}" if claim["text"] else ""
        lines += [Line(line) for line in wrapped(text, width, first="  ", rest="    ")]
        for row in case.support:
            if row["claim"] == claim["claim"]:
                sure = case.labels.support[claim["claim"]].get(row["doc"])
                text = f"supported by {_document(case, row['doc'])}{_dispute(row, sure)}"
                lines += [Line(line) for line in wrapped(text, width, first="    ", rest="      ")]
    return lines


def _document(case: Case, doc: int) -> str:
    row = case.documents[doc]
    title = f" “{clean(row['title'])}”" if row["title"] else ""
    return clean(row["doc_id"]) + title


def _dispute(row: Row, sure: bool | None) -> str:
    """What the annotators said where they do not agree, and what it comes to.

    Args:
        row: a row of Relevance or Support.
        sure: whether the label holds in every resolution (True) or in some; None: in none.
    """
    if row["yes"] == row["votes"]:
        return ""
    comes_to = {True: "it holds", False: "in dispute", None: "it does not hold"}[sure]
    return f", say {row['yes']} of {row['votes']} annotators: {comes_to}"


def _evidence(case: Case, width: int, limit: int | None) -> list[Line]:
    """Every mark with who made it, and the words it marks."""
    if not case.evidence:
        return []
    claims = {claim["claim"]: clean(claim["claim_id"]) for claim in case.claims}
    lines = [Line("evidence as marked", "bold")]
    shown = case.evidence if limit is None else case.evidence[:MARKS]
    for row in shown:
        text = f"{clean(row['annotator'] or 'annotator not named')}: "
        text += clean(case.documents[row["doc"]]["doc_id"])
        text += f" for {claims.get(row['claim'], 'a claim')}" if row["claim"] is not None else ""
        text += f", grade {row['grade']:g}" if row["grade"] is not None else ""
        text += "" if case.readable(row["doc"]) else " (who asks may not read it)"
        if row["start"] is not None:
            text += f", characters {row['start']:,} to {row['end']:,}"
        lines += [Line(line) for line in wrapped(text, width, first="  ", rest="    ")]
        if row["start"] is not None:
            lines += _quote(case.documents[row["doc"]]["text"], row, width, limit)
    if len(shown) < len(case.evidence):
        more = len(case.evidence) - len(shown)
        lines.append(Line(f"  … and {more:,} more: --full shows them", "dim"))
    return lines


def _quote(text: str, row: Row, width: int, limit: int | None) -> list[Line]:
    marked = text[row["start"] : row["end"]]
    if limit is not None:
        flat = " ".join(marked[:QUOTE].split())
        more = "…" if len(marked) > QUOTE else ""
        return [Line(fitted(f"    “{clean(flat)}{more}”", width), "dim")]
    return [Line(line, "dim") for line in block(f"“{marked}”", width, indent="    ", limit=None)]
