"""`sweep KEY [--system NAME] [--metric NAME]`: what a numeric key does to metrics, over runs.

KEY is a dotted key of the configuration, such as chunker.chunk_size or cutoff.
Of the complete runs in the tracker's experiment it takes those that differ from
the configuration in params.yaml in KEY and in nothing else that a number
depends on: same scoring rules, corpus, question set, labels, split, and same
other keys. Where there are no two such values, the newest run stands in for
params.yaml. Of each value the newest run counts. Runs that are left out are
counted, with the reason.

It prints each mean with n and its 95 % interval, draws a panel a metric, and
attaches figure and numbers to each of these runs, as artifacts below sweep/.

  --system NAME  only this system; all by default
  --metric NAME  only this metric, which may be one of rankings at a cutoff
                 (ndcg@10), and may be given again; by default all of whole
                 responses

Queue the runs with DVC, then look:
  dvc exp run --queue -S chunker.chunk_size=100,200,400
  dvc exp run --run-all -j 2
  python -m pipeline sweep chunker.chunk_size

Writes data/sweep/KEY.png, .svg and .csv.
"""

from pathlib import Path
from typing import Any

from pipeline.adapters.trackers.mlflow import Mlflow
from pipeline.adapters.trackers.payload import params as flat
from pipeline.adapters.trackers.sweep import attach, logged
from pipeline.contract.errors import ConfigError
from pipeline.contract.words import counted
from pipeline.manifest.run import safe
from pipeline.settings import adapter
from pipeline.stages.compose import PARAMS, read_yaml
from pipeline.verbs.sweeps.figure import draw
from pipeline.verbs.sweeps.points import panels, write_csv
from pipeline.verbs.sweeps.runs import select
from pipeline.verbs.sweeps.table import table_lines
from pipeline.verbs.terminal.arguments import Arguments
from pipeline.verbs.terminal.text import Line, columns, emit, wrapped

FOLDER = "sweep"
"""Where the files lie, below the data folder and among a run's artifacts."""


def main(argv: list[str], data: Path) -> int:
    """Print, draw and attach one sweep.

    Raises:
        ConfigError: a word is not right, runs are kept nowhere, or there are not two values
            to compare.
        EndpointError: the store does not answer.
    """
    parser = Arguments("sweep")
    parser.add_argument("key", metavar="KEY")
    parser.add_argument("--system", metavar="NAME")
    parser.add_argument("--metric", metavar="NAME", action="append")
    words = parser.parse_args(argv)
    params = _params()
    tracker = _tracker(params)
    sweep = select(logged(tracker), words.key, flat(params, ""), words.system)
    shown = panels(sweep, words.metric)

    width = columns()
    emit(table_lines(sweep, shown, width))
    png, svg, table = (
        data / FOLDER / f"{safe(sweep.key)}.{kind}" for kind in ("png", "svg", "csv")
    )
    write_csv(table, sweep.key, shown)
    draw(sweep, shown, png, svg)
    attach(tracker, [run.run_id for run in sweep.runs], [png, table], FOLDER)
    done = f"drawn: {png}, .svg, .csv; attached to {counted(len(sweep.runs), 'run')} in MLflow"
    emit([Line(""), *(Line(line) for line in wrapped(f"{done} ({FOLDER}/)", width, rest="  "))])
    return 0


def _params() -> dict[str, Any]:
    if not PARAMS.is_file():
        raise ConfigError(
            "sweep",
            expected="params.yaml, as a run leaves it",
            got="none",
            remedy="run `python -m pipeline` in the project's folder first",
        )
    return read_yaml(PARAMS)


def _tracker(params: dict[str, Any]) -> Mlflow:
    tracker = adapter("tracker", params)
    if not isinstance(tracker, Mlflow):
        raise ConfigError(
            "sweep",
            expected="runs that are kept in MLflow",
            got="another tracker in params.yaml",
            remedy="run with tracker=mlflow; `python -m pipeline track` logs a run that is done",
        )
    return tracker
