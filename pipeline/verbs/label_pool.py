"""`label-pool --out SHEET`: put what systems retrieved on a sheet, for people to label.

The first ranks of every system and repeat of the run in data/ are pooled: for
each question each document once, in an order that tells neither who retrieved
it nor where. Left out is what people have looked at before: the documents in a
question's `judged`, and questions that were labelled over the whole corpus.

Write into `relevant` yes, no, or a grade (0 is no), into `claims` the ids of
expected claims that the document supports (several: one a line, or with ;) and
your name into `annotator`. A second person takes a copy. Then label-take.

  --out FILE        the sheet, CSV; it must not be there yet
  --claims FILE     also a sheet for expected claims: their id, their words, and
                    the documents that support them (ids, as in claims above)
  --data DIR        the data folder of a run; several come into one pool
  --depth K         ranks of each system, 10 by default
  --annotator A     who will label, for the column
  --again           also what people have looked at before
  --characters N    of a longer document only what was retrieved of it is shown;
                    30000 by default, since a cell of a spreadsheet holds 32767
  --seed N          of the order; 7 by default
"""

from pathlib import Path

from pipeline.checks.ids import malformed
from pipeline.contract.errors import OK, ConfigError
from pipeline.contract.words import counted
from pipeline.verbs.labelling.pool import pool
from pipeline.verbs.labelling.sheet import write_claims, write_pool
from pipeline.verbs.terminal.arguments import Arguments

CELL = 32_000
"""The most characters that a spreadsheet is sure to keep in a cell."""


def main(argv: list[str], data: Path) -> int:
    """Write the sheets.

    Raises:
        ConfigError: a word is not right, a sheet is there, or there is no run or no document
            to label.
    """
    parser = Arguments("label-pool")
    parser.add_argument("--out", metavar="FILE", type=Path, required=True)
    parser.add_argument("--claims", metavar="FILE", type=Path)
    parser.add_argument("--data", metavar="DIR", type=Path, action="append", default=[])
    parser.add_argument("--annotator", metavar="A", default="")
    parser.add_argument("--again", action="store_true")
    for name, number in (("--depth", 10), ("--characters", 30_000), ("--seed", 7)):
        parser.add_argument(name, metavar="N", type=int, default=number)
    words = parser.parse_args(argv)
    for name, most in (("depth", 10_000), ("characters", CELL)):
        if not 1 <= getattr(words, name) <= most:
            got = str(getattr(words, name))
            raise ConfigError(f"--{name}", expected=f"a whole number from 1 to {most}", got=got)
    for file in filter(None, (words.out, words.claims)):
        if file.exists():
            got = "a file, perhaps with people's work in it"
            raise ConfigError(f"label-pool {file}", expected="a new file", got=got)
    if words.claims and words.claims.resolve() == words.out.resolve():
        got = f"{words.claims}, which is that of --out"
        raise ConfigError("--claims", expected="a file of its own", got=got)
    bad = malformed(words.annotator) if words.annotator else None
    if bad:  # the sheet could not be taken back
        raise ConfigError("--annotator", expected="a name that can be an id", got=bad)
    rows = pool(
        words.data or [data],
        depth=words.depth,
        seed=words.seed,
        characters=words.characters,
        again=words.again,
    )
    if not rows:
        raise ConfigError(
            "label-pool",
            expected="a retrieved document that nobody has looked at",
            got="none",
            remedy="--again takes in those that people have labelled",
        )
    write_pool(words.out, rows, words.annotator)
    asked = len({row.question_id for row in rows})
    print(f"wrote {counted(len(rows), 'row')} of {counted(asked, 'question')} to {words.out}")
    if words.claims:
        write_claims(words.claims, rows, words.annotator)
        print(f"wrote a sheet for their expected claims to {words.claims}")
    return OK
