"""What `run` prints at its end: the results that lie in data/, leaks first, means last."""

from pathlib import Path
from typing import Any

import polars as pl

from pipeline.checks.looked_at import THIN, thin
from pipeline.contract.files import read_json
from pipeline.contract.results import (
    Aggregates,
    Deltas,
    Judged,
    PerQuestion,
    Ranked,
    Silences,
    present,
)
from pipeline.contract.tables import Answers, Chunks, Documents, Questions, Statements, read
from pipeline.contract.words import counted, cut
from pipeline.sides import heldout
from pipeline.stages.compose import PARAMS, read_yaml
from pipeline.verbs.terminal.aggregates import aggregate_lines
from pipeline.verbs.terminal.cases import case_lines
from pipeline.verbs.terminal.comparison import comparison_lines
from pipeline.verbs.terminal.costs import cost_lines
from pipeline.verbs.terminal.leaks import leak_lines
from pipeline.verbs.terminal.ruled import ruled_lines
from pipeline.verbs.terminal.silences import silence_lines
from pipeline.verbs.terminal.text import Line, clean, columns, emit, wrapped
from pipeline.verbs.terminal.validation import validation_lines


def show_results(data: Path) -> None:
    """Print the results of a finished run, after an empty line.

    Args:
        data: the data folder, with every stage up to `compare` done.
    """
    budget = read_yaml(PARAMS).get("heldout_budget") if PARAMS.is_file() else None
    emit([Line(""), *result_lines(data, columns(), budget)])


def result_lines(data: Path, width: int, budget: int | None = None) -> list[Line]:
    """Set the whole page for a terminal of `width` columns.

    Over a `budget` of looks it says of held-out questions that they no longer are.

    Leaks stand first, since no quality makes up for one; then single results, what got
    worse and better, and only then means.
    """
    manifest = read_json(data / "freeze" / "manifest.json")
    questions = read(data / "freeze", Questions)
    values = read(data / "score", PerQuestion)
    judged = read(data / "score", Judged)
    comparison = read_json(data / "compare" / "comparison.json")
    order = questions.sort("line", "question_id")["question_id"].to_list()
    looks = _heldout(data, budget)
    parts = [
        _title(manifest, read_json(data / "score" / "settings.json"), looks, width),
        leak_lines(values, _used(data), width),
        _cases(questions, values, judged, read(data / "compare", Deltas)),
        _failures(values, width) + _remarks(data, width),
        silence_lines(read(data / "score", Silences), values["repeat"].n_unique() > 1, width),
        comparison_lines(comparison, order, cut(values), width, looks),
        aggregate_lines(
            read(data / "score", Aggregates), values, width, looks, read(data / "score", Ranked)
        ),
        validation_lines(_tracked(data, "judge"), width),
        cost_lines(_tracked(data, "usage"), width),
    ]
    lines: list[Line] = []
    for part in filter(None, parts):
        lines += [Line(""), *part] if lines else part
    hints = ["One question in full: python -m pipeline show QUESTION"]
    if comparison["candidates"]:
        hints.append("The comparison as a page: data/compare/report.html")
    return [*lines, Line(""), *(Line(hint, "dim") for hint in hints)]


def _tracked(data: Path, name: str) -> Any:
    """A page that `track` left; None where it has not been there yet."""
    path = data / "track" / f"{name}.json"
    return read_json(path) if path.is_file() else None


def _cases(
    questions: pl.DataFrame, values: pl.DataFrame, judged: pl.DataFrame, deltas: pl.DataFrame
) -> list[Line]:
    """Single results by labels and by verdicts; the former not where nobody labelled any."""
    ruled = ruled_lines(questions, judged, present(judged))
    if ruled and not questions["labelled"].any():
        return ruled
    lines = case_lines(questions, values, deltas)
    return [*lines, Line(""), *ruled] if ruled else lines


def _title(
    manifest: dict[str, Any], settings: dict[str, Any], heldout: str, width: int
) -> list[Line]:
    names = ", ".join(
        f"{word} {clean(manifest[part]['name'])} {clean(manifest[part]['version'])}"
        for word, part in (("questions", "question_set"), ("corpus", "corpus"))
    )
    held = f"k = {settings['cutoff']}"
    if settings["budget"] is not None:
        held = f"context of {settings['budget']:,} {settings['rubric']['tokenizer']} at most"
    text = f"{names}, {held}, split {manifest['split']}{heldout}"
    return [Line(line, "bold") for line in wrapped(text, width, rest="  ")]


def _heldout(data: Path, budget: int | None) -> str:
    """What stands beside numbers over held-out questions; nothing for the split `dev`."""
    said = heldout.said([data], budget)
    return f"; {said}" if said else ""


def _used(data: Path) -> pl.DataFrame:
    """(system, repeat, question, doc_id) of each document that an answer was given or cites."""
    key = ["system", "repeat", "question"]
    delivered = (
        read(data / "answer", Answers, [*key, "context"])
        .explode("context", empty_as_null=False, keep_nulls=False)
        .join(read(data / "chunk", Chunks, ["chunk", "doc"]), left_on="context", right_on="chunk")
    )
    cited = (
        read(data / "judge", Statements, [*key, "citations"])
        .explode("citations", empty_as_null=False, keep_nulls=False)
        .filter(pl.col("citations") >= 0)
        .with_columns(doc=pl.col("citations").cast(delivered.schema["doc"]))
    )
    both = pl.concat([delivered.select(*key, "doc"), cited.select(*key, "doc")])
    return both.join(read(data / "freeze", Documents, ["doc", "doc_id"]), on="doc")


def _remarks(data: Path, width: int) -> list[Line]:
    """What people have still to decide, and how much of what was retrieved they looked at."""
    file = data / "judge" / "remark.txt"
    remarks = [f"judge: {file.read_text(encoding='utf-8').strip()}"] if file.is_file() else []
    pooled = read_json(data / "score" / "judged_at_k.json")
    found = {name: of for name, of in pooled.get("systems", {}).items() if of["unseen"] is not None}
    if found:
        values = ", ".join(f"{name} {of['macro']:.4f}" for name, of in found.items())
        remarks.append(f"Judged@{pooled['cutoff'] or 'k'}: {values}")
    remarks += [thin(name, of["unseen"]) for name, of in found.items() if of["unseen"] > 1 - THIN]
    return [
        Line(line, "yellow") for text in remarks for line in wrapped(clean(text), width, rest="  ")
    ]


def _failures(values: pl.DataFrame, width: int) -> list[Line]:
    """How many responses failed and how many questions hang on disputed labels, by system."""
    lines = []
    disputed = pl.any_horizontal(pl.col("^.*_reason$") == "unresolved")
    for (system,), rows in values.sort("system").group_by("system", maintain_order=True):
        status = dict(rows.group_by("status").len().rows())
        unresolved = rows.filter(disputed)["question_id"].n_unique()
        parts = [
            f"{status[key]:,} of {counted(len(rows), 'response')} {words}"
            for key, words in (("failed", "failed"), ("judge_failed", "not judged: judge failed"))
            if key in status
        ]
        if unresolved:
            parts.append(f"{counted(unresolved, 'question')} with labels in dispute")
        if parts:
            text = f"{clean(str(system))}: {'; '.join(parts)}"
            lines += [Line(line, "yellow") for line in wrapped(text, width, rest="  ")]
    return lines
