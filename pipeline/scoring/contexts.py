"""How much text the answers were given: five long chunks are no five short ones."""

import polars as pl


def mean_lengths(answers: pl.DataFrame, chunks: pl.DataFrame) -> dict[str, float]:
    """Mean length of the delivered context, by system.

    Args:
        answers: columns `system` and `context` of Answers.
        chunks: columns `start` and `end` of Chunks, in order of their codes.

    Returns:
        Code points a response, text that two of its chunks share counted twice, since it
        was delivered twice. Responses whose context is not known are left out; a system
        without any other has no entry.
    """
    size = (chunks["end"] - chunks["start"]).cast(pl.UInt64)
    found = {}
    for (system,), of in answers.drop_nulls("context").group_by("system"):
        shown = of["context"].explode(empty_as_null=False)
        found[str(system)] = int(size.gather(shown).sum()) / len(of)
    return found
