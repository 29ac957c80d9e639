from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.contract.errors import ConfigError
from pipeline.contract.files import read_json, write_json
from pipeline.manifest import scored
from pipeline.sides.folder import names_in, one_in
from pipeline.sides.resolve import Places, told_apart
from tests.comparing import COMPARING
from tests.finished import finish


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DVC_ROOT", str(tmp_path))
    return finish(tmp_path / "data")


def test_a_folder_holds_its_systems_in_order_of_name(data: Path) -> None:
    assert names_in(data, "dir:data") == ["A", "B"]


def test_a_side_carries_its_fingerprint_and_what_that_is_over(data: Path) -> None:
    side = one_in(data, "dir:data", "B")
    identity = read_json(data / "score" / "identity.json")["systems"]["B"]
    assert (side.name, side.system, side.spec, side.folder) == ("B", "B", "dir:data", data)
    assert (side.fingerprint, side.parts) == (identity["fingerprint"], identity["parts"])


def test_several_systems_and_no_name_are_refused_with_how_to_name_one(data: Path) -> None:
    with pytest.raises(ConfigError, match=r"dir:x: expected one system.*got 2: A, B; .*dir:x#A"):
        one_in(data, "dir:x", None)


def test_a_system_that_is_not_there_is_refused_with_those_that_are(data: Path) -> None:
    with pytest.raises(ConfigError, match=r"one of its systems \(A, B\).*got 'C'"):
        one_in(data, "dir:x", "C")


def test_a_folder_without_results_is_refused_by_what_it_lacks(tmp_path: Path, data: Path) -> None:
    with pytest.raises(ConfigError, match="got no folder"):
        one_in(tmp_path / "none", "dir:none", None)
    (data / "judge").rename(tmp_path / "away")
    with pytest.raises(ConfigError, match="got no judge in"):
        one_in(data, "dir:data", "A")


def test_scores_under_another_contract_are_refused(data: Path) -> None:
    file = data / "score" / "identity.json"
    write_json(file, read_json(file) | {"contract_version": "0.9"})
    with pytest.raises(ConfigError, match=r"under contract 1\.0, got contract 0\.9"):
        one_in(data, "dir:data", "A")


def test_the_earliest_time_that_is_known_is_when_the_numbers_were_seen(data: Path) -> None:
    side = one_in(data, "dir:data", "A", seen="2031-01-01T00:00:00+00:00")
    assert side.scored_at == scored.known(side.fingerprint)  # the run itself, before 2031
    early = "2021-01-01T00:00:00+00:00"
    assert one_in(data, "dir:data", "A", seen=early).scored_at == early


def test_sides_of_one_system_are_told_apart_by_their_place(data: Path) -> None:
    sides = [one_in(data, spec, "A") for spec in ("dir:x", "dir:y")]
    both = told_apart([*sides, one_in(data, "dir:x", "B")])
    assert [side.name for side in both] == ["A (dir:x)", "A (dir:y)", "B"]


def test_a_system_named_like_a_side_told_apart_gets_its_place_too(data: Path) -> None:
    sides = [one_in(data, spec, "A") for spec in ("dir:x", "dir:y")]
    odd = replace(one_in(data, "dir:y", "B"), system="A (dir:x)", name="A (dir:x)")
    names = [side.name for side in told_apart([*sides, odd])]
    assert names == ["A (dir:x)", "A (dir:y)", "A (dir:x) (dir:y)"]


def test_a_word_that_can_name_no_file_names_nothing(data: Path) -> None:
    git = data.parent / ".git"  # no DVC here: only the name of a folder is looked up
    assert not git.exists()
    places = Places(Path("data"), COMPARING["tracker"])
    assert not places._has("dir", "x" * 300, None)


def test_one_side_given_twice_is_refused(data: Path) -> None:
    side = one_in(data, "dir:x", "A")
    with pytest.raises(ConfigError, match=r"each side once, got dir:x \(A\) 2 times"):
        told_apart([side, side])


def test_words_name_sides_with_and_without_their_kind(data: Path) -> None:
    (data / "A").mkdir()
    places = Places(Path("data"), COMPARING["tracker"])
    assert places.side("system:B").system == "B"
    assert places.side("dir:data#B").spec == "dir:data"
    for word in ("dir:", "system:"):
        with pytest.raises(ConfigError, match="got no name"):
            places.side(word)
    with pytest.raises(ConfigError, match="runs that are kept in MLflow"):
        places.side("run:abc")


@pytest.mark.parametrize("text", ["[]", "3", '{"time": "soon"}', "\xff"])
def test_a_manifest_beside_it_that_is_none_of_ours_is_passed_over(data: Path, text: str) -> None:
    (data / "manifest.json").write_text(text, "latin-1")
    assert one_in(data, "dir:data", "A").run_id is None


def test_a_run_under_a_budget_is_a_side_without_a_cutoff(data: Path, tmp_path: Path) -> None:
    side = one_in(finish(tmp_path / "budget", budget=20), "dir:budget", "A")
    assert (side.parts["cutoff"], side.parts["budget"]) == (None, 20)
