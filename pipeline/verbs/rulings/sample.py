"""Which items of a judge are worth a person's label."""

from collections.abc import Sequence

from pipeline.contract.errors import ConfigError
from pipeline.rulings.records import Key, Ruling, Rulings, number
from pipeline.scoring.strata import draw

BANDS = 4
"""Parts that a judge's grades are cut into where there are more than that many."""


def sample(
    rulings: list[Ruling], found: Rulings, by: Sequence[str], n: int, seed: int
) -> list[Key]:
    """Draw items of one judge that nobody has labelled, by its label and the columns `by`.

    Args:
        rulings: of the judge, with labels.
        found: all rulings, to know what people have labelled.
        by: columns of items.
        n: how many; all where there are fewer.
        seed: of the draws.

    Returns:
        Keys in random order, so that the first rows of a sheet are a sample too.

    Raises:
        ConfigError: there are more strata than n, or nothing to draw from.
    """
    done = {one.key for one in found.rulings if one.role == "person" and one.label is not None}
    free = sorted((one for one in rulings if one.key not in done), key=lambda one: one.key)
    if not free:
        raise ConfigError("judge-sample", expected="items without people's label", got="none")
    labels: dict[str, list[str]] = {}
    for one in rulings:
        labels.setdefault(one.metric, []).append(str(one.label))
    bands = {metric: _bands(words) for metric, words in labels.items()}
    strata = [
        (
            one.metric,
            bands[one.metric][str(one.label)],
            *(found.items[one.item].get(c, "") for c in by),
        )
        for one in free
    ]
    if n < len(set(strata)):
        expected = f"at least {len(set(strata))}, one item for each judge's label and slice"
        raise ConfigError("--n", expected=expected, got=str(n), remedy="or slice by fewer columns")
    return [free[at].key for at in draw(strata, n, seed=seed)]


def _bands(labels: list[str]) -> dict[str, str]:
    """The stratum of each label: itself, or a quarter of the judge's grades where they are many."""
    words = set(labels)
    if len(words) <= BANDS or any(number(word) is None for word in words):
        return {word: word for word in words}
    ranked = sorted(labels, key=float)
    first = {word: ranked.index(word) for word in words}
    return {word: str(first[word] * BANDS // len(ranked)) for word in words}
