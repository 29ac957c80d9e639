"""The sweep as a table: a row for each value of the key, metrics side by side as they fit."""

from pipeline.contract.words import counted
from pipeline.verbs.sweeps.points import Panel
from pipeline.verbs.sweeps.runs import Number, Sweep
from pipeline.verbs.terminal.text import Line, clean, fitted, padded, wrapped

CELL = len("0.0000 [0.0000, 0.0000]")
N = len("10,000")
REASONS = 5
"""Most reasons that are told apart."""


def table_lines(sweep: Sweep, shown: list[Panel], width: int) -> list[Line]:
    """Set a block of rows for each system and each few metrics, then what was left out."""
    lines: list[Line] = []
    tags = sweep.reference.tags
    head = (
        f"{sweep.key} on questions {tags.get('question_set', '')}, split {tags.get('split', '')}: "
        "mean [95 % interval], n"
    )
    lines += [Line(line, "bold") for line in wrapped(clean(head), width, rest="  ")]
    for system in sweep.series:
        lines += [Line(""), Line(fitted(clean(system), width), "bold")]
        lines += _system(sweep, system, [p for p in shown if p.points[system]], width)
    return [*lines, *_left_out(sweep, width)]


def _system(sweep: Sweep, system: str, shown: list[Panel], width: int) -> list[Line]:
    values = [value for value, _ in sweep.series[system]]
    last = sweep.key.rpartition(".")[2]
    first = max(len(last), *(len(str(value)) for value in values))
    across = max(1, (width - 2 - first) // (2 + CELL + 1 + N))
    lines = []
    for start in range(0, len(shown), across):
        block = shown[start : start + across]
        names = "".join(f"  {fitted(p.label, CELL):<{CELL}} {'n':>{N}}" for p in block)
        lines.append(Line(f"  {last:>{first}}{names}", "dim"))
        for value in values:
            row = "".join(f"  {_cell(panel, system, value)}" for panel in block)
            lines.append(Line(f"  {value!s:>{first}}{row}".rstrip()))
    return lines


def _cell(panel: Panel, system: str, value: Number) -> str:
    point = next((point for point in panel.points[system] if point.value == value), None)
    if point is None:
        return f"{'n/a':<{CELL}} {0:>{N}}"
    text = f"{point.mean:.4f}" if panel.fraction else f"{point.mean:,.1f}"
    if point.low is not None and point.high is not None:
        text += f" [{point.low:.4f}, {point.high:.4f}]"
    count = "" if point.n is None else f"{point.n:,}"
    return f"{padded(text, CELL)} {count:>{N}}"


def _left_out(sweep: Sweep, width: int) -> list[Line]:
    total = sum(sweep.left_out.values())
    if not total:
        return []
    told = sweep.left_out.most_common(REASONS)
    rest = total - sum(count for _, count in told)
    parts = [f"{count:,} {clean(why)}" for why, count in told] + [f"{rest:,} others"] * bool(rest)
    text = f"{counted(total, 'run')} left out: {'; '.join(parts)}"
    return [Line(""), *(Line(line, "dim") for line in wrapped(text, width, rest="  "))]
