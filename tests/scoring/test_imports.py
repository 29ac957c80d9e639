import ast
import sys
from pathlib import Path

import pytest

import pipeline.scoring

FOLDER = Path(pipeline.scoring.__file__).parent
ALLOWED = {"numpy", "polars", *sys.stdlib_module_names} - {"os", "pathlib", "io"}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_scoring_imports_arrays_frames_the_contract_and_nothing_else(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "."]
        for name in names:
            ours = name.startswith(("pipeline.scoring", "pipeline.contract"))
            assert ours or name.split(".")[0] in ALLOWED, f"{path.name} imports {name}"
