"""The published JSON Schemas of the documents that are written, and what holds one to its own."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

Schema = Literal["comparison", "freeze", "run", "version"]


def validate(document: Mapping[str, Any], name: Schema) -> None:
    """Raise ValueError with the place of the first thing that does not fit the schema."""
    from jsonschema import Draft202012Validator  # 0.1 s: only when something is written anew

    for error in Draft202012Validator(schema(name)).iter_errors(document):
        raise ValueError(f"{name}.schema.json: {error.json_path}: {error.message}")


@cache
def schema(name: Schema) -> dict[str, Any]:
    """The JSON Schema of documents of that kind; nobody may change it."""
    text = (files("pipeline.manifest") / f"{name}.schema.json").read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded
