"""What the README says is what the product says."""

import re
from pathlib import Path

import pytest

from pipeline.contract import CONTRACT_VERSION
from pipeline.contract.metrics import METRICS, REASONS
from pipeline.verbs.results import result_lines
from tests.built_in import built
from tests.finished import finish

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
TEMPLATE = (ROOT / "pipeline/verbs/template/README.md").read_text("utf-8")


def section(name: str) -> str:
    found = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    assert found is not None, name
    return found[1]


def test_the_results_it_shows_are_those_of_the_fixture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    printed = "\n".join(line.text for line in result_lines(finish(tmp_path / "data"), 80))
    shown = re.search(r"```text\n(case .*?)```", section("Start"), re.DOTALL)
    assert shown is not None
    assert shown[1].strip() in printed


def test_the_means_it_shows_are_those_of_the_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    data = built(tmp_path / "data", ROOT / "data/raw/sample/v1", cutoff=5, chunk_size=200)
    printed = "\n".join(line.text for line in result_lines(data, 80))
    shown = re.search(r"```text\n(rag: .*?)```", section("Start"), re.DOTALL)
    assert shown is not None
    assert shown[1].strip() in printed


def test_the_rules_are_those_of_the_contracts_version_with_every_metric_and_reason() -> None:
    rules = section("How to read the numbers")
    assert f"scoring rules, version {CONTRACT_VERSION}." in rules
    assert [
        name for name in [*(m.name for m in METRICS), *REASONS] if f"`{name}`" not in rules
    ] == []


def test_its_fields_are_those_of_the_template() -> None:
    fields = re.findall(r"^\| `.*", TEMPLATE, re.MULTILINE)
    own = section("Your own data").splitlines()
    assert [row for row in fields if row not in own] == []
