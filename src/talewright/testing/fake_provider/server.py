"""The fake server: one vendor's protocol on a free loopback port, with script, faults, cache and ledger.

It answers what its script says and nothing else; it never leaves this machine.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from talewright.testing.fake_provider.anthropic_wire import AnthropicWire
from talewright.testing.fake_provider.caching import ANTHROPIC_CACHE, GEMINI_CACHE, Cache, Rules
from talewright.testing.fake_provider.clocks import Clock, LoopClock
from talewright.testing.fake_provider.desk import Desk
from talewright.testing.fake_provider.dialects import OPENAI, Dialect
from talewright.testing.fake_provider.faults import Fault, Placed, Plan, check_possible
from talewright.testing.fake_provider.gemini_wire import GeminiWire
from talewright.testing.fake_provider.http import Exchange, GoneError, Reader, read_request
from talewright.testing.fake_provider.ledger import Ledger
from talewright.testing.fake_provider.listener import HOST, Listener
from talewright.testing.fake_provider.openai_wire import OpenAIWire
from talewright.testing.fake_provider.scripts import Pace, Script
from talewright.testing.fake_provider.wires import Wire, WireForm

KEY = "sk-fake-0000000000000000"
"""The key a server takes when it is not told another."""

AT_ONCE = Pace()
"""Every event in one piece, without a pause."""


class FakeServer:
    """A running server."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._listener = Listener(self._take)
        self._tasks: set[asyncio.Task[None]] = set()
        self._idle: set[asyncio.StreamWriter] = set()
        self._is_down = False
        self._failures: list[BaseException] = []

    @property
    def url(self) -> str:
        """Where it listens, without a path."""
        return f"http://{HOST}:{self._listener.port}"

    @property
    def port(self) -> int:
        """The port of the url."""
        return self._listener.port

    @property
    def key(self) -> str:
        """The key it takes."""
        return self._desk.key

    @property
    def ledger(self) -> Ledger:
        """What was asked of it."""
        return self._desk.ledger

    @property
    def struck(self) -> tuple[Placed, ...]:
        """The faults that have struck, outages included."""
        return self._desk.plan.struck

    async def start(self) -> None:
        """Take connections, unless an outage comes first."""
        await self._listener.open()
        self._go_down_before(1)

    async def come_back(self) -> None:
        """End an outage."""
        self._is_down = False
        await self._listener.open()

    async def stop(self) -> None:
        """Break every connection off and give the port up; raises what went wrong in the script."""
        self._is_down = True
        self._listener.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        # The callbacks of the tasks that have just ended come in the next turn of the loop.
        await asyncio.sleep(0)
        if self._failures:
            raise self._failures[0]

    def _take(self, reader: Reader, writer: asyncio.StreamWriter) -> None:
        self._track(asyncio.create_task(self._converse(reader, writer)))

    async def _converse(self, reader: Reader, writer: asyncio.StreamWriter) -> None:
        exchange = Exchange(reader, writer)
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
        except GoneError:
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
        """Begin the outage that waits for this ask, if there is one."""
        outage = self._desk.plan.find_outage(number)
        if outage is None or self._is_down:
            return
        self._desk.plan.strike(outage)
        self._is_down = True
        if outage.fault is Fault.REFUSED:
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
    faults: Sequence[Placed] = (),
    caching: Rules | None = None,
    pace: Pace = AT_ONCE,
    dialect: Dialect = OPENAI,
    key: str = KEY,
    models: tuple[str, ...] = (),
    clock: Clock | None = None,
) -> AsyncIterator[FakeServer]:
    """A server of this wire while the block runs.

    `caching` overrides the vendor's usual rules, `dialect` is read on the OpenAI wire only, and where
    `models` are named any other is unknown.
    """
    form = _make_form(wire, caching, dialect)
    for placed in faults:
        check_possible(placed, wire)
    cache = Cache(caching or form.cache)
    server = FakeServer(Desk(form, script, Plan(faults), cache, pace, key, models, clock or LoopClock()))
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


def _make_form(wire: Wire, caching: Rules | None, dialect: Dialect) -> WireForm:
    match wire:
        case Wire.OPENAI:
            return OpenAIWire(dialect)
        case Wire.ANTHROPIC:
            return AnthropicWire(caching or ANTHROPIC_CACHE)
        case Wire.GEMINI:
            return GeminiWire(caching or GEMINI_CACHE)
