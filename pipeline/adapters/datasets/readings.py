"""How the labels of GaRAGe's rows are read: gold set, grounding, shares, and records of them."""

from dataclasses import dataclass
from typing import Literal

from pipeline.adapters.datasets.annotated import Row, citations
from pipeline.checks.texts import dated
from pipeline.contract.records import Claim, Document, Question

TEMPO = {"": "static", "SLOW-CHANGING": "slow", "FAST-CHANGING": "fast"}
BANDS = ("none", "under 1/3", "1/3 to 2/3", "over 2/3")
"""Shares of relevant passages; a third and two thirds themselves are in the middle."""


@dataclass(frozen=True)
class Rules:
    """How labels are read; the fields are those of the adapter, which says what each means."""

    deflection: Literal["not_validated", "no_answering_passage", "no_relevant_passage"]
    gold: Literal["relevant", "cited"]
    related: bool
    unlabelled: Literal["irrelevant", "relevant", "not_labelled"]

    def relevant(self, row: Row) -> list[int]:
        """The relevant passages, from 0; an outdated one is none, whatever else it is called."""
        yes = {"YES", ""} if self.unlabelled == "relevant" else {"YES"}
        out = {"OUTDATED"} if self.related else {"OUTDATED", "RELATED-INFORMATION"}
        labels = zip(row.evidence_relevant, row.evidence_correct, strict=True)
        return [at for at, (told, what) in enumerate(labels) if told in yes and what not in out]

    def gold_set(self, row: Row) -> list[int] | None:
        """The passages that an answer should cite, from 0; None: their labels are missing."""
        if self.gold == "cited":
            return [n - 1 for n in citations(row.answer_generate) if n <= len(row.grounding)]
        if self.unlabelled == "not_labelled" and "" in row.evidence_relevant:
            return None
        return self.relevant(row)

    def insufficient(self, row: Row) -> bool:
        """Whether the right thing is to deflect, by the labels as they stand in the file."""
        if self.deflection == "not_validated":
            return row.answer_validate != "YES"
        if self.deflection == "no_answering_passage":
            return "ANSWER-THE-QUESTION" not in row.evidence_correct
        return "YES" not in row.evidence_relevant

    def band(self, row: Row) -> str:
        """The band of the share of relevant passages, one of `BANDS`."""
        part, whole = len(self.relevant(row)), len(row.grounding)
        if not part:
            return BANDS[0]
        return BANDS[1] if 3 * part < whole else BANDS[2] if 3 * part <= 2 * whole else BANDS[3]

    def question(self, row: Row, sufficient_only: bool) -> Question:
        """The question with its gold set and the attributes by which results are sliced."""
        gold = self.gold_set(row)
        insufficient = self.insufficient(row)
        attributes: dict[str, str | int | float | bool] = {
            "temporal_dynamism": TEMPO[row.question_type],
            "complexity": row.question_complexity,
            "popularity": row.question_popularity,
            "domain": row.question_category,
            "provider": provider(row),
            "relevant_share": self.band(row),
            "grounding": "insufficient" if insufficient else "sufficient",
        }
        if sufficient_only and insufficient:
            attributes["factuality"] = "left out"
        return Question(
            row.sample_id,
            row.question,
            relevant=None if gold is None else [passage_id(row.sample_id, n + 1) for n in gold],
            attributes={key: value for key, value in attributes.items() if value != ""},
            asked_at=row.question_date if dated(row.question_date) else None,
        )


def provider(row: Row) -> str:
    """Where the passages come from: `web`, `ent`, `mixed`, or `none` without passages."""
    kinds = {str(passage["provider"]) for passage in row.grounding}
    return "mixed" if len(kinds) > 1 else min(kinds, default="none")


def passage_id(sample_id: str, number: int) -> str:
    """The document that passage `number` of a question is, from 1."""
    return f"{sample_id}/{number}"


def claims_of(sample_id: str, answer: str) -> list[Claim]:
    """An answer as one claim with everything that it cites; none where nothing is said."""
    cited = [passage_id(sample_id, number) for number in citations(answer)]
    return [Claim("answer", cited)] if answer.strip() else []


def documents(row: Row, rules: Rules) -> list[Document]:
    """The passages with what people said of each; what is empty is left out.

    Where the gold set is not the relevant passages, each says whether it is one: an answer's
    sentences are held to those all the same.
    """
    found = []
    relevant = set(rules.relevant(row))
    for at, passage in enumerate(row.grounding):
        date = str(passage["date"] or "")
        facts = {
            "age": passage["age"],
            "date": "" if dated(date) else date,
            "evidence_relevant": row.evidence_relevant[at],
            "evidence_correct": row.evidence_correct[at],
            "evidence_cited": row.evidence_cited[at],
        }
        if rules.gold == "cited":
            facts["relevant_passage"] = "YES" if at in relevant else "NO"
        document = Document(
            passage_id(row.sample_id, at + 1),
            str(passage[f"cite_{at + 1}"]),
            date=date if dated(date) else None,
            provider=str(passage["provider"]),
            attributes={
                key: value for key, value in facts.items() if value is not None and value != ""
            },
        )
        found.append(document)
    return found
