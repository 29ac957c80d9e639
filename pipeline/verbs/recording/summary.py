"""What was recorded, in lines that fit the terminal."""

from collections.abc import Sequence

from pipeline.checks.responses import named
from pipeline.contract.records import Response
from pipeline.contract.words import counted
from pipeline.verbs.recording.finish import Finished
from pipeline.verbs.terminal.text import Line, clean, wrapped

HOW = {
    "id": "by id", "text": "by whole text", "folded": "by whole text, white space folded",
    "span": "as a span of a document", "near": "taken for a document they are only like (--near)",
}  # fmt: skip
SHOWN = 5
"""Failures that are listed one by one."""


def summary(done: Finished, where: str, width: int, extra: Sequence[str] = ()) -> list[Line]:
    """Lines on what was written, how its texts were found, and what is worth a look.

    Args:
        done: what was done.
        where: the file.
        width: columns.
        extra: lines on how the outputs came.
    """
    rows = done.made.part.rows
    system = rows[0].system if rows else "nobody"
    replaced = f", in the place of {done.replaced:,}" if done.replaced else ""
    lines = [f"wrote {counted(len(rows), 'response')} of {system} to {where}{replaced}"]
    lines += [f"  {one}" for one in (*extra, *_found(done), *_next(done))]
    plain = [Line(line) for one in lines for line in wrapped(clean(one), width, rest="    ")]
    marked = [*_missing(done), *_failed(rows)]
    return plain + [
        Line(line, "yellow") for one in marked for line in wrapped(clean(one), width, rest="    ")
    ]


def latency(rows: Sequence[Response]) -> list[str]:
    """Median and 95th percentile, by nearest rank, of what was answered."""
    seconds = sorted(row.latency_s for row in rows if row.latency_s is not None)
    if not seconds:
        return []
    p50, p95 = (seconds[-(-len(seconds) * share // 100) - 1] for share in (50, 95))
    return [f"latency p50 {p50:.2f} s, p95 {p95:.2f} s"]


def _found(done: Finished) -> list[str]:
    counts = done.counts
    placed = [f"{counts[how]:,} {words}" for how, words in HOW.items() if counts.get(how)]
    lines = [f"retrieved: {', '.join(placed)}"] if placed else []
    if counts.get("other words"):
        other = counts["other words"]
        lines.append(f"{other:,} of them by id, though with words that the document does not have")
    if counts.get("collapsed rankings"):
        rankings = counted(counts["collapsed rankings"], "ranking")
        ranks = counted(counts["collapsed ranks"], "rank")
        lines.append(f"kept the first rank of each document in {rankings}, {ranks} fewer")
    if counts.get("renumbered answers"):
        answers = counted(counts["renumbered answers"], "answer")
        lines.append(f"marks [n] renumbered in {answers}, to the ranks now written")
    if counts.get("citations as claims"):
        answers = counted(counts["citations as claims"], "answer")
        lines.append(f"citations of {answers}, each as one claim")
    if counts.get("citations in words"):
        lines.append("marks [n] stay in the words, where the judge reads them")
    if counts.get("citations lost"):
        answers = counted(counts["citations lost"], "answer")
        lines.append(
            f"citations of {answers} are left out: they name no claim, and the set expects some"
        )
    return lines


def _next(done: Finished) -> list[str]:
    """How answers in words are scored, where claims are expected of them."""
    if not done.claims:
        return []
    return [
        "the set expects claims, and answers in words need a model that reads them: "
        "judge=openai; or score retrieval alone: question_set.claims=false"
    ]


def _missing(done: Finished) -> list[str]:
    if not done.missing:
        return []
    ids = ", ".join(question for _, _, question in done.missing[:SHOWN])
    more = f" and {len(done.missing) - SHOWN:,} more" if len(done.missing) > SHOWN else ""
    gone = counted(len(done.missing), "response")
    return [f"{gone} missing, which need missing=failed or another split: {ids}{more}"]


def _failed(rows: Sequence[Response]) -> list[str]:
    failed = [row for row in rows if row.status == "failed"]
    shown = [f"  {named(row)}: {row.error}" for row in failed[:SHOWN]]
    more = [f"  and {len(failed) - SHOWN:,} more"] if len(failed) > SHOWN else []
    return [f"{len(failed):,} failed", *shown, *more] if failed else []
