"""Sealed steps: stored results show nothing, open only at their own step, and come back as they were."""

import asyncio
import json

import pytest

from talewright.common.json_values import Json
from talewright.hosting.durable_runner import RecordedSteps
from talewright.hosting.sealed_steps import SealedSteps
from talewright.stores.postgres.sealing import UnsealError
from talewright.turn.turn_context import StepWork
from tests.stores.postgres.stores import KEYS

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
