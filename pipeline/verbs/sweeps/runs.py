"""Which runs differ in one numeric key and in nothing else that a number depends on."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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
        reference: the newest run with a number for the key; the others are comparable with it.
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


def select(runs: Sequence[Logged], key: str, system: str | None = None) -> Sweep:
    """Choose the runs of a sweep over `key`.

    Args:
        runs: complete runs of one experiment, the newest first.
        key: a dotted key of the configuration.
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
    numbers = [number(run, key) is not None for run in runs]
    if not any(numbers):
        got = next((repr(run.params[key]) for run in runs if key in run.params), "no value")
        raise ConfigError(f"sweep {key}", expected="a key whose values are numbers", got=got)
    reference = runs[numbers.index(True)]

    series: dict[str, dict[Number, Logged]] = {}
    left_out: Counter[str] = Counter()
    for run in runs:
        why, value = difference(run, reference, key), number(run, key)
        if why or value is None:
            left_out[why] += 1
        elif series.setdefault(run.params["system"], {}).setdefault(value, run) is not run:
            left_out["older than another run of the same value"] += 1
    ordered = {name: sorted(series[name].items()) for name in sorted(series)}
    return _enough(Sweep(key, reference, ordered, left_out))


def number(run: Logged, key: str) -> Number | None:
    """The key's value in a run; None where it has none or one that is no number."""
    value = scalar(run.params.get(key, "null"))
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def difference(run: Logged, reference: Logged, key: str) -> str:
    """Why a run is not comparable with another, apart from `key`; '' where it is."""
    tags = [name for tag, name in SAME.items() if run.tags.get(tag) != reference.tags.get(tag)]
    if tags:
        return f"of other {', '.join(tags)}"
    names = {
        name
        for name in run.params.keys() | reference.params.keys()
        if run.params.get(name) != reference.params.get(name)
        and name not in (key, "system")
        and not any(name == free or name.startswith(f"{free}.") for free in WITHOUT_EFFECT)
    }
    # of a part that was swapped for another all keys differ: it counts as one
    swapped = sorted(name for name in names if name.split(".")[0] not in names - {name})
    if swapped:
        return f"that differ in {', '.join(swapped)}"
    return "" if number(run, key) is not None else f"without a number for {key}"


def _enough(sweep: Sweep) -> Sweep:
    values = sorted({value for points in sweep.series.values() for value, _ in points})
    if not any(len(points) > 1 for points in sweep.series.values()):
        told = "; ".join(f"{count:,} {why}" for why, count in sweep.left_out.most_common(3))
        got = f"only {values[0]}" + (f", and runs left out: {told}" if told else "")
        raise ConfigError(
            f"sweep {sweep.key}",
            expected="runs at two values or more that differ in nothing else",
            got=got,
            remedy=f"queue them: dvc exp run --queue -S {sweep.key}=1,2,3",
        )
    return sweep


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
