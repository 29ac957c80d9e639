"""The judge that needs no model: people's labels say what each claim of an answer is."""

from dataclasses import dataclass

import polars as pl

from pipeline.adapters.judges.named import named
from pipeline.adapters.judges.quotes import quoted
from pipeline.contract.errors import ConfigError
from pipeline.contract.tables import RESPONSE_KEY, Statements, Verdicts

KEPT = (*RESPONSE_KEY, "judged")
"""What is said of an answer whatever it claims."""


@dataclass(frozen=True)
class Labels:
    """Reads recorded claims by their ids, and answers made of quotes by where people marked.

    A recorded claim is the question's expected claim of that id, or an extra one. A quote
    states each expected claim of its question that somebody marked in the quoted words; one
    that states none is an extra claim. Where a question expects a claim that nobody marked
    with a span, no answer of quotes to it is judged, an abstention neither: its claims are
    null (no record), so that no rate leans on what cannot be known. For the same reason
    nothing is judged of answers in a model's own words, which labels cannot read, and none of
    the abstentions among them: rates over abstentions alone would be all 0 or all 1.
    """

    def judge(
        self,
        answers: pl.DataFrame,
        questions: pl.DataFrame,  # noqa: ARG002 - the port's argument
        claims: pl.DataFrame,
        relevance: pl.DataFrame,  # noqa: ARG002 - the port's argument
        evidence: pl.DataFrame,
        chunks: pl.DataFrame,
        documents: pl.DataFrame,
        verdicts: pl.DataFrame,  # noqa: ARG002 - the port's argument
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Answers, Claims, Evidence, Chunks, Documents -> Statements, no Verdicts.

        Raises:
            ConfigError: the questions expect claims, and recorded answers state theirs in
                words only.
        """
        _named_claims(answers, claims)
        rows = answers.with_row_index("row")
        of_quotes = pl.col("quotes").is_not_null()
        parts = (
            named(rows.filter(~of_quotes), claims, documents),
            quoted(rows.filter(of_quotes), claims, evidence, chunks, documents),
        )
        judged = pl.concat(parts).sort("row")
        unread = answers["sentences"].is_not_null()
        found = [name for name in Statements.columns if name not in KEPT]
        statements = judged.select(
            *KEPT, *(pl.when(~unread).then(pl.col(name)).alias(name) for name in found)
        ).select(list(Statements.columns))
        return statements, Verdicts.empty()


def _named_claims(answers: pl.DataFrame, claims: pl.DataFrame) -> None:
    """Refuse recorded answers whose claims have no ids, where claims are expected."""
    wordy = answers.filter(
        pl.all_horizontal(pl.col("claim_ids", "quotes", "sentences").is_null()),
        pl.col("status") == "ok",
    )
    if len(claims) and len(wordy):
        systems = ", ".join(sorted(wordy["system"].unique()))
        raise ConfigError(
            "conf: judge",
            expected="claims by id in responses.jsonl, which is all that labels can read",
            got=f"{len(wordy):,} answers of {systems} without",
            remedy="add `claims` to them, or let a model read them: judge=openai",
        )
