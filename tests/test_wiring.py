"""The wiring between conf/, params.yaml, dvc.yaml and the modules."""

import ast
import inspect
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.__main__ import VERBS
from pipeline.stages.compose import composed
from pipeline.verbs.stage import ORDER

ROOT = Path(__file__).parents[1]
STAGES: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "dvc.yaml").read_text("utf-8"))["stages"]
STATELESS = {"pipeline/__init__.py", "pipeline/stages/__init__.py"}


def test_params_yaml_is_the_composed_default() -> None:
    assert yaml.safe_load((ROOT / "params.yaml").read_text("utf-8")) == composed(ROOT / "conf", [])


def test_the_stages_are_the_modules_of_the_package_in_order() -> None:
    modules = {file.stem for file in (ROOT / "pipeline/stages").glob("[a-z]*.py")}
    assert tuple(STAGES) == ORDER
    assert modules == set(ORDER)


def test_every_verb_has_its_module() -> None:
    modules = {file.stem for file in (ROOT / "pipeline/verbs").glob("[a-z]*.py")}
    assert {verb.replace("-", "_") for verb in VERBS} | {"help", "results"} == modules


@pytest.mark.parametrize("name", ORDER)
def test_a_stages_params_are_its_arguments(name: str) -> None:
    run = import_module(f"pipeline.stages.{name}").run
    arguments = set(inspect.signature(run).parameters) - {"data", "params"}
    assert set(STAGES[name].get("params", [])) == arguments


@pytest.mark.parametrize("name", ORDER)
def test_a_stage_depends_on_the_code_it_imports(name: str) -> None:
    deps = [str(dep) for dep in STAGES[name]["deps"]]
    for file in sorted(imported(ROOT / f"pipeline/stages/{name}.py") - STATELESS):
        assert any(file == dep or file.startswith(f"{dep}/") for dep in deps), file


@pytest.mark.parametrize("name", ORDER[1:])
def test_what_a_stage_says_it_reads_it_depends_on(name: str) -> None:
    doc = import_module(f"pipeline.stages.{name}").__doc__ or ""
    lines = doc[doc.index("Reads") : doc.index("Writes")].replace("Reads", "").split(",")
    deps = [str(dep) for dep in STAGES[name]["deps"]]
    for folder in {line.strip().split("/")[0] for line in lines} & set(ORDER):
        assert any(dep.startswith(f"data/{folder}") for dep in deps), folder


def imported(file: Path) -> set[str]:
    """Every file of the package that `file` reaches by imports, itself included."""
    found: set[str] = set()
    waiting = [file]
    while waiting:
        here = waiting.pop()
        name = here.relative_to(ROOT).as_posix()
        if name in found:
            continue
        found.add(name)
        for node in ast.walk(ast.parse(here.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pipeline"):
                at = ROOT / str(node.module).replace(".", "/")
                waiting += [at.with_suffix(".py")] if at.with_suffix(".py").is_file() else []
                waiting += [at / "__init__.py"] if at.is_dir() else []
                waiting += [
                    at / f"{alias.name}.py"
                    for alias in node.names
                    if (at / f"{alias.name}.py").is_file()
                ]
    return found
