import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.report.markup import own_script, script_json


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_json_in_a_script_element_is_the_same_value_and_cannot_end_it(values: list[str]) -> None:
    text = str(script_json(values))
    assert json.loads(text) == values
    assert not set("<>&\u2028\u2029") & set(text)


@pytest.mark.parametrize("source", ["a('</script>')", "a('</SCRIPT ')", "'<!--'"])
def test_a_script_that_could_end_its_element_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match="end"):
        own_script(source)
