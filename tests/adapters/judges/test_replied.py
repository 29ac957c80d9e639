"""A judge's replies: what is sent as a schema is what is read, and nothing else."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.judges import replied
from pipeline.adapters.judges.replied import UnreadableError, extraction, support

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
    with pytest.raises(UnreadableError):
        support(text, "p")


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
