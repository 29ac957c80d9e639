"""Find the claims of every answer and what they cite, and rule on them.

Reads   freeze/questions, freeze/claims, freeze/relevance, freeze/evidence, freeze/documents,
        freeze/verdicts, freeze/manifest.json, chunk/chunks, answer/answers;
        compose/decisions.json, which says that people have decided more
Writes  judge/statements, judge/verdicts, judge/rulings.jsonl (what a model ruled, as people
        do), judge/calls (what a model's calls cost), judge/remark.txt (what people have still
        to decide)
"""

from pathlib import Path

import polars as pl

from pipeline.adapters.judges.asking import UNREADABLE
from pipeline.adapters.judges.cases import cases
from pipeline.adapters.judges.rulings import FAILED, KINDS, lines, rulings
from pipeline.calls.subject import about
from pipeline.calls.tally import tallied
from pipeline.contract.files import read_json, replacing, write_json
from pipeline.contract.ports import Judge, OfPeople
from pipeline.contract.tables import (
    Answers,
    Calls,
    Chunks,
    Claims,
    Documents,
    Evidence,
    Questions,
    Relevance,
    Statements,
    Verdicts,
    read,
    write,
)
from pipeline.settings import describe

AGAIN = ": `dvc repro -f -s judge` asks again"
"""For DVC a stage with failures is done, and would not run."""
ANEW = ": judge.draw={} asks anew"
"""A reply that cannot be read is a reply, and is kept; another draw has others."""


def run(data: Path, *, judge: Judge) -> str:
    """Judge every answer; return one line on what came out.

    Raises:
        ValueError: the judge left an answer out.
    """
    questions = read(data / "freeze", Questions)
    claims = read(data / "freeze", Claims)
    relevance = read(data / "freeze", Relevance)
    evidence = read(data / "freeze", Evidence)
    documents = read(data / "freeze", Documents)
    chunks = read(data / "chunk", Chunks)
    answers = read(data / "answer", Answers)

    recorded = read(data / "freeze", Verdicts)
    with (
        about(read_json(data / "freeze" / "manifest.json")["question_set"]["name"]),
        tallied() as calls,
    ):
        statements, verdicts = judge.judge(
            answers, questions, claims, relevance, evidence, chunks, documents, recorded
        )

    key = ["system", "repeat", "question"]
    if not statements.select(key).equals(answers.select(key)):
        raise ValueError("judge: expected one row for each answer, in order")
    settings = describe(judge)
    told = {"decisions_hash": judge.decided()} if isinstance(judge, OfPeople) else {}
    remark = judge.remark() if isinstance(judge, OfPeople) else ""
    with replacing(data / "judge") as folder:
        write(folder, Statements, statements)
        write(folder, Verdicts, verdicts)
        write_json(folder / "settings.json", {"judge": settings, **told})
        if calls:
            made = pl.DataFrame(list(calls.values()), schema=Calls.schema)
            write(folder, Calls, made.sort(Calls.key))
        if verdicts["kind"].is_in((*KINDS, FAILED)).any():
            read_by = cases(answers, questions, claims, relevance, evidence, chunks, documents)
            found = rulings(verdicts, read_by, questions["question_id"], settings)
            (folder / "rulings.jsonl").write_text(lines(found), encoding="utf-8")
        if remark:
            (folder / "remark.txt").write_text(f"{remark}\n", encoding="utf-8")
    stated = statements["claims"].list.len().sum()
    ruled = f", {len(verdicts):,} verdicts" if len(verdicts) else ""
    lost = (~statements["judged"]).sum()
    again = AGAIN if any(not call["ok"] for call in calls.values()) else ""
    if not again and verdicts["text"].str.starts_with(UNREADABLE).any():
        again = ANEW.format(settings.get("draw", 1) + 1)
    failed = f"; the judge failed on {lost:,}{again}" if lost else ""
    open_ = f"; {remark}" if remark else ""
    return f"{stated:,} claims in {len(statements):,} answers{ruled}{failed}{open_}"
