"""Find the claims of every answer and what they cite.

Reads   freeze/claims, freeze/evidence, freeze/documents, chunk/chunks, answer/answers
Writes  judge/statements
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

    statements = judge.judge(answers, claims, evidence, chunks, documents)

    key = ["system", "repeat", "question"]
    if not statements.select(key).equals(answers.select(key)):
        raise ValueError("judge: expected one row for each answer, in order")
    with replacing(data / "judge") as folder:
        write(folder, Statements, statements)
        write_json(folder / "settings.json", {"judge": describe(judge)})
    stated = statements["claims"].list.len().sum()
    return f"{stated:,} claims in {len(statements):,} answers"
