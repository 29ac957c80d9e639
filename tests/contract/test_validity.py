"""Whether a judge was checked is said in one way, and so is the way to check it."""

from typing import Any

from pipeline.contract.validity import standing, unlabelled, ways_out


def entry(labels: int, **sides: tuple[str | None, dict[str, int]]) -> dict[str, Any]:
    """A judge's entry: of each side its file of rulings, and labelled items by kind."""
    return {
        "judge": "gpt", "labels": labels, "annotators": 1,
        "sides": {
            name: {
                "rulings": rulings,
                "metrics": {kind: {"common": common} for kind, common in kinds.items()},
            }
            for name, (rulings, kinds) in sides.items()
        },
    }  # fmt: skip


def test_it_is_unvalidated_or_held_to_so_many_labels() -> None:
    assert standing("gpt", 0, 0, []).startswith("gpt: unvalidated, no label")
    assert standing("gpt", 1, 1, []) == "gpt: held to 1 label of 1 person"


def test_a_kind_that_lacks_labels_on_one_side_is_unlabelled() -> None:
    found = entry(3, a=("f", {"x": 2, "y": 0}), b=("f", {"x": 1, "y": 1}))
    assert unlabelled(found, ["a", "b"]) == ["y"]
    assert unlabelled(found, ["b"]) == []


def test_a_side_without_its_rulings_lacks_every_kind() -> None:
    found = entry(3, a=("f", {"x": 3}), b=(None, {}))
    assert unlabelled(found, ["a", "b"]) == ["x"]


def test_the_way_out_is_a_command_for_each_file_and_what_it_lacks() -> None:
    found = entry(2, a=("f", {"x": 2, "y": 0}), b=("f", {"x": 0}), c=("g h", {"x": 1, "y": 0}))
    assert ways_out(found) == [
        "python -m pipeline judge-sample f --metric x --metric y --out sheet.csv",
        "python -m pipeline judge-sample 'g h' --metric y --out sheet-2.csv",
    ]


def test_without_labels_everything_is_sampled_and_without_a_file_nothing() -> None:
    found = entry(0, a=("f", {}), b=(None, {}))
    assert ways_out(found) == ["python -m pipeline judge-sample f --out sheet.csv"]
    assert ways_out(entry(1, a=("f", {"x": 1}))) == []
