"""Find the claims of every answer and what they cite, and rule on them.

Reads   freeze/claims, freeze/evidence, freeze/documents, freeze/verdicts, chunk/chunks,
        answer/answers
Writes  judge/statements, judge/verdicts
"""

from pathlib import Path

from pipeline.contract.files import replacing, write_json
from pipeline.contract.ports import Judge
from pipeline.contract.tables import (
    Answers,
    Chunks,
    Claims,
    Documents,
    Evidence,
    Statements,
    Verdicts,
    read,
    write,
)
from pipeline.settings import describe


def run(data: Path, *, judge: Judge) -> str:
    """Judge every answer; return one line on what came out.

    Raises:
        ValueError: the judge left an answer out.
    """
    claims = read(data / "freeze", Claims)
    evidence = read(data / "freeze", Evidence)
    documents = read(data / "freeze", Documents, ["doc", "doc_id"])
    chunks = read(data / "chunk", Chunks)
    answers = read(data / "answer", Answers)

    recorded = read(data / "freeze", Verdicts)
    statements, verdicts = judge.judge(answers, claims, evidence, chunks, documents, recorded)

    key = ["system", "repeat", "question"]
    if not statements.select(key).equals(answers.select(key)):
        raise ValueError("judge: expected one row for each answer, in order")
    with replacing(data / "judge") as folder:
        write(folder, Statements, statements)
        write(folder, Verdicts, verdicts)
        write_json(folder / "settings.json", {"judge": describe(judge)})
    stated = statements["claims"].list.len().sum()
    ruled = f", {len(verdicts):,} verdicts" if len(verdicts) else ""
    return f"{stated:,} claims in {len(statements):,} answers{ruled}"
