"""What was shown to people who may not read it: first what the answer had, then the rest."""

import polars as pl

from pipeline.contract.words import counted
from pipeline.verbs.terminal.text import Line, clean, wrapped

MOST = 250
"""Leaks that are named, each a document in a response; the rest are counted."""

RESPONSE = ["system", "repeat", "question"]


def leak_lines(values: pl.DataFrame, used: pl.DataFrame, width: int) -> list[Line]:
    """Name each leak: those in the context or cited by response, the others by document.

    Args:
        values: PerQuestion.
        used: (system, repeat, question, doc_id) of the documents that were delivered or cited.
        width: columns of the terminal.
    """
    leaks = values.select(*RESPONSE, "question_id", doc_id="leaks").explode(
        "doc_id", empty_as_null=False, keep_nulls=False
    )
    if leaks.is_empty():
        return []
    several = [name for name in ("system", "repeat") if values[name].n_unique() > 1]
    words = [pl.format(f", {name} {{}}", name) for name in several]
    leaks = leaks.with_columns(who=pl.concat_str("question_id", *words))
    keys = [*RESPONSE, "doc_id"]
    had = leaks.join(used, on=keys, how="semi", maintain_order="left")
    rest = leaks.join(used, on=keys, how="anti", maintain_order="left")
    head = f"{counted(leaks.n_unique(RESPONSE), 'response')} showed what must not be read"
    lines = [f"LEAKS: {head}"]
    if len(had):
        lines += ["  to the answer, in its context or by a citation"]
        lines += _rows(had.head(MOST), "who", "doc_id", ", ", width)
    rest = rest.head(MOST - min(len(had), MOST))
    if len(rest):
        lines += ["  retrieved only, by document"]
        lines += _rows(rest.sort("doc_id", maintain_order=True), "doc_id", "who", "; ", width)
    if len(leaks) > MOST:
        lines.append(f"  … and {len(leaks) - MOST:,} more: column `leaks` of per_question")
    return [Line(line, "red") for line in lines]


def _rows(leaks: pl.DataFrame, by: str, named: str, between: str, width: int) -> list[str]:
    lines = []
    groups = leaks.group_by(by, maintain_order=True).agg(named)
    for name, items in groups.iter_rows():
        text = f"{clean(name)}: {between.join(map(clean, items))}"
        lines += wrapped(text, width, first="    ", rest="      ")
    return lines
