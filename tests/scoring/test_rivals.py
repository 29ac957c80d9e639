"""Our retrieval values against trec_eval's, through ir_measures, on the same lists."""

from random import Random

import pytest

from tests.scoring.cases import asked, said, scored, world

ir_measures = pytest.importorskip(
    "ir_measures", reason="the rival is not installed: pip install ir-measures"
)
DOCS = "abcdefghijklmnopqrst"


@pytest.mark.parametrize("cutoff", [1, 3, 5, 10])
def test_precision_recall_and_reciprocal_rank_are_trec_evals(cutoff: int) -> None:
    chance = Random(cutoff)
    names = [f"q{number:03}" for number in range(200)]
    relevant = {name: "".join(chance.sample(DOCS, chance.randint(1, 8))) for name in names}
    ranked = {name: chance.sample(DOCS, chance.randint(1, 15)) for name in names}
    responses = []
    for name in names:
        response = said("", {}, question=name)
        response.ranking = [DOCS.index(doc) for doc in ranked[name]]
        responses.append(response)
    questions = [asked(relevant[name], {"x": relevant[name]}, name) for name in names]
    documents = dict.fromkeys(DOCS)
    rows = scored(world(questions, responses, cutoff, documents=documents, chunks=list(DOCS)))

    qrels = {name: dict.fromkeys(relevant[name], 1) for name in names}
    run = {name: {doc: float(-rank) for rank, doc in enumerate(ranked[name])} for name in names}
    ours = {"P": "precision", "R": "recall", "RR": "reciprocal_rank"}
    measures = [ir_measures.parse_measure(f"{name}@{cutoff}") for name in ours]
    theirs = {
        (found.query_id, ours[str(found.measure).split("@")[0]]): found.value
        for found in ir_measures.iter_calc(measures, qrels, run)
    }
    assert len(theirs) == 3 * len(names)
    for row in rows:
        for metric in ours.values():
            assert row[metric] == pytest.approx(theirs[row["question_id"], metric], abs=1e-12)
