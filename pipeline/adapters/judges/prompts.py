"""What a judge is asked, word for word: texts of others stand in fences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pipeline.adapters.judges import facts, replied
from pipeline.adapters.judges.asking import Ask
from pipeline.adapters.judges.cases import Case, Passage
from pipeline.adapters.judges.facts import Facts
from pipeline.adapters.judges.replied import Extraction, Support, Whole
from pipeline.calls.call import Call
from pipeline.calls.fence import fenced, numbered
from pipeline.calls.prompts import Template

NONE = "(none)"
PLACES = {
    "prompt_claims": frozenset({"question", "expected", "answer"}),
    "prompt_support": frozenset({"claim", "passage"}),
    "prompt_whole": frozenset({"question", "answer"}),
    "prompt_factual": frozenset({"question", "sentences", "passages"}),
    "prompt_repair": frozenset({"fault"}),
}
"""What has to stand in the prompt of each field of the adapter."""


@dataclass(frozen=True)
class Prompts:
    """The prompts of a judge.

    Attributes:
        templates: by field of the adapter.
        draw: which of several rulings on the same items, from 1.
    """

    templates: Mapping[str, Template]
    draw: int

    def claims(self, case: Case) -> Ask[Extraction]:
        """What are the claims of this answer?"""
        values = {
            "question": fenced(case.question),
            "expected": numbered([words for _, _, words in case.expected]) or NONE,
            "answer": fenced(case.text or ""),
        }
        read = partial(replied.extraction, expected=len(case.expected), marks=case.marks)
        return Ask(self._call("claims", values, replied.EXTRACTION_SCHEMA), read)

    def support(self, claim: str, passage: Passage) -> Ask[Support]:
        """Does this passage support this claim?"""
        values = {"claim": fenced(claim), "passage": fenced(passage.text)}
        read = partial(replied.support, passage=passage.text)
        return Ask(self._call("support", values, replied.SUPPORT_SCHEMA), read)

    def whole(self, case: Case) -> Ask[Whole]:
        """Does this answer deflect, and does it address its question?"""
        values = {"question": fenced(case.question), "answer": fenced(case.text or "")}
        return Ask(self._call("whole", values, replied.WHOLE_SCHEMA), replied.whole)

    def facts(self, case: Case, said: Sequence[str], shown: Sequence[int]) -> Ask[Facts]:
        """What do these passages make of each sentence?

        Args:
            case: the answer.
            said: its sentences.
            shown: positions of the passages in its context; they are numbered as there.
        """
        texts = {at + 1: case.context[at].text for at in shown}
        values = {
            "question": fenced(case.question),
            "sentences": numbered(said),
            "passages": numbered(list(texts.values()), list(texts)) or NONE,
        }
        read = partial(facts.facts, sentences=len(said), passages=texts)
        return Ask(self._call("factual", values, facts.FACTS_SCHEMA), read)

    def _call(self, kind: str, values: dict[str, str], schema: dict[str, Any]) -> Call:
        made = self.templates[f"prompt_{kind}"]
        return Call(kind, made.revision, made.messages(values), self.draw, schema)
