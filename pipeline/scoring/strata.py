"""Which items to label: a part of each stratum, in proportion to its number of items."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np

Stratum = TypeVar("Stratum", bound=Hashable)


def allocate(sizes: Mapping[Stratum, int], n: int) -> dict[Stratum, int]:
    """Share n items out over strata: one each, the rest where most is missing.

    Args:
        sizes: how many items each stratum has, >= 1, in the order that breaks ties.
        n: how many to take, at least one a stratum; more than there are gives all.

    Raises:
        ValueError: n is less than the number of strata.
    """
    total = sum(sizes.values())
    if n >= total:
        return dict(sizes)
    if n < len(sizes):
        raise ValueError(f"{n} items for {len(sizes)} strata")
    taken = dict.fromkeys(sizes, 1)
    for _ in range(n - len(sizes)):
        taken[max(sizes, key=lambda one: n * sizes[one] - taken[one] * total)] += 1
    return taken


def draw(strata: Sequence[Stratum], n: int, *, seed: int) -> list[int]:
    """Positions of a stratified sample, in random order.

    Whatever part of the list is labelled first, it is then a random part of the sample.

    Args:
        strata: the stratum of each item.
        n: as `allocate` takes it.
        seed: of the draws; the same items in the same order give the same sample.
    """
    members: dict[Stratum, list[int]] = {}
    for at, stratum in enumerate(strata):
        members.setdefault(stratum, []).append(at)
    ordered = {stratum: members[stratum] for stratum in sorted(members, key=repr)}
    taken = allocate({stratum: len(of) for stratum, of in ordered.items()}, n)
    random = np.random.default_rng(seed)
    found = [
        int(at)
        for stratum, of in ordered.items()
        for at in random.choice(of, taken[stratum], replace=False)
    ]
    return [found[at] for at in random.permutation(len(found))]
