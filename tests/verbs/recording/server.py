"""A system on this machine that answers by script and fails by script."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import repeat
from typing import Any
from urllib.parse import parse_qs, urlsplit

Body = dict[str, Any]


def plain(body: Body) -> Any:
    """The same for every question of the fixture."""
    return {
        "documents": [{"id": "launch", "text": "x"}, {"id": "archive", "text": "y"}],
        "answer": "It says so [1].",
    }


@dataclass
class System:
    """What a system was asked, and how it is to behave.

    Attributes:
        reply: what it gives for a request's body, or its parameters.
        faults: what befalls each request, in order of arrival; None: nothing; a number: that
            status, with the secret header in the message.
    """

    url: str = ""
    reply: Callable[[Body], Any] = plain
    faults: Iterator[str | None] = field(default_factory=lambda: repeat(None))
    seen: list[Body] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    closing: threading.Event = field(default_factory=threading.Event)


class Handler(BaseHTTPRequestHandler):
    system: System

    def do_GET(self) -> None:
        query = parse_qs(urlsplit(self.path).query)
        self.answered({name: values[0] for name, values in query.items()})

    def do_POST(self) -> None:
        self.answered(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def answered(self, body: Body) -> None:
        with self.system.lock:
            self.system.seen.append(body)
            self.system.headers.append(dict(self.headers.items()))
            fault = next(self.system.faults, None)
        with suppress(BrokenPipeError, ConnectionResetError):
            self.reply(body, fault)

    def reply(self, body: Body, fault: str | None) -> None:
        made = json.dumps(self.system.reply(body)).encode()
        if fault is None:
            self.sent(200, made)
        elif fault == "slow":
            self.system.closing.wait(0.2)
            self.sent(200, made)
        elif fault == "hang":
            self.system.closing.wait(20)
        elif fault == "cut":
            self.sent(200, made, length=len(made) + 9)
        elif fault == "broken":
            self.sent(200, made[: len(made) // 2])
        elif fault == "drip":
            self.send_response(200)
            self.send_header("Content-Length", str(len(made)))
            self.end_headers()
            for at in range(len(made)):
                if self.system.closing.wait(0.1):
                    return
                self.wfile.write(made[at : at + 1])
                self.wfile.flush()
        elif fault == "echo":
            self.sent(200, made[:-1] + f', "echo": "{self.headers["X-Key"]}"}}'.encode())
        else:
            self.sent(int(fault), f"no: {self.headers['X-Key']}".encode())

    def sent(self, status: int, body: bytes, *, length: int | None = None) -> None:
        self.send_response(status)
        if status == 429:
            self.send_header("Retry-After", "1")
        if status == 302:
            self.send_header("Location", f"{self.system.url}/elsewhere")
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        pass


class Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


@contextmanager
def serving(**script: Any) -> Iterator[System]:
    """Serve until the block ends."""
    made = System(**script)
    listener = Listener(("127.0.0.1", 0), type("Bound", (Handler,), {"system": made}))
    made.url = f"http://127.0.0.1:{listener.server_address[1]}/ask"
    thread = threading.Thread(target=listener.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.closing.set()
        listener.shutdown()
        listener.server_close()
        thread.join()
