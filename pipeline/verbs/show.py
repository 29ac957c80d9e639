"""`show QUESTION`: open one question, with every system's context, answer, claims and values."""

from pathlib import Path

from pipeline.contract.errors import ConfigError, nearest
from pipeline.contract.results import PerQuestion
from pipeline.contract.tables import Questions, read
from pipeline.scoring.case import Case, Row
from pipeline.verbs.terminal.arguments import Arguments
from pipeline.verbs.terminal.case import open_case, question_rows
from pipeline.verbs.terminal.labels import question_lines
from pipeline.verbs.terminal.response import response_lines
from pipeline.verbs.terminal.text import Line, clean, columns, emit

LIMIT = 1_000
"""Code points of a question or an answer that are shown without --full."""


def main(argv: list[str], data: Path) -> int:
    """Print one question of the finished run in `data`.

    Raises:
        ConfigError: a word is not right, no question or system has that name, or there is
            no finished run.
    """
    words = _parser().parse_args(argv)
    if not (data / "score" / f"{PerQuestion.name}.parquet").is_file():
        raise ConfigError(
            "show",
            expected="a finished run in data/",
            got="none",
            remedy="run `python -m pipeline` first",
        )
    case = open_case(data, _question(data, words.question))
    chosen = _chosen(case, words.system, words.repeat)
    width, limit = columns(), None if words.full else LIMIT
    lines = question_lines(case, width, limit)
    for at in chosen:
        lines += [Line(""), *response_lines(case, at, width, limit)]
    emit(lines)
    return 0


def _parser() -> Arguments:
    parser = Arguments(
        "show",
        description="Open one question of the last run.",
        remedy="an id that begins with - goes behind --",
    )
    parser.add_argument(
        "question", metavar="QUESTION", help="its id; behind -- if it begins with -"
    )
    parser.add_argument("--system", metavar="NAME", help="only this system")
    parser.add_argument("--repeat", metavar="N", type=int, help="only this repeat")
    parser.add_argument("--full", action="store_true", help="long texts in full")
    return parser


def _question(data: Path, wanted: str) -> Row:
    found = question_rows(data, wanted)
    if found:
        return found[0]
    known = read(data / "freeze", Questions, ["question_id"])["question_id"].to_list()
    spelled = [name for name in known if clean(name) == wanted]
    if len(spelled) == 1:
        return question_rows(data, spelled[0])[0]
    raise ConfigError(
        "show",
        expected=f"one of the run's {len(known):,} questions" + clean(nearest(wanted, known)),
        got=clean(repr(wanted)),
    )


def _chosen(case: Case, system: str | None, repeat: int | None) -> list[int]:
    """Rows of the responses that were asked for."""
    systems = sorted({row["system"] for row in case.answers})
    repeats = sorted({row["repeat"] for row in case.answers})
    if system is not None and system not in systems:
        raise ConfigError(
            "show --system",
            expected=f"one of {', '.join(map(clean, systems))}" + clean(nearest(system, systems)),
            got=clean(repr(system)),
        )
    if repeat is not None and repeat not in repeats:
        raise ConfigError(
            "show --repeat", expected=f"one of {', '.join(map(str, repeats))}", got=str(repeat)
        )
    return [
        at
        for at, row in enumerate(case.answers)
        if system in (None, row["system"]) and repeat in (None, row["repeat"])
    ]
