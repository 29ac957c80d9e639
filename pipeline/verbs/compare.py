"""`compare BASELINE CANDIDATE [CANDIDATE …]`: set sides against each other.

Question by question first, then averages with their uncertainty.

A side is
  system:NAME   a system of the last run, in data/
  run:ID        a run in MLflow, by its id or its name
  rev:REVISION  a git revision or a DVC experiment, out of DVC's cache
  dir:FOLDER    a folder laid out as data/ is
and a bare word works where just one of these has it. Where a place holds
several systems, the one meant follows after a #, as in rev:main#rag.

Sides are refused (exit code 2) where contract, corpus, questions, labels,
permissions, cutoff or budget, rubric or judge differ: it says which, and what
would make them comparable. Rankings are compared at each of `cutoffs` that all
sides were measured at; what a side lacks is named.

  --common           compare the questions that are the same on both sides, in
                     text, labels, evidence and permissions, and say how many
  --acceptance NAME  a policy of conf/acceptance/; else that of params.yaml
  --out DIR          where the files go; by default
                     data/comparisons/BASELINE..CANDIDATE

Writes comparison.json, deltas.csv, deltas.parquet and report.html, prints what
changed, and adds the report to a candidate's run in MLflow.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipeline.adapters.trackers.mlflow import Mlflow
from pipeline.adapters.trackers.sweep import attach, logged
from pipeline.comparison.gathered import Gathered
from pipeline.contract.errors import ConfigError, nearest
from pipeline.contract.files import replacing
from pipeline.contract.sides import Side
from pipeline.contract.tables import Questions, read
from pipeline.contract.words import cut
from pipeline.manifest import scored
from pipeline.manifest.run import safe
from pipeline.rulings.pinned import label_files
from pipeline.rulings.validation import validation
from pipeline.settings import adapter, settings
from pipeline.sides import heldout
from pipeline.sides.resolve import Places, told_apart
from pipeline.sides.ruled import timestamp, weighed
from pipeline.sides.written import write_comparison
from pipeline.stages.compose import CONF, PARAMS, composed, read_yaml
from pipeline.verbs.run import in_project
from pipeline.verbs.terminal.arguments import Arguments
from pipeline.verbs.terminal.comparison import comparison_lines
from pipeline.verbs.terminal.text import Line, columns, emit, wrapped

FOLDER = "comparisons"
"""Where comparisons lie below the data folder; and the reports, among a run's artifacts."""


def main(argv: list[str], data: Path) -> int:
    """Compare, write and print.

    Raises:
        ConfigError: a word is not right, or a side is not there.
        IncomparableError: a part differs that has to be the same.
        EndpointError: the store of runs does not answer.
        DataError: a file of people's rulings has faults.
    """
    words = _parser().parse_args(argv)
    in_project()
    params = _params(words.acceptance)
    typed, tracker = settings(params), adapter("tracker", params)
    places = Places(data, tracker)
    baseline, *candidates = told_apart(
        [places.side(word) for word in (words.baseline, *words.candidates)]
    )
    now = datetime.now(UTC)
    scored.note([side.fingerprint for side in (baseline, *candidates)], timestamp(now))

    gathered, rows, comparison = weighed(
        baseline,
        candidates,
        same=words.common,
        acceptance=typed.acceptance,
        uncertainty=typed.uncertainty,
        seed=typed.seed,
        now=now,
    )
    sides = [baseline, *candidates]
    comparison["heldout"] = heldout.said([one.folder for one in sides], typed.heldout_budget)
    comparison["judge"] = validation(sides, label_files(data), seed=typed.seed)

    folder = _folder(words.out, data, baseline, candidates)
    content = getattr(tracker, "content", "full")
    with replacing(folder) as temporary:
        write_comparison(temporary, baseline, candidates, rows, comparison, content)
    _print(baseline, gathered, comparison, folder)
    _attach(tracker, baseline, candidates, folder / "report.html")
    return 0


def _parser() -> Arguments:
    parser = Arguments("compare", remedy="python -m pipeline compare --help")
    parser.add_argument("baseline", metavar="BASELINE")
    parser.add_argument("candidates", metavar="CANDIDATE", nargs="+")
    parser.add_argument("--common", action="store_true")
    parser.add_argument("--acceptance", metavar="NAME")
    parser.add_argument("--out", metavar="DIR", type=Path)
    return parser


def _params(policy: str | None) -> dict[str, Any]:
    """The configuration as the last run had it, else as conf/ has it, and the policy named.

    Raises:
        ConfigError: conf/ has no policy of that name.
    """
    params = read_yaml(PARAMS) if PARAMS.is_file() else composed(CONF, [])
    if policy is None:
        return params
    known = sorted(file.stem for file in (CONF / "acceptance").glob("*.yaml"))
    if policy not in known:
        raise ConfigError(
            "compare --acceptance",
            expected=f"one of {', '.join(known)}" + nearest(policy, known),
            got=repr(policy),
        )
    chosen = composed(CONF, [f"acceptance={policy}"])["acceptance"]
    return {**params, "acceptance": chosen}


def _folder(out: Path | None, data: Path, baseline: Side, candidates: list[Side]) -> Path:
    if out is not None:
        got = None
        if out.is_dir() and any(out.iterdir()) and not (out / "comparison.json").is_file():
            got = f"{out}, which holds something else"
        elif any(path.exists() and not path.is_dir() for path in (out, *out.parents)):
            got = f"{out}, which is a file, or lies below one"
        if got:
            expected = "a new folder, or one with an older comparison"
            raise ConfigError("compare --out", expected=expected, got=got)
        return out
    names = [side.name for side in (baseline, *candidates)]
    return data / FOLDER / safe("..".join(names))


def _print(baseline: Side, gathered: Gathered, comparison: dict[str, Any], folder: Path) -> None:
    width = columns()
    order = read(baseline.folder / "freeze", Questions).sort("line", "question_id")
    said = f"; {comparison['heldout']}" if comparison["heldout"] else ""
    lines = comparison_lines(
        comparison, order["question_id"].to_list(), cut(gathered.values), width, said, str(folder)
    )
    written = f"written: {folder}/report.html, comparison.json, deltas.csv"
    emit([*lines, Line(""), *(Line(line) for line in wrapped(written, width, rest="  "))])


def _attach(tracker: Any, baseline: Side, candidates: list[Side], report: Path) -> None:
    """Add the report to the runs that the store has of the candidates, by baseline."""
    ids = {side.run_id for side in candidates if side.run_id}
    if not isinstance(tracker, Mlflow) or not ids:
        return
    there = [run.run_id for run in logged(tracker) if run.run_id in ids]
    if there:
        attach(tracker, there, [report], f"{FOLDER}/{baseline.fingerprint[:12]}")
