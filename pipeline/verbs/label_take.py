"""`label-take SHEET… --set DIR --out FILE`: put people's labels into a question set.

SHEETs come from label-pool, filled in by one or several people, perhaps in
part. Rows match by item, in any order. Nothing is taken while anything is
wrong: an item that the set does not have, texts that have changed since, a
label that is none, one of nobody, or two by one person; all faults are listed.

FILE is a questions file of the jsonl format with each person's labels as votes,
which may disagree, and in `judged` the documents that people looked at. Who
labelled a question and is silent on a document says no to it. So labels of
somebody who left a part of a question's pool undecided are held back, and the
question stays not labelled if nobody has finished it; each is named.

  --set DIR         the set's folder: documents.jsonl and questions.jsonl
  --out FILE        the new questions file; it must not be there yet
  --replace         FILE may be there, the set's own questions.jsonl too
  --claims FILE     a sheet of expected claims, filled in; may come again
  --annotator A     who labelled, where a row does not say
  --silent-is-no    take also what is undecided in part: silence is a no
"""

from pathlib import Path

import msgspec

from pipeline.adapters.datasets.jsonl import Jsonl
from pipeline.checks.labels import carries_claims, check_labels
from pipeline.checks.references import References
from pipeline.checks.report import by_place
from pipeline.contract.errors import OK, ConfigError, DataError, Fault
from pipeline.contract.files import replacing
from pipeline.contract.records import Collection, Part, Question
from pipeline.contract.words import counted
from pipeline.verbs.labelling.claimed import take_claims
from pipeline.verbs.labelling.merge import Merged, merge
from pipeline.verbs.labelling.passages import take_pool
from pipeline.verbs.labelling.read import Sheets
from pipeline.verbs.terminal.arguments import Arguments
from pipeline.verbs.terminal.text import Line, clean, columns, emit, wrapped

NAMED = 40
"""Questions that are named one by one; the number of the others is said."""

MEND = "mend the rows named above; nothing was taken"


def main(argv: list[str], data: Path) -> int:  # noqa: ARG001 - every verb has this signature
    """Write the questions file and say what was taken and what was not.

    Raises:
        ConfigError: a word is not right, or the file is there.
        DataError: all faults of the set, of the sheets, or of the labels that would result.
    """
    parser = Arguments("label-take")
    parser.add_argument("sheets", metavar="SHEET", nargs="*")
    parser.add_argument("--set", metavar="DIR", required=True)
    parser.add_argument("--out", metavar="FILE", type=Path, required=True)
    parser.add_argument("--claims", metavar="FILE", action="append", default=[])
    parser.add_argument("--annotator", metavar="A", default="")
    for name in ("--replace", "--silent-is-no"):
        parser.add_argument(name, action="store_true")
    words = parser.parse_args(argv)
    if not words.sheets and not words.claims:
        raise ConfigError("label-take", expected="a sheet", got="none")
    if words.out.exists() and not words.replace:
        remedy = "give another name, or --replace to lose it"
        raise ConfigError("--out", expected="a new file", got=str(words.out), remedy=remedy)
    whole = Jsonl(path=words.set).load()
    if whole.faults:
        raise DataError(by_place(whole.faults), remedy="mend the set first; nothing was taken")
    sheets = Sheets(whole.questions.rows, whole.documents.rows, words.annotator)
    take_claims(sheets, words.claims)
    take_pool(sheets, words.sheets)
    if sheets.taken.faults:
        raise DataError(by_place(sheets.taken.faults), remedy=MEND)
    merged = merge(whole.questions.rows, sheets.taken, silent_is_no=words.silent_is_no)
    faults = _faults(whole, merged)
    if faults:
        raise DataError(by_place(faults), remedy=MEND)
    _write(words.out, merged.questions)
    people = {who for _, who, _ in sheets.taken.said}
    emit(_lines(merged, words.out, people, sheets.taken.blank, whole.question_set.version))
    return OK


def _faults(whole: Collection, merged: Merged) -> list[Fault]:
    """What would be wrong with the labels that result; remarks on claims that are not there."""
    texts = {row.doc_id: row.text or "" for row in whole.documents.rows}
    part = Part(merged.questions, whole.questions.files, whole.questions.lines)
    found, missing = (
        check_labels(part, References(texts), texts, claims=claims, rule="open")
        for claims in (False, carries_claims(part, "auto"))
    )
    without = len(missing) - len(found)
    if without:
        merged.remarks.append(
            f"the set carries claim labels, and {counted(without, 'answerable question')} "
            "without: a run refuses it (question_set.claims=false leaves claims out)"
        )
    return found


def _write(path: Path, questions: list[Question]) -> None:
    encode = msgspec.json.Encoder().encode
    with replacing(path) as temporary:
        temporary.write_bytes(b"".join(encode(row) + b"\n" for row in questions))


def _lines(
    merged: Merged, out: Path, people: set[str], blank: int, version: str | None
) -> list[Line]:
    changed, first = len(merged.changed), len(merged.first)
    who = counted(len(people), "person")
    told = f"labels of {who}, new on {counted(changed, 'question')}, {first:,} of them first ones"
    lines = [Line(f"wrote {clean(str(out))}"), Line(told)]
    if blank:
        lines.append(Line(f"{counted(blank, 'row')} without a label"))
    if merged.held:
        head = "Held back, for silence would count as a no (--silent-is-no takes it so):"
        lines += [Line(""), Line(head, "yellow"), *_named(merged.held)]
    if merged.remarks:
        lines += [Line(""), *_named(merged.remarks)]
    if changed:
        frozen = f" (it is {version})" if version else ""
        text = (
            f"The labels are others now: give the question set a new version{frozen} and say in "
            "its note what changed, in set.yaml or as question_set.version and question_set.note"
        )
        lines += [Line(""), *(Line(line) for line in wrapped(clean(text), columns()))]
    return lines


def _named(texts: list[str]) -> list[Line]:
    lines = [
        Line(line)
        for text in texts[:NAMED]
        for line in wrapped(clean(text), columns(), first="  ", rest="    ")
    ]
    more = len(texts) - NAMED
    return [*lines, Line(f"  and {more:,} more")] if more > 0 else lines
