"""How fast rankings are measured: `python tests/benchmarks/ranked.py [RETRIEVED …]`.

200,000 random rankings of 100 documents, and of 10, with graded labels, all in memory in the form
in which each tool takes them; P, R, RR and nDCG at 10, each tool in a process of its own:

- pytrec_eval, its evaluator made    at 100 ours at least 60 times as fast, at 10 at least 20
- ir_measures over pytrec_eval       at 100 ours at least 150 times
- ranx, compiled beforehand, with building its Qrels and Run    at 100 ours at least 300 times

Seconds are the processor's, so that other work on the machine counts for nobody.

A tool that is not installed is left out, and that is said. The means have to agree. Beside it
stands what a run with cutoffs computes: AP over all ranks, Success and Judged as well.
"""

import json
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

QUESTIONS, DOCUMENTS, LABELS, CUTOFF, SEED = 200_000, 100_000, 10, 10, 7
TRIES = 3
MARKS = {
    (100, "pytrec_eval"): 60, (100, "ir_measures"): 150, (100, "ranx"): 300,
    (10, "pytrec_eval"): 20,
}  # fmt: skip
PIECES = 20_000
"""Rankings that are measured at a time, as a run does."""


def main(sizes: list[int]) -> int:
    """Measure and print a line a tool; 1 if the means differ or a mark is missed."""
    good = True
    for retrieved in sizes:
        own = min((_child("ours", retrieved) for _ in range(TRIES)), key=_seconds)
        every = min((_child("every", retrieved) for _ in range(TRIES)), key=_seconds)
        print(f"{QUESTIONS:,} rankings of {retrieved} documents, k = {CUTOFF}")
        print(f"  {'ours':14} {own['seconds']:8.2f} s")
        print(f"  {'ours, all':14} {every['seconds']:8.2f} s   with AP, Success and Judged")
        for tool in ("pytrec_eval", "ir_measures", "ranx"):
            if find_spec(tool) is None:
                print(f"  {tool:14} not installed, left out")
                continue
            tries = TRIES if tool == "pytrec_eval" else 1  # the others take minutes
            theirs = min((_child(tool, retrieved) for _ in range(tries)), key=_seconds)
            ratio, mark = theirs["seconds"] / own["seconds"], MARKS.get((retrieved, tool))
            agree = all(
                abs(a - b) < 1e-6 for a, b in zip(theirs["means"], own["means"], strict=True)
            )
            missed = mark is not None and ratio < mark
            said = f"mark: {mark}{' MISSED' if missed else ''}" if mark else ""
            told = "" if agree else f"  MEANS DIFFER: {theirs['means']} and {own['means']}"
            print(f"  {tool:14} {theirs['seconds']:8.2f} s   {ratio:6.0f} times   {said}{told}")
            good &= agree and not missed
    return 0 if good else 1


def _seconds(found: dict[str, Any]) -> float:
    return float(found["seconds"])


def _child(part: str, retrieved: int) -> dict[str, Any]:
    """Measure one tool in a process of its own."""
    words = [sys.executable, __file__, part, str(retrieved)]
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def drawn(retrieved: int) -> tuple[Any, Any, Any, Any]:
    """Rankings (questions, retrieved) without a document twice, labels, grades, their owner."""
    import numpy as np

    draw = np.random.default_rng(SEED)
    # steps of at least 1 from a random start: no document twice, without sorting
    steps = draw.integers(1, DOCUMENTS // (retrieved + 1), (QUESTIONS, retrieved))
    ranking = np.cumsum(steps, axis=1).astype(np.int32)
    ranking = draw.permuted(ranking, axis=1)
    counts = draw.integers(1, LABELS, QUESTIONS)
    owner = np.repeat(np.arange(QUESTIONS), counts)
    labels = draw.integers(0, DOCUMENTS, len(owner)).astype(np.int32)
    hit = draw.random(len(owner)) < 0.5
    at = draw.integers(0, retrieved, len(owner))
    labels[hit] = ranking[owner[hit], at[hit]]
    pairs = np.unique((owner.astype(np.int64) << 32) | labels)
    owner, labels = pairs >> 32, (pairs & 0xFFFFFFFF).astype(np.int32)
    return ranking, labels, draw.integers(1, 4, len(pairs)), owner


def ours(retrieved: int, *, every: bool) -> None:
    """Integer codes to values."""
    import numpy as np

    from pipeline.scoring.arrays import Ragged, ratio, starts
    from pipeline.scoring.qrels import Qrels
    from pipeline.scoring.ranks import find, ndcg, plain
    from pipeline.scoring.retrieval import NEVER, reciprocal_rank

    ranking, labels, grade, owner = drawn(retrieved)
    given = np.ones(QUESTIONS, np.bool_)
    flat = Ragged(np.arange(QUESTIONS + 1) * retrieved, ranking.ravel(), given)
    offsets = starts(np.bincount(owner, minlength=QUESTIONS))
    yes = np.ones(len(labels), np.bool_)
    before = time.process_time()
    qrels = Qrels(Ragged(offsets, labels, given), grade.astype(float), yes, yes, yes)
    totals = np.zeros(4)
    for start in range(0, QUESTIONS, PIECES):
        question = np.arange(start, min(start + PIECES, QUESTIONS))
        part = flat.part(start, start + len(question))
        if every:
            values = plain(find(qrels, question, part, retrieved), [CUTOFF])[CUTOFF]
            names = ("precision", "recall", "reciprocal_rank", "ndcg")
            totals += [values[name].sum() for name in names]
            continue
        found = find(qrels, question, part, CUTOFF)
        hits, first = found.hits(CUTOFF), found.first()
        rank = reciprocal_rank(np.where(first < CUTOFF, first, NEVER))
        recall = ratio(hits, qrels.count[question])
        columns = (hits / CUTOFF, recall, rank, ndcg(found, CUTOFF))
        totals += [column.sum() for column in columns]
    _report(time.process_time() - before, (totals / QUESTIONS).tolist())


def dicts(retrieved: int, depth: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The same as dicts of dicts, which the rivals take; rankings cut at `depth`."""
    ranking, labels, grade, owner = drawn(retrieved)
    names = [f"d{number}" for number in range(DOCUMENTS)]
    qrels: dict[str, Any] = {f"q{number}": {} for number in range(QUESTIONS)}
    for question, doc, gain in zip(owner.tolist(), labels.tolist(), grade.tolist(), strict=True):
        qrels[f"q{question}"][names[doc]] = gain
    scores = [float(depth - at) for at in range(depth)]
    run = {
        f"q{number}": dict(zip([names[doc] for doc in row], scores, strict=True))
        for number, row in enumerate(ranking[:, :depth].tolist())
    }
    return qrels, run


def pytrec_eval(retrieved: int) -> None:
    """Evaluator made and asked; its recip_rank has no cutoff, so what is past k is taken off."""
    import pytrec_eval as rival

    qrels, run = dicts(retrieved, retrieved)
    before = time.process_time()
    measures = {"P.10", "recall.10", "ndcg_cut.10", "recip_rank"}
    found = rival.RelevanceEvaluator(qrels, measures).evaluate(run)
    seconds = time.process_time() - before
    names = ("P_10", "recall_10", "recip_rank", "ndcg_cut_10")
    rows = list(found.values())
    for row in rows:
        row["recip_rank"] *= row["recip_rank"] * CUTOFF >= 1 - 1e-9
    _report(seconds, [sum(row[name] for row in rows) / QUESTIONS for name in names])


def ir_measures(retrieved: int) -> None:
    """Values per question, as ours are."""
    import ir_measures as rival

    qrels, run = dicts(retrieved, retrieved)
    wanted = [rival.parse_measure(f"{name}@{CUTOFF}") for name in ("P", "R", "RR", "nDCG")]
    before = time.process_time()
    totals = dict.fromkeys(wanted, 0.0)
    for value in rival.iter_calc(wanted, qrels, run):
        totals[value.measure] += value.value
    _report(time.process_time() - before, [totals[one] / QUESTIONS for one in wanted])


def ranx(retrieved: int) -> None:
    """Compiled on a small example first; building Qrels and Run counts."""
    import ranx as rival

    wanted = ["precision@10", "recall@10", "mrr@10", "ndcg@10"]
    small = {"q": {"d": 1}}, {"q": {"d": 1.0, "e": 0.5}}
    rival.evaluate(rival.Qrels(small[0]), rival.Run(small[1]), wanted)
    qrels, run = dicts(retrieved, retrieved)
    before = time.process_time()
    found = rival.evaluate(rival.Qrels(qrels), rival.Run(run), wanted)
    _report(time.process_time() - before, [float(found[name]) for name in wanted])


def _report(seconds: float, means: list[float]) -> None:
    print(json.dumps({"seconds": seconds, "means": [float(mean) for mean in means]}))


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    if len(sys.argv) > 1 and not sys.argv[1].isdecimal():
        part, size = sys.argv[1], int(sys.argv[2])
        if part in ("ours", "every"):
            ours(size, every=part == "every")
        else:
            {"pytrec_eval": pytrec_eval, "ir_measures": ir_measures, "ranx": ranx}[part](size)
    else:
        sys.exit(main([int(word) for word in sys.argv[1:]] or [100, 10]))
