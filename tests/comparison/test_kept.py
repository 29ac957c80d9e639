"""What sides have in common where a run kept no texts, or only their hashes."""

from pathlib import Path

import pytest

from pipeline.adapters.trackers.bundle import bundle
from pipeline.comparison.gathered import gather
from pipeline.comparison.grounds import attributes_of
from pipeline.contract.errors import IncomparableError
from pipeline.contract.policy import in_slice
from pipeline.contract.sides import Side
from pipeline.contract.veil import Content
from pipeline.sides.folder import one_in
from tests.finished import finish, hand_in


@pytest.fixture(autouse=True)
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))


def kept(tmp_path: Path, text: str, content: Content) -> Side:
    """The side of a run over one question of this text, as a tracker keeps it."""
    place = tmp_path / f"{len(list(tmp_path.iterdir()))}"
    critical = {"critical": "true"}
    hand_in(
        place / "set",
        documents=[{"doc_id": "d", "text": "Text."}],
        questions=[{"question_id": "q", "text": text, "relevant": ["d"], "attributes": critical}],
        responses=[{"system": place.name, "question_id": "q", "retrieved": ["d"]}],
    )
    data = finish(place / "data", place / "set")
    bundle(data, place.name, content, 2, place / "run")
    return one_in(place / "run", f"dir:{place.name}", place.name)


def test_questions_whose_texts_were_not_kept_are_not_taken_for_the_same(tmp_path: Path) -> None:
    sides = [kept(tmp_path, text, "ids") for text in ("Who?", "Where?")]
    with pytest.raises(IncomparableError, match=r"got tracker\.content=ids"):
        gather(sides[0], sides[1:], same=True)


def test_hashes_of_texts_are_not_held_against_texts(tmp_path: Path) -> None:
    one, other = kept(tmp_path, "Who?", "redacted"), kept(tmp_path, "Where?", "full")
    with pytest.raises(IncomparableError, match=r"tracker\.content=redacted and full"):
        gather(one, [other], same=True)


def test_sets_that_agree_as_wholes_have_all_in_common_whatever_was_kept(tmp_path: Path) -> None:
    one, other = kept(tmp_path, "Who?", "ids"), kept(tmp_path, "Who?", "full")
    found = gather(one, [other], same=True)
    assert found.common is not None
    assert found.common.questions == ["q"]


@pytest.mark.parametrize("levels", [("ids", "full"), ("ids", "ids"), ("redacted", "ids")])
def test_a_slice_has_its_questions_whatever_was_kept(
    tmp_path: Path, levels: tuple[Content, Content]
) -> None:
    # without them "critical questions hold" would pass for want of a critical question
    one, other = (kept(tmp_path, "Who?", level) for level in levels)
    (attributes,) = attributes_of(gather(one, [other], same=False).attributes).values()
    assert in_slice("critical=true", attributes)
    assert not in_slice("critical=false", attributes)
