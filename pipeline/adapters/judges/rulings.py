"""A model's verdicts in the format of rulings, in which people rule too."""

import json
from typing import Any

import polars as pl

from pipeline.adapters.judges.cases import Case
from pipeline.contract.tables import DRAW

WHOLE = ("deflection", "eligibility")
FAILED = "judge_failed"
KINDS = (*WHOLE, "expected", "supported")
"""Kinds of verdicts that people can rule on as well, by yes or no."""

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
        in the context, both from 0, where it is about those. Beside it stands what a person
        needs to rule: the question, the answer or the claim, the passage. An answer on which
        the judge failed has the items that each answer has, without labels.
    """
    by_key = {tuple(case.key.values()): case for case in cases}
    of = pl.col("kind").str.split(DRAW).list.first().is_in((*KINDS, FAILED))
    rows = verdicts.filter(of).to_dicts()
    words = {(*_key(row), row["item"]): row["text"] for row in rows if row["kind"] == "expected"}
    made = []
    for row in rows:
        key, item = _key(row), row["item"]
        kind, _, draw = row["kind"].partition(DRAW)
        name = annotator({**settings, "draw": int(draw)} if draw else settings)
        parts = (*key[:2], ids[key[2]], item, row["against"])
        shown = _shown(by_key[key], row, words.get((*key, item)))
        made += [
            {
                "item": "/".join(str(part) for part in parts if part is not None),
                "annotator": name,
                "metric": metric,
                "role": "judge",
                "label": row["label"] and row["label"].lower(),
                "system": key[0],
                "question": by_key[key].question,
                **shown,
            }
            for metric in (WHOLE if kind == FAILED else (kind,))
        ]
    return made


def _key(row: Row) -> tuple[str, int, int]:
    return row["system"], row["repeat"], row["question"]


def _shown(case: Case, row: Row, claim: str | None) -> Row:
    """What a person reads to rule on an item."""
    if row["item"] is None:
        return {"answer": case.text}
    if row["against"] is not None:
        return {"claim": claim, "passage": case.context[row["against"]].text}
    return {"claim": claim, "expected": "; ".join(words for _, _, words in case.expected)}


def lines(rows: list[Row]) -> str:
    """Rows as JSONL."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
