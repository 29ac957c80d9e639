"""The judge that needs no model: people's labels say what each claim of an answer is."""

from dataclasses import dataclass

import polars as pl

from pipeline.adapters.judges.named import named
from pipeline.adapters.judges.quotes import quoted
from pipeline.contract.tables import Statements, Verdicts


@dataclass(frozen=True)
class Labels:
    """Reads recorded claims by their ids, and answers made of quotes by where people marked.

    A recorded claim is the question's expected claim of that id, or an extra one. A quote
    states each expected claim of its question that somebody marked in the quoted words; one
    that states none is an extra claim. Where a question expects a claim that nobody marked
    with a span, no answer of quotes to it is judged, an abstention neither: its claims are
    null (no record), so that no rate leans on what cannot be known.
    """

    def judge(
        self,
        answers: pl.DataFrame,
        claims: pl.DataFrame,
        evidence: pl.DataFrame,
        chunks: pl.DataFrame,
        documents: pl.DataFrame,
        verdicts: pl.DataFrame,  # noqa: ARG002 - the port's argument
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Answers, Claims, Evidence, Chunks, Documents -> Statements, no Verdicts."""
        rows = answers.with_row_index("row")
        of_quotes = pl.col("quotes").is_not_null()
        parts = (
            named(rows.filter(~of_quotes), claims, documents),
            quoted(rows.filter(of_quotes), claims, evidence, chunks, documents),
        )
        statements = pl.concat(parts).sort("row").select(list(Statements.columns))
        return statements, Verdicts.empty()
