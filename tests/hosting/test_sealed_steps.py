"""Sealed steps: stored results show nothing, open only at their own step, and come back as they were."""

import asyncio
import base64
import json

import asyncpg
import pytest

from talewright.common.json_values import Json
from talewright.hosting import sealed_steps
from talewright.hosting.durable_runner import RecordedSteps
from talewright.hosting.sealed_steps import SEALED, SealedSteps, reseal_steps
from talewright.hosting.turn_queue import TurnQueue
from talewright.stores.postgres.sealing import SealingKeys, UnsealError, parse_keys
from talewright.stores.postgres.upkeep.resealing import ResealReport
from talewright.turn.turn_context import StepWork
from tests.stores.postgres.stores import KEYS

SECOND = "k2:" + base64.b64encode(bytes(range(32))).decode()
BOTH = parse_keys(f"{SECOND},k1:" + "A" * 43 + "=")
RESULT: Json = {"value": {"text": "The ferry turns. \ud83d", "rolls": [1, 2.5, None, True]}}


class StoredSteps:
    """The steps of one workflow, as a database keeps them."""

    def __init__(self) -> None:
        self.stored: list[tuple[str, str]] = []

    async def call(self, name: str, step: StepWork) -> Json:
        self.stored.append((name, json.dumps(await step())))
        return (await self.read("any"))[-1][1]

    async def read(self, workflow: str) -> RecordedSteps:
        return [(name, json.loads(text)) for name, text in self.stored]


async def tell() -> Json:
    return RESULT


def make_steps(stored: StoredSteps, workflow: str = "ferry/1") -> SealedSteps:
    return SealedSteps(workflow, stored.read, KEYS.seal_for(b""), stored.call)


def test_a_stored_step_shows_nothing_and_comes_back() -> None:
    async def run() -> None:
        stored = StoredSteps()
        assert await make_steps(stored).call("op/ask 1", tell) == RESULT
        assert "ferry" not in stored.stored[0][1]
        assert await make_steps(stored).read("ferry/1") == [("op/ask 1", RESULT)]

    asyncio.run(run())


def test_a_result_opens_only_at_its_step() -> None:
    async def run() -> None:
        stored = StoredSteps()
        await make_steps(stored).call("op/ask 1", tell)
        with pytest.raises(UnsealError):
            await make_steps(stored, "ferry/2").read("ferry/2")
        stored.stored[0] = ("op/ask 2", stored.stored[0][1])
        with pytest.raises(UnsealError):
            await make_steps(stored).read("ferry/1")

    asyncio.run(run())


def test_without_a_seal_steps_are_plain() -> None:
    async def run() -> None:
        stored = StoredSteps()
        plain = SealedSteps("ferry/1", stored.read, None, stored.call)
        assert await plain.call("op/begin", tell) == RESULT
        assert "ferry" in stored.stored[0][1]
        assert await plain.read("ferry/1") == [("op/begin", RESULT)]

    asyncio.run(run())


def test_steps_that_cannot_be_read_count_as_none(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        stored = StoredSteps()
        await make_steps(stored).call("op/ask 1", tell)
        assert await make_steps(stored).read_if_possible() == [("op/ask 1", RESULT)]
        assert not caplog.records
        other = SealedSteps("ferry/1", stored.read, parse_keys(SECOND).seal_for(b""), stored.call)
        assert await other.read_if_possible() == []

    asyncio.run(run())
    assert "the steps of workflow ferry/1 cannot be read" in caplog.text


async def seal_step(keys: SealingKeys, workflow: str, name: str) -> str:
    """A step as a worker with these keys stores it."""
    stored = StoredSteps()
    await SealedSteps(workflow, stored.read, keys.seal_for(b""), stored.call).call(name, tell)
    return stored.stored[0][1]


async def read_step(text: str, keys: SealingKeys, workflow: str, name: str) -> Json:
    stored = StoredSteps()
    stored.stored = [(name, text)]
    ((_, result),) = await SealedSteps(workflow, stored.read, keys.seal_for(b""), stored.call).read(workflow)
    return result


INSERT = """
insert into dbos.operation_outputs (workflow_uuid, function_id, function_name, output, retention_timestamp)
values ($1, $2, 'ask', $3, 0)
"""
OUTPUTS = "select workflow_uuid, function_id, output from dbos.operation_outputs order by 1, 2"


def test_stored_steps_are_sealed_again(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed_steps, "BATCH_MAX", 2)

    async def run() -> None:
        connection = await asyncpg.connect(database_url)
        assert await reseal_steps(connection, BOTH) == ResealReport(), "no worker was ever started"
        queue = TurnQueue(database_url, pool_size=1)
        await queue.prepare()
        await queue.close()
        old = {place: await seal_step(KEYS, place[0], "ask") for place in (("a", 1), ("a", 2), ("b", 1))}
        # These stay as they are: sealed with the new key, plain, no JSON, no base64, of another place.
        kept = {
            ("b", 2): await seal_step(BOTH, "b", "ask"),
            ("c", 1): json.dumps(RESULT),
            ("c", 2): "no JSON",
            ("c", 3): json.dumps({SEALED: 7}),
            ("c", 4): json.dumps({SEALED: "abc"}),
            ("d", 1): await seal_step(KEYS, "elsewhere", "ask"),
        }
        for place, text in {**old, **kept}.items():
            await connection.execute(INSERT, *place, text)
        await connection.execute(INSERT, "d", 2, None)
        unreadable = ("steps d/ask",)
        assert await reseal_steps(connection, BOTH) == ResealReport(len(old), unreadable)
        found = {(row[0], row[1]): row[2] for row in await connection.fetch(OUTPUTS)}
        assert found.pop(("d", 2)) is None
        assert {place: found[place] for place in kept} == kept
        for place in old:
            assert await read_step(found[place], parse_keys(SECOND), place[0], "ask") == RESULT
        assert await reseal_steps(connection, BOTH) == ResealReport(0, unreadable)
        await connection.close()

    asyncio.run(run())
