"""The report of people and judges as lines of a terminal."""

from typing import Any

from pipeline.contract.words import NA, counted
from pipeline.verbs.terminal.text import Line, cells, clean, fitted, padded, wrapped

Row = dict[str, Any]

NAMES = {"tpr": "TPR", "tnr": "TNR", "kappa": "kappa", "spearman": "Spearman", "tau_b": "tau-b"}
RATES = {"raw": "raw", "powered": "powered", "rogan_gladen": "rogan-gladen"}
FIRST, SLICE = 14, 34
"""Columns that the names of values and of slices take."""


def report_lines(report: dict[str, Any], width: int) -> list[Line]:
    """Set the report, metric by metric."""
    lines: list[Line] = []
    for metric, found in report.items():
        lines += [Line("")] if lines else []
        head = f"{clean(metric) or 'rulings'}: {found['kind']}"
        lines += [Line(text, "bold") for text in wrapped(head, width)]
        lines += _people(found["people"], found["kind"], width)
        for name, judge in found["judges"].items():
            lines += [Line(""), *_judge(clean(name), judge, found["kind"], width)]
    return lines


def _people(people: Row, kind: str, width: int) -> list[Line]:
    if not people["labelled"]:
        return [Line("  people: no labels", "yellow")]
    alphas = [f"alpha nominal {_number(people['alpha_nominal'])}"]
    if "alpha_interval" in people:
        alphas.insert(0, f"alpha interval {_number(people['alpha_interval'])}")
    parts = [
        f"{counted(people['annotators'], 'person')}, {counted(people['items'], 'item')}, "
        f"{people['shared']:,} of them by two or more",
        *alphas,
    ]
    lines = _note(f"people: {'; '.join(parts)}", width)
    text = f"label: {people['label']}, {counted(people['labelled'], 'item')}"
    if people["disputed"]:
        text += f"; {people['disputed']:,} in dispute, left out (--resolver settles them)"
    if people["resolved"]:
        text += f"; {people['resolved']:,} by the resolver"
    lines += _note(text, width)
    if kind == "categories":
        return lines
    what = "mean of item means" if kind == "grades" else "share of yes"
    for row in people["means"]:
        name = f"{what}{_slice(row)}"
        lines.append(Line(f"  {_cell(name, 50)}  {_number(row['mean'])}  n {row['n']:,}"))
    return lines


def _judge(name: str, judge: Row, kind: str, width: int) -> list[Line]:
    head = f"judge {name}: {counted(judge['ruled'], 'ruling')}"
    head += f", {judge['failed']:,} failed" if judge["failed"] else ""
    lines = [Line(text, "bold") for text in wrapped(head, width, rest="  ")]
    if judge["validated"]:
        text = f"{judge['common']:,} with people's label, {judge['judge_only']:,} without any"
        text += f", {judge['disputed']:,} in dispute (left out)" if judge["disputed"] else ""
        lines += _note(text, width)
        lines += _confusion(judge, width)
        lines += [_value(key, judge[key]) for key in NAMES if key in judge]
        lines += _slices(judge["slices"])
    else:
        lines.append(Line("  unvalidated judge: no item of its has people's label", "yellow"))
    return lines + _rates(judge, kind, width)


def _confusion(judge: Row, width: int) -> list[Line]:
    """People's labels in rows, the judge's in columns, as far as they fit."""
    if "confusion" not in judge:
        return []
    labels, counts = judge["confusion"]["labels"], judge["confusion"]["counts"]
    shown = labels[: max(1, (width - 2 - FIRST - 2) // 10)]
    head = "".join(f"  {_right(clean(label), 8)}" for label in shown)
    lines = [Line(f"  {padded('people / judge', FIRST)}{head}", "dim")]
    for label, row in zip(labels, counts, strict=True):
        numbers = "".join(f"  {count:>8,}" for count in row[: len(shown)])
        lines.append(Line(f"  {_cell(clean(label), FIRST)}{numbers}"))
    if len(shown) < len(labels):
        lines.append(Line(f"  … {len(labels) - len(shown):,} more labels: --json", "dim"))
    return lines


def _value(key: str, row: Row) -> Line:
    n = f"  n {row['n']:,}" if "n" in row else ""
    return Line(f"  {padded(NAMES[key], FIRST)}  {_number(row['value'])}{_ends(row)}{n}")


def _slices(rows: list[Row]) -> list[Line]:
    if not rows:
        return []
    keys = [key for key in NAMES if key in rows[0]]
    head = "".join(f"  {NAMES[key]:>8}" for key in keys)
    lines = [Line(f"  {padded('', SLICE)}{head}  {'n':>7}", "dim")]
    for row in rows:
        numbers = "".join(f"  {_number(row[key]['value']):>8}" for key in keys)
        lines.append(Line(f"  {_cell(_slice(row).strip(), SLICE)}{numbers}  {row['n']:>7,}"))
    return lines


def _rates(judge: Row, kind: str, width: int) -> list[Line]:
    """What the judge says of all items, raw and corrected."""
    found = judge.get("rate") or judge.get("mean")
    if not found:
        return []
    what = "rate of yes" if kind == "yes/no" else "mean"
    if not judge["validated"]:
        raw = found["raw"]
        return [Line(f"  {what}, raw  {_number(raw['value'])}  n {raw['n']:,}")]
    lines = [Line(f"  {what}", "dim")]
    for key, name in RATES.items():
        if key not in found:
            continue
        row = found[key]
        people = row.get("people", row.get("people_yes", 0) + row.get("people_no", 0))
        n = f"n {row['n']:,}" if key == "raw" else f"n {people:,} people + {row['judge_only']:,}"
        lines.append(Line(f"  {padded(name, FIRST)}  {_number(row['value'])}{_ends(row)}  {n}"))
    if not judge["judge_only"]:
        name = "rate" if kind == "yes/no" else "mean"
        text = f"no item is without people's label but those in dispute: powered is people's {name}"
        lines += _note(text, width)
    return lines


def _note(text: str, width: int) -> list[Line]:
    return [Line(line) for line in wrapped(text, width, first="  ", rest="    ")]


def _slice(row: Row) -> str:
    return f" {clean(row['by'])} {clean(row['value']) or '(blank)'}" if row["by"] else ""


def _cell(text: str, size: int) -> str:
    return padded(fitted(text, size), size)


def _right(text: str, size: int) -> str:
    text = fitted(text, size)
    return " " * (size - cells(text)) + text


def _number(number: float | None) -> str:
    return NA if number is None else f"{number:.3f}"


def _ends(row: Row) -> str:
    return "" if row.get("low") is None else f" [{row['low']:.3f}, {row['high']:.3f}]"
