"""A run that is killed at random, many times, against a server that fails: nothing twice.

    python -m tests.benchmarks.calls [QUESTIONS [KILLS [SHARE]]]

1,000 questions, 5 kills and 20 % faults by default. Prints what the server saw beside what
it may have seen at most, and whether the scored tables are those of an undisturbed run.
"""

import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from pipeline.contract.tables import Answers, read
from tests.llm import world
from tests.llm.server import serving


def main(count: int = 1000, kills: int = 5, share: float = 0.2, seed: int = 11) -> int:
    """Run it; return 0 when everything that is promised holds."""
    os.environ["no_proxy"] = "*"
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(answer=world.some_abstain, hang=2.0) as server,
    ):
        top = Path(folder)
        data, calm = top / "data", top / "calm-data"
        os.environ["DVC_ROOT"] = str(top / "calm")
        world.until_answers(data, world.numbered(top / "set", count))
        shutil.copytree(data, calm)
        began = time.monotonic()
        world.finished(calm, server, top / "calm")
        undisturbed = world.scores(calm)
        print(f"undisturbed: {len(server.seen)} requests, {time.monotonic() - began:.1f} s")

        server.seen.clear()
        server.faults = world.faulty(share, seed)
        draw = random.Random(seed)
        began = time.monotonic()
        for _ in range(kills):
            world.killed(data, server, top, draw.randint(1, count // (kills + 1)))
        world.finished(data, server, top)
        took = time.monotonic() - began
        asked, faults = len(server.seen), len(server.met)
        most = count + faults + kills * world.CONCURRENCY
        answers = read(data / "answer", Answers)
        once = len(answers) == count and answers.equals(read(calm / "answer", Answers))
        same = world.scores(data) == undisturbed
        print(f"disturbed: {asked} requests, {faults} faults, {kills} kills, {took:.1f} s")
        print(f"at most {most} allowed: {asked <= most}")
        print(f"every answer once: {once}; scored tables byte-equal: {same}")
    return 0 if asked <= most and once and same else 1


if __name__ == "__main__":
    numbers = sys.argv[1:]
    sys.exit(main(*map(int, numbers[:2]), *map(float, numbers[2:3])))
