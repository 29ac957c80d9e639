"""A model's verdicts in the format of rulings, in which people rule too."""

import json
from typing import Any

import polars as pl

from pipeline.adapters.judges.cases import Case

KINDS = ("deflection", "eligible", "expected", "supported")
"""Kinds of verdicts that people can rule on as well, by yes or no."""

Row = dict[str, Any]


def annotator(settings: dict[str, Any]) -> str:
    """Name of a judge among annotators: its model, and which of several draws from it.

    Args:
        settings: what `describe` says of the judge.
    """
    name = str(settings.get("model") or settings["adapter"].rpartition(".")[2].lower())
    draw = settings.get("draw", 1)
    return name if draw == 1 else f"{name}#{draw}"


def rulings(verdicts: pl.DataFrame, cases: list[Case], ids: pl.Series, name: str) -> list[Row]:
    """Verdicts of `KINDS` -> rulings, in the same order.

    Args:
        verdicts: Verdicts.
        cases: the answers that they are on.
        ids: (questions,) the ids that people gave the questions.
        name: of the judge.

    Returns:
        An item is `system/repeat/question`, then the claim's index and the passage's position
        in the context, both from 0, where it is about those. Beside it stands what a person
        needs to rule: the question, the answer or the claim, the passage.
    """
    by_key = {tuple(case.key.values()): case for case in cases}
    of = verdicts.filter(pl.col("kind").is_in(KINDS)).to_dicts()
    places = [(row["system"], row["repeat"], row["question"]) for row in of]
    words = {
        (*place, row["item"]): row["text"]
        for place, row in zip(places, of, strict=True)
        if row["kind"] == "expected"
    }
    made = []
    for place, row in zip(places, of, strict=True):
        case = by_key[place]
        item, against = row["item"], row["against"]
        parts = (place[0], place[1], ids[place[2]], item, against)
        shown = {"answer": case.text} if item is None else {"claim": words.get((*place, item))}
        if against is not None:
            shown["passage"] = case.context[against].text
        elif item is not None:
            shown["expected"] = "; ".join(claim for _, _, claim in case.expected)
        made.append(
            {
                "item": "/".join(str(part) for part in parts if part is not None),
                "annotator": name,
                "metric": row["kind"],
                "role": "judge",
                "label": row["label"],
                "system": place[0],
                "question": case.question,
                **shown,
            }
        )
    return made


def lines(rows: list[Row]) -> str:
    """Rows as JSONL."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
