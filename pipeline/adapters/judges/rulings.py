"""A model's verdicts in the format of rulings, in which people rule too."""

import json
from typing import Any

import polars as pl

from pipeline.adapters.judges.cases import Case
from pipeline.contract.tables import DRAW

WHOLE = ("deflection", "eligibility")
FAILED = "judge_failed"
FACTUAL = ("factual_relevant", "factual_all")
KINDS = (*WHOLE, "expected", "supported", *FACTUAL)
"""Kinds of verdicts that people can rule on as well: by yes or no, sentences by a label."""

Row = dict[str, Any]


def annotator(settings: dict[str, Any]) -> str:
    """Name of a judge among annotators: its model, and which of several draws from it.

    Args:
        settings: what `describe` says of the judge.
    """
    name = str(settings.get("model") or settings["adapter"].rpartition(".")[2].lower())
    draw = settings.get("draw", 1)
    return name if draw == 1 else f"{name}{DRAW}{draw}"


def rulings(
    verdicts: pl.DataFrame, cases: list[Case], ids: pl.Series, settings: dict[str, Any]
) -> list[Row]:
    """Verdicts of `KINDS` -> rulings, in the same order.

    Args:
        verdicts: Verdicts.
        cases: the answers that they are on.
        ids: (questions,) the ids that people gave the questions.
        settings: what `describe` says of the judge; each of its draws is an annotator.

    Returns:
        An item is `system/repeat/question`, then the claim's index and the passage's position
        in the context, both from 0, where it is about those; the index of a sentence stands
        behind its kind. Beside it stands what a person needs to rule: the question, the
        answer, the claim or sentence, the passage, or those that a ruling on a sentence rests
        on. An answer on which the judge failed has the items that each answer has, without
        labels; one that says nothing has none, for nobody was asked.
    """
    by_key = {tuple(case.key.values()): case for case in cases}
    rows = [
        row
        for row in _drawn(verdicts)
        if not by_key[_key(row)].silent and not (row["kind"] in FACTUAL and row["item"] is None)
    ]
    words = {(*_key(row), row["item"]): row["text"] for row in rows if row["kind"] == "expected"}
    made = []
    for row in rows:
        key, item, kind = _key(row), row["item"], row["kind"]
        name = annotator({**settings, "draw": int(row["draw"])} if row["draw"] else settings)
        parts = (*key[:2], ids[key[2]], kind if kind in FACTUAL else None, item, row["against"])
        made.append(
            {
                "item": "/".join(str(part) for part in parts if part is not None),
                "annotator": name,
                "metric": kind,
                "role": "judge",
                "label": {"Yes": "yes", "No": "no"}.get(row["label"], row["label"]),
                "system": key[0],
                "question": by_key[key].question,
                **_shown(by_key[key], row, words.get((*key, item))),
            }
        )
    return made


def _drawn(verdicts: pl.DataFrame) -> list[Row]:
    """Verdicts of `KINDS`, by kind and `draw`, which is None of the first."""
    parts = pl.col("kind").str.splitn(DRAW, 2).struct
    split = verdicts.with_columns(kind=parts.field("field_0"), draw=parts.field("field_1"))
    return split.filter(pl.col("kind").is_in(KINDS)).to_dicts()


def _key(row: Row) -> tuple[str, int, int]:
    return row["system"], row["repeat"], row["question"]


def _shown(case: Case, row: Row, claim: str | None) -> Row:
    """What a person reads to rule on an item."""
    if row["item"] is None:
        return {"answer": case.text}
    if row["kind"] in FACTUAL and row["draw"]:
        return {"claim": row["text"]}  # an item has one passage: what the first draw rests on
    if row["kind"] in FACTUAL:
        texts = [f"[{at + 1}] {case.context[at].text}" for at in row["passages"] or ()]
        return {"claim": row["text"], "passage": "\n".join(texts)}
    if row["against"] is not None:
        return {"claim": claim, "passage": case.context[row["against"]].text}
    return {"claim": claim, "expected": "; ".join(words for _, _, words in case.expected)}


def lines(rows: list[Row]) -> str:
    """Rows as JSONL."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
