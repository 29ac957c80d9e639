"""Settings that contradict each other are refused before anything runs."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.contract.errors import ConfigError
from pipeline.settings.words import applied, parsed
from pipeline.stages.compose import composed, validate

CONF = Path(__file__).parents[2] / "conf"
SAMPLE, FIXTURE = "experiment=sample", "experiment=fixture"


def told(*words: str) -> str:
    """What is said of the configuration that these words name; '': nothing."""
    choices, values = parsed(words, CONF)
    params: dict[str, Any] = applied(composed(CONF, choices), values)
    try:
        validate(params)
    except ConfigError as error:
        return str(error)
    return ""


def test_the_built_in_system_has_one_repeat() -> None:
    assert told(SAMPLE, "repeats=3") == (
        "conf: repeats: expected null or 1, for this answerer draws nothing at random, "
        "got 3; its one repeat is all there is: leave repeats out"
    )
    assert told(SAMPLE, "repeats=1") == ""
    # of recorded systems the data say how many there are
    assert told(FIXTURE, "repeats=3") == ""


def test_the_built_in_system_is_compared_with_no_other() -> None:
    expected = (
        "conf: baseline: expected null or rag, the only system of such a run, or run:, rev:, "
        "dir:, got 'A'"
    )
    assert told(SAMPLE, "baseline=A") == expected
    assert told(SAMPLE, "baseline=rag") == ""
    assert told(FIXTURE, "baseline=A") == ""


def test_recorded_answers_need_the_rankings_they_were_made_from() -> None:
    # even where the recorded system is called `rag` too: it never saw what BM25 found
    assert told(SAMPLE, "answerer=recorded") == (
        "conf: answerer: expected retriever=recorded with answerer=recorded, got retriever=bm25; "
        "a recorded answer never saw another context; answerer=extractive answers"
    )
    assert told(FIXTURE, "reranker=cross_encoder").startswith(
        "conf: reranker: expected none with answerer=recorded, got cross_encoder; "
    )
    assert told(FIXTURE, "reranker=cross_encoder", "answerer=extractive") == ""


@pytest.mark.parametrize("chunker", ["recursive", "sentence", "fixed_tokens"])
def test_recorded_rankings_need_whole_documents(chunker: str) -> None:
    assert told(FIXTURE, f"chunker={chunker}") == (
        f"conf: chunker: expected document, since recorded rankings name documents, got {chunker}"
    )


def test_what_is_kept_has_to_hold_what_is_delivered() -> None:
    assert told(SAMPLE, "depth=4") == (
        "conf: depth: expected the cutoff or more, which is 5, got 4; "
        "what is not kept cannot reach the answer"
    )
    assert told(SAMPLE, "depth=5") == ""
    assert told(SAMPLE, "depth=4", "budget=600") == ""  # a budget takes the cutoff's place


@pytest.mark.parametrize("key", ["answerer.language", "chunker.language"])
@pytest.mark.parametrize("value", ["", "English", "EN"])
def test_a_language_is_named_by_its_code(key: str, value: str) -> None:
    said = told(SAMPLE, "chunker=sentence", f"{key}={value}")
    assert said.startswith(f"conf: {key}: expected ")
    assert said.endswith(f"got {value!r}")
    assert told(SAMPLE, "chunker=sentence", f"{key}=de") == ""


@pytest.mark.parametrize("port", ["retriever=dense", "retriever=hybrid", "reranker=cross_encoder"])
def test_a_model_without_a_name_is_not_the_projects_folder(port: str) -> None:
    name = port.partition("=")[0]
    said = told(SAMPLE, port, f'{name}.model=""')
    assert said.startswith(f"conf: {name}.model: expected ")
    assert said.endswith("got ''")


def test_cutoffs_reach_no_further_than_what_is_kept() -> None:
    assert told(SAMPLE, "cutoffs=[1,200]") == (
        "conf: cutoffs: expected numbers up to the depth, which is 100, got 200; give a greater "
        "depth: what is not kept cannot be counted"
    )
    assert told(SAMPLE, "cutoffs=[1,200]", "depth=200") == ""
    for given in ("[]", "5"):  # of which 5 is a whole number from 1 to 10000
        said = f"conf: cutoffs: expected a list, as in [1, 5], got {given}"
        assert told(SAMPLE, f"cutoffs={given}") == said
    assert "a whole number from 1 to 10000" in told(SAMPLE, "cutoffs=[0]")


def test_where_nothing_is_answered_there_is_nothing_to_judge() -> None:
    assert told(SAMPLE, "answerer=none") == ""
    assert told(SAMPLE, "answerer=none", "judge=recorded") == (
        "conf: judge: expected labels with answerer=none, got recorded; there is no answer to judge"
    )
