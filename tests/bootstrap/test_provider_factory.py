"""Late: a provider is made when it is first asked, once, and closed if it was made."""

import asyncio

import pytest

from talewright.bootstrap.provider_factory import LazyProvider
from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider, ProviderError, Trouble
from talewright.llm.reply_chunks import gather
from talewright.llm.requests import Request, UserMessage
from talewright.providers.scripted import Scripted

REQUEST = Request((UserMessage("Go on."),))


class Closing(Scripted):
    """Counts how often it was closed."""

    closed = 0

    async def close(self) -> None:
        self.closed += 1


async def ask(provider: Provider) -> str:
    return gather([chunk async for chunk in provider.stream(REQUEST)]).text


def test_it_is_made_once_when_it_is_asked() -> None:
    made: list[Closing] = []

    def make() -> Provider:
        made.append(Closing(["a", "b", "c"]))
        return made[-1]

    async def run() -> None:
        late = LazyProvider(Profile("x"), make)
        assert late.profile == Profile("x")
        await late.close()
        assert made == []
        assert sorted(await asyncio.gather(ask(late), ask(late))) == ["a", "b"]
        assert await ask(late) == "c"
        assert len(made) == 1
        await late.close()
        await late.close()
        assert made[0].closed == 1

    asyncio.run(run())


def test_what_cannot_be_made_is_an_error_of_the_ask() -> None:
    def make() -> Provider:
        raise ProviderError(Trouble.KEY, "no key")

    async def run() -> None:
        late = LazyProvider(Profile("x"), make)
        for _ in range(2):
            with pytest.raises(ProviderError, match="no key"):
                await ask(late)

    asyncio.run(run())


def test_closing_the_stream_closes_what_is_behind_it() -> None:
    async def run() -> None:
        late = LazyProvider(
            Profile("x"), lambda: Scripted(["some words"], cut=lambda text: iter(text.split()))
        )
        stream = late.stream(REQUEST)
        await anext(stream)
        await stream.aclose()

    asyncio.run(run())
