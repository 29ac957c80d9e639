import polars as pl

from pipeline.contract.tables import CODES
from pipeline.scoring.contexts import mean_lengths


def test_lengths_are_summed_over_chunks_and_averaged_over_known_contexts() -> None:
    chunks = pl.DataFrame(
        {"start": [0, 5, 0], "end": [10, 15, 4]}, schema={"start": pl.UInt32, "end": pl.UInt32}
    )  # lengths 10, 10 and 4; the first two share five
    answers = pl.DataFrame(
        {"system": ["a", "a", "a", "b", "c"], "context": [[0, 1], [], None, None, [2]]},
        schema={"system": pl.String, "context": CODES},
    )
    # a: (10 + 10) and 0 over two responses; b: none is known
    assert mean_lengths(answers, chunks) == {"a": 10.0, "c": 4.0}
