"""Rates read from a judge, corrected by what people said of other items: Rogan and Gladen.

For labels that come from elsewhere, or were not drawn at random from the judge's items; it
holds as long as the judge errs on the labelled items as often as on these. Where they are a
random part of them, `powered` is narrower. Items that people dispute are in neither sample.
"""

import math

from pipeline.scoring.proportions import Counts, Estimate, Z, clip


def rogan_gladen(yes: int, n: int, people: Counts) -> Estimate:
    """The share of true yes among items that only the judge has seen.

    (rate + TNR - 1) / (TPR + TNR - 1), clipped to [0, 1]; the interval is Lang and
    Reiczigel's, which blends a shrunken estimate with the variance of all three rates.

    Args:
        yes: the judge's yes among the items without people's labels.
        n: how many those are.
        people: labelled items, of which none is among the n.

    Returns:
        Value in [0, 1]; None with the interval [0, 1] where the judge is no better than
        chance (TPR + TNR <= 1), or n, people's yes or people's no is 0.

    At nominal 95 % it covers 92 to 98 % for 100 labelled items and more.

    Source: Rogan & Gladen 1978, Am. J. Epidemiology 107(1); Lang & Reiczigel 2014,
    Preventive Veterinary Medicine 113(1).
    """
    if not (n and people.yes and people.no):
        return Estimate(None, 0.0, 1.0)
    gain = people.yes_yes / people.yes + people.no_no / people.no - 1
    if gain <= 1e-12:
        return Estimate(None, 0.0, 1.0)
    value = (yes / n + people.no_no / people.no - 1) / gain
    size, positives, negatives = n + Z * Z, people.yes + 2, people.no + 2
    rate = (yes + Z * Z / 2) / size
    tpr, tnr = (people.yes_yes + 1) / positives, (people.no_no + 1) / negatives
    shrunk = tpr + tnr - 1
    if shrunk <= 0:
        return Estimate(clip(value), 0.0, 1.0)
    middle = (rate + tnr - 1) / shrunk
    of_tpr, of_tnr = tpr * (1 - tpr) / positives, tnr * (1 - tnr) / negatives
    shift = 2 * Z * Z * (middle * of_tpr - (1 - middle) * of_tnr)
    spread = rate * (1 - rate) / size + middle**2 * of_tpr + (1 - middle) ** 2 * of_tnr
    half = Z * math.sqrt(spread) / shrunk
    low, high = clip(middle + shift - half), clip(middle + shift + half)
    value = clip(value)
    return Estimate(value, min(low, value), max(high, value))
