"""The shared rate limit: concurrent requests to a model and requests per minute, counted in Redis for all
nodes.

Redis may lose its data, so every running request is registered again every few seconds. Without Redis, each
node limits itself to its share: turns continue and the provider is not flooded.
"""

import asyncio
import secrets
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from time import monotonic

from redis.asyncio import Redis
from redis.exceptions import RedisError

from talewright.common.frozen_values import frozen
from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider, ProviderError, Trouble
from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import Request

LEASE_SECONDS = 15.0
"""How long a slot stays taken after its node last refreshed it."""

REFRESH_SECONDS = 5.0
WAIT_SECONDS_MAX = 60.0
"""How long a request waits for a slot."""

WAIT_STEP_MS = 40
"""How long a request waits before it asks again, if it is not known when a slot becomes free."""

KEY_SECONDS = 600

TAKE_PLACE = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local at_once, per_minute, lease = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
redis.call('ZADD', KEYS[2], now + lease, ARGV[2])
local nodes = redis.call('ZCARD', KEYS[2])
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return {0, nodes} end
if redis.call('ZCARD', KEYS[1]) >= at_once then return {tonumber(ARGV[6]), nodes} end
if per_minute > 0 then
  local step = 60000 / per_minute
  local due = math.max(tonumber(redis.call('GET', KEYS[3]) or '0'), now - step * (at_once - 1))
  if due > now then return {math.ceil(due - now), nodes} end
  redis.call('SET', KEYS[3], due + step, 'EX', ARGV[7])
end
redis.call('ZADD', KEYS[1], now + lease, ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[7])
redis.call('EXPIRE', KEYS[2], ARGV[7])
return {0, nodes}
"""
"""Take a slot if there is one: {milliseconds to wait or 0, nodes}. Asked twice, it takes one slot. As many
requests may start at once as may run at once; the others follow at the rate per minute.
"""

KEEP_PLACE = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
return redis.call('EXPIRE', KEYS[1], ARGV[3])
"""


@frozen
class ModelRate:
    """How often all nodes together may call a model."""

    at_once: int
    per_minute: int = 0
    """Zero for no limit."""


class SharedRateLimit:
    """The request slots of one model."""

    def __init__(
        self, redis: Redis, model: str, rate: ModelRate, lease_seconds: float = LEASE_SECONDS
    ) -> None:
        assert rate.at_once > 0, "a rate limit must allow at least one request"
        self._redis = redis
        self._rate = rate
        self._lease_seconds = lease_seconds
        self._keys = [f"talewright:rate:{{{model}}}:{part}" for part in ("places", "nodes", "due")]
        self._take = redis.register_script(TAKE_PLACE)
        self._keep = redis.register_script(KEEP_PLACE)
        self._node = secrets.token_hex(8)
        self._nodes = 1
        self._held: set[str] = set()
        """The tickets of the slots that this node holds."""

    @asynccontextmanager
    async def place(self, wait_seconds: float = WAIT_SECONDS_MAX) -> AsyncIterator[None]:
        """Hold a slot. Raises ProviderError if none becomes free in time."""
        ticket = secrets.token_hex(16)
        refreshing: asyncio.Task[None] | None = None
        try:
            await self._wait(ticket, wait_seconds)
            refreshing = asyncio.create_task(self._refresh(ticket))
            yield
        finally:
            self._held.discard(ticket)
            await asyncio.shield(self._give_back(ticket, refreshing))

    async def _wait(self, ticket: str, wait_seconds: float) -> None:
        deadline = monotonic() + wait_seconds
        while wait_ms := await self._ask_alone(ticket):
            if monotonic() >= deadline:
                raise ProviderError(
                    Trouble.BUSY,
                    "too many requests are waiting for this model",
                    "Try again in a minute.",
                    unpaid=True,
                )
            await asyncio.sleep(min(wait_ms / 1000, max(0.0, deadline - monotonic())))

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
        ]
        try:
            wait_ms, self._nodes = await self._take(self._keys, told)
        except (RedisError, OSError):
            share = max(1, rate.at_once // max(1, self._nodes))
            wait_ms = 0 if len(self._held) < share else WAIT_STEP_MS
        if not wait_ms:
            # At once, because the next request counts it.
            self._held.add(ticket)
        return int(wait_ms)

    async def _refresh(self, ticket: str) -> None:
        while ticket in self._held:
            await asyncio.sleep(min(REFRESH_SECONDS, self._lease_seconds / 3))
            with suppress(RedisError, OSError):
                await self._keep(self._keys[:1], [ticket, int(self._lease_seconds * 1000), KEY_SECONDS])

    async def _give_back(self, ticket: str, refreshing: asyncio.Task[None] | None) -> None:
        if refreshing is not None:
            # A refresh in progress would take the slot again.
            refreshing.cancel()
            await asyncio.wait([refreshing])
        with suppress(RedisError, OSError):
            await self._redis.zrem(self._keys[0], ticket)


class SharedLimitProvider:
    """A provider that holds a slot of its model from the request to the end of the answer."""

    def __init__(self, provider: Provider, limit: SharedRateLimit) -> None:
        self._provider = provider
        self._limit = limit

    @property
    def profile(self) -> Profile:
        """What the model can do."""
        return self._provider.profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Ask as soon as there is a free slot."""
        async with self._limit.place(), aclosing(self._provider.stream(request)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def close(self) -> None:
        """Close the provider."""
        await self._provider.close()
