"""How fast scoring is: `python tests/benchmarks/score.py`.

Makes random frozen tables (200,000 questions, 10 retrieved documents each) and the same data
as JSON lines, then measures side by side, each in a process of its own, best of three:

- frozen Parquet to per-question Parquet, imports apart       at least 400,000 questions/s
- a plain Python loop over the JSON lines, without writing    ours at least 6 times as fast
- the whole score stage on 2,400 questions, with its start-up under 1 s
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

CUTOFF, RETRIEVED, DOCUMENTS = 5, 10, 100_000
LARGE, SMALL, TRIES = 200_000, 2_400, 3


def main() -> int:
    """Make the data, measure, and print a line a measurement; 1 if one misses its mark."""
    with tempfile.TemporaryDirectory() as folder:
        large, small = Path(folder) / "large", Path(folder) / "small"
        for data, size in ((large, LARGE), (small, SMALL)):
            child("make", data, size)
        ours = min((child("ours", large) for _ in range(TRIES)), key=lambda run: run["seconds"])
        plain = min((child("plain", large) for _ in range(TRIES)), key=lambda run: run["seconds"])
        stage = min(stopwatch("stage", large) for _ in range(TRIES))
        start = min(stopwatch("stage", small) for _ in range(TRIES))
    if ours["check"] != plain["check"]:
        print(f"the two disagree: {ours['check']} and {plain['check']}")
        return 1
    rate, ratio = LARGE / ours["seconds"], plain["seconds"] / ours["seconds"]
    rows = [
        ("Parquet to per-question Parquet", f"{rate:,.0f} questions/s", "400,000", rate >= 4e5),
        ("  peak memory", f"{ours['mib']:,.0f} MiB", "", True),
        ("plain Python loop over JSON", f"{LARGE / plain['seconds']:,.0f} questions/s", "", True),
        ("  peak memory", f"{plain['mib']:,.0f} MiB", "", True),
        ("ours against the plain loop", f"{ratio:.1f} times", "6", ratio >= 6),
        (f"score stage, {LARGE:,} questions", f"{stage:.2f} s with start-up", "", True),
        (f"score stage, {SMALL:,} questions", f"{start:.2f} s with start-up", "1", start < 1),
    ]
    for what, measured, mark, met in rows:
        print(f"{what:35} {measured:>24}   {mark and 'mark: ' + mark} {'' if met else 'MISSED'}")
    return 0 if all(met for *_, met in rows) else 1


def child(part: str, *words: object) -> dict[str, Any]:
    """Run one part of this file in a process of its own; return what it prints."""
    command = [sys.executable, __file__, part, *map(str, words)]
    # compiled modules are kept, as they are wherever Python is not told otherwise
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=kept)
    found: dict[str, Any] = json.loads(done.stdout or "{}")
    return found


def stopwatch(part: str, *words: object) -> float:
    """Seconds that a part takes from the start of its process to its end."""
    before = time.perf_counter()
    child(part, *words)
    return time.perf_counter() - before


def report(seconds: float, check: list[Any]) -> None:
    """Print a measurement with the peak memory of this process."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "mib": peak, "check": check}))


def ours(data: Path) -> None:
    """Frozen Parquet to per-question Parquet."""
    import polars as pl

    from pipeline.contract.results import PerQuestion
    from pipeline.contract.streamed import write_parts
    from pipeline.contract.tables import read
    from pipeline.scoring.aggregates import Averages
    from pipeline.scoring.totals import Totals, scored
    from pipeline.stages.score import opened

    before = time.perf_counter()
    values = scored(
        opened(data), Totals(Averages(bounded=True)),
        cutoff=CUTOFF, policy="interval", with_claims=True, overlap=1,
    )  # fmt: skip
    write_parts(data / "measured", PerQuestion, values)
    seconds = time.perf_counter() - before
    names = ("precision", "recall", "reciprocal_rank", "support", "coverage", "abstention")
    rows: pl.DataFrame = read(data / "measured", PerQuestion, list(names))
    report(seconds, [round(rows[name].sum(), 4) for name in names])


def plain(data: Path) -> None:
    """Score the same data as anybody would in a script: JSON lines to rows, not written.

    Values and reasons only: no check of the input, no dispute, no cause, no leak.
    """
    before = time.perf_counter()
    with (data / "questions.jsonl").open() as lines:
        questions = {question["question_id"]: question for question in map(json.loads, lines)}
    rows = []
    with (data / "responses.jsonl").open() as lines:
        for response in map(json.loads, lines):
            question = questions[response["question_id"]]
            relevant, support = set(question["relevant"]), question["support"]
            visible = response["retrieved"][:CUTOFF]
            hits = [rank for rank, doc in enumerate(visible, 1) if doc in relevant]
            shown, good = set(visible), 0
            for claim in response["claims"]:
                labelled = support.get(claim["claim_id"], ())
                cited = claim["citations"]
                if cited and all(doc in labelled and doc in shown for doc in cited):
                    good += 1
            made = len(response["claims"])
            row = {"system": response["system"], "question_id": response["question_id"]}
            why = None if relevant else "unanswerable"
            row["precision"] = len(hits) / CUTOFF if relevant else None
            row["recall"] = len(hits) / len(relevant) if relevant else None
            row["reciprocal_rank"] = (1 / hits[0] if hits else 0.0) if relevant else None
            row["support"] = good / made if made else None
            row["coverage"] = good / len(support) if support else None
            row["abstention"] = None if relevant else float(not made)
            row["false_abstention"] = float(not made) if relevant else None
            for name in ("precision", "recall", "reciprocal_rank", "coverage", "false_abstention"):
                row[f"{name}_reason"] = why
            row["support_reason"] = None if made else "no_claims"
            row["abstention_reason"] = "answerable" if relevant else None
            rows.append(row)
    seconds = time.perf_counter() - before
    names = ("precision", "recall", "reciprocal_rank", "support", "coverage", "abstention")
    report(seconds, [round(sum(row[name] or 0.0 for row in rows), 4) for name in names])


def stage(data: Path) -> None:
    """The score stage as DVC runs it, but for the door."""
    from pipeline.settings import Rubric
    from pipeline.stages.score import run

    rubric = Rubric(ids="open", unresolved="interval", overlap=1, tokenizer="words")
    run(data, cutoff=CUTOFF, budget=None, rubric=rubric, reason=None, seed=7)


def make(data: Path, size: int) -> None:
    """Write frozen tables of random content, and the same content as JSON lines."""
    from tests.benchmarks.made import frozen, jsonl

    frozen(data, size, RETRIEVED, DOCUMENTS)
    jsonl(data)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    if len(sys.argv) == 1:
        sys.exit(main())
    part, folder = sys.argv[1], Path(sys.argv[2])
    if part == "make":
        make(folder, int(sys.argv[3]))
    else:
        {"ours": ours, "plain": plain, "stage": stage}[part](folder)
