"""The turnstile: so many at once and no more, first come first served, and every place is given back."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from talewright.llm.profiles import Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.rate_limit import RateLimitedProvider
from talewright.llm.reply_chunks import Chunk, Stop, StopReason, Text
from talewright.llm.requests import Request
from tests.llm.doubles import DONE, REQUEST, Failing, broken, listen


class Gate:
    """A provider that answers only when it is let."""

    def __init__(self) -> None:
        self.inside = 0
        self.most = 0
        self.order: list[int] = []
        self.let = asyncio.Event()

    profile = Profile("gate")

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        self.inside += 1
        self.most = max(self.most, self.inside)
        try:
            await self.let.wait()
            yield Text("a")
            yield Stop(StopReason.END)
        finally:
            self.inside -= 1

    async def close(self) -> None:
        pass


@pytest.mark.parametrize("at_once", [1, 3])
def test_so_many_at_once(at_once: int) -> None:
    async def run() -> None:
        gate = Gate()
        limited = RateLimitedProvider(gate, at_once)
        finished: list[int] = []

        async def ask(number: int) -> None:
            async for _ in limited.stream(REQUEST):
                pass
            finished.append(number)

        tasks = [asyncio.create_task(ask(number)) for number in range(8)]
        while gate.inside < at_once:
            await asyncio.sleep(0)
        gate.let.set()
        await asyncio.gather(*tasks)
        assert gate.most == at_once
        assert finished == list(range(8))

    asyncio.run(run())


def test_a_place_is_given_back_after_failing_and_leaving() -> None:
    failing = Failing([broken()], DONE, DONE)
    limited = RateLimitedProvider(failing, 1)

    async def run() -> None:
        with pytest.raises(ProviderError):
            await anext(limited.stream(REQUEST))
        stream = limited.stream(REQUEST)
        assert await anext(stream) == DONE[0]
        await stream.aclose()
        assert [chunk async for chunk in limited.stream(REQUEST)] == list(DONE)
        await limited.close()

    asyncio.run(run())
    assert (failing.open, failing.closed) == (0, 1)
    assert limited.profile is failing.profile


def test_one_that_is_cancelled_in_line_leaves_the_line() -> None:
    async def run() -> None:
        gate = Gate()
        limited = RateLimitedProvider(gate, 1, waiting_max=1)
        first = limited.stream(REQUEST)
        inside = asyncio.ensure_future(anext(first))
        while not gate.inside:
            await asyncio.sleep(0)
        waiting = asyncio.ensure_future(anext(limited.stream(REQUEST)))
        await asyncio.sleep(0)
        with pytest.raises(ProviderError) as caught:
            await anext(limited.stream(REQUEST))
        assert (caught.value.trouble, caught.value.unpaid) == (Trouble.BUSY, True)
        assert caught.value.message == "1 questions are waiting for this model already"
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        gate.let.set()
        await inside
        await first.aclose()
        assert [chunk async for chunk in limited.stream(REQUEST)] == [Text("a"), Stop(StopReason.END)]

    asyncio.run(run())


def test_a_turnstile_for_nobody() -> None:
    with pytest.raises(AssertionError):
        RateLimitedProvider(Failing(DONE), 0)
    assert listen(RateLimitedProvider(Failing(DONE), 1, waiting_max=0)) == (list(DONE), None)
