"""How fast labelled spans find their chunks: `python tests/benchmarks/spans.py`.

6,000 spans against one million chunks of 10,000 documents, beside a plain loop that looks
through the chunks of each span's document; both must find the same pairs. Mark: 0.05 s.
"""

import sys
import time

import numpy as np

from pipeline.scoring.cuts import Cuts

DOCUMENTS, EACH, SPANS, LENGTH = 10_000, 100, 6_000, 500
MARK, TRIES = 0.05, 5


def main() -> int:
    """Measure and print a line each; 1 if the two disagree or ours misses its mark."""
    draw = np.random.default_rng(7)
    doc = np.repeat(np.arange(DOCUMENTS, dtype=np.int32), EACH)
    start = np.tile(np.arange(EACH, dtype=np.int64) * LENGTH, DOCUMENTS)
    cuts = Cuts(doc, start, start + LENGTH + 50)  # neighbours share 50 characters
    where = draw.integers(0, DOCUMENTS, SPANS)
    first = draw.integers(0, EACH * LENGTH - 400, SPANS)
    last = first + draw.integers(1, 400, SPANS)

    times = []
    for _ in range(TRIES):
        began = time.perf_counter()
        span, chunk = cuts.touching(where, first, last, beside=False)
        times.append(time.perf_counter() - began)
    ours = min(times)

    rows = list(zip(start.tolist(), (start + LENGTH + 50).tolist(), strict=True))
    began = time.perf_counter()
    plain = [
        (at, code)
        for at, (of, low, high) in enumerate(
            zip(where.tolist(), first.tolist(), last.tolist(), strict=True)
        )
        for code in range(of * EACH, (of + 1) * EACH)
        if rows[code][0] < high and rows[code][1] > low
    ]
    loop = time.perf_counter() - began
    if plain != list(zip(span.tolist(), chunk.tolist(), strict=True)):
        print("the two disagree")
        return 1
    print(f"{SPANS:,} spans to {len(doc):,} chunks  {ours:.4f} s   mark: {MARK}", end="")
    print("" if ours < MARK else "  MISSED")
    print(f"plain loop over each span's document  {loop:.3f} s: {loop / ours:.1f} times slower")
    return 0 if ours < MARK else 1


if __name__ == "__main__":
    sys.exit(main())
