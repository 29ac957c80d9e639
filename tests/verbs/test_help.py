"""The page of `--help`: a line each for verbs, groups with options, and keys."""

from pathlib import Path

import pytest

from pipeline.__main__ import VERBS, main
from pipeline.settings import GROUPS

ROOT = Path(__file__).parents[2]


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    monkeypatch.chdir(ROOT)
    assert main(["--help"]) == 0
    return capsys.readouterr().out.splitlines()


def test_every_verb_group_and_option_has_its_line(page: list[str]) -> None:
    heads = [line.split()[0] for line in page if line.startswith("  ") and line.strip()]
    assert set(VERBS) <= set(heads)
    assert set(GROUPS) <= set(heads)
    for group in GROUPS:
        first = next(at for at, line in enumerate(page) if line.startswith(f"  {group} "))
        rest = [line.startswith(" " * 13) for line in page[first + 1 :]]
        words = " ".join(page[first : first + 1 + rest.index(False)]).split()
        assert {file.stem for file in (ROOT / "conf" / group).glob("*.yaml")} <= set(words)


def test_every_key_of_the_configuration_has_its_line(page: list[str]) -> None:
    names = {line.split("=")[0].strip() for line in page if "=" in line}
    for key in ("corpus.version", "question_set.claims", "cutoff", "budget", "depth", "split"):
        assert key in names
    for key in ("repeats", "missing", "baseline", "reason", "seed", "question_set.version"):
        assert key in names
    assert "heldout_budget" in names


def test_the_page_fits_80_columns(page: list[str]) -> None:
    assert [line for line in page if len(line) > 80] == []


@pytest.mark.parametrize("verb", sorted(set(VERBS) - {"run", "show"}))
def test_every_verb_has_a_page_of_its_own(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([verb, "--help"]) == 0
    printed = capsys.readouterr().out
    assert f"usage: python -m pipeline {verb}" in printed
    assert [line for line in printed.splitlines() if len(line) > 80] == []
