"""`judge-report RULINGS… [--judge NAME]…`: hold a judge to what people said of the same items.

RULINGS is CSV or JSONL with the columns item, annotator and label; metric and
role (person or judge) may be there. Labels are yes and no, numbers, or words.
All other columns belong to the item. Several files are read as one.

Of people it says how far they agree (Krippendorff's alpha). What they all say
is an item's label; where they differ it has none, unless a resolver ruled. Of
numbers it is the median. Of each judge it shows the confusion table, TPR and
TNR (Wilson), Cohen's kappa or, of numbers, rank correlations (bootstrap over
items), all at 95 %, and its rate of yes: raw and corrected in two ways.
  powered       prediction-powered: right where the labelled items are a random
                part of those the judge ruled on, as judge-sample draws them
  rogan-gladen  right where labels come from elsewhere, if the judge errs there
                as often as here; wider
A judge without a labelled item is called unvalidated.

  --judge NAME      an annotator that is a judge (only these are shown)
  --items FILE      further columns of items, by the column item
  --metric NAME     only this metric; all by default
  --by COLUMN       also for each value of the column
  --positive LABEL  this label means yes, all others no
  --resolver NAME   the annotator whose word settles what people dispute
  --format mtrag    RULINGS is a human_evaluations.json of MT-RAG; a metric of a
                    program, such as rl_f, can be named as --judge
  --seed N          of the bootstrap; 7 by default
  --json FILE       write the numbers, too

Options but --items, --resolver, --format, --seed and --json may come again.
"""

from pathlib import Path

from pipeline.contract.errors import OK
from pipeline.contract.files import write_json
from pipeline.rulings.measure import Choices, measure
from pipeline.rulings.read import read
from pipeline.verbs.rulings.page import report_lines
from pipeline.verbs.terminal.arguments import Arguments
from pipeline.verbs.terminal.text import columns, emit


def main(argv: list[str], data: Path) -> int:  # noqa: ARG001 - every verb has this signature
    """Print the report.

    Raises:
        ConfigError: a word is not right, or a name is not in the rulings.
        DataError: all faults of the files.
    """
    parser = Arguments("judge-report")
    parser.add_argument("rulings", metavar="RULINGS", nargs="+")
    for name in ("--judge", "--metric", "--by"):
        parser.add_argument(name, metavar="NAME", action="append", default=[])
    parser.add_argument("--positive", metavar="LABEL", action="append", default=[])
    parser.add_argument("--resolver", metavar="NAME")
    parser.add_argument("--items", metavar="FILE")
    parser.add_argument("--format", choices=("rulings", "mtrag"), default="rulings")
    parser.add_argument("--seed", metavar="N", type=int, default=7)
    parser.add_argument("--json", metavar="FILE", type=Path)
    words = parser.parse_args(argv)
    found = read(words.rulings, judges=words.judge, items=words.items, form=words.format)
    chosen = words.metric, words.judge, words.by, words.positive, words.resolver, words.seed
    report = measure(found, Choices(*chosen))
    emit(report_lines(report, columns()))
    if words.json:
        write_json(words.json, report)
    return OK
