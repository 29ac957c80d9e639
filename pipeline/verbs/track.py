"""`track`: log a finished run, e.g. after the store was down or was lost."""

from pathlib import Path

from pipeline.contract.errors import ConfigError
from pipeline.settings import adapter
from pipeline.stages import track
from pipeline.stages.compose import PARAMS, read_yaml


def main(words: list[str], data: Path) -> int:
    """Log what data/ holds with the tracker of params.yaml; print the receipt's line.

    Raises:
        ConfigError: there is no finished run, or the words are not right.
        EndpointError: the store does not answer.
    """
    if words:
        raise ConfigError("track", expected="no words", got=" ".join(words))
    if not (data / "compare" / "comparison.json").is_file() or not PARAMS.is_file():
        raise ConfigError(
            "track",
            expected="a finished run in data/",
            got="none",
            remedy="run `python -m pipeline` first",
        )
    params = read_yaml(PARAMS)
    line = track.run(data, tracker=adapter("tracker", params), params=params)
    print(f"track: {line}")
    return 0
