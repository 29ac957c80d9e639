"""Agreement of two raters, out of the table that counts their labels against each other.

A table has a row for each label of the first rater, a column for each of the second. All
functions take one table or a stack of them, so that resampling is drawing tables.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.scoring.arrays import Floats

Tables = NDArray[np.signedinteger[Any]] | Floats
Statistic = Callable[[Tables], Floats]

RESAMPLES = 2_000
LEVEL = 0.95
MOST_CELLS = 20_000
"""Cells of a table beyond which it is not resampled: labels are then hardly shared."""
BLOCK = 1 << 22
"""Cells in one block of resamples: what bounds the memory."""


def crosstab(first: list[Any], second: list[Any], rows: list[Any], columns: list[Any]) -> Tables:
    """Count how often each label of `rows` met each of `columns`; (rows, columns)."""
    at_row = {label: at for at, label in enumerate(rows)}
    at_column = {label: at for at, label in enumerate(columns)}
    table = np.zeros((len(rows), len(columns)), np.int64)
    where = [at_row[label] for label in first], [at_column[label] for label in second]
    np.add.at(table, where, 1)
    return table


def kappa(tables: Tables) -> Floats:
    """Cohen's kappa: agreement beyond chance.

    Args:
        tables: (..., labels, labels) with the same labels in rows and columns.

    Returns:
        (...,) in [-1, 1]; NaN without items, or where agreement by chance is certain.

    Source: Cohen 1960, "A Coefficient of Agreement for Nominal Scales".
    """
    n = tables.sum(axis=(-2, -1)).astype(np.float64)
    same = np.trace(tables, axis1=-2, axis2=-1).astype(np.float64)
    chance = (tables.sum(axis=-1) * tables.sum(axis=-2)).sum(axis=-1).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = (n * same - chance) / (n * n - chance)
    return np.where(n * n > chance, found, np.nan)


def spearman(tables: Tables) -> Floats:
    """Spearman's rank correlation, ties at the mean of their ranks.

    Args:
        tables: (..., grades, grades), both from the least to the greatest.

    Returns:
        (...,) in [-1, 1]; NaN where a rater gave all items the same grade.

    Source: Spearman 1904; Kendall & Gibbons 1990, Rank Correlation Methods, chapter 3.
    """
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    x, y = _ranks(rows), _ranks(columns)
    across = (np.matmul(tables.astype(np.float64), y[..., None])[..., 0] * x).sum(axis=-1)
    spread = (rows * x * x).sum(axis=-1) * (columns * y * y).sum(axis=-1)
    return _over(across, spread)


def tau_b(tables: Tables) -> Floats:
    """Kendall's tau-b: concordant less discordant pairs, over pairs that are not tied.

    Args:
        tables: (..., grades, grades), both from the least to the greatest.

    Returns:
        (...,) in [-1, 1]; NaN where a rater gave all items the same grade.

    Source: Kendall 1945, Biometrika 33(3).
    """
    below = np.zeros(tables.shape, np.float64)  # items with lesser grades of both raters
    against = np.zeros(tables.shape, np.float64)  # lesser of the first, greater of the second
    sums = tables.cumsum(axis=-2).astype(np.float64)
    along = sums.cumsum(axis=-1)
    below[..., 1:, 1:] = along[..., :-1, :-1]
    against[..., 1:, :] = along[..., :-1, -1:] - along[..., :-1, :]
    pairs = (tables * (below - against)).sum(axis=(-2, -1))
    n = tables.sum(axis=(-2, -1)).astype(np.float64)
    every = n * (n - 1) / 2
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    tied = [(margin * (margin - 1) / 2).sum(axis=-1) for margin in (rows, columns)]
    return _over(pairs, (every - tied[0]) * (every - tied[1]))


def ends(table: Tables, statistic: Statistic, *, seed: int) -> tuple[float, float] | None:
    """Percentile bootstrap interval, 95 %, of a statistic: items are drawn with replacement.

    Args:
        table: (rows, columns) counts.
        statistic: a function of this module.
        seed: of the draws; the same table and seed give the same ends.

    Returns:
        Least and greatest; None for fewer than two items, where one resample in twenty or
        more has no value, or where there are more cells than items can fill.
    """
    n, filled = int(table.sum()), np.flatnonzero(table)
    if n < 2 or table.size > MOST_CELLS:
        return None
    random = np.random.default_rng(seed)
    shares = table.ravel()[filled] / n
    rows = max(1, BLOCK // table.size)
    found = []
    for start in range(0, RESAMPLES, rows):
        drawn = np.zeros((min(rows, RESAMPLES - start), table.size), np.int64)
        drawn[:, filled] = random.multinomial(n, shares, len(drawn))
        found.append(statistic(drawn.reshape(-1, *table.shape)))
    values = np.concatenate(found)
    values = values[~np.isnan(values)]
    if len(values) <= 0.95 * RESAMPLES:
        return None
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def _ranks(margin: Tables) -> Floats:
    """Mean rank of each grade, less the mean of all ranks."""
    n = margin.sum(axis=-1, keepdims=True)
    found: Floats = margin.cumsum(axis=-1) - margin / 2 - n / 2
    return found


def _over(above: Floats, spread: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(spread > 0, above / np.sqrt(np.maximum(spread, 0.0)), np.nan)
    return np.clip(found, -1.0, 1.0)
