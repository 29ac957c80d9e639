from pipeline.checks.collection import check
from pipeline.contract.errors import Fault
from tests.sets import DOCUMENTS, QUESTION, RESPONSE, checked, collection, faults


def test_all_faults_of_all_files_are_listed_in_order_of_file_and_line() -> None:
    found = faults(
        [*DOCUMENTS, {"doc_id": "x", "text": ""}, {"doc_id": "y", "text": "", "date": "?"}],
        [{**QUESTION, "text": ""}],
        [{**RESPONSE, "system": "B", "retrieved": ["z"]}, {**RESPONSE, "attempts": 0}],
    )
    assert [fault.split(" ")[0] for fault in found] == [
        "documents.jsonl:3:", "documents.jsonl:4:", "documents.jsonl:4:",
        "questions.jsonl:1:", "responses.jsonl:1:", "responses.jsonl:2:",
    ]  # fmt: skip


def test_nothing_complains_of_a_row_that_was_refused_while_it_was_read() -> None:
    read = collection(documents=DOCUMENTS[:1], questions=[], responses=[])
    read.faults.append(Fault("documents.jsonl", 2, "boats", "text", "none"))
    read.documents.lost.add("boats")
    read.questions = collection(questions=[QUESTION]).questions
    read.responses = collection(
        responses=[RESPONSE, {**RESPONSE, "question_id": "lost question"}]
    ).responses
    read.questions.lost.add("lost question")
    read.responses.lost.add(("B", "1", "price"))
    found = check(read, claims="auto", split="dev", missing="refuse", repeats=None, rule="open")
    assert [str(fault) for fault in found.faults] == [
        "documents.jsonl:2: boats: expected text, got none"
    ]


def test_citations_of_what_the_corpus_lacks_are_noted_with_near_misses() -> None:
    claims = [{"claim_id": "Nine", "citations": ["Boats", "elsewhere"]}]
    assert checked(responses=[{**RESPONSE, "claims": claims}]).notes == [
        "citations of documents that the corpus lacks: 2, of 2 ids; "
        "near misses: 'Boats' ('boats' is one: differs in case)",
        "claims that no label knows; near misses: 'Nine' ('nine' is one: differs in case)",
    ]


def test_a_note_quotes_ten_near_misses() -> None:
    claims = [{"claim_id": "nine", "citations": ["boats" + " " * n + "\u200b" for n in range(12)]}]
    documents = [*DOCUMENTS, {"doc_id": "boats x", "text": "x"}]
    found = checked(documents, responses=[{**RESPONSE, "claims": claims}])
    assert found.notes[0].endswith(" and 2 more")


def test_only_the_chosen_split_is_left() -> None:
    other = {**QUESTION, "question_id": "other", "split": "heldout"}
    responses = [{**RESPONSE, "question_id": "other", "retrieved": ["hours"]}, RESPONSE]
    found = checked(questions=[other, QUESTION], responses=responses)
    assert [row.question_id for row in found.questions.rows] == ["price"]
    assert [row.question_id for row in found.responses.rows] == ["price"]
    # of the sorted corpus, `boats` is 0 and `hours` 1
    assert found.rankings.retrieved.flat.tolist() == [0, 1]
    assert len(found.collection.questions.rows) == 2
