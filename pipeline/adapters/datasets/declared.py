"""`set.yaml`: what a set says about itself, and the files it names."""

import os
from dataclasses import dataclass, fields
from typing import Any

import msgspec
import yaml

from pipeline.adapters.datasets.folder import Folder
from pipeline.contract.errors import Fault, nearest
from pipeline.contract.records import Collection, Version

FILE = "set.yaml"


@dataclass
class Files:
    """Names of a set's three files, below its folder."""

    documents: str = "documents.jsonl"
    questions: str = "questions.jsonl"
    responses: str = "responses.jsonl"


KEYS = {
    "corpus": tuple(Version.__struct_fields__),
    "question_set": tuple(Version.__struct_fields__),
    "files": tuple(field.name for field in fields(Files)),
}


def declare(folder: Folder, collection: Collection) -> Files:
    """Read set.yaml, if there is one, into the collection; return the names of its files.

    Every value is a text as it stands there: `version: 1.10` is the version "1.10". A set
    without a name takes its folder's.
    """
    path = folder.path / FILE
    sections = {}
    if path.is_file():
        sections = _sections(path.read_bytes(), collection)
    elif os.path.lexists(path):  # a folder, or a link to nothing: not silently no set.yaml
        collection.faults.append(Fault(FILE, None, None, "a file", "something else of that name"))
    collection.corpus = msgspec.convert(
        {"name": folder.path.name, **sections.get("corpus", {})}, Version
    )
    collection.question_set = msgspec.convert(
        {"name": folder.path.name, **sections.get("question_set", {})}, Version
    )
    return _files(folder, sections.get("files", {}), collection)


def _files(folder: Folder, named: dict[str, str], collection: Collection) -> Files:
    found = Files()
    for key, name in named.items():
        path = folder.inside(name)
        if isinstance(path, str):
            expected = f"a file of the folder in files.{key}"
            collection.faults.append(Fault(FILE, None, None, expected, path))
        else:
            setattr(found, key, name)
    return found


def _sections(text: bytes, collection: Collection) -> dict[str, dict[str, str]]:
    """The sections of the file as texts, without what is refused."""
    try:
        top = yaml.compose(text, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        line = getattr(getattr(error, "problem_mark", None), "line", None)
        place = None if line is None else line + 1
        collection.faults.append(Fault(FILE, place, None, "YAML", " ".join(str(error).split())))
        return {}
    found: dict[str, dict[str, str]] = {}
    for section, node in _pairs(top, "", tuple(KEYS), collection):
        values = found.setdefault(section, {})
        for key, value in _pairs(node, f"{section}.", KEYS[section], collection):
            if not isinstance(value, yaml.ScalarNode):
                _fault(collection, value, f"text in {section}.{key}", "a list or mapping")
            elif value.value.strip() and value.value not in ("null", "~"):
                values[key] = value.value.strip()
    return found


def _pairs(
    node: Any, prefix: str, known: tuple[str, ...], collection: Collection
) -> list[tuple[str, Any]]:
    """Keys and nodes of a mapping; unknown and repeated keys are refused."""
    if node is None or (isinstance(node, yaml.ScalarNode) and not node.value):
        return []
    if not isinstance(node, yaml.MappingNode):
        what = prefix.rstrip(".") or "set.yaml"
        _fault(collection, node, f"a mapping in {what}", "something else")
        return []
    found: dict[str, Any] = {}
    for key, value in node.value:
        name = str(key.value)
        if name not in known:
            _fault(collection, key, f"a known key{nearest(name, known)}", repr(prefix + name))
        elif name in found:
            _fault(collection, key, "each key once", f"{prefix + name!r} twice")
        else:
            found[name] = value
    return list(found.items())


def _fault(collection: Collection, node: Any, expected: str, got: str) -> None:
    line = node.start_mark.line + 1
    collection.faults.append(Fault(FILE, line, None, expected, got))
