"""The averages once more, slowly, from the contract's words alone: over the oracle's rows."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import Any

from tests.scoring.oracle import METRICS, PUBLISHED, SPANS
from tests.scoring.worlds import World


def averages(
    world: World, rows: dict[tuple[str, int, str], dict[str, Any]]
) -> dict[tuple[str, str, str, str], dict[str, Any]]:
    """Every average, by system, attribute, value and metric."""
    attributes = {question.name: question.attributes for question in world.questions}
    slices = {pair for of in attributes.values() for pair in of.items()} | {("", "")}
    found = {}
    for system in {system for system, _, _ in rows}:
        for key, value in slices:
            part = [
                {**row, "question": question, "policy": world.policy}
                for (of, _, question), row in rows.items()
                if of == system and (not key or attributes[question].get(key) == value)
            ]
            for name in (*METRICS, *PUBLISHED, "support_unanswerable"):
                found[system, key, value, name] = aggregate(name, part, world.cutoff)
    return found


def aggregate(name: str, rows: list[dict[str, Any]], cutoff: int) -> dict[str, Any]:
    """One line of the table of averages, from the rows of one system and slice."""
    low_is_good = name == "false_abstention"
    seen = [(row["question"], *seen_by(name, row)) for row in rows]
    of = {
        "macro": [(q, value) for q, value, _, _ in seen if value is not None],
        "strict": [
            (q, Fraction(low_is_good) if value is None else value)
            for q, value, why, _ in seen
            if value is not None or why in ("failed", "judge_failed")
        ],
    }
    found: dict[str, Any] = {key: macro(values) for key, values in of.items()}
    loose = {row["question"] for row in rows if row["population"] == "unresolved"}
    found["low"] = min(over(loose, [(q, low) for q, low, _ in bounded(seen)]), default=None)
    found["high"] = max(over(loose, [(q, high) for q, _, high in bounded(seen)]), default=None)
    means = list(by_question(of["macro"]))
    found["sd"] = (
        sqrt(sum((mean - found["macro"]) ** 2 for mean in means) / len(means)) if means else None
    )
    found["n"], found["n_values"] = len(means), len(of["macro"])
    found["na"] = {}
    for _, _, why, _ in seen:
        if why is not None:
            found["na"][why] = found["na"].get(why, 0) + 1
    numerators = [
        parts(name, row, cutoff)
        for row, (_, value, _, _) in zip(rows, seen, strict=True)
        if value is not None
    ]
    if name in ("reciprocal_rank", "abstention", "false_abstention", *SPANS, *PUBLISHED):
        found |= {"numerator": None, "denominator": None, "pooled": None}
        return found
    top, bottom = (sum(pair[side] for pair in numerators) for side in (0, 1))
    return found | {
        "numerator": top,
        "denominator": bottom,
        "pooled": Fraction(top, bottom) if bottom else None,
    }


def seen_by(
    name: str, row: dict[str, Any]
) -> tuple[Fraction | None, str | None, tuple[Fraction, Fraction] | None]:
    """Value, reason and bounds of a response as an aggregate sees them."""
    metric = "support" if name == "support_unanswerable" else name
    value, why = row[metric], row[f"{metric}_reason"]
    low, high = row[f"{metric}_low"], row[f"{metric}_high"]
    bounds = None if low is None else (low, high)
    if metric != "support" or row["population"] == "not_labelled" or why == "not_labelled":
        return value, why, bounds
    home = "unanswerable" if name == "support_unanswerable" else "answerable"
    if row["population"] == home:
        return value, why, bounds
    if row["population"] != "unresolved":
        return None, row["population"], None
    if value is not None:
        bounds = (value, value)
    if row["policy"] == "exclude":
        bounds = None
    if bounds and name == "support_unanswerable":
        bounds = (Fraction(0), Fraction(0))
    return None, "unresolved", bounds


def bounded(seen: list[Any]) -> Iterator[tuple[str, Fraction, Fraction]]:
    for question, value, why, bounds in seen:
        if value is not None:
            yield question, value, value
        elif why == "unresolved" and bounds is not None:
            yield question, *bounds


def over(loose: set[str], values: list[tuple[str, Fraction]]) -> Iterator[Fraction]:
    """The average for each choice of questions that may turn out to have no value."""
    free = sorted(loose & {question for question, _ in values})
    for size in range(len(free) + 1):
        for out in combinations(free, size):
            mean = macro([(q, value) for q, value in values if q not in out])
            if mean is not None:
                yield mean


def parts(name: str, row: dict[str, Any], cutoff: int) -> tuple[int, int]:
    if name == "precision":
        return row["hits"], cutoff
    if name == "recall":
        return row["reached"], row["relevant"]
    if name == "coverage":
        return row["supported"], row["expected"]
    return row["supported"], row["claims"]


def by_question(values: list[tuple[str, Fraction]]) -> Iterator[Fraction]:
    for question in {question for question, _ in values}:
        of = [value for asked, value in values if asked == question]
        yield sum(of, Fraction(0)) / len(of)


def macro(values: list[tuple[str, Fraction]]) -> Fraction | None:
    means = list(by_question(values))
    return sum(means, Fraction(0)) / len(means) if means else None
