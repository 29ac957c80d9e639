"""A project in a folder of its own, driven the way a person drives it."""

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from pipeline.contract.files import read_json

ROOT = Path(__file__).parents[1]
SHIPPED = ("conf", "data/raw", "dvc.yaml", ".dvcignore", ".gitignore")
GIT = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")


@dataclass(frozen=True)
class Project:
    """A copy of what git tracks of the project, committed, with code linked by PYTHONPATH."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict)

    @classmethod
    def at(cls, folder: Path) -> "Project":
        for name in SHIPPED:
            source, target = ROOT / name, folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if source.is_dir() else shutil.copy2
            copy(source, target)
        shutil.copytree(
            ROOT / "pipeline", folder / "pipeline", ignore=shutil.ignore_patterns("__pycache__")
        )
        config = folder / "conf" / "config.yaml"  # the smallest run is the default here
        text = config.read_text("utf-8")
        config.write_text(text.replace("experiment: sample", "experiment: fixture"), "utf-8")
        shutil.copytree(ROOT / ".dvc" / "plots", folder / ".dvc" / "plots")
        for name in ("config", ".gitignore"):
            shutil.copy2(ROOT / ".dvc" / name, folder / ".dvc" / name)
        project = cls(folder)
        project.git("init", "-q")
        project.commit("start")
        return project

    def environment(self) -> dict[str, str]:
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("DVC_", "MLFLOW_"))}
        path = f"{Path(sys.executable).parent}{os.pathsep}{clean['PATH']}"
        return {
            **clean,
            "PATH": path,
            "PYTHONPATH": str(self.folder),
            "DVC_NO_ANALYTICS": "1",
            "PYTHONWARNINGS": "ignore",
            **self.env,
        }

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            words,
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def do(self, *words: str, code: int = 0) -> str:
        """Run a command, require its exit code, return what it printed."""
        process = self.start(*words)
        printed, _ = process.communicate(timeout=300)
        assert process.returncode == code, f"{words} said {process.returncode}:\n{printed}"
        return printed

    def pipeline(self, *words: str, code: int = 0) -> str:
        return self.do(sys.executable, "-m", "pipeline", *words, code=code)

    def dvc(self, *words: str, code: int = 0) -> str:
        return self.do(sys.executable, "-m", "dvc", *words, code=code)

    def git(self, *words: str) -> str:
        return self.do("git", *GIT, *words)

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def restore(self) -> None:
        """Return every tracked file to the last commit and forget what compose kept."""
        self.git("checkout", "-q", "--", ".")
        self.git("clean", "-q", "-fd", "-e", "mlflow.db")
        shutil.rmtree(self.folder / "data/compose", ignore_errors=True)

    def edit(self, name: str, old: str, new: str) -> None:
        file = self.folder / name
        text = file.read_text("utf-8")
        assert old in text
        file.write_text(text.replace(old, new), "utf-8")

    def metrics(self) -> Any:
        return read_json(self.folder / "data/score/metrics.json")

    def params(self) -> Any:
        return yaml.safe_load((self.folder / "params.yaml").read_text("utf-8"))

    def ran(self, printed: str) -> list[str]:
        """Names of the stages that `dvc repro` says it ran."""
        return [line.split("'")[1] for line in printed.splitlines() if "Running stage" in line]

    def results(self) -> dict[str, bytes]:
        """Every file that the stages up to `compare` left."""
        names = ("freeze", "chunk", "retrieve", "rerank", "answer", "judge", "score", "compare")
        files = [f for name in names for f in sorted((self.folder / "data" / name).rglob("*"))]
        return {str(f.relative_to(self.folder)): f.read_bytes() for f in files if f.is_file()}


def signalled(process: subprocess.Popen[str], stage: str, number: int) -> str:
    """Wait until the stage runs below `process`, signal all of it, return what it printed."""
    wanted = f"pipeline\0stage\0{stage}".encode()
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                if wanted in (entry / "cmdline").read_bytes() and os.getpgid(
                    int(entry.name)
                ) == os.getpgid(process.pid):
                    os.killpg(os.getpgid(process.pid), number)
                    printed, _ = process.communicate(timeout=60)
                    return printed
            except (FileNotFoundError, ProcessLookupError):
                continue
        if process.poll() is not None:
            break
        time.sleep(0.002)
    raise AssertionError(f"{stage} never ran: {process.communicate()[0]}")


KILL, INTERRUPT = signal.SIGKILL, signal.SIGINT
