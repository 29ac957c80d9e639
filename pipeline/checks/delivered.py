"""Whether the context an answer was given is the one its scores will be about."""

from collections.abc import Sequence

import polars as pl

from pipeline.checks.ids import show
from pipeline.checks.responses import name, named
from pipeline.contract.errors import Fault
from pipeline.contract.records import Part, Response
from pipeline.contract.tables import RESPONSE_KEY

FILE = "responses.jsonl"


def check_delivered(
    responses: pl.DataFrame,
    contexts: pl.DataFrame,
    documents: pl.DataFrame,
    questions: pl.DataFrame,
    expected: str,
    file: str = FILE,
) -> list[Fault]:
    """Refuse each recorded context that is not what stands at the head of the ranking.

    Args:
        responses: Responses.
        contexts: Ranking of documents cut to what is delivered. Where it is of other systems
            than the recorded ones, nothing recorded is used and there is nothing to refuse.
        documents: Documents, for the ids in messages.
        questions: Questions, likewise.
        expected: what should have been delivered, in words.
        file: what the file of the responses is called in messages.
    """
    if not responses.select(RESPONSE_KEY).equals(contexts.select(RESPONSE_KEY)):
        return []
    # where either was not recorded the comparison is null, and null is not kept
    rows = responses.with_columns(visible=contexts["chunks"])
    wrong = rows.filter(pl.col("delivered") != pl.col("visible"))
    ids, texts = documents["doc_id"], questions["question_id"]
    return [
        _fault(
            file, row["line"], name(row["system"], row["repeat"], texts[row["question"]]),
            expected, ids.gather(row["visible"]).to_list(), ids.gather(row["delivered"]).to_list(),
        )
        for row in wrong.iter_rows(named=True)
    ]  # fmt: skip


def check_recorded(part: Part[Response], cutoff: int | None) -> list[Fault]:
    """The same of records that were not frozen yet, whatever else is wrong with them.

    Args:
        part: the records.
        cutoff: k; None: a budget, which needs the texts.
    """
    if cutoff is None:
        return []
    return [
        _fault(
            part.files[row], part.lines[row], named(response),
            f"the first {cutoff} ranked", response.retrieved[:cutoff], response.delivered,
        )
        for row, response in enumerate(part.rows)
        if response.delivered is not None
        and response.retrieved is not None
        and response.delivered != response.retrieved[:cutoff]
    ]  # fmt: skip


def _fault(
    file: str, line: int, id_: str, expected: str, visible: Sequence[str], delivered: Sequence[str]
) -> Fault:
    words = f"{expected} as delivered context: {_listed(visible)}"
    return Fault(file, line, id_, words, _listed(delivered))


def _listed(ids: Sequence[str]) -> str:
    return ", ".join(map(show, ids)) or "none"
