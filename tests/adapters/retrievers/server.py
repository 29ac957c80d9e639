"""An embeddings endpoint on this machine that counts letters."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def letters(text: str) -> list[float]:
    """The vector that the endpoint has for a text."""
    return [float(text.count(letter)) for letter in ALPHABET]


@dataclass
class Seen:
    """What was asked of the endpoint; `replies` are sent first, status and body."""

    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    replies: list[tuple[int, str]] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        return [text for request in self.requests for text in request["input"]]


@contextmanager
def endpoint() -> Iterator[Seen]:
    """Serve until the block ends."""
    seen = Seen()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            seen.requests.append({"path": self.path, **asked})
            seen.keys.append(self.headers["Authorization"])
            rows = [{"index": i, "embedding": letters(t)} for i, t in enumerate(asked["input"])]
            status, body = 200, json.dumps({"data": rows[::-1]})
            if seen.replies:
                status, body = seen.replies.pop(0)
            self.send_response(status)
            if status == 302:
                self.send_header("Location", f"{seen.url}/elsewhere")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    seen.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
