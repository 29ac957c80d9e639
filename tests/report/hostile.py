"""A set whose every string tries to break out of the page, and two systems that answer it."""

from pathlib import Path
from typing import Any

from tests.finished import hand_in

STRINGS = (
    "</script><img src=x onerror=alert(1)>",
    "<svg/onload=alert(2)>",
    "<!--<script>alert(3)//",
    "'\"><b onmouseover=alert(4)>",
    "{{ 7 * 7 }}{% raw %}",
    "\u202egnp.exe\u202c \u2066isolated",
    "שלום < 5 & &amp; &lt;",
    "\u2028\u2029 line ends",
    "😀😀 astral 😀",
    "w" * 10_000,
    "javascript:alert(5)",
    "first\nsecond\ttab",
)
IDS = ("a\"b'c", "</td><script>alert(6)</script>", "x\\u003c&lt;", "😀 <i>", "ز=1 <u>")
"""Ids may hold no line breaks; the longest has 256 characters."""


def hostile(folder: Path) -> Path:
    """Hand in the set; each question's evidence is a span behind astral characters."""
    documents = [
        {"doc_id": name, "text": f"😀{at}: {' '.join(STRINGS)}", "title": STRINGS[at]}
        for at, name in enumerate(IDS)
    ]
    questions = [
        {
            "question_id": f"q {name}", "text": STRINGS[at % len(STRINGS)] + " ?",
            "evidence": [{"doc_id": name, "claim_id": name, "start": 1, "end": 30}],
            "claims": {name: STRINGS[(at + 1) % len(STRINGS)]},
            "attributes": {"<b>slice</b>": STRINGS[at]}, "content_note": STRINGS[0],
        }
        for at, name in enumerate(IDS)
    ]  # fmt: skip
    responses = [
        _response(system, at, name, good=(system == "A") == (at % 2 == 0))
        for system in ("A", "<script>B")
        for at, name in enumerate(IDS)
    ]
    return hand_in(folder, documents=documents, questions=questions, responses=responses)


def _response(system: str, at: int, name: str, *, good: bool) -> dict[str, Any]:
    if at == 4 and not good:
        return {
            "system": system, "question_id": f"q {name}", "status": "failed", "error": STRINGS[0],
        }  # fmt: skip
    claim = {"claim_id": name if good else STRINGS[1], "citations": [name, *([] if good else IDS)]}
    claim["citations"] = list(dict.fromkeys(claim["citations"]))
    return {
        "system": system, "question_id": f"q {name}", "retrieved": [name, IDS[at - 1]],
        "claims": [claim], "answer": "\n".join(STRINGS),
    }  # fmt: skip
