"""The judge that needs no model: people's labels say what each claim of an answer is."""

from dataclasses import dataclass

import polars as pl

from pipeline.adapters.judges.named import named
from pipeline.adapters.judges.quotes import quoted
from pipeline.checks.ids import label
from pipeline.contract.errors import ConfigError
from pipeline.contract.tables import RESPONSE_KEY, Statements, Verdicts

KEPT = (*RESPONSE_KEY, "judged")
"""What is said of an answer whatever it claims."""

NAMED = 5
"""Questions that a refusal names."""


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
        questions: pl.DataFrame,
        claims: pl.DataFrame,
        relevance: pl.DataFrame,  # noqa: ARG002 - the port's argument
        evidence: pl.DataFrame,
        chunks: pl.DataFrame,
        documents: pl.DataFrame,
        verdicts: pl.DataFrame,  # noqa: ARG002
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Answers, Questions, Claims, Evidence, Chunks, Documents -> Statements, no Verdicts.

        Raises:
            ConfigError: the questions expect claims, and recorded answers state theirs in
                words only.
        """
        unmade = answers.filter(pl.col("quotes").is_null(), pl.col("sentences").is_null())
        check_named(unmade, questions, claims)
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


def check_named(recorded: pl.DataFrame, questions: pl.DataFrame, claims: pl.DataFrame) -> None:
    """Refuse recorded answers whose claims have no ids, where claims are expected.

    Args:
        recorded: answers with their claims as recorded: `system`, `question`, `status`,
            `claim_ids`; Responses will do.
        questions: Questions, for their ids.
        claims: Claims.

    Raises:
        ConfigError: naming the systems and the first questions.
    """
    wordy = recorded.filter(pl.col("claim_ids").is_null(), status="ok")
    if claims.is_empty() or wordy.is_empty():
        return
    systems = ", ".join(map(label, wordy["system"].unique().sort()))
    asked = questions["question_id"].gather(wordy["question"].unique().sort())
    first = ", ".join(map(label, asked.head(NAMED))) + (", …" if len(asked) > NAMED else "")
    noun = "answer" if len(wordy) == 1 else "answers"
    raise ConfigError(
        "conf: judge",
        expected="claims by id in responses.jsonl, which is all that labels can read",
        got=f"{len(wordy):,} {noun} of {systems} without, to {first}",
        remedy="add `claims` to them, or let a model read them: judge=openai",
    )
