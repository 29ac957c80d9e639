"""Rulings -> what the report says, metric by metric, as values that JSON can hold."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from pipeline.contract.errors import ConfigError, nearest
from pipeline.rulings.judged import judged
from pipeline.rulings.people import DIGITS, Said, agreement, together
from pipeline.rulings.records import Kind, Ruling, Rulings, kind, order

Report = dict[str, Any]


@dataclass(frozen=True)
class Choices:
    """What was asked for: metrics and judges (none: all), slices, labels that mean yes."""

    metrics: Sequence[str] = ()
    judges: Sequence[str] = ()
    by: Sequence[str] = ()
    positive: Sequence[str] = ()
    resolver: str | None = None
    seed: int = 7


def measure(found: Rulings, choices: Choices) -> Report:
    """Measure each metric.

    Returns:
        `{metric: {kind, people, judges: {name: …}}}`; the parts are those of
        `people.agreement` and `judged.judged`, with the means by slice.

    Raises:
        ConfigError: a name that was chosen is not in the rulings, or labels of a metric are
            numbers as well as words.
    """
    of_metric: dict[str, list[Ruling]] = {}
    for one in found.rulings:
        of_metric.setdefault(one.metric, []).append(one)
    names = {one.annotator for one in found.rulings}
    known: dict[str, Iterable[str]] = {"metric": of_metric, "by": found.columns}
    known |= {"judge": names, "resolver": names}
    asked = {"metric": choices.metrics, "by": choices.by, "judge": choices.judges}
    for option, words in {**asked, "resolver": [choices.resolver or ""]}.items():
        for word in words:
            _known(option, word, list(known[option]))
    if not of_metric:
        raise ConfigError("rulings", expected="rulings in the files", got="none")
    return {
        metric: _metric(metric, rulings, found, choices)
        for metric, rulings in of_metric.items()
        if not choices.metrics or metric in choices.metrics
    }


def _known(option: str, word: str, known: list[str]) -> None:
    if word and word not in known:
        names = ", ".join(sorted(known)[:20]) or "none is there"
        expected = f"one of the rulings ({names}){nearest(word, known)}"
        raise ConfigError(f"--{option}", expected=expected, got=repr(word))


def _metric(metric: str, rulings: list[Ruling], found: Rulings, choices: Choices) -> Report:
    what, rulings = settle(metric, rulings, choices.positive)
    ruled = [one for one in rulings if one.label is not None]
    people = [one for one in ruled if one.role == "person"]
    said = together(people, what, choices.resolver)
    judges = dict.fromkeys(one.annotator for one in rulings if one.role == "judge")
    return {
        "kind": what,
        "people": {
            **agreement(people, what, choices.resolver),
            "labelled": len(said.labels),
            "label": "median" if what == "grades" else "unanimous",
            "disputed": len(said.disputed),
            "resolved": said.resolved,
            "means": [
                _mean(by, value, items, said, what)
                for by, value, items in slices(found, list(said.labels), choices.by)
            ],
        },
        "judges": {
            name: judged(
                [one for one in rulings if one.role == "judge" and one.annotator == name],
                said,
                what,
                lambda items: slices(found, items, choices.by)[1:],
                seed=choices.seed,
            )
            for name in judges
            if not choices.judges or name in choices.judges
        },
    }


def settle(
    metric: str, rulings: list[Ruling], positive: Sequence[str]
) -> tuple[Kind, list[Ruling]]:
    """The kind of a metric's labels, and its rulings with yes and no where they mean that.

    Raises:
        ConfigError: numbers among words, or a positive label that nobody gave.
    """
    labels = {one.label for one in rulings if one.label is not None}
    for word in positive:
        _known("positive", word, sorted(labels, key=order))
    if positive:
        words = {label: "yes" if label in positive else "no" for label in labels}
        return "yes/no", _renamed(rulings, words)
    try:
        what = kind(labels)
    except ValueError as error:
        given = ", ".join(sorted(labels, key=order)[:20])
        raise ConfigError(
            f"labels of {metric or 'the rulings'}",
            expected="numbers or words",
            got=f"both ({given})",
            remedy=f"{error} cannot be compared; --positive LABEL says which mean yes",
        ) from error
    return what, _renamed(rulings, {"1": "yes", "0": "no"}) if what == "yes/no" else rulings


def _renamed(rulings: list[Ruling], words: dict[str, str]) -> list[Ruling]:
    return [
        one if one.label is None else replace(one, label=words.get(one.label, one.label))
        for one in rulings
    ]


def slices(
    found: Rulings, items: Sequence[str], by: Sequence[str]
) -> list[tuple[str, str, list[str]]]:
    """All items, then those of each value of each column: column, value, items."""
    parts = [("", "", list(items))]
    for column in by:
        of: dict[str, list[str]] = {}
        for item in items:
            of.setdefault(found.items.get(item, {}).get(column, ""), []).append(item)
        parts += [(column, value, of[value]) for value in sorted(of, key=order)]
    return parts


def _mean(by: str, value: str, items: list[str], said: Said, what: Kind) -> Report:
    """Mean of the items' means for grades, the share of yes for yes and no."""
    mean = None
    if items and what == "grades":
        mean = round(fmean(said.means[item] for item in items), DIGITS)
    elif items and what == "yes/no":
        mean = round(fmean(said.labels[item] == "yes" for item in items), DIGITS)
    return {"by": by, "value": value, "n": len(items), "mean": mean}
