"""`stage NAME`: what it asks for before it runs."""

from pathlib import Path

import pytest

from pipeline.contract.errors import ConfigError
from pipeline.verbs.stage import main


def test_a_stage_without_the_results_of_the_one_before_says_so_and_touches_nothing(
    tmp_path: Path,
) -> None:
    later = tmp_path / "compare"
    later.mkdir()
    with pytest.raises(ConfigError) as caught:
        main(["score"], tmp_path)
    assert str(caught.value) == (
        f"stage score: expected the results of judge in {tmp_path}/judge, got none; "
        "`python -m pipeline` runs every stage in order"
    )
    assert later.is_dir()
