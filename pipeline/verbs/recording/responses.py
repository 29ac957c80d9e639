"""Records of responses from a system's outputs, placed in the corpus, and what is wrong."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pipeline.adapters.answerers.marks import MARK
from pipeline.checks.complete import check_repeats
from pipeline.checks.ids import label
from pipeline.checks.references import References
from pipeline.checks.report import by_place
from pipeline.checks.responses import check_responses, code_rankings
from pipeline.contract.errors import Fault
from pipeline.contract.records import Claim, Part, Response
from pipeline.verbs.recording.collapse import Ranking, ranking, repeated
from pipeline.verbs.recording.opened import Opened
from pipeline.verbs.recording.placing import Place
from pipeline.verbs.recording.rows import Row

WHOLE = "answer"
"""The claim that a whole answer is, where nobody says which claims it makes."""


@dataclass
class Made:
    """Responses, every fault of them, and how often what was done."""

    part: Part[Response] = field(default_factory=Part)
    faults: list[Fault] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Making:
    """How outputs become records.

    Attributes:
        system: whose they are.
        opened: the set they are for.
        collapse: whether the first rank of a document stands for all of its ranks.
        marks: whether marks `[n]` in answers are citations.
    """

    system: str
    opened: Opened
    collapse: bool
    marks: bool

    def make(
        self, rows: Sequence[Row], ids: Sequence[str], places: Sequence[list[Place] | None]
    ) -> Made:
        """Make a response of each row.

        Args:
            rows: outputs.
            ids: their questions.
            places: of what they retrieved.
        """
        made = Made()
        for row, id_, placed in zip(rows, ids, places, strict=True):
            ranked = None
            if row.items is not None and placed is not None:
                doc_ids = [place.doc_id for place in placed]
                ranked = ranking(doc_ids, row.items)
                self._fold(made, row, doc_ids, ranked)
            cited = replace(row, citations=_cited(row, placed))
            made.part.add(self._response(made, cited, id_, ranked), row.file, row.line)
        made.faults = by_place([*made.faults, *self._check(made.part)])
        return made

    def _fold(self, made: Made, row: Row, doc_ids: list[str], ranked: Ranking) -> None:
        """Count a ranking with documents at several ranks, or refuse it."""
        several = repeated(doc_ids)
        if several and self.collapse:
            made.counts["collapsed rankings"] += 1
            made.counts["collapsed ranks"] += len(doc_ids) - len(ranked.doc_ids)
        elif several:
            expected = "each document once in a ranking (--collapse keeps its first rank)"
            name = None if row.question_id is None else label(row.question_id)
            made.faults.append(Fault(row.file, row.line, name, expected, several))

    def _response(self, made: Made, row: Row, id_: str, ranked: Ranking | None) -> Response:
        answer = row.answer
        if answer is not None and ranked is not None and ranked.renumbered(answer) != answer:
            answer = ranked.renumbered(answer)
            made.counts["renumbered answers"] += 1
        failed = row.error is not None
        return Response(
            system=self.system,
            question_id=id_,
            repeat=row.repeat,
            retrieved=None if ranked is None else ranked.doc_ids,
            claims=None if failed else self._claims(made, row, answer, ranked),
            answer=answer,
            status="failed" if failed else "ok",
            error=row.error,
            latency_s=row.latency_s,
            attempts=row.attempts,
        )

    def _claims(
        self, made: Made, row: Row, answer: str | None, ranked: Ranking | None
    ) -> list[Claim] | None:
        """An answer with its citations as one claim; none where the set has claims of its own.

        There an answer's claims are for a judge to read: one named `answer` would be an
        extra claim, whatever it says.
        """
        if row.citations is None and not self.marks:
            return None
        if self.opened.claims:
            made.counts["citations in words" if row.citations is None else "citations lost"] += 1
            return None
        cited = row.citations
        if cited is None:
            kept = {str(at): id_ for at, id_ in enumerate(ranked.doc_ids if ranked else (), 1)}
            cited = tuple(kept.get(n, f"[{n}]") for n in MARK.findall(answer or ""))
        made.counts["citations as claims"] += 1
        if not cited and not (answer or "").strip():
            return []
        return [Claim(WHOLE, list(dict.fromkeys(cited)))]

    def _check(self, part: Part[Response]) -> list[Fault]:
        documents = self.opened.documents
        if documents is None:
            known = {id_ for row in part.rows for id_ in row.retrieved or ()}
        else:
            known = set(documents)
        questions = References({row.question_id for row in self.opened.questions.rows})
        found = check_responses(
            part, code_rankings(part.rows, sorted(known)), References(known), questions,
            claims=self.opened.claims, rule="open",
        )  # fmt: skip
        return [*found, *check_repeats(part, None)]


def _cited(row: Row, placed: Sequence[Place] | None) -> tuple[str, ...] | None:
    """Citations of a row with names of what it retrieved as the documents those are."""
    if row.citations is None or placed is None:
        return row.citations
    named = {
        item.id: place.doc_id
        for item, place in zip(row.items or (), placed, strict=True)
        if item.id is not None
    }
    return tuple(named.get(one, one) for one in row.citations)
