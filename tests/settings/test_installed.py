"""Optional packages, and models on this machine."""

import logging
import zipfile
from pathlib import Path

import pytest

from pipeline.contract.errors import ConfigError
from pipeline.settings.installed import hushed_hub, model_folder, optional


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project's folder, and a place for packages."""
    monkeypatch.setenv("DVC_ROOT", str(tmp_path / "project"))
    monkeypatch.syspath_prepend(str(tmp_path / "packages"))
    (tmp_path / "project").mkdir()
    return tmp_path


def test_a_missing_extra_is_one_line_with_the_command() -> None:
    with pytest.raises(ConfigError) as raised:
        optional("no_such_module_at_all", extra="dense", where="conf: retriever.model")
    assert str(raised.value) == (
        "conf: retriever.model: expected the extra [dense], got no module "
        "no_such_module_at_all; pip install -e '.[dense]'"
    )


def test_the_hubs_retries_are_not_told_one_by_one() -> None:
    pytest.importorskip("huggingface_hub")
    hushed_hub()
    assert not logging.getLogger("huggingface_hub.utils._http").isEnabledFor(logging.WARNING)


def test_a_folder_of_the_projects_comes_first(project: Path) -> None:
    (project / "project/models/mine").mkdir(parents=True)
    assert model_folder("models/mine") == project / "project/models/mine"


def test_a_packaged_folder_is_found_by_the_models_name(project: Path) -> None:
    folder = project / "packages/gt_tiny_model_one/model"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    (folder.parent / "__init__.py").write_text("raise ImportError('nobody has to import it')")
    assert model_folder("some-org/Tiny-Model-One") == folder


def test_a_packaged_archive_is_unpacked_once(project: Path) -> None:
    package = project / "packages/tiny_model_two"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    with zipfile.ZipFile(package / "model.zip", "w") as archive:
        archive.writestr("config.json", "{}")
    folder = model_folder("tiny-model-two")
    assert folder is not None
    assert (folder / "config.json").read_text() == "{}"
    (folder / "mark").touch()
    assert model_folder("tiny-model-two") == folder
    assert (folder / "mark").exists()


@pytest.mark.parametrize("name", ["no-org/no-such-model", "3-d", "a b/c d"])
def test_a_model_that_is_nowhere_here_is_none(name: str) -> None:
    assert model_folder(name) is None
