"""A small run with a model: a set, the stages around the answers, and a process to kill."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipeline.adapters.chunkers.document import Document
from pipeline.adapters.datasets.jsonl import Jsonl
from pipeline.adapters.judges.labels import Labels
from pipeline.adapters.rerankers.none import Unchanged
from pipeline.settings import QuestionSet, Rubric, Versioned
from pipeline.stages import answer, chunk, compare, freeze, judge, rerank, retrieve, score
from tests.built_in import configured
from tests.comparing import COMPARING
from tests.finished import hand_in
from tests.llm.server import FAULTS, Body, Server

RUBRIC = Rubric(ids="open", unresolved="interval", overlap=1, tokenizer="words")
CONCURRENCY = 8
SCORED = ("per_question.parquet", "aggregates.parquet", "aggregates.csv", "metrics.json")


def numbered(folder: Path, count: int) -> Path:
    """A set of so many documents, each with a question of its own."""
    return hand_in(
        folder,
        documents=[
            {"doc_id": f"d{at}", "text": f"The town of name{at} has {at} gates."}
            for at in range(count)
        ],
        questions=[
            {
                "question_id": f"q{at}",
                "text": f"How many gates has name{at}",
                "relevant": [f"d{at}"],
                "support": {"gates": [f"d{at}"]},
            }
            for at in range(count)
        ],
    )


def some_abstain(body: Body) -> str:
    """The model of this world: it abstains on every tenth question, so that scores differ."""
    name = body["messages"][-1]["content"].split()[-1]
    return "NO ANSWER" if name.endswith("7") else f"{name} has some gates [1][9]."


def until_answers(data: Path, source: Path) -> None:
    """Run the stages before `answer`."""
    freeze.run(
        data,
        dataset=Jsonl(path=str(source)),
        corpus=Versioned(None, None, None),
        question_set=QuestionSet("towns", None, None, "auto"),
        split="dev",
        missing="refuse",
        repeats=None,
        rubric=RUBRIC,
    )
    chunk.run(data, chunker=Document())
    retrieve.run(data, retriever=configured("retriever", "bm25"), depth=5)
    rerank.run(data, reranker=Unchanged())


def answers(data: Path, url: str, *, repeats: int | None = None, **changed: Any) -> str:
    """Run the stage `answer` with the model at `url`."""
    model: dict[str, Any] = {
        "base_url": url,
        "model": "m",
        "api_key_env": None,
        "concurrency": CONCURRENCY,
    }
    model |= {"timeout": 1.0, "retries": 12, "deadline": 120.0, **changed}
    built = configured("answerer", "openai", **model)
    return answer.run(data, answerer=built, cutoff=2, budget=None, repeats=repeats, rubric=RUBRIC)


def scores(data: Path) -> dict[str, bytes]:
    """Run the stages after `answer`; return the scored tables as they lie on the disk."""
    judge.run(data, judge=Labels())
    score.run(data, cutoff=2, budget=None, rubric=RUBRIC, reason=None, seed=7)
    compare.run(data, baseline=None, **COMPARING)
    return {name: (data / "score" / name).read_bytes() for name in SCORED}


def faulty(share: float, seed: int) -> Iterator[str | None]:
    """Faults of every kind, at random, for this share of the requests."""
    draw = random.Random(seed)
    while True:
        yield draw.choice(FAULTS) if draw.random() < share else None


def process(data: Path, url: str, project: Path) -> subprocess.Popen[str]:
    """The stage `answer` as a process of its own, whose store lies below `project`."""
    words = [sys.executable, "-m", "tests.llm.world", str(data), url]
    env = {**os.environ, "DVC_ROOT": str(project), "no_proxy": "*"}
    return subprocess.Popen(
        words, env=env, cwd=Path(__file__).parents[2], stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip


def killed(data: Path, server: Server, project: Path, requests: int) -> None:
    """Start the stage and kill it once it has made so many requests more."""
    running = process(data, server.url, project)
    before = len(server.seen)
    while len(server.seen) < before + requests and running.poll() is None:
        time.sleep(0.005)
    os.killpg(running.pid, signal.SIGKILL)
    _, said = running.communicate()
    assert running.returncode == -signal.SIGKILL, said


def finished(data: Path, server: Server, project: Path) -> None:
    """Run the stage to its end."""
    running = process(data, server.url, project)
    _, said = running.communicate(timeout=1200)
    assert running.returncode == 0, said


if __name__ == "__main__":
    print(answers(Path(sys.argv[1]), sys.argv[2]))
