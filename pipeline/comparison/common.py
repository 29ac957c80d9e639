"""Which questions are the same on both sides, in content and labels."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.contract.files import canonical, read_json
from pipeline.contract.tables import (
    Claims,
    Documents,
    Evidence,
    Questions,
    Relevance,
    Support,
    read,
)

Digests = dict[str, dict[str, str]]

ASPECTS = ("text", "labels", "evidence", "permissions")
"""What is looked at, question by question; the first that differs is the reason given."""


@dataclass(frozen=True)
class Common:
    """The questions that are the same, and why each other one is not.

    Attributes:
        questions: ids, sorted.
        left_out: the reason by id: `only in baseline`, `only in candidate`, `text`,
            `labels`, `evidence` (a labelled document reads otherwise) or `permissions`.
    """

    questions: list[str]
    left_out: dict[str, str]


def common(before: Digests, after: Digests) -> Common:
    """Set what `digests` gives of two sides against each other."""
    same, left_out = [], {}
    for question in sorted(before.keys() | after.keys()):
        if question not in after:
            left_out[question] = "only in baseline"
        elif question not in before:
            left_out[question] = "only in candidate"
        else:
            one, other = before[question], after[question]
            differing = [aspect for aspect in ASPECTS if one[aspect] != other[aspect]]
            if differing:
                left_out[question] = differing[0]
            else:
                same.append(question)
    return Common(same, left_out)


def digests(folder: Path) -> Digests:
    """Hash what determines a question's labels, by question id and aspect.

    Args:
        folder: a folder that the stage `freeze` wrote.

    Returns:
        For each question the hash of its text; of its labels (relevant documents, support,
        expected claims, marks, with annotators, and whether the set has labels of claims at
        all); of the texts of the documents labelled; and of who may read them and who asks.
        Codes do not enter, so that a corpus that gained a document changes no question that
        it does not touch.
    """
    with_claims = read_json(folder / "manifest.json")["question_set"]["claims"]
    questions = read(folder, Questions)
    documents = read(folder, Documents, ["doc_id", "text", "access_groups"])
    claims = read(folder, Claims)
    names = documents["doc_id"]
    marks = read(folder, Evidence)
    relevance, support = read(folder, Relevance), read(folder, Support)
    labels = [
        _rows(relevance, lambda row: ["relevant", names[row["doc"]], row["yes"], row["votes"],
                                      row["grade"]]),
        _rows(support, lambda row: ["support", claims["claim_id"][row["claim"]],
                                    names[row["doc"]], row["yes"], row["votes"]]),
        _rows(claims, lambda row: ["claim", row["claim_id"], row["text"]]),
        _rows(marks, lambda row: ["mark", names[row["doc"]], _claim(claims, row["claim"]),
                                  row["annotator"], row["grade"], row["start"], row["end"]]),
    ]  # fmt: skip
    touched = _touched(relevance, support, marks)
    found: Digests = {}
    for row in questions.iter_rows(named=True):
        code = row["question"]
        docs = sorted(touched.get(code, set()))
        found[row["question_id"]] = {
            "text": _hash(row["text"]),
            "labels": _hash(
                [with_claims, row["labelled"], row["annotators"]]
                + [sorted(kind.get(code, []), key=canonical) for kind in labels]
            ),
            "evidence": _hash([[names[doc], documents["text"][doc]] for doc in docs]),
            "permissions": _hash(
                [row["caller_groups"]]
                + [[names[doc], _listed(documents["access_groups"][doc])] for doc in docs]
            ),
        }
    return found


def _rows(frame: pl.DataFrame, said: Callable[[dict[str, Any]], Any]) -> dict[int, list[Any]]:
    """What each row says, under its question."""
    found: dict[int, list[Any]] = {}
    for row in frame.iter_rows(named=True):
        found.setdefault(row["question"], []).append(said(row))
    return found


def _touched(*frames: pl.DataFrame) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for frame in frames:
        for question, doc in frame.select("question", "doc").iter_rows():
            found.setdefault(question, set()).add(doc)
    return found


def _claim(claims: pl.DataFrame, code: int | None) -> str | None:
    return None if code is None else str(claims["claim_id"][code])


def _listed(groups: Any) -> list[str] | None:
    return None if groups is None else sorted(groups)


def _hash(value: Any) -> str:
    return sha256(canonical(value).encode()).hexdigest()
