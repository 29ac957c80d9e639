"""One judge held to people: errors, agreement, and what its rates are worth."""

from collections.abc import Callable, Sequence
from math import isnan
from typing import Any

import numpy as np

from pipeline.rulings.people import DIGITS, Said
from pipeline.rulings.records import Kind, Ruling, order
from pipeline.scoring.arrays import Floats
from pipeline.scoring.corrected import rogan_gladen
from pipeline.scoring.crosstab import Statistic, Tables, crosstab, ends, kappa, spearman, tau_b
from pipeline.scoring.powered import powered_mean, powered_rate
from pipeline.scoring.proportions import Counts, Estimate, wilson

Slices = Callable[[Sequence[str]], list[tuple[str, str, list[str]]]]
Report = dict[str, Any]
Labels = dict[str, str]


def judged(rulings: list[Ruling], said: Said, what: Kind, slices: Slices, *, seed: int) -> Report:
    """Hold one judge to people's labels of one metric.

    Args:
        rulings: of the judge, those without a label too.
        said: what people say.
        what: the kind of the labels.
        slices: items -> column, value and items of each slice.
        seed: of the resamples.

    Returns:
        `ruled`, `failed` (no label came); `common` items with people's label,
        `judge_only` items, `disputed` ones, which are in neither. `validated`: whether
        there is a common item. `confusion`: people's labels in rows, the judge's in
        columns. For the kinds: `tpr`, `tnr`, `rate`; `kappa`; `spearman`, `tau_b`, `mean`.
        Intervals are `low` and `high`, 95 %, None where they are not defined.
    """
    judge = {one.item: one.label for one in rulings if one.label is not None}
    common = [item for item in judge if item in said.labels]
    disputed = set(said.disputed) & set(judge)
    alone = [item for item in judge if item not in said.labels and item not in disputed]
    found: Report = {
        "ruled": len(judge),
        "failed": len(rulings) - len(judge),
        "common": len(common),
        "judge_only": len(alone),
        "disputed": len(disputed),
        "validated": bool(common),
        **_agreement(judge, said.labels, common, what, seed),
        "slices": [
            {"by": by, "value": value, "n": len(of), **_agreement(judge, said.labels, of, what)}
            for by, value, of in slices(common)
        ],
    }
    if what != "grades":
        words = sorted({*judge.values(), *(said.labels[item] for item in common)}, key=order)
        table = _table(judge, said.labels, common, words, words)
        found["confusion"] = {"labels": words, "counts": table.tolist()}
    if what == "yes/no":
        found["rate"] = _rate(judge, alone, _counts(judge, said.labels, common))
    elif what == "grades":
        found["mean"] = _mean(judge, said.labels, common, alone)
    return found


def _agreement(
    judge: Labels, people: Labels, items: list[str], what: Kind, seed: int | None = None
) -> Report:
    """What the kind of labels has; intervals of kappa and ranks only where there is a seed."""
    if what == "grades":
        rows, columns = ({of[item] for item in items} for of in (people, judge))
        table = _table(judge, people, items, sorted(rows, key=order), sorted(columns, key=order))
        return {
            "spearman": _statistic(table, spearman, seed),
            "tau_b": _statistic(table, tau_b, seed),
        }
    words = sorted({of[item] for item in items for of in (people, judge)}, key=order)
    table = _table(judge, people, items, words, words)
    found = {"kappa": _statistic(table, kappa, seed)}
    if what == "yes/no":
        counts = _counts(judge, people, items)
        found["tpr"] = {**shown(wilson(counts.yes_yes, counts.yes)), "n": counts.yes}
        found["tnr"] = {**shown(wilson(counts.no_no, counts.no)), "n": counts.no}
    return found


def _table(
    judge: Labels, people: Labels, items: list[str], rows: list[str], columns: list[str]
) -> Tables:
    return crosstab([people[i] for i in items], [judge[i] for i in items], rows, columns)


def _statistic(table: Tables, statistic: Statistic, seed: int | None) -> Report:
    value = float(statistic(table)) if table.size else float("nan")
    if isnan(value):
        return {"value": None, "low": None, "high": None}
    low, high = (ends(table, statistic, seed=seed) if seed is not None else None) or (None, None)
    return {
        "value": round(value, DIGITS),
        "low": None if low is None else round(low, DIGITS),
        "high": None if high is None else round(high, DIGITS),
    }


def _counts(judge: Labels, people: Labels, items: list[str]) -> Counts:
    table = _table(judge, people, items, ["yes", "no"], ["yes", "no"])
    return Counts(*map(int, table.ravel()))


def _rate(judge: Labels, alone: list[str], labelled: Counts) -> Report:
    """The share of yes: as the judge has it, and corrected in two ways."""
    yes, n = sum(judge[item] == "yes" for item in alone), len(alone)
    every = sum(label == "yes" for label in judge.values())
    samples = {"judge_only": n, "people_yes": labelled.yes, "people_no": labelled.no}
    return {
        "raw": {**shown(wilson(every, len(judge))), "n": len(judge)},
        "powered": {**shown(powered_rate(yes, n, labelled)), **samples},
        "rogan_gladen": {**shown(rogan_gladen(yes, n, labelled)), **samples},
    }


def _mean(judge: Labels, people: Labels, common: list[str], alone: list[str]) -> Report:
    """The mean grade: as the judge has it, and corrected to what people would give."""
    raw = _grades(judge, list(judge))
    found = powered_mean(_grades(judge, alone), _grades(judge, common), _grades(people, common))
    return {
        "raw": {"value": round(float(raw.mean()), DIGITS) if len(raw) else None, "n": len(raw)},
        "powered": {**shown(found), "judge_only": len(alone), "people": len(common)},
    }


def _grades(labels: Labels, items: list[str]) -> Floats:
    return np.array([float(labels[item]) for item in items], np.float64)


def shown(estimate: Estimate | None) -> Report:
    """An estimate as JSON holds it; one without a value has no interval."""
    if estimate is None or estimate.value is None:
        return {"value": None, "low": None, "high": None}
    return {
        name: round(number, DIGITS)
        for name, number in (
            ("value", estimate.value),
            ("low", estimate.low),
            ("high", estimate.high),
        )
    }
