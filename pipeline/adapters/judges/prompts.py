"""What a judge is asked, word for word: texts of others stand in fences."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from pipeline.adapters.judges import replied
from pipeline.adapters.judges.asking import Ask
from pipeline.adapters.judges.cases import Case, Passage
from pipeline.adapters.judges.replied import Extraction, Support
from pipeline.calls.call import Call
from pipeline.calls.fence import fenced, numbered
from pipeline.calls.prompts import Template

NONE = "(none)"
PLACES = {
    "prompt_claims": frozenset({"question", "expected", "answer"}),
    "prompt_support": frozenset({"claim", "passage"}),
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

    def _call(self, kind: str, values: dict[str, str], schema: dict[str, Any]) -> Call:
        made = self.templates[f"prompt_{kind}"]
        return Call(kind, made.revision, made.messages(values), self.draw, schema)
