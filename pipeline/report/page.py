"""The page: templates, style, scripts and data in one file that needs no network."""

from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import polars as pl
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from pipeline.contract.files import read_json, replacing
from pipeline.contract.rankings import lacking
from pipeline.contract.sides import Side
from pipeline.contract.spelling import clean
from pipeline.report import draw, facts, view
from pipeline.report.cases import keep
from pipeline.report.folders import open_cases
from pipeline.report.grid import grid
from pipeline.report.judging import judging
from pipeline.report.manifests import manifests
from pipeline.report.markup import own_script, script_json
from pipeline.report.reading import reading
from pipeline.report.scope import LIMITS, by_origin
from pipeline.report.slices import COLUMNS
from pipeline.report.usage import usage

ASSETS = files("pipeline.report") / "assets"
SCRIPTS = ("data", "dom", "case", "charts", "filters", "table", "main")
"""Our own scripts, in the order in which they need each other."""


def write_report(
    path: Path,
    baseline: Side,
    candidates: Sequence[Side],
    deltas: pl.DataFrame,
    comparison: dict[str, Any],
    *,
    content: str = "full",
) -> None:
    """Write the report of a comparison: one HTML file, whole or not at all.

    Equal inputs give equal bytes: no time, host or path is in it.

    Args:
        path: the file to write.
        baseline: the side that the others are set against.
        candidates: the other sides, in the order in which they are shown; maybe none.
        deltas: Deltas of all candidates, under the names of their sides.
        comparison: `compare/comparison.json`. Where it has no uncertainty, acceptance,
            method or common questions, the page says so.
        content: how much of the texts is in it: full | redacted (length and hash) | ids.

    Raises:
        ValueError: there is no such content level.
    """
    level = view.known(content)
    sides = [baseline, *candidates]
    questions = facts.compared(baseline, deltas)
    entries = [(side, comparison["candidates"][side.name]) for side in candidates]
    method = comparison.get("method")
    late = (comparison.get("acceptance") or {}).get("late_for", [])
    shown = [
        view.candidate(
            at,
            (baseline, side),
            deltas.filter(candidate=side.name),
            found,
            questions,
            method,
            level,
            late=side.name in late,
        )
        for at, (side, found) in enumerate(entries)
    ]
    cutoff = facts.cutoff_of(sides, questions)
    order = [row["question_id"] for row in questions]
    kept = keep(order, [open_cases(side, order) for side in sides], level)
    rows = [(one.name, one.rows, one.found) for one in shown]
    data = {
        "baseline": clean(baseline.name),
        **grid(questions, rows, cutoff, level),
        "cases": kept.cases.starts,
        "long": kept.texts.starts,
        "content": level,
    }
    freeze = read_json(baseline.folder / "freeze" / "manifest.json")
    scripts = [own_script(_asset("vendor/plot.min.js")), own_script(_script())]
    page = (
        _templates()
        .get_template("page.html")
        .render(
            baseline=baseline,
            sides=sides,
            candidates=shown,
            comparison=comparison,
            content=level,
            frozen=freeze,
            populations=facts.populations(baseline, questions),
            repeats=[facts.repeats(side) for side in sides],
            places={question: at for at, question in enumerate(order)},
            texts=data["texts"],
            leaks=[(clean(side.name), facts.leaks(side, questions)) for side in sides],
            parts=manifests(sides),
            usage=usage(sides, order),
            judge=judging(sides, comparison.get("judge")),
            origins=by_origin(sides),
            limits=LIMITS,
            reading=reading(
                baseline.parts,
                method,
                view.metrics_of(shown, sides, questions),
                cutoff,
                comparison.get("cutoffs"),
            ),
            lacking=lacking(comparison.get("cutoffs")),
            data=script_json(data),
            blocks={"cases": kept.cases.blocks, "texts": kept.texts.blocks},
            style=Markup(_asset("report.css")),
            scripts=scripts,
            hashes=[_hash(script) for script in scripts],
        )
    )
    with replacing(path) as temporary:
        temporary.write_text(page, encoding="utf-8")


@cache
def _templates() -> Environment:
    found = Environment(
        loader=PackageLoader("pipeline.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["clean"] = lambda value: clean(str(value))
    found.filters["signed"] = draw.signed
    found.globals["draw"] = draw
    found.globals["slice_columns"] = COLUMNS
    return found


def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def _script() -> str:
    """Our scripts as one, so that they share names and leave none behind."""
    parts = "\n".join(_asset(f"{name}.js") for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}\n}})();\n'


def _hash(script: str) -> str:
    """What the page's own policy calls a script that it may run."""
    return "sha256-" + b64encode(sha256(script.encode()).digest()).decode("ascii")
