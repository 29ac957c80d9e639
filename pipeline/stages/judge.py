"""Find the claims of every answer and what they cite.

Reads   freeze/claims, freeze/documents, answer/answers
Writes  judge/statements
"""

from pathlib import Path

from pipeline.contract.files import replacing, write_json
from pipeline.contract.ports import Judge
from pipeline.contract.tables import Answers, Claims, Documents, Statements, read, write
from pipeline.settings import describe


def run(data: Path, *, judge: Judge) -> str:
    """Judge every answer; return one line on what came out.

    Raises:
        ValueError: the judge left an answer out.
    """
    claims = read(data / "freeze", Claims)
    documents = read(data / "freeze", Documents, ["doc", "doc_id"])
    answers = read(data / "answer", Answers)

    statements = judge.judge(answers, claims, documents)

    key = ["system", "repeat", "question"]
    if not statements.select(key).equals(answers.select(key)):
        raise ValueError("judge: expected one row for each answer, in order")
    with replacing(data / "judge") as folder:
        write(folder, Statements, statements)
        write_json(folder / "settings.json", {"judge": describe(judge)})
    stated = statements["claims"].list.len().sum()
    return f"{stated:,} claims in {len(statements):,} answers"
