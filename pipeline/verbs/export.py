"""`export --run FILE [--qrels FILE] [--system NAME]`: write TREC's files.

The run file holds the rankings of the last run, a line `topic Q0 document rank
score tag` each, and the qrels its labels, `topic 0 document grade`, so that
trec_eval, ir_measures and others can read both. Chunks stand for their
documents, each by its first one. Where scores do not fall strictly, as these
tools sort by them, they are the number of ranks left. `--repeat N` takes
another repeat than the first.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import polars as pl

from pipeline.checks.ids import show
from pipeline.contract.errors import ConfigError, DataError, Fault, nearest
from pipeline.contract.files import replacing
from pipeline.contract.tables import (
    Chunks,
    Documents,
    Evidence,
    LookedAt,
    Questions,
    Ranking,
    Relevance,
    read,
)
from pipeline.verbs.terminal.arguments import Arguments
from pipeline.verbs.terminal.text import clean


def main(argv: list[str], data: Path) -> int:
    """Write what was asked for; print a line a file.

    Raises:
        ConfigError: a word is not right, or there is no finished run.
        DataError: an id holds white space, which TREC's files cannot hold; or a grade is no
            whole number. Nothing is written then.
    """
    words = _parser().parse_args(argv)
    if words.run is None and words.qrels is None:
        raise ConfigError("export", expected="--run FILE, --qrels FILE or both", got="neither")
    if not (data / "rerank" / f"{Ranking.name}.parquet").is_file():
        raise ConfigError(
            "export",
            expected="a finished run in data/",
            got="none",
            remedy="run `python -m pipeline` first",
        )
    files: list[tuple[Path, list[str], str]] = []
    if words.run is not None:
        system, rows = _rankings(data, words.system, words.repeat)
        lines = list(run_lines(rows, system))
        said = f"{len(lines):,} lines of {clean(system)}, {len(rows):,} topics"
        files.append((Path(words.run), lines, said))
    if words.qrels is not None:
        lines, left_out = qrels_lines(data)
        said = f"{len(lines):,} judgements"
        if left_out:
            said += f"; {left_out:,} questions with labels in dispute are left out"
        files.append((Path(words.qrels), lines, said))
    for path, lines, said in files:
        with replacing(path) as temporary:
            temporary.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        print(f"{path}: {said}")
    return 0


def _parser() -> Arguments:
    parser = Arguments("export", description="Write rankings and labels as TREC's files.")
    parser.add_argument("--run", metavar="FILE", help="for the rankings")
    parser.add_argument("--qrels", metavar="FILE", help="for the labels")
    parser.add_argument("--system", metavar="NAME", help="whose rankings, where there are several")
    parser.add_argument("--repeat", metavar="N", type=int, default=1, help="which repeat (1)")
    return parser


def _rankings(data: Path, wanted: str | None, repeat: int) -> tuple[str, pl.DataFrame]:
    """A system with its rankings of documents: columns topic, docs, scores."""
    ranking = read(data / "rerank", Ranking)
    systems = ranking["system"].unique().sort().to_list()
    if wanted is None and len(systems) > 1:
        got = f"{len(systems)} systems: {', '.join(map(clean, systems))}"
        raise ConfigError("export --system", expected="one of several", got=got)
    system = systems[0] if wanted is None else wanted
    rows = ranking.filter(system=system, repeat=repeat)
    if rows.is_empty():
        known = ", ".join(map(clean, systems))
        near = clean(nearest(system, systems))
        repeats = ", ".join(map(str, ranking["repeat"].unique().sort().to_list()))
        expected = f"one of {known}{near}, and a repeat of {repeats}"
        raise ConfigError("export", expected=expected, got=f"{clean(system)}, repeat {repeat}")
    docs = read(data / "chunk", Chunks, ["doc"])["doc"]
    ids = read(data / "freeze", Documents, ["doc_id"])["doc_id"]
    topics = read(data / "freeze", Questions, ["question_id"])["question_id"]
    named = [
        {"topic": topics[row["question"]], **_documents(row, docs, ids)}
        for row in rows.iter_rows(named=True)
    ]
    return system, pl.DataFrame(named, schema=_SCHEMA)


_SCHEMA = pl.Schema(
    {"topic": pl.String(), "docs": pl.List(pl.String()), "scores": pl.List(pl.Float64())}
)


def _documents(
    row: dict[str, list[int] | None], docs: pl.Series, ids: pl.Series
) -> dict[str, object]:
    """Each document once, at its first chunk; none where the ranking was lost."""
    chunks, scores = row["chunks"] or [], row["scores"] or []
    first: dict[int, int] = {}
    for at, doc in enumerate(docs.gather(chunks).to_list()):
        first.setdefault(doc, at)
    kept = [scores[at] for at in first.values()] if len(scores) == len(chunks) else []
    return {"docs": ids.gather(list(first)).to_list(), "scores": kept}


def run_lines(rows: pl.DataFrame, system: str) -> Iterator[str]:
    """Columns topic, docs and scores -> the lines of a run file, topics in their order.

    Scores are kept where they fall strictly as 32-bit numbers too, which trec_eval reads.

    Raises:
        DataError: an id or the system's name holds white space.
    """
    found = set(rows["docs"].explode().drop_nulls())
    check_bare({"system": [system], "question_id": rows["topic"], "doc_id": found})
    for topic, docs, scores in rows.iter_rows():
        if len(scores) != len(docs) or not strictly_falling(scores):
            scores = [float(len(docs) - at) for at in range(len(docs))]
        for rank, (doc, score) in enumerate(zip(docs, scores, strict=True), 1):
            yield f"{topic} Q0 {doc} {rank} {score!r} {system}"


def strictly_falling(scores: list[float]) -> bool:
    """Whether no two scores are in another order, or the same, once they have 32 bits."""
    return bool((np.diff(np.array(scores, np.float32)) < 0).all())


def qrels_lines(data: Path) -> tuple[list[str], int]:
    """The labels of the frozen questions, and how many of these are in dispute and left out.

    Raises:
        DataError: an id holds white space, or a grade is no whole number.
    """
    relevance = read(data / "freeze", Relevance)
    open_ = relevance.filter(pl.col("yes") < pl.col("votes"))["question"].unique()
    judged = [
        read(data / "freeze", table, ["question", "doc"]).with_columns(grade=0.0)
        for table in (Evidence, LookedAt)
    ]
    rows = (
        pl.concat([relevance.select("question", "doc", "grade"), *judged])
        .group_by("question", "doc")
        .agg(pl.col("grade").max())
        .filter(~pl.col("question").is_in(open_.implode()))
        .sort("question", "doc")
    )
    named = rows.select(
        topic=pl.lit(read(data / "freeze", Questions)["question_id"]).gather("question"),
        doc=pl.lit(read(data / "freeze", Documents, ["doc_id"])["doc_id"]).gather("doc"),
        grade="grade",
    )
    check_bare({"question_id": named["topic"], "doc_id": named["doc"]})
    broken = named.filter(pl.col("grade") % 1 != 0)
    if len(broken):
        faults = [
            Fault("qrels", None, f"{topic} {doc}", "a whole number as grade", f"{grade}")
            for topic, doc, grade in broken.iter_rows()
        ]
        raise DataError(faults, remedy="TREC's files hold no other; nothing was written")
    return [f"{topic} 0 {doc} {int(grade)}" for topic, doc, grade in named.iter_rows()], len(open_)


def check_bare(names: dict[str, Iterable[str]]) -> None:
    """Refuse ids that hold white space, which parts the columns of TREC's files.

    Raises:
        DataError: naming each of them, with its kind.
    """
    faults = [
        Fault("export", None, kind, "no white space", show(id_))
        for kind, ids in names.items()
        for id_ in sorted({id_ for id_ in ids if len(id_.split()) != 1})
    ]
    if faults:
        raise DataError(faults, remedy="TREC's files cannot hold such ids; nothing was written")
