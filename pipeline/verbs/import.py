"""`import FORMAT SOURCE --system NAME --set FOLDER`: take outputs from another tool.

What the tool kept of a system's outputs becomes responses of NAME in the set's
responses.jsonl; other systems' responses stay. FORMAT and SOURCE:
  ragas         samples as .jsonl, .json or .csv: user_input, response,
                retrieved_contexts; or by the older names question, answer,
                contexts; retrieved_context_ids, question_id if they are there
  mlflow        traces with a RETRIEVER span: JSON of traces, or a tracking URI
                with --experiment
  open-rag-eval results as .csv or .json: query_id, query, query_run,
                passage_id, passage, generated_answer
  ragchecker    its input .json: results with query_id, query, response and
                retrieved_context

A row is its question's by id where the set has that id, else word for word (in
Unicode normal form C, white space folded). Retrieved texts without ids are
found in the corpus: a whole document or a span of one, white space folded. What
is found nowhere, or in several places, is listed, and nothing is written.

  --set FOLDER        the set, a folder
  --documents FOLDER  another version of its corpus
  --out FILE          where responses go
  --near SHARE        take a text for the document that holds this share of its
                      8-character runs, such as 0.95; each is noted
  --collapse          of parts of one document in a ranking keep the first rank
  --marks             [n] in an answer cites the n-th text; so in open-rag-eval
  --replace           responses of NAME that are there may go
  --report FILE       where each retrieved thing was found, as JSON lines
  --experiment NAME   of the tracking server, for mlflow
  --retriever NAME    the span that counts, where a trace has several RETRIEVERs

Beside the responses lies a note of the same name, .note.json, on how they came.
"""

from hashlib import sha256
from pathlib import Path

from pipeline.contract.errors import OK, ConfigError, DataError
from pipeline.contract.records import Collection
from pipeline.verbs.importing import mlflow, open_rag_eval, ragas, ragchecker
from pipeline.verbs.recording import finish
from pipeline.verbs.recording.opened import opened
from pipeline.verbs.recording.rows import Row
from pipeline.verbs.recording.summary import summary
from pipeline.verbs.run import in_project
from pipeline.verbs.terminal.arguments import Arguments
from pipeline.verbs.terminal.text import columns, emit

FILES = {
    "ragas": ragas.read,
    "open-rag-eval": open_rag_eval.read,
    "ragchecker": ragchecker.read,
}
MEND = "mend what is named above; nothing was written"


def main(argv: list[str], data: Path) -> int:  # noqa: ARG001 - every verb has this signature
    """Read, write, and print what was taken.

    Raises:
        ConfigError: a word is not right, or nothing is there.
        DataError: with every fault of the set, or of what the tool kept.
        EndpointError: the tracking server does not answer.
    """
    parser = Arguments("import")
    parser.add_argument("format", metavar="FORMAT", choices=(*FILES, "mlflow"))
    parser.add_argument("source", metavar="SOURCE")
    finish.options(parser)
    parser.add_argument("--marks", action="store_true")
    for name in ("--experiment", "--retriever"):
        parser.add_argument(name, metavar="NAME")
    words = parser.parse_args(argv)
    in_project()
    if words.format != "mlflow" and (words.experiment or words.retriever):
        parser.error("--experiment or --retriever, which are for mlflow")
    made = opened(words.set, words.documents)
    if made.documents is None:
        raise ConfigError("--set", expected="a folder with documents", got="a file")
    out = finish.checked(words, made)

    collection = Collection()
    rows = _rows(words.format, words.source, words.experiment, words.retriever, collection)
    if collection.faults:
        raise DataError(collection.faults, remedy=MEND)
    if not rows:
        raise ConfigError(words.source, expected="outputs of a system", got="none")
    marks = words.marks or words.format == "open-rag-eval"
    source = {"format": words.format, **_identity(words.source, words.experiment)}
    done = finish.finish(rows, words, made, out, source, marks=marks, remedy=MEND)
    emit(summary(done, str(out.path), columns(), collection.notes))
    return OK


def _rows(
    form: str, source: str, experiment: str | None, retriever: str | None, collection: Collection
) -> list[Row]:
    if form == "mlflow" and experiment is not None:
        return mlflow.logged(source, experiment, retriever, collection)
    if not Path(source).is_file():
        raise ConfigError("import", expected=f"a file of {form}", got=repr(source))
    if form == "mlflow":
        return mlflow.read(Path(source), retriever, collection)
    return FILES[form](Path(source), collection)


def _identity(source: str, experiment: str | None) -> dict[str, str]:
    if experiment is not None:
        return {"experiment": experiment}
    return {"file": Path(source).name, "sha256": sha256(Path(source).read_bytes()).hexdigest()}
