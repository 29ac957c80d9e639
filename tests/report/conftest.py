from pathlib import Path

import pytest

from pipeline.contract.files import read_json
from tests.built_in import built
from tests.finished import FIXTURE, finish
from tests.ranked_sides import ranked_run
from tests.report.compared import across, judged, reported
from tests.report.hostile import hostile


@pytest.fixture(scope="session")
def fixture_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The finished run of the fixture."""
    return finish(tmp_path_factory.mktemp("fixture") / "data")


@pytest.fixture(scope="session")
def hostile_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The finished run of a set whose strings try to break out."""
    folder = tmp_path_factory.mktemp("hostile")
    return finish(folder / "data", hostile(folder / "set"))


@pytest.fixture(scope="session")
def fixture_page(fixture_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the fixture, under a policy that rejects."""
    comparison = judged(read_json(fixture_run / "compare" / "comparison.json"))
    path = tmp_path_factory.mktemp("report") / "report.html"
    reported(fixture_run, path, comparison)
    return path


@pytest.fixture(scope="session")
def hostile_page(hostile_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the hostile run."""
    path = tmp_path_factory.mktemp("report") / "hostile.html"
    reported(hostile_run, path)
    return path


@pytest.fixture(scope="session")
def built_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the built-in system with chunks of three lengths, a folder each."""
    folder = tmp_path_factory.mktemp("built")
    sample = FIXTURE.parents[1] / "sample" / "v1"
    sides = {
        f"{words} words": (built(folder / str(words), sample, chunk_size=words), "rag")
        for words in (12, 40, 25)
    }
    across(sides, folder / "report.html")
    return folder / "report.html"


@pytest.fixture(scope="module")
def cutoffs_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of two recorded systems at k = 1, 2, 3, the context being the first two."""
    folder = tmp_path_factory.mktemp("cutoffs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DVC_ROOT", str(folder))
        return ranked_run(folder, [1, 2, 3]) / "compare" / "report.html"
