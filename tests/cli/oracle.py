"""An oracle: a model server on loopback in a thread of its own, for programs that run their own event loop.

It answers with what it is given, and in its errors it repeats everything it was sent, keys included.
"""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

USAGE = {"prompt_tokens": 1000, "completion_tokens": 50, "prompt_tokens_details": {"cached_tokens": 400}}


def tell_cards(text: str = "The lamp gutters.") -> str:
    """An answer in the form of the cards."""
    choices = [{"id": f"c{n}", "label": f"Do {n}", "hint": "", "risk": "low", "tags": []} for n in range(3)]
    answer = {
        "narrative_markdown": text,
        "choices": choices,
        "state_updates": [],
        "new_facts": [],
        "events": [],
        "end": {"is_game_over": False, "ending_id": "", "reason": ""},
    }
    return json.dumps(answer)


class Oracle:
    """What the server says, and what it was asked."""

    def __init__(self) -> None:
        self.url = ""
        self.status = 200
        """Of every answer; another than 200 comes with an echo."""

        self.breaks = False
        """Whether an error with an echo comes in the middle of the answer."""

        self.repeats = False
        """Whether every answer bears the headers of its question, and an address with the key in it."""

        self.whole = False
        """Whether a question is answered in one piece, with nothing but an echo."""

        self.models: tuple[str, ...] = ("oracle-1", "oracle-2")
        self.text = tell_cards()
        self.asked: list[dict[str, object]] = []
        self.headers: list[Mapping[str, str]] = []

    def stream(self, echo: str) -> list[str]:
        """The events of an answer."""
        half = len(self.text) // 2
        events: list[object] = [_delta(self.text[:half])]
        if self.breaks:
            events.append({"error": {"message": f"broken: {echo}", "type": "server_error"}})
        else:
            events.append(_delta(self.text[half:]))
            events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
            events.append({"choices": [], "usage": USAGE})
        return [f"data: {json.dumps(event)}\n\n" for event in events] + ["data: [DONE]\n\n"]


def _delta(text: str) -> object:
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}]}


def make_handler(oracle: Oracle) -> type[BaseHTTPRequestHandler]:
    """A handler that speaks for an oracle."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(b"")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers["content-length"])))

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
            """Nobody reads it."""

        def _answer(self, body: bytes) -> None:
            oracle.headers.append(dict(self.headers))
            echo = json.dumps({"path": self.path, "headers": dict(self.headers), "body": body.decode()})
            if oracle.status != 200:
                self._send(oracle.status, json.dumps({"error": {"message": echo, "code": "echo"}}))
            elif self.path.endswith("/models"):
                rows = [{"id": name, "object": "model"} for name in oracle.models]
                self._send(200, json.dumps({"object": "list", "data": rows}))
            elif not body:
                self._send(404, json.dumps({"error": {"message": echo, "code": "echo"}}))
            elif oracle.whole:
                oracle.asked.append(json.loads(body))
                self._send(200, echo)
            else:
                oracle.asked.append(json.loads(body))
                self._send(200, "".join(oracle.stream(echo)), "text/event-stream")

        def _send(self, status: int, text: str, kind: str = "application/json") -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(text.encode())))
            key = self.headers.get("authorization", "")
            if oracle.repeats:
                self.send_header("authorization", key)
                self.send_header("set-cookie", f"key={key}")
                self.send_header("location", f"{oracle.url}/elsewhere?key={key.removeprefix('Bearer ')}")
            self.end_headers()
            self.wfile.write(text.encode())

    return Handler


@contextmanager
def consult() -> Iterator[Oracle]:
    """A running oracle."""
    oracle = Oracle()
    server = ThreadingHTTPServer(("127.0.0.1", 0), make_handler(oracle))
    oracle.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield oracle
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
