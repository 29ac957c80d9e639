"""Metrics by the keys that tables, policies and files know them by, at a cutoff or not."""

from collections.abc import Iterable

from pipeline.contract.metrics import AGGREGATED, JUDGED, RANKED, SHOWN, Metric, at_cutoff

BY_NAME = {metric.name: metric for metric in (*AGGREGATED, *JUDGED)}


def known(name: str) -> Metric | None:
    """The metric of that key, which may be one at a cutoff; None: there is none."""
    return BY_NAME.get(name) or at_cutoff(name)


def named(name: str) -> Metric:
    """The metric of that key.

    Raises:
        KeyError: there is none.
    """
    found = known(name)
    if found is None:
        raise KeyError(name)
    return found


def cutoff_in(name: str) -> int | None:
    """The cutoff in a name such as `ndcg@10`; None: there is none."""
    _, sign, cutoff = name.partition("@")
    return int(cutoff) if sign else None


def in_order(names: Iterable[str]) -> list[Metric]:
    """The metrics of these keys that people see, in the order in which they are shown.

    Those of rankings come last: AP, then cutoff by cutoff.
    """
    wanted = set(names)
    cut = [metric for metric in map(at_cutoff, wanted) if metric]
    order = [metric.name for metric in RANKED]
    cut.sort(key=lambda one: (cutoff_in(one.name) or 0, order.index(one.name.partition("@")[0])))
    return [*(metric for metric in SHOWN if metric.name in wanted), *cut]
