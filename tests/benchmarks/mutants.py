"""Do the tests notice each small change to scoring? `python tests/benchmarks/mutants.py`.

Names of modules after it restrict the run to these: `… mutants.py bounds claims`.

Runs mutmut (`pip install mutmut`) over `pipeline/scoring` in a copy of the project, with the
unit tests and a hundred of the oracle's worlds. A changed line that no test notices has to
stand in `tests/scoring/survivors.txt` with the reason why it does not matter; prints the
counts, and every survivor that is not there. Takes about half an hour on two cores.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXPLAINED = ROOT / "tests" / "scoring" / "survivors.txt"
SLOW = ("test_grid", "test_imports", "test_oracle", "test_properties", "test_rivals", "test_traps")
ORACLE = "::test_every_value_reason_bound_cause_leak_and_average_is_the_oracles[0]"

PACKAGE = "pipeline.scoring."

Change = tuple[str, str]
"""Where a survivor is (module.function) and its lines of difference."""


def main(modules: list[str]) -> int:
    """Run the mutants of these modules, or of all; 0 if all survivors are explained."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        copy(project)
        mutmut(project, "run", "--max-children", "2", *(f"{PACKAGE}{m}.*" for m in modules))
        results = mutmut(project, "results", "--all", "true").split("\n")
        states = dict(line.strip().split(": ") for line in results if ": " in line)
        states = {name: state for name, state in states.items() if state != "not checked"}
        survivors = {
            change(name, mutmut(project, "show", name))
            for name, state in states.items()
            if state != "killed"
        }
    explained = {one for one in known() if not modules or one[0].split(".")[0] in modules}
    print(f"{len(states):,} mutants, {len(survivors):,} survivors")
    for place, lines in sorted(survivors - explained):
        print(f"\nnot explained: {place}\n{lines}")
    for place, lines in sorted(explained - survivors):
        print(f"\nexplained, but gone: {place}\n{lines}")
    return int(bool(survivors - explained))


def copy(project: Path) -> None:
    """Copy what the tests of scoring need, and tell mutmut what to change and to run."""
    for name in ("pipeline", "tests/scoring", "data/raw"):
        shutil.copytree(ROOT / name, project / name)
    for path in (ROOT / "tests").glob("*.py"):
        shutil.copy(path, project / "tests")
    tests = sorted((project / "tests" / "scoring").glob("test_*.py"))
    chosen = [f"tests/scoring/{path.name}" for path in tests if path.stem not in SLOW]
    settings = {
        "source_paths": ["pipeline/"],
        "only_mutate": ["pipeline/scoring/*"],
        "also_copy": ["data/", "tests/"],
        "pytest_add_cli_args_test_selection": [*chosen, f"tests/scoring/test_oracle.py{ORACLE}"],
        "process_isolation": "forkserver",  # polars' threads do not survive a plain fork
    }
    lines = [f"{key} = {value!r}" for key, value in settings.items()]
    (project / "pyproject.toml").write_text("\n".join(["[tool.mutmut]", *lines, ""]))


def mutmut(project: Path, *words: str) -> str:
    """Run mutmut in the copy; return what it prints."""
    command = [sys.executable, "-m", "mutmut", *words]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"mutmut {words[0]} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def change(name: str, shown: str) -> Change:
    """`pipeline.scoring.causes.x_names__mutmut_8` and its diff -> where and what."""
    module, _, function = name.removeprefix(PACKAGE).partition(".x")
    function = function.partition("__mutmut_")[0].replace("ǁ", ".").lstrip("._")
    lines = [line for line in shown.split("\n") if line[:1] in ("-", "+")]
    kept = [line[0] + " " + line[1:].strip() for line in lines if line[:3] not in ("---", "+++")]
    return f"{module}.{function}", "\n".join(kept)


def known() -> set[Change]:
    """The survivors that are explained: blocks of a place and its lines, below their reason."""
    blocks = EXPLAINED.read_text(encoding="utf-8").split("\n\n")
    found = set()
    for block in blocks:
        place, _, lines = block.strip().partition("\n")
        if lines[:1] in ("-", "+"):
            found.add((place, lines))
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
