"""The three-way merge of configurations, leaf by leaf."""

from typing import Any

import yaml

from pipeline.contract.errors import ConfigError

Flat = dict[tuple[str, ...], Any]
TARGET = ("_target_",)
"""The key below a group that names what was chosen."""
_ABSENT = object()


def merge(base: Flat, params: Flat, conf: Flat) -> Flat:
    """Merge three flat configurations key by key.

    Raises:
        ConfigError: some keys were changed in conf/ and, to another value, in params.yaml.
    """
    merged, torn = {}, []
    for key in sorted({*base, *params, *conf}):
        old, mine, theirs = (side.get(key, _ABSENT) for side in (base, params, conf))
        if not _same(mine, old) and not _same(theirs, old) and not _same(mine, theirs):
            torn.append(
                f"{'.'.join(key)} ({_shown(theirs)} in conf/, {_shown(mine)} in params.yaml)"
            )
        value = theirs if _same(mine, old) else mine
        if value is not _ABSENT:
            merged[key] = value
    if torn:
        raise ConfigError(
            "params.yaml",
            expected="a key changed in conf/ or in params.yaml, not in both",
            got=", ".join(torn),
            remedy="give the key one value in both, or run `python -m pipeline` to return to conf/",
        )
    return merged


def overrides(conf: Flat, merged: Flat) -> list[str]:
    """Say where the configuration in use departs from conf/: `override cutoff: 2 → 1`.

    A group that was swapped is one departure, whatever keys its options have.
    """
    swapped = {
        key[0] for key in {*conf, *merged} if key[1:] == TARGET and _moved(key, conf, merged)
    }
    said = []
    for key in sorted({*conf, *merged}):
        if not _moved(key, conf, merged) or (key[0] in swapped and key[1:] != TARGET):
            continue
        name = key[0] if key[0] in swapped else ".".join(key)
        before, after = (_shown(side.get(key, _ABSENT)) for side in (conf, merged))
        if key[0] in swapped:
            before, after = (text.rpartition(".")[2] for text in (before, after))
        said.append(f"override {name}: {before} → {after}")
    return said


def _moved(key: tuple[str, ...], conf: Flat, merged: Flat) -> bool:
    return not _same(conf.get(key, _ABSENT), merged.get(key, _ABSENT))


def flat(tree: dict[str, Any], above: tuple[str, ...] = ()) -> Flat:
    """Return the leaves of nested mappings by path; an empty mapping is a leaf."""
    leaves: Flat = {}
    for key, value in tree.items():
        path = (*above, str(key))
        if isinstance(value, dict) and value:
            leaves.update(flat(value, path))
        else:
            leaves[path] = value
    return leaves


def nested(leaves: Flat) -> dict[str, Any]:
    """Undo `flat`."""
    tree: dict[str, Any] = {}
    for path, value in leaves.items():
        at = tree
        for key in path[:-1]:
            at = at.setdefault(key, {})
        at[path[-1]] = value
    return tree


def _same(left: Any, right: Any) -> bool:
    return type(left) is type(right) and left == right


def _shown(value: Any) -> str:
    return (
        "(absent)"
        if value is _ABSENT
        else yaml.safe_dump(value, allow_unicode=True).split("\n...")[0].strip()
    )
