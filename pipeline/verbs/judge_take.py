"""`judge-take SHEET… --rulings FILE [--out FILE]`: take people's decisions back.

SHEETs come from judge-sample, filled in by one or several people. Rows match
by item and metric, in any order; a row without a decision is work still to do
and is counted. Nothing is taken while anything is wrong: an item that the
rulings do not have, a decision that is no label of theirs, one of nobody or of
a judge, or two by the same person. All faults are listed.

What comes out is a file of rulings for judge-report, written anew from the
sheets each time; one that holds decisions which these sheets do not, or on
other words, as of an older revision, is left as it is. Below data/people/,
where it goes by default, each run and `compare` read it: what a judge's rates
are worth then stands beside them.

  --rulings FILE   what the sheets were drawn from; may come again
  --out FILE.csv   the rulings of people; data/people/rulings.csv by default
  --labels A,B     decisions allowed; by default the labels in the rulings
  --annotator A    who decided, where a row does not say
  --judge NAME     an annotator in the rulings that is a judge; may come again
"""

from collections.abc import Sequence
from pathlib import Path

from pipeline.contract.errors import OK, ConfigError
from pipeline.contract.words import counted
from pipeline.rulings.pinned import PEOPLE
from pipeline.rulings.read import read
from pipeline.rulings.records import WORDS, Ruling, Rulings, digest
from pipeline.verbs.rulings.sheet import write_rulings
from pipeline.verbs.rulings.take import take
from pipeline.verbs.terminal.arguments import Arguments

TAKEN = "rulings.csv"


def main(argv: list[str], data: Path) -> int:
    """Write people's rulings.

    Raises:
        ConfigError: a word is not right, or the output would replace an input, or decisions
            that are on no sheet given.
        DataError: all faults of the rulings, or of the sheets.
    """
    parser = Arguments("judge-take")
    parser.add_argument("sheets", metavar="SHEET", nargs="+")
    parser.add_argument("--rulings", metavar="FILE", action="append", required=True)
    parser.add_argument("--out", metavar="FILE", type=Path, default=data / PEOPLE / TAKEN)
    parser.add_argument("--labels", metavar="A,B", default="")
    parser.add_argument("--annotator", metavar="NAME")
    parser.add_argument("--judge", metavar="NAME", action="append", default=[])
    words = parser.parse_args(argv)
    inputs = {Path(name).resolve() for name in [*words.sheets, *words.rulings]}
    if words.out.resolve() in inputs:
        raise ConfigError("--out", expected="another file than those read", got=str(words.out))
    if words.out.suffix.lower() != ".csv":  # by its name it is read again, or passed over
        raise ConfigError("--out", expected="a file that ends in .csv", got=str(words.out))
    found = read(words.rulings, judges=words.judge)
    labels = [label for label in words.labels.split(",") if label.strip()]
    taken, undecided = take(words.sheets, found, labels, words.annotator)
    _keep(words.out, taken, found)
    write_rulings(words.out, taken, found)
    who = counted(len({one.annotator for one in taken}), "person")
    print(f"wrote {counted(len(taken), 'decision')} of {who} to {words.out}")
    if undecided:
        print(f"{counted(undecided, 'row')} without a decision")
    return OK


def _keep(out: Path, taken: Sequence[Ruling], found: Rulings) -> None:
    """Refuse to replace decisions by none; another of the same person on the same words is fine.

    On other words it is not: the decisions on an older revision's answers still hold there.
    """
    if not out.exists():
        return
    new = {(one.key, one.annotator, digest(found.items[one.item])) for one in taken}
    before = read([str(out)], judges=[])
    lost = [
        one
        for one in before.rulings
        if (one.key, one.annotator, before.items[one.item].get(WORDS)) not in new
    ]
    if lost:
        raise ConfigError(
            "--out",
            expected="a new file, or one of decisions that are all on these sheets",
            got=f"{out} with {counted(len(lost), 'decision')} that are on none of them",
            remedy="give their sheets as well, or another --out below the same folder",
        )
