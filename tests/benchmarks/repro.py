"""How long people wait for `dvc repro`, and for which part: `python tests/benchmarks/repro.py`.

On the fixture and on the sample, which is the default run. Each line says what it would take
at most. Then where the sample's run from nothing spends its time: a line a stage, of which
the imports are told apart, and what is left for DVC itself.
"""

import re
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.project import Project

GONE = ("data/freeze", "data/score", ".dvc/cache", ".dvc/tmp", "mlflow.db", "dvc.lock")
TIMED = """#!/bin/bash
TIMEFORMAT="$4 %R"
{ time "$REAL" -X importtime "$@" 2> "$LOG/$4.imports"; } 2>> "$LOG/times"
"""
"""Stands in for the `python` that DVC starts a stage with: notes its name and its time."""


def main() -> None:
    """Time the usual ways on both sets, then the parts of the default run."""
    marks = {"fixture": (15, 2, 8, 8), "sample": (25, 2, 8, 8)}
    for name, (nothing, idle, cutoff, back) in marks.items():
        with tempfile.TemporaryDirectory() as folder:
            project = warm(Path(folder), name)
            settings = f"conf/experiment/{name}.yaml"
            k = re.search(r"^cutoff: (\d+)", (project.folder / settings).read_text(), re.M)
            before, after = f"cutoff: {k[1]}" if k else "", "cutoff: 1"
            project.do("rm", "-rf", *GONE)
            report(f"{name} from nothing", project, most=nothing)
            report("  nothing to do", project, most=idle)
            project.edit(settings, before, after)
            report("  another cutoff", project, most=cutoff)
            project.edit(settings, after, before)
            report("  and back, from cache", project, most=back)
    with tempfile.TemporaryDirectory() as folder:
        parts(warm(Path(folder), "sample"))


def warm(folder: Path, experiment: str) -> Project:
    """A project that ran once, so that byte code and what DVC keeps of its own are there."""
    project = Project.at(folder / "project")
    project.edit("conf/config.yaml", "experiment: fixture", f"experiment: {experiment}")
    project.dvc("repro", "-q")
    return project


def report(what: str, project: Project, *, most: float) -> float:
    """Run DVC and print how long it took."""
    start = time.perf_counter()
    project.dvc("repro", "-q")
    took = time.perf_counter() - start
    print(
        f"{what:<28} {took:6.2f} s   mark: {most} s{'' if took < most else ' MISSED'}", flush=True
    )
    return took


def parts(project: Project) -> None:
    """Print what each stage takes of a run from nothing, and what DVC does."""
    log, shim = project.folder.parent / "log", project.folder.parent / "bin" / "python"
    for folder in (log, shim.parent):
        folder.mkdir()
    shim.write_text(TIMED, encoding="utf-8")
    shim.chmod(0o755)
    path = f"{shim.parent}:{project.environment()['PATH']}"
    timed = Project(project.folder, {"PATH": path, "REAL": sys.executable, "LOG": str(log)})
    project.do("rm", "-rf", *GONE)
    whole = report("sample, every stage timed", timed, most=25)
    print(f"\n{'stage':<12} {'s':>6} {'imports':>8}")
    rest = whole
    for line in (log / "times").read_text("utf-8").splitlines():
        stage, seconds = line.rsplit(" ", 1)
        rest -= float(seconds)
        print(f"{stage:<12} {float(seconds):6.2f} {imports(log / f'{stage}.imports'):8.2f}")
    print(f"{'DVC and git':<12} {rest:6.2f}")


def imports(file: Path) -> float:
    """Seconds that modules took to load, by Python's own account."""
    found = re.findall(r"^import time:\s+(\d+) \|", file.read_text("utf-8"), re.M)
    return sum(map(int, found)) / 1e6


if __name__ == "__main__":
    main()
