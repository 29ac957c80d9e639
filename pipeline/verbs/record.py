"""`record --system NAME --set FOLDER --from FILE`: ask a live system, keep what it gives.

Each question of the set goes to the system once (for each repeat). What it
retrieved and answered becomes responses of NAME in the set's responses.jsonl,
written when all is in; other systems' responses stay. FILE is YAML:
`python -m pipeline record --example` prints one, with a word on each key. It
names an HTTP endpoint, or a callable that an installed plug-in offers (entry
point of the group rag_assay.systems: question -> {retrieved, answer}).

Every reply is kept in .rag-assay/calls.sqlite as it comes. After a kill, or
with other paths, the same command asks only what is missing; another URL,
request, name or revision asks everything anew. A question without a reply is a
failed response; --replace with the same command asks those again.

Retrieved texts without ids are found in the corpus: a whole document or a span
of one, white space folded. Nothing is left out: what is found nowhere, or in
several documents, is listed, and nothing is written.

  --set FOLDER        the set, or a file of questions (then with --out)
  --documents FOLDER  another version of its corpus
  --out FILE          where responses go
  --repeats N         times that each question is asked; 1 by default
  --split SPLIT       dev, heldout or all, the default
  --first N           only so many questions, to try things out
  --near SHARE        take a text for the document that holds this share of its
                      8-character runs, such as 0.95; each is noted
  --collapse          of parts of one document in a ranking keep the first rank
  --replace           responses of NAME that are there may go
  --report FILE       where each retrieved thing was found, as JSON lines

Beside the responses lies a note of the same name, .note.json, on how they came.
"""

from argparse import Namespace
from importlib.resources import files
from pathlib import Path

from pipeline.contract.errors import OK, ConfigError, EndpointError
from pipeline.verbs.recording import finish
from pipeline.verbs.recording.live import outputs, system_of
from pipeline.verbs.recording.opened import opened
from pipeline.verbs.recording.reading import MARKS
from pipeline.verbs.recording.source import read
from pipeline.verbs.recording.summary import latency, summary
from pipeline.verbs.run import in_project
from pipeline.verbs.terminal.arguments import Arguments
from pipeline.verbs.terminal.text import columns, emit

EXAMPLE = "live.yaml"
KEPT = "the replies are kept: mend this, and the same command asks nothing again"


def main(argv: list[str], data: Path) -> int:  # noqa: ARG001 - every verb has this signature
    """Ask, write, and print what was recorded.

    Raises:
        ConfigError: a word, a key of the file, or a path in it is not right.
        DataError: with every fault of the set, or of what the system gave.
        EndpointError: nobody is there, everything failed, or the store cannot be used.
    """
    if argv == ["--example"]:
        print((files("pipeline.verbs") / "template" / EXAMPLE).read_text("utf-8"), end="")
        return OK
    words = _words(argv)
    in_project()
    source = read(words.source)
    made = opened(words.set, words.documents)
    out = finish.checked(words, made)
    if made.documents is None and (source.reply.texts or source.plugin):
        expected = "a folder with documents, in which retrieved texts are found"
        raise ConfigError("--set", expected=expected, got="a file of questions")

    asking, reading, identity = system_of(source, words.system, made)
    rows, replies, kept = outputs(asking, reading, made, words)
    if not any(row.error is None for row in rows):
        raise EndpointError(
            asking.target.base_url,
            expected=f"answers of {words.system}",
            got=f"none to {len(rows):,} questions, the first: {rows[0].error}",
            remedy="nothing was written; the same command asks again",
        )
    marks = source.reply.citations == MARKS
    done = finish.finish(rows, words, made, out, identity, marks=marks, remedy=KEPT)
    failed = sum(reply.text is None for reply in replies)
    extra = [f"asked {len(rows) - kept:,}, from the store {kept:,}, failed {failed:,}"]
    extra += latency(done.made.part.rows)
    if failed:
        extra.append("the same command with --replace asks again what failed")
    emit(summary(done, str(out.path), columns(), extra))
    return OK


def _words(argv: list[str]) -> Namespace:
    parser = Arguments("record")
    finish.options(parser)
    parser.add_argument("--from", dest="source", metavar="FILE", type=Path, required=True)
    parser.add_argument("--repeats", metavar="N", type=int, default=1)
    parser.add_argument("--split", choices=("dev", "heldout", "all"), default="all")
    parser.add_argument("--first", metavar="N", type=int)
    words = parser.parse_args(argv)
    for name in ("repeats", "first"):
        if getattr(words, name) is not None and getattr(words, name) < 1:
            parser.error(f"--{name} {getattr(words, name)}, which is not 1 or more")
    return words
