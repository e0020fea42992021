"""The shared rate limit: how many at once and how many per minute, counted in Redis for all nodes.

It limits the requests to a model, and what one owner or address sends to the nodes. Redis may lose its data,
so whatever is running is registered again every few seconds. Without Redis, each node limits itself to its
share: turns continue and the provider is not flooded. Requests to a model wait in one line for all nodes.
"""

import asyncio
import math
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, suppress
from time import monotonic

from redis.asyncio import Redis
from redis.exceptions import RedisError

from talewright.common.frozen_values import frozen
from talewright.hosting.operations.turn_observer import SILENT, TurnObserver
from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider, ProviderError, Trouble
from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import Request
from talewright.play.serving.owner_quotas import MemoryRateLimit

LEASE_SECONDS = 15.0
"""How long a slot stays taken after its node last refreshed it."""

REFRESHES = 3
"""How often a slot is refreshed while its lease lasts."""

AWAY_SECONDS = 1.0
"""How long Redis is left alone after it did not answer, where others wait for the answer."""

WAIT_SECONDS_MAX = 60.0
"""How long a request waits for a slot."""

WAIT_STEP_MS = 40
"""How long the first in line waits before it asks again, if it is not known when a slot becomes free. Those
behind it wait longer.
"""

WAIT_STEPS_MAX = 6
"""How many of these steps the others wait at most."""

ASK_SECONDS_MAX = 1.0
"""The longest pause between two questions, even if it is known that the wait is longer."""

LINE_LEASE_SECONDS = 4.0
"""How long whoever waits keeps its place in line after it last asked: a dead node must not hold up others."""

KEY_SECONDS = 600

TAKE_PLACE = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local at_once, per_minute, lease = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
redis.call('ZADD', KEYS[2], now + lease, ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[7])
local nodes = redis.call('ZCARD', KEYS[2])
local came, ahead = ARGV[8], 0
if at_once > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
  if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return {0, nodes, came} end
end
if came ~= '' then
  if came == '0' then came = string.format('%.0f', clock[1] * 1000000 + clock[2]) end
  for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[5], '-inf', now)) do
    redis.call('ZREM', KEYS[4], gone)
    redis.call('ZREM', KEYS[5], gone)
  end
  redis.call('ZADD', KEYS[4], came, ARGV[1])
  redis.call('ZADD', KEYS[5], now + tonumber(ARGV[9]), ARGV[1])
  redis.call('EXPIRE', KEYS[4], ARGV[7])
  redis.call('EXPIRE', KEYS[5], ARGV[7])
  ahead = redis.call('ZRANK', KEYS[4], ARGV[1])
end
if at_once > 0 then
  local before = redis.call('ZCARD', KEYS[1]) + ahead - at_once
  if before >= 0 then return {tonumber(ARGV[6]) * math.min(before + 1, tonumber(ARGV[10])), nodes, came} end
end
if per_minute > 0 then
  local step, burst = 60000 / per_minute, at_once > 0 and at_once or per_minute
  local due = math.max(tonumber(redis.call('GET', KEYS[3]) or '0'), now - step * (burst - 1))
  if due + step * ahead > now then return {math.ceil(due + step * ahead - now), nodes, came} end
  redis.call('SET', KEYS[3], string.format('%.3f', due + step), 'EX', ARGV[7])
end
if at_once > 0 then
  redis.call('ZADD', KEYS[1], now + lease, ARGV[1])
  redis.call('EXPIRE', KEYS[1], ARGV[7])
end
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('ZREM', KEYS[5], ARGV[1])
return {0, nodes, came}
"""
"""Take a slot if there is one: {milliseconds to wait or 0, nodes, when it first asked}. Asked twice, it takes
one slot. As many requests may start at once as may run at once, or in a minute if that is not
limited; the others follow at the rate per minute. Those who wait form a line, by the time when they first
asked; they bring this time along, so that the line is the same after Redis has lost its data.
"""

KEEP_PLACE = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
return redis.call('EXPIRE', KEYS[1], ARGV[3])
"""


@frozen
class SharedRate:
    """How often all nodes together may do something; zero for no limit."""

    at_once: int = 0
    per_minute: int = 0


class RedisAbsence:
    """Whether Redis did not answer a moment ago, for all limits that requests wait for."""

    def __init__(self, seconds: Callable[[], float] = monotonic) -> None:
        self._seconds = seconds
        self._until = float("-inf")

    @property
    def lasts(self) -> bool:
        """Whether not to ask Redis now."""
        return self._seconds() < self._until

    def note(self) -> None:
        """Redis did not answer."""
        self._until = self._seconds() + AWAY_SECONDS


class SharedRateLimit:
    """The slots of one model, or of whatever else has a name."""

    def __init__(
        self,
        redis: Redis,
        name: str,
        rate: SharedRate,
        lease_seconds: float = LEASE_SECONDS,
        absence: RedisAbsence | None = None,
    ) -> None:
        assert rate.at_once > 0 or rate.per_minute > 0, "a rate limit must limit something"
        self._redis = redis
        self._rate = rate
        self._lease_seconds = lease_seconds
        self._absence = absence
        self._keys = [
            f"talewright:rate:{{{name}}}:{part}" for part in ("places", "nodes", "due", "line", "seen")
        ]
        self._take = redis.register_script(TAKE_PLACE)
        self._keep = redis.register_script(KEEP_PLACE)
        self._node = secrets.token_hex(8)
        self._nodes = 1
        self._held: set[str] = set()
        """The tickets of the slots that this node holds."""

        self._line: dict[str, str] = {}
        """The tickets that wait here, in order, and when they came by the clock of Redis; zero if unknown."""

        self._alone: tuple[int, MemoryRateLimit] | None = None
        """What this node counts without Redis, and for how many nodes."""

    async def take(self) -> float:
        """Count one of so many per minute; returns the seconds to wait, or zero if it was counted."""
        return await self._ask_alone("") / 1000

    @asynccontextmanager
    async def hold_now(self) -> AsyncIterator[bool]:
        """Hold a slot if one is free now; says whether it is held."""
        ticket = secrets.token_hex(16)
        refreshing: asyncio.Task[None] | None = None
        try:
            is_free = not await self._ask_alone(ticket)
            if is_free:
                refreshing = asyncio.create_task(self._refresh(ticket))
            yield is_free
        finally:
            self._held.discard(ticket)
            await asyncio.shield(self._give_back(ticket, refreshing))

    @asynccontextmanager
    async def place(self, wait_seconds: float = WAIT_SECONDS_MAX) -> AsyncIterator[None]:
        """Hold a slot, first come, first served. Raises ProviderError if none becomes free in time."""
        ticket = secrets.token_hex(16)
        refreshing: asyncio.Task[None] | None = None
        try:
            await self._wait(ticket, wait_seconds)
            if self._rate.at_once:
                refreshing = asyncio.create_task(self._refresh(ticket))
            yield
        finally:
            self._held.discard(ticket)
            await asyncio.shield(self._give_back(ticket, refreshing))

    async def _wait(self, ticket: str, wait_seconds: float) -> None:
        deadline = monotonic() + wait_seconds
        self._line[ticket] = "0"
        try:
            while wait_ms := await self._ask_alone(ticket):
                if monotonic() >= deadline:
                    raise ProviderError(
                        Trouble.BUSY,
                        "too many requests are waiting for this model",
                        "Try again in a minute.",
                        unpaid=True,
                    )
                pause = min(wait_ms / 1000, ASK_SECONDS_MAX, max(0.0, deadline - monotonic()))
                await asyncio.sleep(pause)
        finally:
            del self._line[ticket]

    async def _ask_alone(self, ticket: str) -> int:
        """Ask in a task that nobody cancels: on Python 3.11 the Redis client may swallow a cancellation."""
        asking = asyncio.create_task(self._ask(ticket))
        try:
            return await asyncio.shield(asking)
        except asyncio.CancelledError:
            # It may be taking the slot right now; the slot is given back afterwards.
            await asyncio.wait([asking])
            raise

    async def _ask(self, ticket: str) -> int:
        """Milliseconds to wait; zero if the slot was obtained."""
        rate, lease = self._rate, int(self._lease_seconds * 1000)
        told: list[str | int] = [
            ticket,
            self._node,
            rate.at_once,
            rate.per_minute,
            lease,
            WAIT_STEP_MS,
            KEY_SECONDS,
            self._line.get(ticket, ""),
            int(LINE_LEASE_SECONDS * 1000),
            WAIT_STEPS_MAX,
        ]
        try:
            if self._absence is not None and self._absence.lasts:
                wait_ms = await self._ask_nobody(ticket)
            else:
                wait_ms, self._nodes, came = await self._take(self._keys, told)
                if ticket in self._line:
                    self._line[ticket] = came.decode() if isinstance(came, bytes) else came
        except (RedisError, OSError):
            if self._absence is not None:
                self._absence.note()
            wait_ms = await self._ask_nobody(ticket)
        if not wait_ms and rate.at_once:
            # At once, because the next request counts it.
            self._held.add(ticket)
        return int(wait_ms)

    async def _ask_nobody(self, ticket: str) -> int:
        """The same without Redis: this node has its share."""
        rate, nodes = self._rate, max(1, self._nodes)
        if rate.at_once:
            ahead = list(self._line).index(ticket) if ticket in self._line else 0
            return 0 if len(self._held) + ahead < max(1, rate.at_once // nodes) else WAIT_STEP_MS
        if self._alone is None or self._alone[0] != nodes:
            self._alone = nodes, MemoryRateLimit(max(1, rate.per_minute // nodes))
        return math.ceil(await self._alone[1].take() * 1000)

    async def _refresh(self, ticket: str) -> None:
        while ticket in self._held:
            await asyncio.sleep(self._lease_seconds / REFRESHES)
            with suppress(RedisError, OSError):
                await self._keep(self._keys[:1], [ticket, int(self._lease_seconds * 1000), KEY_SECONDS])

    async def _give_back(self, ticket: str, refreshing: asyncio.Task[None] | None) -> None:
        if refreshing is not None:
            # A refresh in progress would take the slot again.
            refreshing.cancel()
            await asyncio.wait([refreshing])
        leaving = self._redis.pipeline(transaction=False)
        for key in (self._keys[0], *self._keys[3:]):
            leaving.zrem(key, ticket)
        with suppress(RedisError, OSError):
            await leaving.execute()


class SharedLimitProvider:
    """A provider that holds a slot of its model from the request to the end of the answer."""

    def __init__(self, provider: Provider, limit: SharedRateLimit, observer: TurnObserver = SILENT) -> None:
        self._provider = provider
        self._limit = limit
        self._observer = observer

    @property
    def profile(self) -> Profile:
        """What the model can do."""
        return self._provider.profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Ask as soon as there is a free slot."""
        async with AsyncExitStack() as stack:
            with self._observer.measure_wait():
                await stack.enter_async_context(self._limit.place())
            async for chunk in await stack.enter_async_context(aclosing(self._provider.stream(request))):
                yield chunk

    async def close(self) -> None:
        """Close the provider."""
        await self._provider.close()
