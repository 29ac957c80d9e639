"""Which items to label: a part of each stratum, in proportion to its number of items."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np

Stratum = TypeVar("Stratum", bound=Hashable)


def allocate(sizes: Mapping[Stratum, int], n: int) -> dict[Stratum, int]:
    """Share n items out over strata: one each, the rest by largest remainder.

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
    taken = {stratum: max(1, n * size // total) for stratum, size in sizes.items()}
    rest = {stratum: n * size % total for stratum, size in sizes.items()}
    order = sorted(sizes, key=lambda stratum: -rest[stratum])
    while sum(taken.values()) < n:
        for stratum in order:
            if taken[stratum] < sizes[stratum] and sum(taken.values()) < n:
                taken[stratum] += 1
    while sum(taken.values()) > n:  # strata that were lifted to one: the fullest pay
        fullest = max(taken, key=lambda stratum: taken[stratum] - n * sizes[stratum] / total)
        above = [s for s in taken if taken[s] > 1]
        taken[fullest if taken[fullest] > 1 else max(above, key=lambda s: taken[s])] -= 1
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
