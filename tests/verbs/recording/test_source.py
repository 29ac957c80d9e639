"""The YAML of a live system: what it may say, and that no secret may stand in it."""

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.__main__ import main
from pipeline.contract.errors import ConfigError
from pipeline.verbs.recording.request import Secrets, address, body, shown
from pipeline.verbs.recording.source import CALLS, HTTP, REPLY, Http, read
from tests.verbs.recording.conftest import KEY

GOOD: dict[str, Any] = {
    "http": {"url": "http://localhost:1/x", "body": {"q": "{question}"}},
    "reply": {"ids": "$.ids"},
}


def written(folder: Path, value: Any) -> Path:
    path = folder / "live.yaml"
    path.write_text(value if isinstance(value, str) else yaml.safe_dump(value), "utf-8")
    return path


def test_the_example_is_good_and_names_every_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["record", "--example"]) == 0
    text = capsys.readouterr().out
    assert [line for line in text.splitlines() if len(line) > 100] == []
    made = read(written(tmp_path, text))
    assert made.http is not None
    plain = yaml.safe_load((files("pipeline.verbs") / "template" / "live.yaml").read_text("utf-8"))
    assert set(plain["http"]) == {"url", *HTTP}
    assert set(plain["reply"]) == set(REPLY)
    assert plain["calls"] == {**CALLS, "revision": 1}


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({"htp": {}}, "(did you mean 'http'?)"),
        ({"plugin": "x"}, "expected http or plugin, got http and plugin"),
        ({"http": None}, "expected http or plugin, got neither"),
        ({"reply": {"answer": "$.a"}}, "reply: expected ids or texts"),
        ({"reply": {"ids": "$.a", "anwser": "$.b"}}, "reply.anwser: expected a known key"),
        ({"calls": {"retries": -1}}, "calls.retries: expected a whole number, 0 or more"),
        ({"calls": {"concurrency": 0}}, "calls.concurrency: expected a whole number, 1 or more"),
        ({"calls": []}, ""),
    ],
)
def test_a_wrong_key_or_value_is_named(tmp_path: Path, changed: Any, line: str) -> None:
    path = written(tmp_path, {**GOOD, **changed})
    if not line:
        read(path)
        return
    with pytest.raises(ConfigError) as raised:
        read(path)
    assert line in str(raised.value)


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({"headers": {"Authorization": KEY}}, "http.headers.Authorization"),
        ({"headers": {"x-api-key": KEY}}, "http.headers.x-api-key"),
        ({"headers": {"Cookie": KEY}}, "http.headers.Cookie"),
        ({"body": {"q": "{question}", "deep": [{"api_key": KEY}]}}, "http.body.deep[0].api_key"),
        ({"query": {"token": KEY}}, "http.query.token"),
        ({"url": f"http://u:{KEY}@h/x"}, "http.url"),
        ({"url": f"http://h/x?key={KEY}"}, "http.url"),
        ({"url": "ftp://h/x"}, "http.url"),
        ({"body": {"q": "question"}}, "http.body: expected {question} or {question_id}"),
        ({"method": "GET"}, "http.body: expected none with GET"),
        ({"body": {"q": "{question}", "d": float("nan")}}, "expected values that JSON has"),
        ({"method": "DELETE"}, "expected one of POST, PUT, GET"),
    ],
)
def test_no_secret_may_stand_in_it_and_none_is_repeated(
    tmp_path: Path, changed: dict[str, Any], line: str
) -> None:
    with pytest.raises(ConfigError) as raised:
        read(written(tmp_path, {**GOOD, "http": {**GOOD["http"], **changed}}))
    assert line in str(raised.value)
    assert KEY not in str(raised.value)


@pytest.mark.parametrize(
    ("named", "value", "line"),
    [
        ("Bearer {NOT_SET}", None, "the environment variable NOT_SET, got it is not set"),
        (KEY, None, "a text that names an environment variable"),
        ("{ODD}", f"{KEY}\r\nX: y", "a value of ODD in printable ASCII"),
        ("{ODD}", f"{KEY}é", "a value of ODD in printable ASCII"),
    ],
)
def test_a_secret_is_named_by_its_variable(
    monkeypatch: pytest.MonkeyPatch, named: str, value: str | None, line: str
) -> None:
    monkeypatch.delenv("NOT_SET", raising=False)
    if value:
        monkeypatch.setenv("ODD", value)
    with pytest.raises(ConfigError) as raised:
        Secrets({"Authorization": named})
    assert line in str(raised.value)
    assert KEY not in str(raised.value)


def test_secrets_are_hidden_also_where_json_escapes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODD", 'pass"word\\')
    secrets = Secrets({"X": "{ODD} {RAG_KEY}"})
    assert secrets.headers == {"X": f'pass"word\\ {KEY}'}
    assert secrets.hide(f'"pass\\"word\\\\" {KEY}') == '"[key]" [key]'


def test_places_are_filled_once_and_as_values() -> None:
    http = Http(
        "http://h/x", "POST", {}, {"K": "{V}"}, {"a": "{question} b"}, {"q": ["{question}"]}
    )
    words = {"question": 'a "{question_id}" &\n', "question_id": "7"}
    assert body(http, words) == b'{"q": ["a \\"{question_id}\\" &\\n"]}'
    assert address(http, words) == "http://h/x?a=a+%22%7Bquestion_id%7D%22+%26%0A+b"
    assert shown(http, words)["headers"] == {"K": "{V}"}
