"""The client: pays once, tries again where that may help, never tells the key."""

import sqlite3
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai")

from pipeline.calls import batch as module
from pipeline.calls.attempt import Prices, Reply
from pipeline.calls.batch import Handling
from pipeline.calls.call import Call, Target
from pipeline.calls.client import Client
from pipeline.calls.store import Store, place
from pipeline.calls.tally import tallied
from pipeline.contract.errors import ConfigError, EndpointError
from tests.llm.server import FAULTS, Server

HANDLING = Handling(concurrency=4, rpm=None, timeout=5, deadline=30, retries=3)


def client(server: Server, **changed: Any) -> Client:
    target = Target(server.url, "m", "MY_KEY", {"max_tokens": 10})
    return replace(Client(target, HANDLING, Prices(1.0, 2.0), "conf: answerer"), **changed)


def calls(*words: str, **changed: Any) -> list[Call]:
    return [Call("answer", "1", ({"role": "user", "content": word},), **changed) for word in words]


def texts(replies: Sequence[Reply]) -> list[str | None]:
    return [reply.text for reply in replies]


def said(word: str) -> str:
    return f"It says so about {word} [1]."


def test_replies_come_in_order_and_equal_calls_are_made_once(server: Server) -> None:
    words = [f"w{at}" for at in range(20)]
    replies = client(server).replies(calls(*words, "w3"))
    assert texts(replies) == [*map(said, words), said("w3")]
    assert len(server.seen) == 20
    assert replies[0].model == "m-served"


def test_calls_are_tallied_once_with_all_their_tries_and_only_where_somebody_asks(
    server: Server,
) -> None:
    client(server).replies(calls("a"))
    server.faults = iter(["500"])
    with tallied() as found:
        client(server).replies(calls("a", "b", "b"))
    assert sorted(row["attempts"] for row in found.values()) == [1, 2]  # a is kept from before
    assert all(row["ok"] and row["cost_usd"] is not None for row in found.values())
    with tallied() as found:
        pass
    assert found == {}


def test_a_second_run_asks_nothing_and_needs_no_key(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client(server).replies(calls("a", "b"))
    monkeypatch.delenv("MY_KEY")
    assert client(server).replies(calls("a", "b")) == first
    assert len(server.seen) == 2


def test_a_run_pays_only_for_what_is_missing(server: Server) -> None:
    client(server).replies(calls("a", "b"))
    client(server).replies(calls("a", "b", "c"))
    assert len(server.seen) == 3


@pytest.mark.parametrize(
    "other",
    [
        calls("a", repeat=2),
        calls("a", schema={"type": "object"}),
        [replace(calls("a")[0], kind="judge")],
        [replace(calls("a")[0], revision="2")],
        [replace(calls("a")[0], messages=({"role": "system", "content": "a"},))],
    ],
)
def test_another_call_is_never_answered_from_the_store(server: Server, other: list[Call]) -> None:
    client(server).replies(calls("a"))
    client(server).replies(other)
    assert len(server.seen) == 2


def test_another_model_setting_or_place_is_asked_anew(server: Server) -> None:
    target = client(server).target
    client(server).replies(calls("a"))
    for changed in (
        replace(target, model="n"),
        replace(target, settings={"max_tokens": 11}),
        replace(target, base_url=server.url.replace("127.0.0.1", "localhost")),
        replace(target, structured=False),
    ):
        client(server, target=changed).replies(calls("a"))
    assert len(server.seen) == 5
    client(server, target=replace(target, base_url=f"{server.url}/")).replies(calls("a"))
    assert len(server.seen) == 5  # a slash at the end is the same place


@pytest.mark.parametrize("fault", [*FAULTS, "slow", "408", "409", "503"])
def test_a_passing_fault_is_tried_again_and_counted(server: Server, fault: str) -> None:
    server.faults, server.hang = iter([fault]), 2
    quick = replace(HANDLING, timeout=1 if fault == "hang" else 5)
    (reply,) = client(server, handling=quick).replies(calls("a"))
    tries = 1 if fault == "slow" else 2
    assert (reply.text, reply.attempts, len(server.seen)) == (said("a"), tries, tries)


def test_retry_after_is_waited_for(server: Server) -> None:
    server.faults = iter(["429"])
    client(server).replies(calls("a"))
    assert server.times[1] - server.times[0] >= 1


def test_a_wait_beyond_the_deadline_is_not_waited(server: Server) -> None:
    server.faults = iter([None, "429"])
    short = replace(HANDLING, deadline=0.5, concurrency=1)
    replies = client(server, handling=short).replies(calls("a", "b"))
    assert texts(replies) == [said("a"), None]
    assert replies[1].error == 'status 429: {"error": {"message": "slow down"}}'


def test_a_place_in_the_rate_beyond_the_deadline_is_not_waited_for_twice(server: Server) -> None:
    # one a second: the second try of b would begin a second after its first, past 0.4 s
    server.faults = iter([None, "500", None])
    slow = replace(HANDLING, rpm=60, deadline=0.4, concurrency=1)
    _, reply = client(server, handling=slow).replies(calls("a", "b"))
    assert (reply.text, reply.attempts, len(server.seen)) == (None, 1, 2)


def test_a_server_that_drips_cannot_stretch_a_try(server: Server) -> None:
    server.faults = iter([None, *repeat("drip", 2)])
    short = replace(HANDLING, timeout=1, retries=1, concurrency=1)
    _, reply = client(server, handling=short).replies(calls("a", "b"))
    assert (reply.error, reply.attempts) == ("no whole answer within 1 s", 2)


def test_what_cannot_pass_is_not_tried_again(server: Server) -> None:
    server.faults = iter(["400"])
    (reply,) = client(server).replies(calls("a"))
    assert (reply.text, reply.attempts, len(server.seen)) == (None, 1, 1)
    assert reply.error
    assert reply.error.startswith("status 400: ")


def test_a_failed_call_is_asked_again_by_the_next_run_and_its_tries_counted(
    server: Server,
) -> None:
    server.faults = iter([None, *repeat("500", 4)])
    one = replace(HANDLING, concurrency=1)
    _, failed = client(server, handling=one).replies(calls("a", "b"))
    assert (failed.text, failed.attempts) == (None, 4)  # the first, and three retries
    _, mended = client(server, handling=one).replies(calls("a", "b"))
    assert (mended.text, mended.attempts) == (said("b"), 5)


def test_a_retry_sends_one_request_of_ours_each(server: Server) -> None:
    server.faults = iter([None, *repeat("500", 99)])
    client(server, handling=replace(HANDLING, concurrency=1)).replies(calls("a", "b"))
    assert len(server.seen) == 1 + 4  # the package's own retries are off


def test_tokens_of_failed_tries_count(server: Server) -> None:
    # 'a' * 40: 10 tokens in, and "It says so about aaa… [1]." is 17 + 40 + 5 = 62: 15 out
    server.faults = iter(["empty", "500"])
    (reply,) = client(server).replies(calls("a" * 40))
    assert (reply.input_tokens, reply.output_tokens, reply.attempts) == (20, 15, 3)
    # the try without choices was counted by the server: 10 in and 0 out; the 500 charged nothing
    assert Prices(1.0, 2.0).cost(20, 15) == (20 * 1 + 15 * 2) / 1e6


def test_usage_that_was_not_sent_is_null_and_so_is_the_cost(server: Server) -> None:
    server.usage = False
    (reply,) = client(server).replies(calls("a"))
    assert (reply.input_tokens, reply.output_tokens) == (None, None)
    assert Prices(1.0, 2.0).cost(None, None) is None
    assert Prices(None, 2.0).cost(1, 1) is None


def test_a_cut_try_may_have_been_charged_so_the_sum_is_not_known(server: Server) -> None:
    server.faults = iter(["cut"])
    (reply,) = client(server).replies(calls("a"))
    assert (reply.text, reply.input_tokens) == (said("a"), None)


@pytest.mark.parametrize("status", ["302", "401", "402", "403", "404"])
def test_what_every_call_would_meet_ends_the_run(server: Server, status: str) -> None:
    server.faults = repeat(status)
    with pytest.raises(EndpointError, match=f"status {status}") as raised:
        client(server).replies(calls(*"abcdefghijklmnopqrstuvwxyz"))
    assert len(server.seen) < 26
    assert "very-secret" not in str(raised.value)


def test_a_dead_endpoint_ends_the_run_and_what_was_answered_is_kept(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "STREAK", 3)
    server.faults = iter([*repeat(None, 5), *repeat("500", 999)])
    one = replace(HANDLING, concurrency=1, retries=0)
    words = [f"w{at}" for at in range(20)]
    with pytest.raises(EndpointError, match="none to 3 calls in a row, the last: status 500"):
        client(server, handling=one).replies(calls(*words))
    asked = len(server.seen)
    server.faults = repeat(None)
    replies = client(server, handling=one).replies(calls(*words))
    assert texts(replies) == [*map(said, words)]
    assert len(server.seen) == asked + 15


def test_nobody_there_is_an_endpoint_error(server: Server) -> None:
    gone = replace(client(server).target, base_url="http://127.0.0.1:9/v1")
    with pytest.raises(EndpointError, match="none to 1 calls in a row, the last: ConnectError"):
        client(server, target=gone, handling=replace(HANDLING, retries=1)).replies(calls("a"))


def test_no_more_calls_are_in_flight_than_allowed(server: Server) -> None:
    server.faults = repeat("slow")
    client(server, handling=replace(HANDLING, concurrency=3)).replies(calls(*"abcdefg"))
    assert server.busiest == 3


def test_the_rate_is_kept(server: Server) -> None:
    # 600 a minute: ten at once, then one each tenth of a second: the 15th after 0.5 s
    words = [f"w{at}" for at in range(15)]
    client(server, handling=replace(HANDLING, rpm=600, concurrency=15)).replies(calls(*words))
    assert server.times[-1] - server.times[0] >= 0.35


def test_the_key_is_sent_and_stands_nowhere(
    server: Server, project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    key = "sk-very-secret-0123456789"
    server.answer = lambda body: f"your key is {key}"
    server.faults = iter(["400"])  # its message repeats the key
    replies = client(server).replies(calls("a", "b"))
    assert set(server.keys) == {f"Bearer {key}"}
    assert any(r.error and "[key]" in r.error for r in replies)
    assert any(r.text == "your key is [key]" for r in replies)
    for file in project.rglob("*"):
        assert not file.is_file() or key.encode() not in file.read_bytes(), file
    assert key not in "".join(capfd.readouterr())


def test_without_a_key_none_is_sent(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-place")
    client(server, target=replace(client(server).target, api_key_env=None)).replies(calls("a"))
    assert server.keys == [None]


def test_a_key_that_is_not_set_is_said_before_anything_is_asked(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MY_KEY")
    with pytest.raises(ConfigError, match=r"conf: answerer.api_key_env: .* MY_KEY, which is not"):
        client(server).replies(calls("a"))
    assert not server.seen


def test_a_missing_package_is_one_line_with_the_command(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(ConfigError, match=r"expected the extra \[llm\].*pip install -e '.\[llm\]'"):
        client(server).replies(calls("a"))


def test_the_estimate_comes_before_the_first_call(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    client(server).replies(calls("a"))
    capsys.readouterr()
    client(server).replies(calls("a", "b" * 400, "c" * 400))
    # 2 × 100 tokens in at $1, 2 × 10 out at $2 a million: $0.00024
    assert capsys.readouterr().err.splitlines() == [
        "2 calls to m, 1 kept from before",
        "  about 200 input tokens, at most 20 output",
        "  at most about $0.00024",
    ]


def test_without_prices_the_cost_is_not_available(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    client(server, prices=Prices(None, None)).replies(calls("a"))
    assert "  cost n/a: no prices or no limit in conf\n" in capsys.readouterr().err


def test_a_schema_is_sent_where_the_server_has_structured_output(server: Server) -> None:
    schema = {"type": "object"}
    client(server).replies(calls("a", schema=schema))
    sent = server.seen[0]["response_format"]["json_schema"]
    assert (sent["name"], sent["schema"]) == ("answer", schema)
    plain = replace(client(server).target, structured=False)
    client(server, target=plain).replies(calls("b", schema=schema))
    assert "response_format" not in server.seen[1]
    other = replace(client(server).target, structured="json_object")
    client(server, target=other).replies(calls("c", schema=schema))
    assert server.seen[2]["response_format"] == {"type": "json_object", "schema": schema}


@pytest.mark.parametrize("status", ["400", "422", "500"])
def test_a_server_without_structured_output_ends_the_run_at_once(
    server: Server, status: str
) -> None:
    server.faults = repeat(f"{status}:response_format.type: no such thing as json_schema")
    one = replace(client(server), handling=replace(HANDLING, concurrency=1))
    with pytest.raises(EndpointError, match="structured=false not at all"):
        one.replies(calls("a", schema={"type": "object"}))
    assert len(server.seen) == 1
    server.faults = iter([f"{status}:response_format"])
    with_words = replace(one, target=replace(one.target, structured=False))
    assert len(with_words.replies(calls("a", schema={"type": "object"}))) == 1  # not our schema


def test_a_seed_grows_with_the_repeat(server: Server) -> None:
    target = replace(client(server).target, settings={"seed": 7})
    for index in (1, 3):
        client(server, target=target).replies(calls("a", repeat=index))
    assert [body["seed"] for body in server.seen] == [7, 9]


def test_an_answer_cut_at_its_limit_is_a_reply_that_says_so(server: Server) -> None:
    server.finish = "length"
    (reply,) = client(server).replies(calls("a"))
    assert (reply.finish_reason, reply.attempts) == ("length", 1)


def test_an_interrupt_keeps_what_was_in_flight(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.faults = repeat("slow")
    monkeypatch.setattr(module, "as_completed", _interrupted)
    with pytest.raises(KeyboardInterrupt):
        client(server).replies(calls(*"abcdefgh"))
    assert 1 <= len(server.seen) <= 4
    kept = Store(place()).replies([c.key(client(server).target) for c in calls(*"abcdefgh")])
    assert len(kept) == len(server.seen)
    assert threading.active_count() < 10


def _interrupted(futures: Any) -> Any:
    threading.Event().wait(0.2)
    raise KeyboardInterrupt


def test_the_store_holds_the_request_and_the_served_model(server: Server, project: Path) -> None:
    client(server).replies(calls("hello"))
    base = sqlite3.connect(project / ".rag-assay" / "calls.sqlite")
    (request,) = base.execute("SELECT request FROM calls").fetchone()
    assert '"content":"hello"' in request
    assert base.execute("SELECT model, ok FROM attempts").fetchall() == [("m-served", 1)]
    base.close()
