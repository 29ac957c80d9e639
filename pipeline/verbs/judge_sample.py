"""`judge-sample RULINGS… --out SHEET`: draw items that are worth a person's label.

Of the items that a judge ruled on and nobody has labelled it draws some at
random from each stratum (judge's label x slice), in proportion to its number of
items and at least one each, and writes them as a CSV sheet to fill in: one row
an item, in random order, so that the first rows are a sample too. What the
judge said is not in it. Write yes, no, a number or a word into `decision` and
your name into `annotator`, then take it back with judge-take.

RULINGS as for judge-report. A stratum that is smaller than its one item's share
comes more often than by chance, so slice by few columns.

  --judge NAME    whose rulings; needed where there are several judges; of
                  several draws of one (gpt, gpt#2, …) the first by default
  --out FILE      the sheet; it must not be there yet
  --n N           how many items; 100 by default
  --seed N        of the draws; 7 by default
  --by COLUMN     also a stratum for each value of the column; may come again
  --metric NAME   only this metric; may come again
  --items FILE    further columns of items, such as texts, by the column item
  --annotator A   who will decide, for the column
"""

from pathlib import Path

from pipeline.contract.errors import OK, ConfigError
from pipeline.contract.tables import DRAW
from pipeline.contract.words import counted
from pipeline.rulings.read import read
from pipeline.rulings.records import Rulings
from pipeline.verbs.rulings.sample import sample
from pipeline.verbs.rulings.sheet import write
from pipeline.verbs.terminal.arguments import Arguments


def main(argv: list[str], data: Path) -> int:  # noqa: ARG001 - every verb has this signature
    """Write the sheet.

    Raises:
        ConfigError: a word is not right, or the sheet is there.
        DataError: all faults of the rulings.
    """
    parser = Arguments("judge-sample")
    parser.add_argument("rulings", metavar="RULINGS", nargs="+")
    parser.add_argument("--out", metavar="FILE", type=Path, required=True)
    for name in ("--judge", "--items"):
        parser.add_argument(name, metavar="NAME")
    for name in ("--by", "--metric"):
        parser.add_argument(name, metavar="NAME", action="append", default=[])
    parser.add_argument("--annotator", metavar="NAME", default="")
    parser.add_argument("--n", metavar="N", type=int, default=100)
    parser.add_argument("--seed", metavar="N", type=int, default=7)
    words = parser.parse_args(argv)
    if words.out.exists():
        got = "a file, perhaps with people's work in it"
        raise ConfigError(f"--out {words.out}", expected="a new file", got=got)
    found = read(words.rulings, judges=[words.judge] if words.judge else [], items=words.items)
    judge = _judge(found, words.judge)
    for column in words.by:
        if column not in found.columns:
            known = ", ".join(found.columns) or "none"
            raise ConfigError("--by", expected=f"a column of items ({known})", got=repr(column))
    of = [one for one in found.rulings if one.annotator == judge and one.label is not None]
    of = [one for one in of if not words.metric or one.metric in words.metric]
    keys = sample(of, found, words.by, words.n, words.seed)
    write(words.out, keys, found, words.annotator)
    print(f"wrote {counted(len(keys), 'item')} of judge {judge} to {words.out}")
    return OK


def _judge(found: Rulings, name: str | None) -> str:
    """The judge that is meant; where none is named the only one, of its draws the first."""
    judges = sorted({one.annotator for one in found.rulings if one.role == "judge"})
    if name in judges:
        return str(name)
    first = [one for one in judges if one.rpartition(DRAW)[0] not in judges]
    if name is None and len(first) == 1:
        return first[0]
    expected = f"one of the judges ({', '.join(judges) or 'no ruling has the role judge'})"
    raise ConfigError("--judge", expected=expected, got=repr(name) if name else "none")
