"""Where a run was made: code revision, interpreter, packages, machine. No host, no user."""

import os
import platform
import re
import subprocess
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

DISTRIBUTION = "rag-assay"
CODE = ("pipeline", "conf", "dvc.yaml", "pyproject.toml")
"""What is code: a change here makes a run dirty, a new result or params.yaml does not."""


def environment() -> dict[str, Any]:
    """Interpreter, machine and the versions of every package this one depends on."""
    return {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "processors": os.cpu_count() or 1,
        "packages": _packages(),
    }


def revision(folder: Path) -> dict[str, Any]:
    """Commit that is checked out in `folder` and whether code differs from it.

    Returns:
        `{"revision": 40 digits, "dirty": bool}`; both None without git or a commit.
    """
    head = _git(folder, "rev-parse", "--verify", "HEAD")
    if not head:
        return {"revision": None, "dirty": None}
    changed = _git(folder, "status", "--porcelain", "--", *CODE)
    return {"revision": head, "dirty": None if changed is None else bool(changed)}


def _git(folder: Path, *words: str) -> str | None:
    # GIT_OPTIONAL_LOCKS: reading must not get in the way of another git at work.
    try:
        done = subprocess.run(
            ["git", *words],
            cwd=folder,
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0"},
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _packages() -> dict[str, str]:
    try:
        lines = requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        lines = []
    names = {DISTRIBUTION} | {
        re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0]
        for line in lines
        if "extra ==" not in line
    }
    found = {}
    for name in sorted(names):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
