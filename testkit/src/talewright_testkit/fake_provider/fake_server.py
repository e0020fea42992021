"""The fake server: one vendor's protocol on a loopback port that accepts, refuses or hangs connections.

It answers only what its script says, is reachable from this machine only, and keeps its port through every
outage.
"""

import asyncio
import errno
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TypeAlias

from talewright_testkit.fake_provider.fake_clock import LoopClock, ServerClock
from talewright_testkit.fake_provider.fault_plan import FaultPlan, PlacedFault, ProviderFault, check_possible
from talewright_testkit.fake_provider.http_connection import (
    ClientGoneError,
    HangupStreamReader,
    HttpExchange,
    read_request,
)
from talewright_testkit.fake_provider.reply_script import ReplyPace, Script
from talewright_testkit.fake_provider.request_handler import RequestHandler
from talewright_testkit.fake_provider.request_ledger import RequestLedger
from talewright_testkit.fake_provider.vendor_cache import (
    ANTHROPIC_CACHE,
    GEMINI_CACHE,
    VendorCache,
    VendorCacheRules,
)
from talewright_testkit.fake_provider.wires.anthropic_reply_format import AnthropicWire
from talewright_testkit.fake_provider.wires.gemini_reply_format import GeminiWire
from talewright_testkit.fake_provider.wires.openai_reply_format import OpenAIWire
from talewright_testkit.fake_provider.wires.vendor_dialects import OPENAI, ServerDialect
from talewright_testkit.fake_provider.wires.wire_form import Wire, WireForm

HOST = "127.0.0.1"
BACKLOG = 128
FILLERS = 4
"""How many connections fill the queue of a hanging port; even a backlog of 0 holds one or two."""

Accept: TypeAlias = Callable[[HangupStreamReader, asyncio.StreamWriter], None]


class LoopbackListener:
    """One loopback port."""

    def __init__(self, accept: Accept) -> None:
        self._accept = accept
        self._socket = _bind(0)
        self._loop: asyncio.AbstractEventLoop | None = None
        """The loop that watches the socket, while it accepts connections."""

        self._accepted: set[asyncio.Task[None]] = set()
        self._fillers: list[socket.socket] = []
        self.port: int = self._socket.getsockname()[1]

    async def open(self) -> None:
        """Accept connections."""
        self._clear()
        self._socket = _bind(self.port)
        self._socket.listen(BACKLOG)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._socket, self._accept_one, self._loop)

    def refuse(self) -> None:
        """Refuse connections: the port is bound, but nothing listens."""
        self._clear()
        self._socket = _bind(self.port)

    def hang(self) -> None:
        """Let connections hang: the queue is full, and nothing accepts from it."""
        self._clear()
        self._socket = _bind(self.port)
        self._socket.listen(0)
        for _ in range(FILLERS):
            filler = socket.socket()
            filler.setblocking(False)
            self._fillers.append(filler)
            if filler.connect_ex((HOST, self.port)) not in (0, errno.EINPROGRESS):
                break

    def close(self) -> None:
        """Release the port."""
        self._clear()

    def _clear(self) -> None:
        if self._loop is not None:
            self._loop.remove_reader(self._socket)
            self._loop = None
        self._socket.close()
        for filler in self._fillers:
            filler.close()
        self._fillers = []

    def _accept_one(self, loop: asyncio.AbstractEventLoop) -> None:
        # Not with an `asyncio.Server`: if it is closed at the moment it accepts a connection, that connection
        # stays open.
        try:
            connection, _ = self._socket.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        connection.setblocking(False)
        task = loop.create_task(self._attach(loop, connection))
        self._accepted.add(task)

        def end(ended: asyncio.Task[None]) -> None:
            self._accepted.discard(ended)
            if ended.cancelled():
                connection.close()

        task.add_done_callback(end)

    async def _attach(self, loop: asyncio.AbstractEventLoop, connection: socket.socket) -> None:
        await loop.connect_accepted_socket(self._make_protocol, connection)

    def _make_protocol(self) -> asyncio.StreamReaderProtocol:
        reader = HangupStreamReader()

        # A plain function: a coroutine would become a task that complains when the server stops.
        def take(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._accept(reader, writer)

        return asyncio.StreamReaderProtocol(reader, take)


def _bind(port: int) -> socket.socket:
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.setblocking(False)
    bound.bind((HOST, port))
    return bound


KEY = "sk-fake-0000000000000000"
"""The API key a server accepts by default."""

AT_ONCE = ReplyPace()
"""Every event in one piece, without pauses."""


class FakeServer:
    """A running server."""

    def __init__(self, desk: RequestHandler) -> None:
        self._desk = desk
        self._listener = LoopbackListener(self._take)
        self._tasks: set[asyncio.Task[None]] = set()
        self._idle: set[asyncio.StreamWriter] = set()
        self._is_down = False
        self._failures: list[BaseException] = []

    @property
    def url(self) -> str:
        """The base URL, without a path."""
        return f"http://{HOST}:{self._listener.port}"

    @property
    def port(self) -> int:
        """The port of the URL."""
        return self._listener.port

    @property
    def key(self) -> str:
        """The API key it accepts."""
        return self._desk.key

    @property
    def ledger(self) -> RequestLedger:
        """The requests it received."""
        return self._desk.ledger

    @property
    def struck(self) -> tuple[PlacedFault, ...]:
        """The faults that have occurred so far, outages included."""
        return self._desk.plan.struck

    async def start(self) -> None:
        """Accept connections, unless an outage comes first."""
        await self._listener.open()
        self._go_down_before(1)

    async def come_back(self) -> None:
        """End an outage."""
        self._is_down = False
        await self._listener.open()

    async def stop(self) -> None:
        """Break every connection and release the port; raise any error of the script."""
        self._is_down = True
        self._listener.close()
        for task in self._tasks:
            task.cancel()
        # Each task's own callback runs before that of `gather`, which was added later.
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._failures:
            raise self._failures[0]

    def _take(self, reader: HangupStreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._converse(reader, writer))
        # A task that is cancelled before it starts does not close its connection.
        task.add_done_callback(lambda _: writer.close())
        self._track(task)

    async def _converse(self, reader: HangupStreamReader, writer: asyncio.StreamWriter) -> None:
        exchange = HttpExchange(reader, writer)
        try:
            while not self._is_down:
                self._idle.add(writer)
                request = await read_request(reader)
                self._idle.discard(writer)
                if request is None:
                    break
                await self._desk.answer(exchange, request, lambda number: self._go_down_before(number + 1))
                if not request.keeps:
                    break
        except ClientGoneError:
            pass
        finally:
            self._idle.discard(writer)
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    def _track(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        failure = None if task.cancelled() else task.exception()
        if failure is not None:
            self._failures.append(failure)

    def _go_down_before(self, number: int) -> None:
        """Start the outage planned for this request, if there is one."""
        outage = self._desk.plan.find_outage(number)
        if outage is None or self._is_down:
            return
        self._desk.plan.strike(outage)
        self._is_down = True
        if outage.fault is ProviderFault.REFUSED:
            self._listener.refuse()
        else:
            self._listener.hang()
        for writer in self._idle:
            writer.close()
        if outage.seconds is not None:
            self._track(asyncio.create_task(self._come_back_after(outage.seconds)))

    async def _come_back_after(self, seconds: float) -> None:
        await self._desk.clock.sleep(seconds)
        await self.come_back()


@asynccontextmanager
async def serve(
    wire: Wire,
    script: Script,
    *,
    faults: Sequence[PlacedFault] = (),
    caching: VendorCacheRules | None = None,
    pace: ReplyPace = AT_ONCE,
    dialect: ServerDialect = OPENAI,
    key: str = KEY,
    models: tuple[str, ...] = (),
    clock: ServerClock | None = None,
) -> AsyncIterator[FakeServer]:
    """Run a server of this wire while the block runs.

    `caching` overrides the vendor's usual rules, `dialect` applies to the OpenAI wire only, and if `models`
    are given, all others are unknown.
    """
    form = _make_form(wire, caching, dialect)
    for placed in faults:
        check_possible(placed, wire)
    cache = VendorCache(caching or form.cache)
    server = FakeServer(
        RequestHandler(form, script, FaultPlan(faults), cache, pace, key, models, clock or LoopClock())
    )
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


def _make_form(wire: Wire, caching: VendorCacheRules | None, dialect: ServerDialect) -> WireForm:
    match wire:
        case Wire.OPENAI:
            return OpenAIWire(dialect)
        case Wire.ANTHROPIC:
            return AnthropicWire(caching or ANTHROPIC_CACHE)
        case Wire.GEMINI:
            return GeminiWire(caching or GEMINI_CACHE)
