"""How long people wait for DVC on the fixture: `python tests/benchmarks/repro.py`.

Outside the test suite, since it measures time. Each line says what it would take at most.
"""

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.project import Project


def main() -> None:
    """Time a first run, a run with nothing to do, another cutoff, and the way back."""
    with tempfile.TemporaryDirectory() as folder:
        project = Project.at(Path(folder) / "project")
        project.dvc("repro", "-q")  # warms byte code and what DVC keeps of its own
        for name in (
            "data/freeze",
            "data/score",
            ".dvc/cache",
            ".dvc/tmp",
            "mlflow.db",
            "dvc.lock",
        ):
            project.do("rm", "-rf", name)
        report("from nothing", project, "repro", "-q", most=15)
        report("nothing to do", project, "repro", "-q", most=2)
        project.edit("conf/experiment/fixture.yaml", "cutoff: 2", "cutoff: 1")
        report("another cutoff", project, "repro", "-q", most=8)
        project.edit("conf/experiment/fixture.yaml", "cutoff: 1", "cutoff: 2")
        report("and back, from cache", project, "repro", "-q", most=8)


def report(what: str, project: Project, *words: str, most: float) -> None:
    """Run DVC and print how long it took."""
    start = time.perf_counter()
    project.dvc(*words)
    took = time.perf_counter() - start
    print(f"dvc repro, {what:<22} {took:6.2f} s   mark: {most} s{'' if took < most else ' MISSED'}")


if __name__ == "__main__":
    main()
