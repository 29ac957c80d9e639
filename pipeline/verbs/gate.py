"""`gate [--comparison JSON] [--junit XML] [--markdown MD]`: hold a comparison to its policy.

Reads the comparison that a run left (data/compare/comparison.json) or the file
named, prints the verdict with every rule, and writes it as JUnit XML and as
Markdown for a pull request where files are named for them.

exit codes: 0 accept, 1 reject, 2 unmeasurable, 3 no comparison or no policy
"""

from datetime import UTC, datetime
from pathlib import Path

from pipeline.contract.errors import OK, REJECT, UNMEASURABLE
from pipeline.contract.files import replacing
from pipeline.verbs.gates.judged import read_judged
from pipeline.verbs.gates.junit import junit
from pipeline.verbs.gates.markdown import markdown
from pipeline.verbs.gates.page import page_lines
from pipeline.verbs.terminal.arguments import Arguments
from pipeline.verbs.terminal.text import columns, emit

CODES = {"accept": OK, "reject": REJECT, "unmeasurable": UNMEASURABLE, None: UNMEASURABLE}


def main(words: list[str], data: Path) -> int:
    """Print the verdict, write the files asked for, and return its exit code.

    Raises:
        ConfigError: the words are not right, or there is no comparison under a policy.
    """
    parser = Arguments("gate", add_help=False)
    parser.add_argument("--comparison", metavar="JSON")
    parser.add_argument("--junit", metavar="XML")
    parser.add_argument("--markdown", metavar="MD")
    chosen = parser.parse_args(words)
    for name, value in vars(chosen).items():
        if value is not None and not value.strip():
            parser.error(f"--{name} without a file's name")
    path = Path(chosen.comparison or data / "compare" / "comparison.json")
    _apart(parser, {"comparison": path, "junit": chosen.junit, "markdown": chosen.markdown})
    found = read_judged(path, datetime.now(UTC).date())
    if chosen.junit:
        _put(Path(chosen.junit), junit(found))
    if chosen.markdown:
        _put(Path(chosen.markdown), markdown(found))
    emit(page_lines(found, columns()))
    return CODES[found.verdict]


def _apart(parser: Arguments, files: dict[str, Path | str | None]) -> None:
    """Refuse a folder where a file is written, and two uses of one file."""
    used: dict[Path, str] = {}
    for name, given in files.items():
        if given is None:
            continue
        path = Path(given).resolve()
        if name != "comparison" and path.is_dir():
            parser.error(f"--{name} {given}, which is a folder")
        if path in used and (path.is_file() or not path.exists()):
            parser.error(f"--{name} {given}, which is the file of --{used[path]}")
        used[path] = name


def _put(path: Path, text: str) -> None:
    """Write a file whole or not at all; what is no file of its own (/dev/stdout) is written to."""
    if path.exists() and not path.is_file():
        with path.open("a", encoding="utf-8") as stream:
            stream.write(text)
        return
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
