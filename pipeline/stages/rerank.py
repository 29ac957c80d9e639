"""Order every ranking anew.

Reads   freeze/documents, freeze/questions, chunk/chunks, retrieve/ranking
Writes  rerank/ranking
"""

from pathlib import Path

from pipeline.contract.files import replacing, write_json
from pipeline.contract.ports import Reranker
from pipeline.contract.tables import Chunks, Documents, Questions, Ranking, read, write
from pipeline.settings import describe


def run(data: Path, *, reranker: Reranker) -> str:
    """Rerank; return one line on what came out.

    Raises:
        ValueError: the reranker changed which chunks a ranking holds.
    """
    documents = read(data / "freeze", Documents)
    questions = read(data / "freeze", Questions)
    chunks = read(data / "chunk", Chunks)
    ranking = read(data / "retrieve", Ranking)

    ordered = reranker.rerank(questions, chunks, documents, ranking)

    if not ordered["chunks"].list.sort().equals(ranking["chunks"].list.sort(), null_equal=True):
        raise ValueError("rerank: expected the same chunks in another order, got other chunks")
    with replacing(data / "rerank") as folder:
        write(folder, Ranking, ordered)
        write_json(folder / "settings.json", {"reranker": describe(reranker)})
    return f"{len(ordered):,} rankings"
