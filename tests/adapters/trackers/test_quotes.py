"""Runs of the built-in system, whose answers are quotes: what is kept of them."""

from pathlib import Path

import pytest

from pipeline.adapters.trackers import payload
from pipeline.adapters.trackers.bundle import bundle
from pipeline.adapters.trackers.traces import traces
from pipeline.contract.files import read_json
from pipeline.contract.results import Judged, PerQuestion
from pipeline.contract.tables import Answers, Questions, Statements, read
from pipeline.contract.veil import Content
from pipeline.settings import Rubric
from pipeline.stages import score
from tests.adapters.trackers.conftest import Look
from tests.adapters.trackers.runs import log, statuses, table_of, traces_of
from tests.built_in import built
from tests.finished import hand_in

# Two sentences, a chunk each: chunks of at most four words.
TEXT = "Zander cost nine coins. Boats leave at eight."
MARK = {"doc_id": "d", "claim_id": "nine", "start": 0, "end": 23}


@pytest.fixture
def data(root: Path) -> Path:
    source = hand_in(
        root / "in",
        documents=[{"doc_id": "d", "text": TEXT}],
        questions=[
            {
                "question_id": "price",
                "text": "What does zander cost?",
                "relevant": ["d"],
                "support": {"nine": ["d"]},
                "evidence": [MARK],
            },
            {"question_id": "weather", "text": "Rain?", "relevant": [], "support": {}},
        ],
        responses=[
            {"system": "A", "question_id": name, "retrieved": ["d"], "claims": []}
            for name in ("price", "weather")
        ],
    )
    return built(root / "data", source, chunk_size=4)


def test_the_table_and_the_traces_name_the_claims_that_the_judge_found(data: Path) -> None:
    (cited,) = read(data / "judge", Statements)["cited_ids"][0].to_list()
    table = payload.table(
        read(data / "score", PerQuestion),
        read(data / "freeze", Questions),
        read(data / "answer", Answers),
        read(data / "judge", Statements),
        Judged.empty(),
    )
    assert table["claims"] == [f"nine [{cited[0]}]", ""]
    price, weather = traces(data, "rag", "full", limit=9, seed=7, cutoff=2)
    assert price.claims == [f"nine [{cited[0]}]"]
    assert "Zander cost nine coins" in price.response
    assert price.response.endswith(f"claims: nine [{cited[0]}]")
    assert weather.response == "claims: none"


@pytest.mark.parametrize("content", ["full", "redacted", "ids"])
def test_the_scores_come_again_from_the_files_alone_and_veiled_ones_hold_no_words(
    data: Path, tmp_path: Path, content: Content
) -> None:
    again = tmp_path / "again"
    bundle(data, "rag", content, 2, again)
    rubric = Rubric(ids="open", unresolved="interval", overlap=1, tokenizer="words")
    score.run(again, cutoff=2, budget=None, rubric=rubric, reason=None, seed=7)
    before = read(data / "score", PerQuestion)
    assert read(again / "score", PerQuestion).equals(before, null_equal=True)
    ours = read_json(data / "score" / "identity.json")
    assert read_json(again / "score" / "identity.json") == ours
    found = traces(data, "rag", content, limit=9, seed=7, cutoff=2)
    shown = f"{read(again / 'answer', Answers).to_dicts()} {found}".lower()
    assert ("zander" in shown) is (content == "full")


@pytest.mark.slow
def test_the_run_is_logged_with_table_and_traces(stored: Path, data: Path, client: Look) -> None:
    runs = log(data)
    assert statuses(runs) == {"rag": "new"}
    store, run_id = client(stored), runs["rag"]["run_id"]
    assert [row["claims"] for row in table_of(store, run_id, stored)][1] == ""
    assert len(traces_of(store, run_id)) == 2
    assert store.get_run(run_id).data.metrics["coverage/macro"] == 1.0
    assert read_json(data / "track" / "rag.manifest.json")["responses"] is None
    assert statuses(log(data)) == {"rag": "found"}
