"""Whether the context an answer was given is the one its scores will be about."""

import polars as pl

from pipeline.checks.ids import show
from pipeline.checks.responses import name, named
from pipeline.contract.errors import Fault
from pipeline.contract.records import Part, Response

FILE = "responses.jsonl"


def check_delivered(
    responses: pl.DataFrame,
    documents: pl.DataFrame,
    questions: pl.DataFrame,
    cutoff: int,
    file: str = FILE,
) -> list[Fault]:
    """Refuse each recorded context that is not the first `cutoff` of what was retrieved.

    Args:
        responses: Responses.
        documents: Documents, for the ids in messages.
        questions: Questions, likewise.
        cutoff: k, the chunks that reach the answer.
        file: what the file of the responses is called in messages.
    """
    visible = pl.col("retrieved").list.head(cutoff)
    # where either was not recorded the comparison is null, and null is not kept
    wrong = responses.filter(pl.col("delivered") != visible).with_columns(visible.alias("visible"))
    ids, texts = documents["doc_id"], questions["question_id"]
    return [
        _fault(
            file, row["line"], name(row["system"], row["repeat"], texts[row["question"]]),
            cutoff, ids.gather(row["visible"]).to_list(), ids.gather(row["delivered"]).to_list(),
        )
        for row in wrong.iter_rows(named=True)
    ]  # fmt: skip


def check_recorded(part: Part[Response], cutoff: int) -> list[Fault]:
    """The same of records that were not frozen yet, whatever else is wrong with them."""
    return [
        _fault(
            part.files[row], part.lines[row], named(response),
            cutoff, response.retrieved[:cutoff], response.delivered,
        )
        for row, response in enumerate(part.rows)
        if response.delivered is not None
        and response.retrieved is not None
        and response.delivered != response.retrieved[:cutoff]
    ]  # fmt: skip


def _fault(
    file: str, line: int, id_: str, cutoff: int, visible: list[str], delivered: list[str]
) -> Fault:
    expected = f"the first {cutoff} retrieved as delivered context: {_listed(visible)}"
    return Fault(file, line, id_, expected, _listed(delivered))


def _listed(ids: list[str]) -> str:
    return ", ".join(map(show, ids)) or "none"
