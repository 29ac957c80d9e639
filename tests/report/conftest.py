from pathlib import Path

import pytest

from pipeline.contract.files import read_json
from tests.finished import finish
from tests.report.compared import judged, reported
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
