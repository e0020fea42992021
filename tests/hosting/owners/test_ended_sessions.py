"""Ended sessions: they end for every node, and a node asks the database only now and then."""

import asyncio
from typing import Any, cast

import pytest

from talewright.hosting.owners import ended_sessions
from talewright.hosting.owners.ended_sessions import KNOWN_SECONDS, EndedSessions
from talewright.stores.postgres.connection_retry import Database
from tests.hosting.limits.test_shared_budgets import Node, with_nodes
from tests.hosting.limits.test_shared_rate_limit import Clock

UNTIL = 1_000_000.0


def test_a_session_that_one_node_has_ended_is_ended_for_all(database_url: str) -> None:
    async def use(one: Node, two: Node) -> None:
        clock = Clock()
        here, there = (EndedSessions(node.database, seconds=clock) for node in (one, two))
        assert not await here.is_spent("session", UNTIL)
        assert not await there.is_spent("session", UNTIL)
        assert await here.spend("session", UNTIL, 0.0)
        assert not await there.spend("session", UNTIL, 0.0)
        assert await here.is_spent("session", UNTIL)
        clock.now += KNOWN_SECONDS
        assert await there.is_spent("session", UNTIL)
        assert not await there.is_spent("another", UNTIL)

    with_nodes(database_url, use)


class AskedDatabase:
    """Nothing has ended; it remembers what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def fetch(self, statement: str, spent_id: str) -> list[Any]:
        self.asked.append(spent_id)
        return []


def test_what_was_asked_last_is_remembered_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ended_sessions, "KNOWN_MAX", 2)

    async def run() -> None:
        clock, database = Clock(), AskedDatabase()
        sessions = EndedSessions(cast(Database, database), seconds=clock)
        for session in "aba":
            assert not await sessions.is_spent(session, UNTIL)
        assert database.asked == ["a", "b"]
        clock.now += KNOWN_SECONDS
        for session in "aca":
            assert not await sessions.is_spent(session, UNTIL)
        # The first is asked again because it is too old, and then known while the second is forgotten.
        assert database.asked == ["a", "b", "a", "c"]

    asyncio.run(run())
