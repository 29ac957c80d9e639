"""A run that is killed again and again against a server that fails: nothing is paid twice."""

import random
import shutil
import sqlite3
from pathlib import Path

import pytest

pytest.importorskip("openai")

from pipeline.contract.tables import Answers, Usage, read
from tests.llm import world
from tests.llm.server import serving

COUNT, KILLS, SHARE = 100, 2, 0.2

pytestmark = pytest.mark.slow


def test_killed_runs_against_a_faulty_server_end_in_the_same_scores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("DVC_ROOT", str(tmp_path / "calm"))
    data, calm = tmp_path / "data", tmp_path / "calm-data"
    world.until_answers(data, world.numbered(tmp_path / "set", COUNT))
    shutil.copytree(data, calm)
    with serving(answer=world.some_abstain, hang=2.0) as server:
        world.answers(calm, server.url)
        undisturbed = world.scores(calm)
        assert len(server.seen) == COUNT

        server.seen.clear()
        server.faults = world.faulty(SHARE, seed=5)
        draw = random.Random(1)
        for _ in range(KILLS):
            world.killed(data, server, tmp_path, draw.randint(10, COUNT // (KILLS + 1)))
        world.finished(data, server, tmp_path)
        asked, faults = len(server.seen), len(server.met)
    assert faults > COUNT * SHARE / 2
    assert COUNT <= asked <= COUNT + faults + KILLS * world.CONCURRENCY

    # every answer is there once: one row a question, and one answer a call in the store
    answers = read(data / "answer", Answers)
    assert answers.equals(read(calm / "answer", Answers))
    assert (len(answers), set(answers["status"])) == (COUNT, {"ok"})
    base = sqlite3.connect(tmp_path / ".rag-assay" / "calls.sqlite")
    assert base.execute(
        "SELECT count(*), count(DISTINCT key) FROM attempts WHERE ok"
    ).fetchone() == (COUNT, COUNT)
    tried = base.execute("SELECT count(*) FROM attempts").fetchone()[0]
    base.close()
    assert read(data / "answer", Usage)["attempts"].sum() == tried

    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    assert world.scores(data) == undisturbed
    assert world.answers(data, server.url)  # the server is gone, and nobody needs it
    assert world.scores(data) == undisturbed
