"""What is gathered of sides that lie in several folders."""

from pathlib import Path

import pytest

from pipeline.comparison.gathered import gather
from pipeline.contract.sides import Side
from tests.finished import finish, hand_in
from tests.report.compared import side


@pytest.fixture(autouse=True)
def _own_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))


def run(folder: Path, groups: list[str] | None) -> Side:
    """A for two questions that staff asks; it shows `notes`, which no label names, for one."""
    hand_in(
        folder / "set",
        documents=[
            {"doc_id": "d", "text": "Text."},
            {"doc_id": "notes", "text": "Notes."} | ({"access_groups": groups} if groups else {}),
        ],
        questions=[
            {"question_id": one, "text": one, "relevant": ["d"], "caller_groups": ["staff"]}
            for one in ("shown", "other")
        ],
        responses=[
            {"system": "A", "question_id": "shown", "retrieved": ["d", "notes"], "claims": []},
            {"system": "A", "question_id": "other", "retrieved": ["d"], "claims": []},
        ],
    )
    return side(finish(folder / "data", folder / "set"), "A")


def named(before: Side, after: Side) -> list[Side]:
    return [
        Side(name, f"dir:{name}", "A", one.folder, one.fingerprint, one.parts)
        for name, one in (("before", before), ("after", after))
    ]


@pytest.mark.parametrize("groups", [["staff"], None, ["board", "staff"]])
def test_a_leak_under_permissions_of_one_side_alone_leaves_its_question_out(
    tmp_path: Path, groups: list[str] | None
) -> None:
    baseline, candidate = named(run(tmp_path / "a", ["board"]), run(tmp_path / "b", groups))
    for one, other in ((baseline, candidate), (candidate, baseline)):
        found = gather(one, [other], same=True)
        assert found.common is not None
        assert found.common.questions == ["other"]
        assert found.common.left_out == {"shown": "permissions"}
        assert found.values["question_id"].unique().to_list() == ["other"]


def test_a_leak_under_the_same_permissions_is_compared(tmp_path: Path) -> None:
    baseline, candidate = named(run(tmp_path / "a", ["board"]), run(tmp_path / "b", ["board"]))
    found = gather(baseline, [candidate], same=True)
    assert found.common is not None
    assert found.common.questions == ["other", "shown"]
