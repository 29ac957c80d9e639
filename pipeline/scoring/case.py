"""One question with everything that belongs to it: labels, responses, documents, readings.

For people who open a question. What it says of a chunk or a claim is what the scoring of all
of them at once decides.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

from pipeline.scoring.explain import Labels, Parts, supports

Row = dict[str, Any]
Place = Literal["leak", "not_labelled", "irrelevant", "elsewhere", "relevant", "disputed"]


@dataclass(frozen=True)
class Case:
    """A question, its labels, what each system made of it, and the documents they name.

    Rows are rows of the tables of the same names; `chunks` and `documents` are by code.
    `answers`, `statements`, `values` and `contexts` (the visible chunks of each, None where
    the ranking was lost) are aligned, in order of system and repeat; where there are
    verdicts, which `verdicts` lists for all answers, `values` hold those of Judged too, and
    where cutoffs were asked for, the response's rows of Ranked as `ranked`.
    `silences` are those answers on which record and judge disagree, `judge` is its name.
    `labels` are what the votes of `relevance` and `support` come to, `overlap` how many
    characters a chunk has to share with a marked span, `looks` how often this question was
    opened where it is held out.
    """

    question: Row
    relevance: list[Row]
    support: list[Row]
    claims: list[Row]
    evidence: list[Row]
    answers: list[Row]
    statements: list[Row]
    values: list[Row]
    contexts: list[list[int] | None]
    verdicts: list[Row]
    chunks: dict[int, Row]
    documents: dict[int, Row]
    labels: Labels
    overlap: int
    looks: int
    silences: list[Row] = field(default_factory=list)
    judge: str = ""

    def readable(self, doc: int) -> bool:
        """Whether who asks may read the document."""
        groups, caller = self.documents[doc]["access_groups"], self.question["caller_groups"]
        return groups is None or caller is None or not set(groups).isdisjoint(caller)

    def place(self, code: int) -> Place:
        """What the labels make of a chunk, first of all whether who asks may read it."""
        chunk = self.chunks[code]
        doc = chunk["doc"]
        if not self.readable(doc):
            return "leak"
        sure = self.labels.relevant.get(doc)
        if sure is None:
            return "irrelevant" if self.question["labelled"] else "not_labelled"
        if not supports((chunk["start"], chunk["end"]), self.marks(doc), self.overlap):
            return "elsewhere"
        return "relevant" if sure else "disputed"

    def marks(self, doc: int, claim: int | None = None) -> list[tuple[int, int]]:
        """Spans of a document that somebody marked with yes, for this claim or for any."""
        return [
            (row["start"], row["end"])
            for row in self.evidence
            if row["doc"] == doc and row["start"] is not None
            if claim is None or row["claim"] == claim
            if row["grade"] is None or row["grade"] > 0
        ]

    def parts(self, at: int, claim: int, named: list[int] | None) -> Parts | None:
        """The chunks that citations of a claim name, as `explain.rule` takes them."""
        if named is None:
            return None
        held = {code: self._held(self.chunks[code], claim) for code in set(named) if code >= 0}
        return Parts(
            named,
            self.contexts[at] or (),
            {code for code, by in held.items() if any(by)},
            {code for code, by in held.items() if all(by)},
        )

    def _held(self, chunk: Row, claim: int) -> list[bool]:
        """Whether a chunk supports a claim, by each reading of its document."""
        voted = any(
            row["votes"] > 1
            for row in self.support
            if (row["claim"], row["doc"]) == (claim, chunk["doc"])
        )
        readings: dict[str | None, list[Row]] = {}
        for row in self.evidence:
            yes = row["grade"] is None or row["grade"] > 0
            if yes and (row["claim"], row["doc"]) == (claim, chunk["doc"]):
                readings.setdefault(row["annotator"] if voted else None, []).append(row)
        span = chunk["start"], chunk["end"]
        return [
            any(row["start"] is None for row in rows)
            or supports(span, [(row["start"], row["end"]) for row in rows], self.overlap)
            for rows in readings.values() or [[]]
        ]
