"""From what people marked to the label tables: who said yes, of how many, and who may read it.

An annotator says yes to a document with a mark on it that is ungraded or graded above 0, and
to a claim and document likewise with a mark that names the claim. An annotator who labelled
the question and is silent on an item said no. Marks without a name count as one annotator.
Labels that somebody settled are one vote of one.
"""

from dataclasses import dataclass

import polars as pl

from pipeline.contract.tables import CODE, Claims, Evidence, Relevance, Support, check

MARKS = pl.Schema(
    {
        "question": CODE,
        "doc": CODE,
        "claim_id": pl.String(),
        "annotator": pl.String(),
        "grade": pl.Float64(),
        "start": pl.UInt32(),
        "end": pl.UInt32(),
    }
)
"""One row a mark; null as in the table Evidence."""

SETTLED = pl.Schema({"question": CODE, "claim_id": pl.String(), "doc": CODE})
"""Labels that somebody settled: relevant documents (claim_id null) and support."""

TEXTS = pl.Schema({"question": CODE, "claim_id": pl.String(), "text": pl.String()})
"""Candidate claims in words."""


@dataclass(frozen=True)
class Labels:
    """The four label tables, rows in the order of their keys."""

    claims: pl.DataFrame
    relevance: pl.DataFrame
    support: pl.DataFrame
    evidence: pl.DataFrame


def label(
    questions: pl.DataFrame,
    documents: pl.DataFrame,
    settled: pl.DataFrame,
    marks: pl.DataFrame,
    texts: pl.DataFrame,
) -> Labels:
    """Count the votes, keep what the caller may read, give claims their codes.

    Args:
        questions: Questions.
        documents: Documents.
        settled: as `SETTLED`; a question in it takes no votes from its marks.
        marks: as `MARKS`.
        texts: as `TEXTS`.

    Returns:
        Relevance and support hold rows with a yes on readable documents; claims those with
        such a support; evidence every mark, its claim null where that is not in claims.
    """
    votes = tally(questions, settled, marks)
    kept = votes.filter(readable(votes, questions, documents))
    support = kept.filter(pl.col("claim_id").is_not_null())
    claims = (
        support.select("question", "claim_id")
        .unique()
        .sort("question", "claim_id")
        .with_row_index("claim")
        .join(texts, on=["question", "claim_id"], how="left", maintain_order="left")
    )
    coded = support.join(claims.drop("text"), on=["question", "claim_id"], how="left")
    relevance = kept.filter(pl.col("claim_id").is_null()).join(
        _grades(marks), on=["question", "doc"], how="left"
    )
    evidence = marks.join(claims.drop("text"), on=["question", "claim_id"], how="left")
    return Labels(
        check(Claims, claims),
        check(
            Relevance, relevance.with_columns(pl.col("grade").fill_null(1.0)).sort(Relevance.key)
        ),
        check(Support, coded.sort(Support.key)),
        check(Evidence, evidence.sort(*Evidence.key, "end")),
    )


def tally(questions: pl.DataFrame, settled: pl.DataFrame, marks: pl.DataFrame) -> pl.DataFrame:
    """Count who said yes to each document and to each claim and document.

    Returns:
        Columns question, claim_id (null: the document's relevance), doc, yes (1 or more) and
        votes, for readers and for nobody alike.
    """
    voted = voting(settled, marks).filter(yes())
    # a mark for a claim is one for its document; no name (null) counts as one annotator
    items = pl.concat([voted.with_columns(pl.lit(None, pl.String()).alias("claim_id")), voted])
    counted = items.group_by("question", "claim_id", "doc").agg(
        pl.col("annotator").n_unique().cast(pl.UInt16()).alias("yes")
    )
    one = pl.lit(1, pl.UInt16())
    return pl.concat(
        [
            counted.join(voters(questions, marks), on="question"),
            settled.with_columns(one.alias("yes"), one.alias("votes")),
        ]
    )


def voting(settled: pl.DataFrame, marks: pl.DataFrame) -> pl.DataFrame:
    """Marks of questions whose labels nobody settled."""
    return marks.join(settled, on="question", how="anti")


def yes() -> pl.Expr:
    """Whether a mark says yes: ungraded, or graded above 0."""
    return pl.col("grade").is_null() | (pl.col("grade") > 0)


def voters(questions: pl.DataFrame, marks: pl.DataFrame) -> pl.DataFrame:
    """Columns question and votes: how many labelled it, the nameless as one."""
    nameless = marks.filter(pl.col("annotator").is_null())["question"]
    named = questions.select("question", pl.col("annotators").list.len().alias("named"))
    some = pl.col("question").is_in(nameless.implode())
    return named.select("question", (pl.col("named") + some).cast(pl.UInt16()).alias("votes"))


def readable(rows: pl.DataFrame, questions: pl.DataFrame, documents: pl.DataFrame) -> pl.Series:
    """Whether who asks may read the document, for each row with columns question and doc.

    Yes where the document names no groups, where the caller's groups are not stated, and
    where the two have a group in common.
    """
    pairs = rows.select("question", "doc").join(
        documents.select("doc", "access_groups"), on="doc", how="left", maintain_order="left"
    )
    pairs = pairs.join(
        questions.select("question", "caller_groups"),
        on="question", how="left", maintain_order="left",
    )  # fmt: skip
    common = pl.col("access_groups").list.set_intersection("caller_groups").list.len() > 0
    return pairs.select(
        (pl.col("access_groups").is_null() | pl.col("caller_groups").is_null() | common).alias(
            "readable"
        )
    )["readable"]


def _grades(marks: pl.DataFrame) -> pl.DataFrame:
    return marks.filter(yes()).group_by("question", "doc").agg(pl.col("grade").max())
