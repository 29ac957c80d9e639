"""A callable of an installed plug-in as a live system."""

import importlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.finished import hand_in
from tests.verbs.recording.live import record, responses

SYSTEM = """
calls = []

def answer(question):
    calls.append(question)
    if question == "odd?":
        raise ValueError("no idea")
    if question == "late?":
        import time
        time.sleep(3)
    return {"retrieved": ["hours", "Boats cost nine coins."], "answer": f"{question} [1]"}

def wrong(question):
    return ["hours"]

number = 7
"""
POINTS = """[rag_assay.systems]
mine = my_system:answer
wrong = my_system:wrong
number = my_system:number
gone = my_system:gone
"""


@pytest.fixture
def set_(tmp_path: Path) -> Path:
    documents = [
        {"doc_id": "hours", "text": "The kiosk opens at eight."},
        {"doc_id": "boats", "text": "Boats cost nine coins."},
    ]
    questions = [
        {"question_id": f"q{at}", "text": text, "relevant": ["boats"]}
        for at, text in enumerate(["What?", "odd?"])
    ]
    return hand_in(tmp_path / "set", documents=documents, questions=questions)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Install the plug-in in a version."""
    place = tmp_path / "site"
    monkeypatch.syspath_prepend(str(place))
    monkeypatch.delitem(sys.modules, "my_system", raising=False)

    def install(version: str) -> None:
        for old in place.glob("*.dist-info/*"):
            old.unlink()
        about = place / f"my_system-{version}.dist-info"
        about.mkdir(parents=True)
        (place / "my_system.py").write_text(SYSTEM)
        (about / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: my-system\nVersion: {version}\n"
        )
        (about / "entry_points.txt").write_text(POINTS)

    install("1.0")
    return install


def live(folder: Path, name: str, **calls: Any) -> Path:
    path = folder / "live.yaml"
    made = {"plugin": name, "reply": {"citations": "marks"}, "calls": {"retries": 1, **calls}}
    path.write_text(yaml.safe_dump(made))
    return path


def test_it_gives_ids_or_texts_and_an_answer(
    set_: Path, tmp_path: Path, installed: Callable[[str], None]
) -> None:
    assert record(set_, live(tmp_path, "mine")) == 0
    first, second = responses(set_)
    assert first["retrieved"] == ["hours", "boats"]
    assert first["claims"] == [{"claim_id": "answer", "citations": ["hours"]}]
    assert (second["status"], second["error"], second["attempts"]) == (
        "failed",
        "ValueError: no idea",
        2,
    )


def test_another_version_of_its_package_is_asked_anew(
    set_: Path, tmp_path: Path, installed: Callable[[str], None]
) -> None:
    path = live(tmp_path, "mine")
    record(set_, path)
    asked = importlib.import_module("my_system").calls
    assert sorted(asked) == ["What?", "odd?", "odd?"]
    record(set_, path, "--replace")
    assert sorted(asked) == [
        "What?",
        "odd?",
        "odd?",
        "odd?",
        "odd?",
    ]  # what failed, and nothing else
    installed("1.1")
    record(set_, path, "--replace")
    assert asked.count("What?") == 2


def test_one_that_takes_too_long_has_failed(
    set_: Path, tmp_path: Path, installed: Callable[[str], None]
) -> None:
    questions = [
        {"question_id": f"q{at}", "text": text, "relevant": ["boats"]}
        for at, text in enumerate(["What?", "late?"])
    ]
    hand_in(set_, questions=questions)
    began = time.monotonic()
    assert record(set_, live(tmp_path, "mine", timeout=0.2, retries=0)) == 0
    assert time.monotonic() - began < 2.5
    assert responses(set_)[1]["error"] == "no answer within 0.2 s"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("my_system.answer", "an installed plug-in's entry point of the group rag_assay.systems"),
        ("os.system", "an installed plug-in's entry point"),
        ("my_system:answer", "an installed plug-in's entry point"),
        ("mina", "did you mean 'mine'?"),
        ("gone", "expected a system that can be loaded"),
        ("number", "expected a callable"),
        ("wrong", "expected a mapping with retrieved and answer, got list"),
    ],
)
def test_nothing_but_an_entry_point_that_fits_is_called(
    set_: Path,
    tmp_path: Path,
    installed: Callable[[str], None],
    capsys: pytest.CaptureFixture[str],
    name: str,
    line: str,
) -> None:
    assert record(set_, live(tmp_path, name)) == 3
    assert line in capsys.readouterr().err
