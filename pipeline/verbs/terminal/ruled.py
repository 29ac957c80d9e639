"""Results that come from verdicts: a line for each response, and in full for one of them."""

from collections.abc import Sequence

import polars as pl

from pipeline.contract.metrics import Metric
from pipeline.contract.words import counted, value
from pipeline.scoring.case import Case, Row
from pipeline.scoring.deltas import ERRORS
from pipeline.verbs.terminal.text import Line, Style, block, clean, wrapped

MOST = 40
"""Lines of a table that is shown whole; of a longer one as many, the worst first."""

SHORT = {
    "entailment_precision": "precision",
    "entailment_recall": "recall",
    "entailment_f1": "F1",
    "claim_recall": "claim-recall",
    "faithfulness": "faithfulness",
    "hallucination": "hallucination",
    "attribution_precision": "attr-precision",
    "attribution_recall": "attr-recall",
    "uraf": "uRAF",
    "raf": "RAF",
}
"""Metrics that the table of single results shows, under names of one word."""

SIDES = (
    ("answer_to_reference", "claims of the answer", ("right", "wrong")),
    ("reference_to_answer", "claims of the reference answer", ("in the answer", "left out")),
)


def ruled_lines(
    questions: pl.DataFrame, judged: pl.DataFrame, metrics: Sequence[Metric]
) -> list[Line]:
    """Set the values of each response, two decimals, in the order of the questions' file.

    Args:
        questions: Questions; only the order is read.
        judged: Judged.
        metrics: those of which it holds anything.
    """
    shown = [metric for metric in metrics if metric.name in SHORT]
    if not shown:
        return []
    order = questions.sort("line", "question_id")["question_id"]
    place = pl.DataFrame({"question_id": order, "place": range(len(order))})
    rows = judged.join(place, on="question_id").sort("place", "system", "repeat")
    head = [] if len(rows) <= MOST else [Line(f"Worst first, {MOST} of {_all(rows)}:", "bold")]
    if head:
        missed = pl.mean_horizontal(map(_missed, shown)).fill_null(0.0)
        worst = rows.sort(missed, "place", "system", "repeat", descending=[True] + [False] * 3)
        rows = worst.head(MOST)
    repeated = judged["repeat"].n_unique() > 1
    who = "case system repeat" if repeated else "case system"
    lines = [*head, Line(f"{who} | {' '.join(SHORT[metric.name] for metric in shown)}")]
    for row in rows.iter_rows(named=True):
        names = [clean(row["question_id"]), clean(row["system"])]
        names += [str(row["repeat"])] if repeated else []
        numbers = [value(metric.name, row[metric.name]) for metric in shown]
        lines.append(Line(f"{' '.join(names)} | {' '.join(numbers)}"))
    return lines


def _all(rows: pl.DataFrame) -> str:
    return counted(len(rows), "response")


def _missed(metric: Metric) -> pl.Expr:
    """Distance from the best value; an error is as far from it as can be."""
    short = 1 - pl.col(metric.name) if metric.better == "higher" else pl.col(metric.name)
    error = pl.col(f"{metric.name}_reason").is_in(ERRORS).fill_null(value=False)
    return pl.when(error).then(1.0).otherwise(short)


def verdict_lines(case: Case, at: int, width: int, limit: int | None) -> list[Line]:
    """Set each claim of a response and of its reference answer with what was ruled on it.

    Args:
        case: the opened question.
        at: row of `case.answers`.
        width: columns of the page.
        limit: code points of the reference answer that are shown; None: all.
    """
    answer = case.answers[at]
    own = [
        row
        for row in case.verdicts
        if (row["system"], row["repeat"]) == (answer["system"], answer["repeat"])
    ]
    lines: list[Line] = []
    for kind, title, words in SIDES:
        for whole in (row for row in own if row["kind"] == kind and row["item"] is None):
            if whole["text"] is not None:
                lines.append(Line("  reference answer", "dim"))
                told = block(whole["text"], width, indent="    ", limit=limit)
                lines += [Line(line) for line in told]
        claims = [row for row in own if row["kind"] == kind and row["item"] is not None]
        if claims:
            lines.append(Line(f"  {title}", "dim"))
        for row in claims:
            good = row["label"] == "Entailment"
            text = f"{row['item'] + 1} {clean(row['text'] or 'not in words')}: "
            text += words[0] if good else words[1]
            text += " (contradicted)" if row["label"] == "Contradiction" else ""
            text += f"; {_passages(own, kind, row['item'])}"
            style: Style = "green" if good else "yellow"
            part = wrapped(text, width, first="    ", rest="      ")
            lines += [Line(line, style) for line in part]
    return lines


def _passages(own: list[Row], kind: str, item: int) -> str:
    """The ranks of the passages that entail a claim, as the context shows them."""
    entailing = kind.split("_", maxsplit=1)[0] + "_to_passage"
    ranks = [
        str(row["against"] + 1)
        for row in own
        if row["kind"] == entailing and row["item"] == item and row["label"] == "Entailment"
    ]
    return f"in passage {', '.join(ranks)}" if ranks else "in no passage"
