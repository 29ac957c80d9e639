"""A small set, the YAML of a live system, and the verb as a person types it."""

import json
import shutil
from pathlib import Path
from typing import Any

import yaml

from pipeline.__main__ import main
from tests.finished import FIXTURE

Rows = list[dict[str, Any]]


def fixture(folder: Path) -> Path:
    """The fixture's documents and questions, without anybody's responses."""
    folder.mkdir(parents=True)
    for name in ("documents.jsonl", "questions.jsonl"):
        shutil.copy(FIXTURE / name, folder / name)
    return folder


def source(folder: Path, url: str, **sections: dict[str, Any]) -> Path:
    """The YAML of a system at `url`; sections are laid over its own."""
    made: dict[str, dict[str, Any]] = {
        "http": {
            "url": url,
            "secrets": {"X-Key": "{RAG_KEY}"},
            "body": {"q": "{question}", "id": "{question_id}"},
        },
        "reply": {"ids": "$.documents[*].id", "answer": "$.answer"},
        "calls": {"timeout": 1, "retries": 3, "deadline": 20},
    }
    for name, values in sections.items():
        made[name] = {**made.get(name, {}), **values}
    path = folder / "live.yaml"
    path.write_text(yaml.safe_dump(made), encoding="utf-8")
    return path


def record(set_: Path, live: Path, *words: str, system: str = "A") -> int:
    """The verb's exit code."""
    return main(["record", "--system", system, "--set", str(set_), "--from", str(live), *words])


def responses(set_: Path) -> Rows:
    """What was written."""
    text = (set_ / "responses.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.split("\n") if line]
