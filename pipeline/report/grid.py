"""Every question as columns for the page's table and charts: values, directions, causes, slices."""

from typing import Any

import polars as pl

from pipeline.contract.metrics import CAUSES, REASONS
from pipeline.contract.naming import in_order
from pipeline.contract.spelling import clean
from pipeline.contract.veil import Content, label, words
from pipeline.contract.words import CAUSE, REASON, YES_NO, Cut
from pipeline.contract.words import label as named
from pipeline.report.averages import group

PREVIEW = 200
"""Characters of a question that the table holds; the whole text opens with it."""

WAYS = ("worse", "better", "same", "unpaired")
"""Directions by their code in the page."""

DIGITS = 6
"""Decimals of a value in the page."""


def grid(
    questions: list[dict[str, Any]],
    candidates: list[tuple[str, pl.DataFrame, dict[str, Any]]],
    cutoff: Cut,
    content: Content,
) -> dict[str, Any]:
    """Set the table's data.

    Args:
        questions: rows of Questions in the order of the table.
        candidates: name, Deltas and entry of the comparison for each.
        cutoff: k, for the names of metrics.
        content: how much of the texts may be shown.

    Returns:
        Columns: `ids` and `texts`, `attributes` (values and the index of each question's,
        -1: it has none), `metrics` in the order in which they are shown (those at cutoffs with
        their `group`), and for each candidate its `way` over all metrics, its causes as bits,
        and by metric the two sides, their reasons and the direction, each aligned with `ids`.
    """
    order = {row["question_id"]: at for at, row in enumerate(questions)}
    used = [
        metric
        for metric in in_order({name for _, rows, _ in candidates for name in rows["metric"]})
        if any(_some(rows, metric.name) for _, rows, _ in candidates)
    ]
    return {
        "ids": [clean(row["question_id"]) for row in questions],
        "texts": [_preview(row["text"], content) for row in questions],
        "attributes": [
            {"name": clean(name), **_coded(values, order, content)}
            for name, values in sorted(attributes_of(questions).items())
        ],
        "metrics": [
            {
                "key": metric.name,
                "label": named(metric, cutoff),
                "meaning": metric.meaning,
                "lower": metric.better == "lower",
                "yesno": metric.name in YES_NO,
                **({"group": group(metric.name)} if group(metric.name) else {}),
                **({"neutral": True} if metric.of_labels else {}),
            }
            for metric in used
        ],
        "reasons": [REASON[reason] for reason in REASONS],
        "causes": [CAUSE[cause] for cause in CAUSES],
        "candidates": [
            {"name": clean(name), **_columns(rows, found, order, [m.name for m in used])}
            for name, rows, found in candidates
        ],
    }


def attributes_of(questions: list[dict[str, Any]]) -> dict[str, dict[str, str]]:
    """Rows of Questions -> by attribute the value of each question that has it, by id."""
    found: dict[str, dict[str, str]] = {}
    for row in questions:
        for pair in row["attributes"]:
            found.setdefault(pair["key"], {})[row["question_id"]] = pair["value"]
    return found


def _preview(text: str, content: Content) -> str:
    shown = " ".join(
        (words(text[: 4 * PREVIEW] if content == "full" else text, content) or "").split()
    )
    return shown if len(shown) <= PREVIEW else f"{shown[: PREVIEW - 1]}…"


def _coded(values: dict[str, str], order: dict[str, int], content: Content) -> dict[str, Any]:
    distinct = sorted(set(values.values()))
    place = {value: at for at, value in enumerate(distinct)}
    codes = [-1] * len(order)
    for question, value in values.items():
        codes[order[question]] = place[value]
    return {"values": [clean(label(value, content)) for value in distinct], "codes": codes}


def _some(rows: pl.DataFrame, metric: str) -> bool:
    of = rows.filter(pl.col("metric") == metric)
    return bool(of["before"].is_not_null().any() or of["after"].is_not_null().any())


def _columns(
    rows: pl.DataFrame, found: dict[str, Any], order: dict[str, int], metrics: list[str]
) -> dict[str, Any]:
    causes = {
        question: sum(1 << CAUSES.index(cause) for cause in names)
        for question, names in rows.select("question_id", "causes").iter_rows()
    }
    return {
        "way": _ways(rows, found, order),
        "causes": [causes.get(question, 0) for question in order],
        "metrics": [_metric(rows.filter(pl.col("metric") == name), order) for name in metrics],
    }


def _ways(rows: pl.DataFrame, found: dict[str, Any], order: dict[str, int]) -> list[int]:
    """For each question the bits worse 1, better 2; 4: the same; 0: no value to compare."""
    paired = set(rows.filter(pl.col("direction") != "unpaired")["question_id"])
    worse = {entry["question_id"] for entry in found["regressions"]}
    better = {entry["question_id"] for entry in found["improvements"]}
    return [
        (question in worse) + 2 * (question in better) or (4 if question in paired else 0)
        for question in order
    ]


def _metric(rows: pl.DataFrame, order: dict[str, int]) -> dict[str, list[Any]]:
    """Both sides, reasons (index + 1; 0: none) and direction of one metric, by question."""
    n = len(order)
    columns: dict[str, list[Any]] = {
        "b": [None] * n, "a": [None] * n, "br": [0] * n, "ar": [0] * n, "w": [3] * n,
    }  # fmt: skip
    for row in rows.iter_rows(named=True):
        at = order[row["question_id"]]
        for key, side in (("b", "before"), ("a", "after")):
            number, reason = row[side], row[f"{side}_reason"]
            columns[key][at] = None if number is None else round(number, DIGITS)
            columns[f"{key}r"][at] = REASONS.index(reason) + 1 if reason else 0
        columns["w"][at] = WAYS.index(row["direction"])
    return columns
