"""Content hashes: over what records say, not over the order or spelling of their files.

A record is hashed as JSON with sorted keys, no spaces and no field that is at its default;
lists whose order means nothing are sorted. A set is hashed record by record in order of id.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

from pipeline.contract.records import Document, Mark, Question
from pipeline.contract.shelf import plain

LABELS = ("relevant", "support", "claims", "evidence", "annotators")
"""Fields of a question that people labelled; beside them `judged`, what they looked at."""

PERMISSIONS = ("access_groups", "caller_groups")

_ENCODER = msgspec.json.Encoder(order="sorted", enc_hook=plain)


def digest(records: Iterable[Any]) -> str:
    """SHA-256 of records in the order given, one canonical line each."""
    return whole(map(line, records))


def line(record: Any) -> bytes:
    """The canonical line of one record."""
    return _ENCODER.encode(record) + b"\n"


def whole(lines: Iterable[bytes]) -> str:
    """SHA-256 of canonical lines in the order given."""
    total = sha256()
    for one in lines:
        total.update(one)
    return total.hexdigest()


def short(one: bytes) -> str:
    """The first 12 digits of one canonical line's hash."""
    return sha256(one).hexdigest()[:12]


def documents(rows: Iterable[Document]) -> list[Document]:
    """Documents as they are hashed, in order of their ids."""
    ordered = sorted(rows, key=lambda row: row.doc_id)
    return [
        replace(row, access_groups=sorted(row.access_groups)) if row.access_groups else row
        for row in ordered
    ]


def questions(rows: Iterable[Question]) -> list[Question]:
    """Questions as they are hashed, in order of their ids."""
    return [_question(row) for row in sorted(rows, key=lambda row: row.question_id)]


def hashes(corpus: list[Document], asked: list[Question]) -> dict[str, str]:
    """Hash what has to agree between comparable runs, each part by itself.

    Args:
        corpus: documents as `documents` gives them.
        asked: questions of the chosen split as `questions` gives them.
    """
    open_documents = (
        replace(row, access_groups=None) if row.access_groups is not None else row for row in corpus
    )
    without = dict.fromkeys((*LABELS, "judged", "caller_groups"))
    permissions = [
        *({"doc_id": row.doc_id, "access_groups": row.access_groups}
          for row in corpus if row.access_groups is not None),
        *({"question_id": row.question_id, "caller_groups": row.caller_groups}
          for row in asked if row.caller_groups is not None),
    ]  # fmt: skip
    return {
        "corpus": digest(open_documents),
        "questions": digest(replace(row, **without) for row in asked),
        "labels": digest(
            {
                "question_id": row.question_id,
                **{name: getattr(row, name) for name in LABELS},
                **({"judged": row.judged} if row.judged is not None else {}),
            }
            for row in asked
        ),
        "permissions": digest(permissions),
    }


def _question(row: Question) -> Question:
    return replace(
        row,
        relevant=_sorted(row.relevant),
        support=row.support and {claim: sorted(ids) for claim, ids in row.support.items()},
        evidence=sorted(row.evidence, key=_place) if row.evidence else None,
        annotators=_sorted(row.annotators) or None,
        judged=_sorted(row.judged),
        split=row.split or "dev",
        caller_groups=_sorted(row.caller_groups),
    )


def _sorted(names: list[str] | None) -> list[str] | None:
    return None if names is None else sorted(names)


def _place(mark: Mark) -> bytes:
    return _ENCODER.encode(mark)
