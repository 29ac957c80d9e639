"""Retrieved texts placed in a corpus: how long it takes, and whether each lands where it is from.

    python -m tests.benchmarks.texts [TEXTS [DOCUMENTS]]

10,000 texts (whole documents, long and short spans, spans with one wrong character) and
100,000 invented documents of about 1,700 characters by default.
"""

import random
import resource
import sys
import time

from pipeline.verbs.recording.corpus import Corpus

WORDS, LENGTH, LONG, SHORT = 30_000, 250, 500, 40


def main(count: int = 10_000, documents: int = 100_000, seed: int = 1) -> int:
    """Run it; return 0 when every text lands where it is from."""
    draw = random.Random(seed)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(draw.choices(letters, k=draw.randint(2, 10))) for _ in range(WORDS)]
    corpus = [" ".join(draw.choices(words, k=LENGTH)) for _ in range(documents)]
    texts = [_text(draw, corpus, at) for at in range(count)]
    began = time.monotonic()
    found = Corpus(corpus).find(list(dict.fromkeys(text for text, _, _ in texts)))
    took = time.monotonic() - began
    wrong = 0
    for text, doc, near in texts:
        one = found[text]
        wrong += one.docs != (() if near else (doc,))
        wrong += near and (one.near is None or one.near.doc != doc or one.near.score < 0.95)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    characters = sum(map(len, corpus)) / 1e6
    print(f"{count:,} texts, {documents:,} documents of {characters:.0f} million characters")
    print(f"{took:.1f} s, {memory:.2f} GB, {wrong} in a wrong place")
    return 1 if wrong else 0


def _text(draw: random.Random, corpus: list[str], at: int) -> tuple[str, int, bool]:
    doc = draw.randrange(len(corpus))
    whole = corpus[doc]
    if at % 4 == 0:
        return whole, doc, False
    start = draw.randrange(len(whole) - LONG)
    if at % 4 == 1:
        return whole[start : start + LONG].replace(" ", "\n ", 3), doc, False
    if at % 4 == 2:
        return whole[start : start + SHORT], doc, False
    text = whole[start : start + LONG]
    return f"{text[: LONG // 2]}#{text[LONG // 2 + 1 :]}", doc, True


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
