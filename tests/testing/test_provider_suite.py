"""The suite of providers: it lets a good provider pass and finds every promise that a bad one breaks."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import replace

import pytest

from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider, ProviderError, Trouble
from talewright.llm.reply_chunks import CallPart, Chunk, Stop, StopReason, Text, Used
from talewright.llm.requests import Request
from talewright.providers.scripted import Scripted, ScriptedReply, by
from talewright.testing.provider_suite import PROVIDER_CHECKS, Factory, FarSideReply, check_provider


def line_of(said: FarSideReply) -> ScriptedReply:
    error = None if said.trouble is None else ProviderError(said.trouble, "scripted trouble")
    reply = said.reply
    return ScriptedReply(reply.text, reply.calls, reply.usage, reply.stop, error)


def factory(kind: Callable[[list[ScriptedReply]], Provider]) -> Factory:
    async def make(answers: Sequence[FarSideReply]) -> Provider:
        return kind([line_of(said) for said in answers])

    return make


@pytest.mark.parametrize("size", [1, 3, 100_000])
@pytest.mark.parametrize("name", PROVIDER_CHECKS)
def test_the_scripted_provider_keeps_every_promise(name: str, size: int) -> None:
    asyncio.run(PROVIDER_CHECKS[name](factory(lambda lines: Scripted(lines, cut=by(size)))))


class Bad(Scripted):
    """A scripted provider whose chunks go through something that spoils them."""

    def __init__(self, lines: list[ScriptedReply]) -> None:
        super().__init__(lines, cut=by(4))

    def spoil(self, chunks: list[Chunk]) -> list[Chunk]:
        return chunks

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        chunks: list[Chunk] = []
        error: ProviderError | None = None
        try:
            async for chunk in super().stream(request):
                chunks.append(chunk)
        except ProviderError as found:
            error = found
        for chunk in self.spoil(chunks):
            yield chunk
        if error is not None:
            raise error


class Shuffling(Bad):
    """Gives the texts backwards."""

    def spoil(self, chunks: list[Chunk]) -> list[Chunk]:
        texts = [chunk for chunk in chunks if isinstance(chunk, Text)]
        return [*reversed(texts), *(chunk for chunk in chunks if not isinstance(chunk, Text))]


class Endless(Bad):
    """Never says that it is done."""

    def spoil(self, chunks: list[Chunk]) -> list[Chunk]:
        return [chunk for chunk in chunks if not isinstance(chunk, Stop)]


class Early(Bad):
    """Says that it is done before it is."""

    def spoil(self, chunks: list[Chunk]) -> list[Chunk]:
        return [*chunks[-1:], *chunks[:-1]]


class Silent(Bad):
    """Says nothing of what it cost."""

    def spoil(self, chunks: list[Chunk]) -> list[Chunk]:
        return [chunk for chunk in chunks if not isinstance(chunk, Used)]


class Contented(Bad):
    """Always stopped because it was done."""

    def spoil(self, chunks: list[Chunk]) -> list[Chunk]:
        return [Stop(StopReason.END) if isinstance(chunk, Stop) else chunk for chunk in chunks]


class Nameless(Bad):
    """Loses the names of calls."""

    def spoil(self, chunks: list[Chunk]) -> list[Chunk]:
        return [replace(chunk, name="") if isinstance(chunk, CallPart) else chunk for chunk in chunks]


class Anonymous(Bad):
    """A model without a name."""

    @property
    def profile(self) -> Profile:
        return Profile("")


class Changing(Bad):
    """A model that is another one after each answer."""

    @property
    def profile(self) -> Profile:
        return Profile(f"model-{len(self.requests)}")


class Blaming(Bad):
    """Calls every trouble by the same name."""

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        try:
            async for chunk in super().stream(request):
                yield chunk
        except ProviderError:
            raise ProviderError(Trouble.REQUEST, "something") from None


class Swallowing(Bad):
    """Says nothing of what went wrong."""

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        try:
            async for chunk in super().stream(request):
                yield chunk
        except ProviderError:
            yield Stop(StopReason.END)


class Mixing(Bad):
    """Gives every answer but the first to whoever listens first."""

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        async for chunk in super().stream(request):
            yield Text("mixed") if isinstance(chunk, Text) and len(self.requests) > 1 else chunk


class Once(Bad):
    """Cannot be closed twice."""

    closed = False

    async def close(self) -> None:
        assert not self.closed, "closed already"
        self.closed = True


BROKEN: dict[type[Bad], set[str]] = {
    Shuffling: {
        "the order of chunks",
        "tool calls",
        "closing an answer early",
        "two answers at once",
        "trouble",
    },
    Endless: {
        "the order of chunks",
        "why it stopped",
        "usage",
        "closing an answer early",
        "trouble",
    },
    Early: {"the order of chunks", "why it stopped", "usage", "closing an answer early", "trouble"},
    Silent: {"usage", "closing an answer early", "trouble"},
    Contented: {"why it stopped"},
    Nameless: {"tool calls"},
    Anonymous: {"the profile"},
    Changing: {"the profile"},
    Blaming: {"trouble"},
    Swallowing: {"trouble"},
    Mixing: {"a request is not altered", "closing an answer early", "two answers at once", "trouble"},
    Once: {"closing"},
}


def complaints(kind: type[Bad]) -> set[str]:
    found = set()
    for name, check in PROVIDER_CHECKS.items():
        try:
            asyncio.run(check(factory(kind)))
        except AssertionError:
            found.add(name)
    return found


def test_a_provider_that_spoils_nothing_passes() -> None:
    assert complaints(Bad) == set()
    asyncio.run(check_provider(factory(Bad)))


@pytest.mark.parametrize("kind", BROKEN)
def test_broken_promises_are_found(kind: type[Bad]) -> None:
    assert complaints(kind) == BROKEN[kind]


def test_every_check_finds_something() -> None:
    assert set().union(*BROKEN.values()) == set(PROVIDER_CHECKS)


def test_a_complaint_carries_the_name_of_its_check() -> None:
    with pytest.raises(AssertionError) as caught:
        asyncio.run(check_provider(factory(Anonymous)))
    assert str(caught.value) == "the profile: the profile has no name"
