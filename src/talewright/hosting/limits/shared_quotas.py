"""Shared quotas: what owners and addresses do on all nodes of a host, counted in Redis.

Without Redis, each node allows its share. Stored campaigns are counted in PostgreSQL, by the store.
"""

from redis.asyncio import Redis

from talewright.hosting.limits.shared_rate_limit import RedisAbsence, SharedRate, SharedRateLimit
from talewright.play.serving.owner_quotas import OwnerCounts, OwnerQuotas, RateLimit

STREAM_LEASE_SECONDS = 60.0
"""How long a stream of a node that died still counts. Streams are many, so they are refreshed rarely."""

ANSWER_SECONDS = 0.5
"""How long a request waits for Redis; then its node counts alone for a moment."""

CONNECTIONS_MAX = 8


class SharedQuotaCounts:
    """Counts for all nodes; a QuotaCounts."""

    def __init__(self, redis: Redis, quotas: OwnerQuotas) -> None:
        self._redis = redis
        self._quotas = quotas
        self._absence = RedisAbsence()

    def count_owner(self, owner: str) -> OwnerCounts:
        """The counts of an owner."""
        quotas, streams = self._quotas, None
        if quotas.streams is not None:
            rate = SharedRate(at_once=quotas.streams)
            name = f"streams {owner}"
            streams = SharedRateLimit(self._redis, name, rate, STREAM_LEASE_SECONDS, self._absence)
        return OwnerCounts(
            self._limit(f"requests {owner}", quotas.requests),
            self._limit(f"imports {owner}", quotas.imports),
            streams,
        )

    def count_bad_tokens(self, address: str) -> RateLimit | None:
        """The bad tokens from an address."""
        return self._limit(f"bad tokens {address}", self._quotas.bad_tokens)

    def _limit(self, name: str, per_minute: int | None) -> RateLimit | None:
        if per_minute is None:
            return None
        return SharedRateLimit(self._redis, name, SharedRate(per_minute=per_minute), absence=self._absence)
