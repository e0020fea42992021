"""A stalling model: a server on loopback that stops in the middle of what it tells, until it is let on.

What it says is handed in.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path

from tests.cli.oracle import Oracle, make_handler, tell_cards


class StallingOracle(Oracle):
    """An oracle that stalls as long as it is told to."""

    def __init__(self, told: str) -> None:
        super().__init__()
        self.text = tell_cards(told)
        self.stalls = True
        self.let_on = threading.Event()
        """Set, whoever waits in the middle is told the rest."""

    @property
    def first_half(self) -> str:
        """What comes before the stall: half of what is told."""
        return self.text[: self.text.index('"choices"') // 2]


@contextmanager
def stall(told: str) -> Iterator[StallingOracle]:
    """A running server that stalls."""
    oracle = StallingOracle(told)
    base = make_handler(oracle)

    class Handler(base):  # type: ignore[misc, valid-type]  # the class is made for one oracle
        """Stops half way through."""

        def do_POST(self) -> None:  # noqa: N802 - the library's name
            if not oracle.stalls:
                super().do_POST()
                return
            oracle.asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            self._send_event({"content": oracle.first_half})
            oracle.let_on.wait()
            self._send_event({"content": oracle.text[len(oracle.first_half) :]})
            self._send_event({}, "stop")
            self._write("data: [DONE]\n\n")

        def _send_event(self, delta: object, finish: str | None = None) -> None:
            event = {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
            self._write(f"data: {json.dumps(event)}\n\n")

        def _write(self, text: str) -> None:
            # Whoever was listening may be gone by now; that is what is tried out here.
            try:
                self.wfile.write(text.encode())
                self.wfile.flush()
            except OSError:
                self.close_connection = True

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    oracle.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield oracle
    finally:
        oracle.let_on.set()
        server.shutdown()
        thread.join()
        server.server_close()


def write_settings(home: Path, oracle: Oracle) -> None:
    """Let the oracle tell, in the settings of a user."""
    lines = ('model = "own"', "[models.own]", f'base_url = "{oracle.url}"', 'model = "oracle-1"')
    home.mkdir(exist_ok=True)
    (home / "settings.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
