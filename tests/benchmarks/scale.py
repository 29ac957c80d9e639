"""How freezing and scoring grow with the data: `python tests/benchmarks/scale.py [questions …]`.

Makes frozen tables of 1 and 10 million questions (or as many as named) with 100 retrieved
documents each, 340 MB of Parquet a million, and 300 MB of recorded responses as JSON lines
(200,000 with 100 documents each). Then measures side by side, each in a process of its own:

- scoring: the whole stage, Parquet to per-question Parquet, averages and intervals, against
  decoding the columns it reads, row group by row group, with pyarrow
- freezing: the whole stage, JSON lines to Parquet with every check, against decoding the
  lines into the same typed records with msgspec; those let go one by one, and those kept

Seconds of the clock depend on what else the machine does; seconds of the processor, summed
over its cores, hardly do. Marks: scoring at most 1.7 times the decoding and under 1 GiB,
freezing at most 8 times.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

CUTOFF, RETRIEVED, DOCUMENTS, RESPONSES = 10, 100, 100_000, 200_000
SIZES = (1_000_000, 10_000_000)
ROWS = "{what:44} {seconds:>8} {cpu:>8} {times:>7} {mib:>9}"


def main(sizes: list[int]) -> int:
    """Make the data, measure, print a line a measurement; 1 if one misses its mark."""
    heads = {"seconds": "s", "cpu": "cpu s", "times": "times", "mib": "MiB"}
    print(ROWS.format(what="", **heads))
    good = [pair(("decode",), "score", "make", size, 1.7) for size in sizes]
    good.append(pair(("decode-lines", "keep-lines"), "freeze", "lines", RESPONSES, 8.0))
    return 0 if all(good) else 1


def pair(plain: Sequence[str], ours: str, make: str, size: int, mark: float) -> bool:
    """Measure one of our stages against bare decoding; whether it holds its marks by the first."""
    with tempfile.TemporaryDirectory() as folder:
        child(make, folder, size)
        measured = {what: child(what, folder) for what in (*plain, ours)}
    run = measured[ours]
    for what, found in measured.items():
        line = ROWS.format(
            what=f"{what}, {size:,}", seconds=f"{found['seconds']:.1f}",
            cpu=f"{found['cpu']:.1f}", mib=f"{found['mib']:,.0f}",
            times="" if what == ours else f"{run['cpu'] / found['cpu']:.1f}",
        )  # fmt: skip
        print(line, flush=True)
    times = {kind: run[kind] / measured[plain[0]][kind] for kind in ("seconds", "cpu")}
    light = run["mib"] < 1024 or ours == "freeze"
    met = min(times.values()) <= mark and light
    print(f"  mark: {mark} times" + ("" if met else "   MISSED"), flush=True)
    return met


def child(part: str, *words: object) -> dict[str, Any]:
    """Run one part of this file in a process of its own; return what it prints."""
    command = [sys.executable, __file__, part, *map(str, words)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout or "{}")
    return found


def measured(work: Callable[[], object]) -> None:
    """Do it and print how long it took, and the peak memory of this process."""
    clock, cpu = time.perf_counter(), time.process_time()
    work()
    seconds, cpu = time.perf_counter() - clock, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "cpu": cpu, "mib": peak}))


def decode(data: Path) -> None:
    """Decode the columns that scoring reads, one row group after the other."""
    from dataclasses import fields

    from pyarrow.parquet import ParquetFile  # type: ignore[import-untyped]

    from pipeline.contract.streamed import Stored
    from pipeline.stages.score import opened

    source = opened(data)
    stored = [getattr(source, field.name) for field in fields(source)]

    def work() -> None:
        for table in stored:
            if isinstance(table, Stored):
                file = ParquetFile(table.path)
                for group in range(file.num_row_groups):
                    file.read_row_group(group, columns=list(table.columns))

    measured(work)


def score(data: Path) -> None:
    """The score stage."""
    from pipeline.settings import Rubric
    from pipeline.stages.score import run

    rubric = Rubric(ids="open", unresolved="interval", overlap=1, tokenizer="words")
    measured(lambda: run(data, cutoff=CUTOFF, budget=None, rubric=rubric, reason=None, seed=7))


def decode_lines(data: Path, kept: list[Any] | None = None) -> None:
    """Decode the lines of all three files into typed records; let go of each, or keep it."""
    from msgspec.json import Decoder

    from pipeline.contract.records import Document, Question, Response

    kinds = {"documents": Document, "questions": Question, "responses": Response}

    def work() -> None:
        for name, kind in kinds.items():
            decoder = Decoder(kind)
            with (data / "set" / f"{name}.jsonl").open("rb") as lines:
                if kept is None:
                    for line in lines:
                        decoder.decode(line)
                else:
                    kept.extend(map(decoder.decode, lines))

    measured(work)


def keep_lines(data: Path) -> None:
    """The same, all records kept and the collector off, as freezing has it."""
    from pipeline.stages.freeze import uncollected

    with uncollected():
        decode_lines(data, [])


def freeze(data: Path) -> None:
    """The freeze stage."""
    from pipeline.adapters.datasets.jsonl import Jsonl
    from pipeline.settings import QuestionSet, Rubric, Versioned
    from pipeline.stages.freeze import run

    rubric = Rubric(ids="open", unresolved="interval", overlap=1, tokenizer="words")
    unnamed = {"name": None, "version": None, "note": None}
    measured(
        lambda: run(
            data, dataset=Jsonl(str(data / "set")), corpus=Versioned(**unnamed),
            question_set=QuestionSet(**unnamed, claims="auto"), split="dev", missing="refuse",
            repeats=None, rubric=rubric,
        )
    )  # fmt: skip


def make(data: Path, size: int) -> None:
    """Frozen tables of so many questions."""
    from tests.benchmarks.tiled import tile

    tile(data, size, RETRIEVED, CUTOFF, DOCUMENTS)


def lines(data: Path, size: int) -> None:
    """The same as files that people hand in, of ids 10 characters long or more."""
    from tests.benchmarks.made import frozen, jsonl

    frozen(data, size, RETRIEVED, DOCUMENTS)
    (data / "set").mkdir()
    jsonl(data)
    ids = (f"d{number:06}" for number in range(DOCUMENTS))
    with (data / "set" / "documents.jsonl").open("w") as file:
        file.writelines(f'{{"doc_id": "{id_}", "text": "{id_}"}}\n' for id_ in ids)
    for name in ("questions", "responses"):
        (data / f"{name}.jsonl").rename(data / "set" / f"{name}.jsonl")


PARTS: dict[str, Callable[..., None]] = {
    "make": make, "lines": lines, "decode": decode, "score": score,
    "decode-lines": decode_lines, "keep-lines": keep_lines, "freeze": freeze,
}  # fmt: skip

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    if len(sys.argv) > 1 and sys.argv[1] in PARTS:
        part, folder, *rest = sys.argv[1:]
        PARTS[part](Path(folder), *map(int, rest))
    else:
        sys.exit(main([int(size) for size in sys.argv[1:]] or list(SIZES)))
