"""An OpenAI-compatible server on this machine that answers by script and fails by script."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import repeat
from typing import Any

Body = dict[str, Any]

FAULTS = ("429", "429-date", "500", "hang", "cut", "broken", "empty", "reset")
"""Faults that another try gets over; `slow`, `drip`, other status codes (`400:` with words of
its own) and what begins with `json:` (the answer, whatever was asked) are scripted one by one."""


def plain(body: Body) -> str:
    """An answer that depends on what was asked, and on nothing else."""
    return f"It says so about {body['messages'][-1]['content'].split()[-1]} [1]."


@dataclass
class Server:
    """What a server was asked, and how it is to behave.

    Attributes:
        answer: the words for a request's body.
        faults: what befalls each request, in order of arrival; None: nothing.
        usage: whether it counts tokens.
        hang: seconds that a hanging request is held.
    """

    url: str = ""
    answer: Callable[[Body], str] = plain
    faults: Iterator[str | None] = field(default_factory=lambda: repeat(None))
    usage: bool = True
    hang: float = 30.0
    finish: str = "stop"
    seen: list[Body] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    met: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    busiest: int = 0
    busy: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    closing: threading.Event = field(default_factory=threading.Event)

    def arrived(self, body: Body, key: str | None) -> str | None:
        with self.lock:
            fault = next(self.faults, None)
            self.seen.append(body)
            self.keys.append(key)
            self.times.append(time.monotonic())
            self.met += [fault] if fault else []
            self.busy += 1
            self.busiest = max(self.busiest, self.busy)
        return fault

    def completion(self, body: Body, text: str) -> Body:
        made: Body = {
            "id": "x",
            "object": "chat.completion",
            "model": f"{body['model']}-served",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": self.finish,
                    "message": {"role": "assistant", "content": text},
                }
            ],
        }
        if self.usage:
            length = sum(len(m["content"]) for m in body["messages"]) // 4
            made["usage"] = {"prompt_tokens": length, "completion_tokens": len(text) // 4}
        return made


class Handler(BaseHTTPRequestHandler):
    server_of_test: Server

    def do_POST(self) -> None:
        script = self.server_of_test
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        fault = script.arrived(body, self.headers["Authorization"])
        try:
            self.reply(script, body, fault)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client has gone
        finally:
            with script.lock:
                script.busy -= 1

    def reply(self, script: Server, body: Body, fault: str | None) -> None:
        whole = json.dumps(script.completion(body, script.answer(body))).encode()
        if fault is None:
            self.sent(200, whole)
        elif fault.startswith("json:"):
            self.sent(200, json.dumps(script.completion(body, fault[5:])).encode())
        elif fault.startswith("429"):
            soon = format_datetime(datetime.now(UTC) + timedelta(seconds=1), usegmt=True)
            after = soon if fault == "429-date" else "1"
            self.sent(429, b'{"error": {"message": "slow down"}}', {"Retry-After": after})
        elif fault == "hang":
            script.closing.wait(script.hang)
            self.close_connection = True
        elif fault == "cut":
            self.sent(200, whole, {"Content-Length": str(len(whole) + 10)})
        elif fault == "broken":
            self.sent(200, whole[: len(whole) // 2])
        elif fault == "empty":
            self.sent(200, json.dumps({**script.completion(body, ""), "choices": []}).encode())
        elif fault == "reset":
            self.close_connection = True
        elif fault == "slow":
            script.closing.wait(0.5)
            self.sent(200, whole)
        elif fault == "302":
            self.sent(302, b"", {"Location": f"{script.url}/elsewhere"})
        elif fault == "drip":
            self.dripped(script, whole)
        else:
            status, _, words = fault.partition(":")
            message = words or f"no: {self.headers['Authorization']}"
            self.sent(int(status), json.dumps({"error": {"message": message}}).encode())

    def dripped(self, script: Server, whole: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(whole)))
        self.end_headers()
        for at in range(len(whole)):
            if script.closing.wait(0.2):
                return
            self.wfile.write(whole[at : at + 1])
            self.wfile.flush()

    def sent(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        headers = {"Content-Type": "application/json", "Connection": "close", **(headers or {})}
        headers.setdefault("Content-Length", str(len(body)))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def log_message(self, *args: Any) -> None:
        pass


class Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


@contextmanager
def serving(**script: Any) -> Iterator[Server]:
    """Serve until the block ends."""
    made = Server(**script)
    handler = type("Bound", (Handler,), {"server_of_test": made})
    listener = Listener(("127.0.0.1", 0), handler)
    made.url = f"http://127.0.0.1:{listener.server_address[1]}/v1"
    thread = threading.Thread(target=listener.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.closing.set()
        listener.shutdown()
        listener.server_close()
        thread.join()
