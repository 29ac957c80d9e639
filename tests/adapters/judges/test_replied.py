"""A judge's replies: what is sent as a schema is what is read, and nothing else."""

import json
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.judges import facts, replied, rounds, rulings
from pipeline.adapters.judges.replied import UnreadableError, extraction, support
from pipeline.scoring import factual

CLAIMS = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.text(min_size=1).filter(str.strip),
            "expected": st.just(0),
            "citations": st.lists(st.integers(1, 3)),
        }
    )
)


@pytest.mark.parametrize(
    ("schema", "shape"),
    [
        (replied.EXTRACTION_SCHEMA, replied.Extraction),
        (replied.CLAIM_SCHEMA, replied.Claim),
        (replied.SUPPORT_SCHEMA, replied.Support),
        (replied.WHOLE_SCHEMA, replied.Whole),
        (facts.FACT_SCHEMA, facts.Fact),
        (facts.FACTS_SCHEMA, facts.Facts),
    ],
)
def test_the_schema_that_is_sent_has_the_fields_that_are_read(
    schema: dict[str, object], shape: type[msgspec.Struct]
) -> None:
    assert tuple(schema["properties"]) == shape.__struct_fields__  # type: ignore[arg-type]
    assert tuple(schema["required"]) == shape.__struct_fields__  # type: ignore[arg-type]
    assert schema["additionalProperties"] is False


@given(claims=CLAIMS, deflects=st.booleans(), eligible=st.booleans(), block=st.booleans())
def test_a_reply_that_fits_is_read_as_it_was_written(
    claims: list[dict[str, object]], deflects: bool, eligible: bool, block: bool
) -> None:
    said = {"claims": claims, "deflects": deflects, "eligible": eligible}
    text = json.dumps(said)
    found = extraction(f"```json\n{text}\n```" if block else text, 0, {"1", "2", "3"})
    assert json.loads(msgspec.json.encode(found)) == said


@given(st.text())
def test_no_text_at_all_breaks_the_reader(text: str) -> None:
    for read in (lambda: support(text, "p"), lambda: facts.facts(text, 1, {1: "p"})):
        with pytest.raises(UnreadableError):
            read()


def test_a_mark_written_otherwise_cannot_be_cited() -> None:
    claim = {"text": "x", "expected": 0, "citations": [1]}
    reply = json.dumps({"claims": [claim], "deflects": False, "eligible": True})
    with pytest.raises(UnreadableError, match="no mark of the answer"):
        extraction(reply, 0, {"01"})


def test_evidence_has_to_stand_in_the_passage_but_for_white_space_and_case() -> None:
    passage = "Three\n gates stand."
    assert support('{"quote": "three GATES", "supported": true}', passage).supported
    with pytest.raises(UnreadableError, match="does not stand in the passage"):
        support('{"quote": "three doors", "supported": true}', passage)
    # what does not support needs no evidence
    assert not support('{"quote": "three doors", "supported": false}', passage).supported


LABELS = get_args(facts.Label)
SAID = st.lists(
    st.tuples(st.sampled_from(LABELS), st.sampled_from([(), (2,), (2, 5)]), st.text(max_size=9)),
    max_size=4,
)


@given(said=SAID)
def test_a_sentence_is_held_to_its_evidence_where_its_label_rests_on_some(
    said: list[tuple[str, tuple[int, ...], str]],
) -> None:
    passages = {2: "Three\n gates stand.", 5: "Two doors."}
    rows = [
        {"sentence": at, "passages": list(shown), "quote": quote, "label": label}
        for at, (label, shown, quote) in enumerate(said, 1)
    ]

    def founded(label: str, shown: tuple[int, ...], quote: str) -> bool:
        words = " ".join(quote.split()).casefold()
        texts = [" ".join(passages[n].split()).casefold() for n in shown]
        rests = label in ("Supported", "Contradictory")
        return not rests or (words != "" and any(words in text for text in texts))

    reply = json.dumps({"sentences": rows})
    if all(founded(*one) for one in said):
        found = facts.facts(reply, len(said), passages)
        assert [fact.label for fact in found.sentences] == [label for label, _, _ in said]
    else:
        with pytest.raises(UnreadableError, match="does not stand in a passage"):
            facts.facts(reply, len(said), passages)


def test_every_sentence_is_ruled_on_once_and_in_order() -> None:
    def reply(*numbers: int) -> str:
        fact = {"passages": [], "quote": "", "label": "No claim"}
        return json.dumps({"sentences": [{"sentence": n, **fact} for n in numbers]})

    assert len(facts.facts(reply(1, 2), 2, {}).sentences) == 2
    for numbers in [(1,), (2, 1), (1, 1), (1, 2, 3), ()]:
        with pytest.raises(UnreadableError, match="not 1 to 2, each once, in order"):
            facts.facts(reply(*numbers), 2, {})


def test_labels_and_kinds_are_those_that_scores_are_made_of() -> None:
    assert set(LABELS) == set(factual.FACTUAL)
    assert (rounds.RELEVANT, rounds.ALL) == rulings.FACTUAL == factual.SENTENCES
    assert (*rulings.WHOLE, *rulings.FACTUAL) == factual.KINDS
