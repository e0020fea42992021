"""A small host of MCP Apps: a page that frames the app as the specification says, before a real MCP server.

What the app asks of a tool is called there. Frame and host have different origins, and the frame has the
policy that a host must set for an app that names no domains.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.client.extension import advertise
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID
from mcp_types import TextResourceContents

from talewright.faces.mcp.table_app import TABLE_URI
from talewright.play.campaign_view import Viewer
from tests.faces.mcp.serving import MODERN, make_test_server

HOST = "http://host.test/"
FRAME = "http://frame.test/"
APPS = advertise(EXTENSION_ID, {"mimeTypes": [APP_MIME_TYPE]})
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; media-src 'self' data:; connect-src 'none'; frame-src 'none'; object-src 'none'; "
    "base-uri 'self'"
)

PAGE = """<!doctype html><meta charset="utf-8"><title>Host</title>
<style>body { margin: 1rem } iframe { width: 100%; height: 60px; border: 1px solid #999 }</style>
<p id="chat"></p><script>
const heard = [];
let frame = null, context = {}, abilities = {}, first = {}, keepsMeta = true;
const post = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
const strip = (result) => (keepsMeta ? result : { ...result, _meta: undefined });
const answers = {
  "ui/initialize": () => ({ protocolVersion: "2026-01-26", hostCapabilities: abilities,
    hostInfo: { name: "host", version: "1" }, hostContext: context }),
  "tools/call": async ({ name, arguments: given }) => strip(await callTool(name, given)),
  "ui/message": ({ content }) => {
    if (!Array.isArray(content)) throw { code: -32602, message: "content is a list" };
    document.getElementById("chat").textContent = content[0].text;
    return {};
  },
  "ui/update-model-context": () => ({}),
};
const notes = {
  "ui/notifications/initialized"() {
    post({ method: "ui/notifications/tool-input", params: { arguments: first.arguments } });
    post({ method: "ui/notifications/tool-result", params: strip(first.result) });
  },
  "ui/notifications/size-changed": ({ height }) => { frame.style.height = `${height}px`; },
};
addEventListener("message", async ({ source, data }) => {
  if (source !== frame?.contentWindow) return;
  heard.push(data);
  if (data.id === undefined) return notes[data.method]?.(data.params);
  try {
    const answer = answers[data.method];
    if (!answer) throw { code: -32601, message: "unknown method" };
    post({ id: data.id, result: await answer(data.params) });
  } catch (error) {
    post({ id: data.id, error: { code: error.code || -32000, message: error.message || String(error) } });
  }
});
function show(given) {
  ({ context, abilities, first, keepsMeta } = given);
  frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.src = "http://frame.test/";
  document.body.append(frame);
}
</script>"""


@dataclass
class McpServerThread:
    """A server and its client in a thread of their own, since the browser's driver has this one."""

    loop: asyncio.AbstractEventLoop
    client: Client
    called: list[tuple[str, Any]] = field(default_factory=list)

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Run something there, and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(60)

    def call(self, name: str, given: Any = None) -> Any:
        """Call a tool; the whole result as JSON."""
        self.called.append((name, given))
        result = self.run(self.client.call_tool(name, given or {}))
        return result.model_dump(by_alias=True, exclude_none=True, mode="json")

    def read_app(self) -> str:
        """The document of the app."""
        (contents,) = self.run(self.client.read_resource(TABLE_URI)).contents
        assert isinstance(contents, TextResourceContents)
        return contents.text


@contextmanager
def serve_app(saves: Path, game: str, role: Viewer) -> Iterator[McpServerThread]:
    """A server with a client that shows apps."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    begun, ended = asyncio.Event(), asyncio.Event()
    held: list[Client] = []

    async def live() -> None:
        server = await make_test_server(saves, game, role)
        async with Client(server, mode=MODERN, extensions=[APPS]) as client:
            held.append(client)
            begun.set()
            await ended.wait()

    living = asyncio.run_coroutine_threadsafe(live(), loop)
    try:
        asyncio.run_coroutine_threadsafe(begun.wait(), loop).result(60)
        yield McpServerThread(loop, held[0])
    finally:
        loop.call_soon_threadsafe(ended.set)
        living.result(60)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def open_host(
    browser: Any, document: str, call: Callable[[str, Any], Any], asked: list[str], **options: Any
) -> Any:
    """A page that can frame the app; `asked` collects the addresses that anything on it asks for."""
    page = browser.new_context(**options).new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.route("**/*", lambda route: route.abort())
    page.route(HOST, lambda route: route.fulfill(body=PAGE, content_type="text/html"))
    headers = {"Content-Security-Policy": POLICY, "Content-Type": "text/html; charset=utf-8"}
    page.route(FRAME, lambda route: route.fulfill(body=document, headers=headers))
    page.expose_function("callTool", call)
    page.goto(HOST)
    return page


def show_app(page: Any, arguments: Any, result: Any, **given: Any) -> Any:
    """Show the app for the result of a tool; returns its frame."""
    settings = {"context": {"theme": "light", "locale": "en-US"}, "abilities": {"serverTools": {}}}
    told = {**settings, "keepsMeta": True, **given, "first": {"arguments": arguments, "result": result}}
    page.evaluate("(given) => show(given)", told)
    return page.frame_locator("iframe >> nth=-1")
