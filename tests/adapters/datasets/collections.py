"""Small collections as TREC and BEIR lay them out, for tests to change."""

import json
from pathlib import Path
from typing import Any

from pipeline.adapters.datasets.beir import Beir
from pipeline.adapters.datasets.trec import Trec
from pipeline.contract.records import Collection

DOCUMENTS = """<doc>
<docno>a</docno>
<title>Ice
floats</title>
<text>Ice floats &amp; melts.</text>
</doc>
<DOC><DOCNO> b </DOCNO><TEXT><P>Water</P> flows.</TEXT></DOC>
<doc><docno>c</docno><text>Steam rises.</text></doc>
"""
TOPICS = """<?xml version='1.0'?>
<xml>
<top>
<num> Number: 7
<title> ice
</top>
<top><num> 9</num><title>what
flows</title><desc>Description: of water</desc></top>
</xml>
"""
QRELS = "7 0 a 2\n7 0 b 0\n9 0 b 1\n"


def trec(folder: Path, **changed: Any) -> Trec:
    """The adapter on a folder, with the defaults of conf/ but for what is changed."""
    fields: dict[str, Any] = {
        "path": str(folder), "corpus": "documents.xml", "topics": "topics.xml",
        "qrels": "qrels.txt", "runs": None, "text": "text", "query": "title",
        "topics_by": "num", "blank": "refuse", "relevant_from": 1, "order": "rank",
        "system": "tag",
    }  # fmt: skip
    return Trec(**{**fields, **changed})


def read_trec(
    folder: Path, documents: str = DOCUMENTS, topics: str = TOPICS, qrels: str = QRELS,
    run: str | None = None, **changed: Any,
) -> Collection:  # fmt: skip
    """Write the files and read them."""
    for name, text in (("documents.xml", documents), ("topics.xml", topics), ("qrels.txt", qrels)):
        (folder / name).write_text(text, encoding="utf-8")
    if run is not None:
        (folder / "runs").mkdir(exist_ok=True)
        (folder / "runs" / "one.run").write_text(run, encoding="utf-8")
        changed["runs"] = str(folder / "runs")
    return trec(folder, **changed).load()


CORPUS = [
    {"_id": "a", "title": "Ice", "text": "It floats.", "metadata": {"url": 1}},
    {"_id": "b", "title": "", "text": "Water flows."},
]
QUERIES = [{"_id": "q1", "text": "what floats"}, {"_id": "q2", "text": "unjudged"}]
JUDGED = "query-id\tcorpus-id\tscore\nq1\ta\t2\nq1\tb\t0\n"


def read_beir(
    folder: Path, corpus: list[Any] | None = None, queries: list[Any] | None = None,
    judged: str = JUDGED, **changed: Any,
) -> Collection:  # fmt: skip
    """Write the files and read them."""
    for name, rows in (("corpus", corpus or CORPUS), ("queries", queries or QUERIES)):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    (folder / "qrels").mkdir(exist_ok=True)
    (folder / "qrels" / "test.tsv").write_text(judged, encoding="utf-8")
    fields: dict[str, Any] = {
        "path": str(folder), "split": "test", "titled": True, "runs": None, "blank": "refuse",
        "relevant_from": 1, "order": "rank", "system": "tag",
    }  # fmt: skip
    return Beir(**{**fields, **changed}).load()


def lines(collection: Collection) -> list[str]:
    """The faults as people read them."""
    return [str(fault) for fault in collection.faults]
