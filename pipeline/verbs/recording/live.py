"""A live system of a source, and the rows that its replies make."""

import json
from dataclasses import asdict, replace
from typing import Any

from pipeline.calls.attempt import Reply
from pipeline.calls.call import Call, Message, Target
from pipeline.calls.subject import about
from pipeline.checks.questions import in_split
from pipeline.contract.errors import ConfigError
from pipeline.contract.records import Question
from pipeline.verbs.recording.asking import KIND, Asking
from pipeline.verbs.recording.http import Endpoint
from pipeline.verbs.recording.opened import Opened
from pipeline.verbs.recording.plugin import Plugin
from pipeline.verbs.recording.reading import Mapping, Paths
from pipeline.verbs.recording.rows import UNREAD, Row, UnreadError
from pipeline.verbs.recording.source import Source

ANEW = "another calls.revision asks anew"
"""For a reply is kept that was read once, whatever is read of it now."""

Reading = Paths | Mapping


def system_of(source: Source, system: str, made: Opened) -> tuple[Asking, Reading, dict[str, Any]]:
    """Who is asked, how replies are read, and what tells this source from others."""
    reading: Reading
    if source.http is not None:
        reading = Paths(source.reply)
        live: Endpoint | Plugin = Endpoint(source.http, reading.read)
        place, identity = source.http.url, {"http": asdict(source.http)}
    else:
        reading = Mapping(made.documents or {})
        live = Plugin(str(source.plugin), reading.read)
        place, identity = f"plug-in {source.plugin}", live.identity
    settings = {**identity, "revision": source.calls.revision}
    target = Target(place, system, None, settings)
    return Asking(target, source.calls.handling, live), reading, settings


def outputs(
    asking: Asking, reading: Reading, made: Opened, words: Any
) -> tuple[list[Row], list[Reply], int]:
    """Put every question, and read the replies; with how many the store had.

    Raises:
        ConfigError: there is no question, or nothing can be read of any reply.
        EndpointError: the system refuses every call, or nobody is there.
    """
    chosen = in_split(made.questions, words.split)
    if not chosen.rows:
        raise ConfigError("--split", expected="one that has questions", got=words.split)
    count = min(words.first or len(chosen.rows), len(chosen.rows))
    places = [(at, repeat) for repeat in range(1, words.repeats + 1) for at in range(count)]
    revision = asking.target.settings["revision"]
    calls = [Call(KIND, revision, _asked(chosen.rows[at]), repeat) for at, repeat in places]
    with about(made.name):
        replies, kept = asking.replies(calls)
    asked = [
        Row(chosen.files[at], chosen.lines[at], chosen.rows[at].question_id, repeat=repeat)
        for at, repeat in places
    ]
    rows = [_read(row, reply, reading) for row, reply in zip(asked, replies, strict=True)]
    if all((row.error or "").startswith(UNREAD) for row in rows):
        got = (rows[0].error or "").removeprefix(UNREAD)
        raise ConfigError("reply", expected="what the paths name in the replies", got=got)
    return rows, replies, kept


def _asked(question: Question) -> tuple[Message, ...]:
    return (
        {"role": "question", "content": question.text},
        {"role": "question_id", "content": question.question_id},
    )


def _read(asked: Row, reply: Reply, reading: Reading) -> Row:
    """The row of a reply; one of a failure where there is none, or none that can be read."""
    row = replace(asked, latency_s=reply.latency_s, attempts=reply.attempts)
    if reply.text is None:
        return replace(row, error=reply.error or "no answer")
    try:
        found = reading.read(json.loads(reply.text))
    except UnreadError as error:
        return replace(row, error=f"{error}; {ANEW}")
    return replace(row, items=found.items, answer=found.answer, citations=found.citations)
