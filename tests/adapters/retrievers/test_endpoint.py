"""Vectors over HTTP: what is sent, what is tried again, what is never shown."""

from collections.abc import Iterator

import numpy as np
import pytest

from pipeline.adapters.retrievers import endpoint as module
from pipeline.adapters.retrievers.endpoint import Endpoint
from pipeline.contract.errors import ConfigError, EndpointError
from pipeline.settings.endpoints import check_url
from tests.adapters.retrievers.server import Seen, endpoint, letters


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Seen]:
    monkeypatch.setattr(module, "WAITS", (0.0, 0.0))
    monkeypatch.setenv("no_proxy", "*")
    with endpoint() as made:
        yield made


def test_texts_are_sent_in_batches_and_come_back_in_order(seen: Seen) -> None:
    made = Endpoint(f"{seen.url}/", "letters", None, 2).embed(["a", "bb", "abc"], "document")
    assert made.tolist() == np.array([letters("a"), letters("bb"), letters("abc")]).tolist()
    assert seen.requests == [
        {"path": "/v1/embeddings", "model": "letters", "input": ["a", "bb"]},
        {"path": "/v1/embeddings", "model": "letters", "input": ["abc"]},
    ]
    assert seen.keys == [None, None]


def test_the_key_comes_from_the_named_variable(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "s3cret")
    Endpoint(seen.url, "letters", "MY_KEY", 2).embed(["a"], "question")
    assert seen.keys == ["Bearer s3cret"]


def test_a_variable_that_is_not_set_is_named(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MY_KEY", raising=False)
    with pytest.raises(ConfigError, match=r"api_key_env: .* got MY_KEY, which is not set"):
        Endpoint(seen.url, "letters", "MY_KEY", 2).embed(["a"], "question")
    assert seen.requests == []


def test_a_passing_failure_is_tried_again(seen: Seen) -> None:
    seen.replies = [(503, "busy"), (200, "{half an answ")]
    assert Endpoint(seen.url, "letters", None, 2).embed(["a"], "document").shape == (1, 26)
    assert len(seen.requests) == 3


def test_it_gives_up_after_the_last_try(seen: Seen) -> None:
    seen.replies = [(503, "busy\nreally")] * 3
    with pytest.raises(EndpointError, match=r"embeddings, got 503 .*: busy really$"):
        Endpoint(seen.url, "letters", None, 2).embed(["a"], "document")
    assert len(seen.requests) == 3


def test_a_refusal_is_not_tried_again_and_hides_the_key(
    seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "s3cret")
    seen.replies = [(401, "wrong key s3cret")]
    with pytest.raises(EndpointError, match=r"401 .*wrong key \[key\]$"):
        Endpoint(seen.url, "letters", "MY_KEY", 2).embed(["a"], "document")
    assert len(seen.requests) == 1


def test_it_follows_no_redirect(seen: Seen) -> None:
    seen.replies = [(302, "")]
    with pytest.raises(EndpointError, match="got 302"):
        Endpoint(seen.url, "letters", None, 2).embed(["a"], "document")
    assert len(seen.requests) == 1


def test_nobody_there_is_an_endpoint_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WAITS", ())
    monkeypatch.setenv("no_proxy", "*")
    with endpoint() as gone:
        url = gone.url
    with pytest.raises(EndpointError, match="expected embeddings, got URLError"):
        Endpoint(url, "letters", None, 2).embed(["a"], "document")


@pytest.mark.parametrize(
    "body",
    ["{}", "[]", '{"data": []}', '{"data": [{"index": 1, "embedding": [1]}]}',
     '{"data": [{"index": 0, "embedding": "x"}]}', '{"data": [{"index": 0}]}'],
)  # fmt: skip
def test_another_answer_is_refused(seen: Seen, body: str) -> None:
    seen.replies = [(200, body)]
    with pytest.raises(EndpointError, match="expected a list of embeddings"):
        Endpoint(seen.url, "letters", None, 2).embed(["a"], "document")


def test_vectors_of_different_lengths_are_refused(seen: Seen) -> None:
    seen.replies = [(200, '{"data": [{"index": 0, "embedding": [1, 2]}]}')]
    with pytest.raises(EndpointError, match="expected vectors of one length"):
        Endpoint(seen.url, "letters", None, 1).embed(["a", "b"], "document")


@pytest.mark.parametrize(
    "url",
    ["host/v1", "file:///etc/passwd", "https://", "https://me:pw@host/v1", "http://h/v1?key=x"],
)
def test_a_url_that_is_none_or_holds_a_secret_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match=r"conf: retriever.base_url") as raised:
        check_url(url, "conf: retriever.base_url")
    assert "pw" not in str(raised.value)
    assert "key=x" not in str(raised.value)
