"""A bare page that shows and streams a text: what our pages are measured against.

No style, no form, one script of a few lines; every chunk is an event of its own.
"""

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

WATCH_TASKS = """
window.tasks = [];
window.shifts = [];
new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration)))
  .observe({ type: "longtask", buffered: true });
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) shifts.push(entry.value);
}).observe({ type: "layout-shift", buffered: true });
"""
"""Collects long tasks and layout shifts, on any page."""

FIRST_PAINT = """() => new Promise((done) => {
  const look = (list) => {
    const found = list.getEntriesByName("first-contentful-paint")[0];
    if (found) done(found.startTime);
  };
  new PerformanceObserver(look).observe({ type: "paint", buffered: true });
})"""
"""Milliseconds from the start of the navigation to the first paint of any content."""

PAGE = """<!doctype html><meta charset=utf-8><title>Bare</title><main>{told}</main><p id=live></p><script>
const live = document.getElementById("live").appendChild(document.createTextNode(""));
const stream = new EventSource("/events");
stream.onmessage = (event) => live.appendData(JSON.parse(event.data));
stream.addEventListener("end", () => {{ stream.close(); document.body.className = "ended"; }});
</script>"""


@contextmanager
def serve_bare_page(told: Sequence[str], chunks: Sequence[str], pause_seconds: float) -> Iterator[str]:
    """The address of a page with these paragraphs, which then streams the chunks."""
    page = PAGE.format(told="".join(f"<p>{escape(one)}</p>" for one in told)).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_stream = self.path == "/events"
            self.send_response(200)
            kind = "text/event-stream" if is_stream else "text/html; charset=utf-8"
            self.send_header("Content-Type", kind)
            self.end_headers()
            if is_stream:
                self.send_chunks()
            else:
                self.wfile.write(page)

        def send_chunks(self) -> None:
            for chunk in chunks:
                self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
                self.wfile.flush()
                time.sleep(pause_seconds)
            self.wfile.write(b"event: end\ndata: 0\n\n")

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
