"""Which runs differ in one numeric key and in nothing else that a number depends on."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from pipeline.adapters.trackers.sweep import Logged
from pipeline.contract.errors import ConfigError, nearest
from pipeline.settings.words import scalar

Number = int | float

SAME = {
    "contract_version": "scoring rules",
    "corpus_hash": "corpus",
    "question_set_hash": "question set",
    "labels_hash": "labels",
    "split": "split",
}
"""Tags that have to agree, and what they are called."""

WITHOUT_EFFECT = ("tracker", "baseline", "acceptance", "reason", "corpus.note", "question_set.note")
"""Keys that no mean and no interval depends on, with all below them."""


@dataclass(frozen=True)
class Sweep:
    """Runs by system, in order of the key's value; of each value the newest run.

    Attributes:
        key: the dotted key.
        reference: the run that the others are comparable with.
        series: by system, the runs with their values.
        left_out: why other runs of the experiment are not among them, and how many.
    """

    key: str
    reference: Logged
    series: dict[str, list[tuple[Number, Logged]]]
    left_out: Counter[str]

    @property
    def runs(self) -> list[Logged]:
        """Every run of every series."""
        return [run for points in self.series.values() for _, run in points]


def select(
    runs: Sequence[Logged], key: str, params: dict[str, str], system: str | None = None
) -> Sweep:
    """Choose the runs of a sweep over `key`.

    What the others have to be like is the configuration of now, whatever was run since;
    where that has no two values of the key, the newest run with a number for it.

    Args:
        runs: complete runs of one experiment, the newest first.
        key: a dotted key of the configuration.
        params: the configuration of now, as a run is logged with it.
        system: only this one; None: all.

    Raises:
        ConfigError: there is no run, the key or the system is not known, the key has no
            numbers, or no system has runs at two values of it.
    """
    runs = [run for run in runs if "system" in run.params]
    _known(f"sweep {key}", "key", key, {name for run in runs for name in run.params} - {"system"})
    systems = {run.params["system"] for run in runs}
    if system is not None:
        _known("sweep --system", "system", system, systems)
        runs = [run for run in runs if run.params["system"] == system]
    numbered = [run for run in runs if number(run, key) is not None]
    if not numbered:
        got = next((repr(run.params[key]) for run in runs if key in run.params), "no value")
        raise ConfigError(f"sweep {key}", expected="a key whose values are numbers", got=got)
    now = [run for run in numbered if not differing(run.params, params, key)]
    found = [_of(runs, key, reference) for reference in (*now[:1], numbered[0])]
    whole = [sweep for sweep in found if any(len(of) > 1 for of in sweep.series.values())]
    return whole[0] if whole else _too_few(found[0])


def _of(runs: Sequence[Logged], key: str, reference: Logged) -> Sweep:
    series: dict[str, dict[Number, Logged]] = {}
    left_out: Counter[str] = Counter()
    for run in runs:
        why, value = difference(run, reference, key), number(run, key)
        if why or value is None:
            left_out[why] += 1
        elif series.setdefault(run.params["system"], {}).setdefault(value, run) is not run:
            left_out["older than another run of the same value"] += 1
    ordered = {name: sorted(series[name].items()) for name in sorted(series)}
    return Sweep(key, reference, ordered, left_out)


def number(run: Logged, key: str) -> Number | None:
    """The key's value in a run; None where it has none or one that is no number."""
    value = scalar(run.params.get(key, "null"))
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def difference(run: Logged, reference: Logged, key: str) -> str:
    """Why a run is not comparable with another, apart from `key`; '' where it is."""
    tags = [name for tag, name in SAME.items() if run.tags.get(tag) != reference.tags.get(tag)]
    if tags:
        return f"of other {', '.join(tags)}"
    names = differing(run.params, reference.params, key)
    if names:
        return f"differing in {', '.join(names)}"
    return "" if number(run, key) is not None else f"without a number for {key}"


def differing(one: dict[str, str], other: dict[str, str], key: str) -> list[str]:
    """Keys apart from `key` that differ and that a mean or an interval depends on."""
    names = {
        name
        for name in one.keys() | other.keys()
        if one.get(name) != other.get(name)
        and name not in (key, "system")
        and not any(name == free or name.startswith(f"{free}.") for free in WITHOUT_EFFECT)
    }
    # of a part that was swapped for another all keys differ: it counts as one
    return sorted(name for name in names if name.split(".")[0] not in names - {name})


def _too_few(sweep: Sweep) -> NoReturn:
    values = sorted({value for points in sweep.series.values() for value, _ in points})
    told = "; ".join(f"{count:,} {why}" for why, count in sweep.left_out.most_common(3))
    raise ConfigError(
        f"sweep {sweep.key}",
        expected="runs at two values or more that differ in nothing else",
        got=f"only {values[0]}" + (f", and runs left out: {told}" if told else ""),
        remedy=f"queue them: dvc exp run --queue -S {sweep.key}=1,2,3",
    )


def _known(where: str, what: str, word: str, known: Iterable[str]) -> None:
    names = set(known)
    if not names:
        raise ConfigError(
            where,
            expected="finished runs in the tracker's experiment",
            got="none",
            remedy="run `python -m pipeline` first",
        )
    if word not in names:
        raise ConfigError(
            where,
            expected=f"a {what} of the runs in the store" + nearest(word, names),
            got=repr(word),
        )
