"""The provider suite: one check for every promise of `llm/provider.py`, for all providers.

It knows no wire: the caller supplies each provider together with a remote side and its answers.

    @pytest.mark.parametrize("name", PROVIDER_CHECKS)
    def test_provider(name: str) -> None:
        asyncio.run(PROVIDER_CHECKS[name](make))
"""

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from talewright.common.frozen_values import frozen
from talewright.llm.provider import Provider, ProviderError, Trouble
from talewright.llm.reply_chunks import (
    CallPart,
    Chunk,
    PromptProgress,
    Reply,
    Stop,
    StopReason,
    Text,
    Usage,
    Used,
    gather,
)
from talewright.llm.requests import (
    AssistantMessage,
    Request,
    SystemMessage,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserMessage,
)
from talewright.testing.expectations import expect, expect_equal


@frozen
class FarSideReply:
    """The remote side's answer to one request."""

    reply: Reply
    trouble: Trouble | None = None
    """The error after the text of the reply; its stop is then never sent."""


Factory: TypeAlias = Callable[[Sequence[FarSideReply]], Awaitable[Provider]]
"""Makes a provider whose remote side gives these answers in turn."""

Check: TypeAlias = Callable[[Factory], Coroutine[None, None, None]]
"""Raises AssertionError if a provider breaks a promise."""

WORDS = 'He said "so",\n\tthen: 你好，世界 — \\n {"a": [1]} ``` 🜂 e\u0301 end'
"""A text with characters that a wire may have to escape or split."""

PLAIN = Reply(WORDS, usage=Usage(12, 7, 3), stop=StopReason.END)
CALLS = Reply(
    "Wait.",
    (ToolCall("call-a", "pay", '{"coins": 2, "to": "Märn"}'), ToolCall("call-b", "look", "{}")),
    Usage(20, 9),
    StopReason.CALLS,
)
REQUEST = Request(
    (
        SystemMessage("You tell a story."),
        UserMessage("I pay."),
        AssistantMessage("Hm.", (ToolCall("call-0", "pay", '{"coins": 1}'),)),
        ToolResult("call-0", "pay", '{"error": "too little"}', refused=True),
        UserMessage("你好"),
    ),
    (
        ToolSpec("pay", "Pay coins.", {"type": "object", "properties": {"coins": {"type": "integer"}}}),
        ToolSpec("look", "Look around.", {"type": "object", "properties": {}}),
    ),
    temperature=0.5,
    max_output_tokens=100,
)


async def _listen(provider: Provider, request: Request = REQUEST) -> list[Chunk]:
    return [chunk async for chunk in provider.stream(request)]


async def _listen_until_trouble(provider: Provider) -> tuple[list[Chunk], ProviderError]:
    heard: list[Chunk] = []
    try:
        async for chunk in provider.stream(REQUEST):
            heard.append(chunk)
    except ProviderError as error:
        return heard, error
    raise AssertionError("a broken answer: no ProviderError")


async def check_profile(make: Factory) -> None:
    """A profile names its model, has room for an answer, and does not change."""
    provider = await make([FarSideReply(PLAIN)])
    profile = provider.profile
    expect(profile.name != "", "the profile has no name")
    limits = (profile.context_tokens, profile.output_tokens_max, profile.string_length_max)
    expect(min(limits) > 0, f"limits of the profile: {limits}")
    await _listen(provider)
    expect_equal("the profile after an answer", provider.profile, profile)
    await provider.close()


async def check_order(make: Factory) -> None:
    """The text arrives in order, whatever its characters, and one Stop ends the answer."""
    for text in (WORDS, "", "x" * 5_000):
        provider = await make([FarSideReply(replace(PLAIN, text=text))])
        heard = await _listen(provider)
        expect_equal("the text", "".join(c.text for c in heard if isinstance(c, Text)), text)
        expect_equal("the end", heard[-1:], [Stop(StopReason.END)])
        expect_equal("stops", sum(isinstance(chunk, Stop) for chunk in heard), 1)
        await provider.close()


async def check_stops(make: Factory) -> None:
    """The reason why the model stopped is reported."""
    for reason in StopReason:
        if reason is StopReason.REPETITION:
            # The engine says this, never a provider.
            continue
        reply = replace(CALLS if reason is StopReason.CALLS else PLAIN, stop=reason)
        provider = await make([FarSideReply(reply)])
        expect_equal(f"stopped by {reason.value}", (await _listen(provider))[-1], Stop(reason))
        await provider.close()


async def check_calls(make: Factory) -> None:
    """Tool calls arrive with their ids, names and arguments, as the model wrote them."""
    provider = await make([FarSideReply(CALLS)])
    heard = await _listen(provider)
    expect_equal("the calls", gather(heard).calls, CALLS.calls)
    indices = [chunk.index for chunk in heard if isinstance(chunk, CallPart)]
    expect_equal("their order", sorted(indices), indices)
    expect_equal("their text", gather(heard).text, CALLS.text)
    await provider.close()


async def check_usage(make: Factory) -> None:
    """Usage is reported as the remote side states it, before the end."""
    provider = await make([FarSideReply(PLAIN)])
    heard = await _listen(provider)
    expect_equal("the usage", gather(heard).usage, PLAIN.usage)
    last = [chunk for chunk in heard if isinstance(chunk, Used | Stop)][-1:]
    expect_equal("the last of usage and stop", last, [Stop(StopReason.END)])
    await provider.close()


async def check_request(make: Factory) -> None:
    """Asking does not change a request, which can be asked again."""
    provider = await make([FarSideReply(PLAIN), FarSideReply(PLAIN)])
    before = deepcopy(REQUEST)
    first, second = await _listen(provider), await _listen(provider)
    expect_equal("the request", REQUEST, before)
    expect_equal("the second answer", gather(second), gather(first))
    await provider.close()


async def check_closing_early(make: Factory) -> None:
    """Closing the generator stops the request, and the provider can be asked again."""
    long = replace(PLAIN, text="word " * 2_000)
    provider = await make([FarSideReply(long), FarSideReply(PLAIN), FarSideReply(CALLS)])
    stream = provider.stream(REQUEST)
    first = await anext(stream)
    while isinstance(first, PromptProgress):
        first = await anext(stream)
    expect(isinstance(first, Text), f"the first chunk is no text: {first!r}")
    await stream.aclose()
    rest = [chunk async for chunk in stream]
    expect_equal("chunks after closing", rest, [])
    expect_equal("the next answer", gather(await _listen(provider)), PLAIN)
    # A stream that was never read can be closed as well.
    await provider.stream(REQUEST).aclose()
    await provider.close()


async def check_two_at_once(make: Factory) -> None:
    """Two simultaneous answers are not mixed up."""
    other = replace(PLAIN, text="Another answer, word by word.")
    provider = await make([FarSideReply(PLAIN), FarSideReply(other)])
    streams = [provider.stream(REQUEST), provider.stream(REQUEST)]
    heard: list[list[Chunk]] = [[await anext(stream)] for stream in streams]
    for chunks, stream in zip(reversed(heard), reversed(streams), strict=True):
        chunks += [chunk async for chunk in stream]
    expect_equal("the answers", [gather(chunks).text for chunks in heard], [PLAIN.text, other.text])
    await provider.close()


async def check_trouble(make: Factory) -> None:
    """Every failure is a ProviderError of its kind; what arrived before it is yielded, without a Stop."""
    for text in ("", WORDS):
        for trouble in (Trouble.KEY, Trouble.BUSY, Trouble.UNREACHABLE):
            provider = await make([FarSideReply(Reply(text), trouble), FarSideReply(PLAIN)])
            heard, error = await _listen_until_trouble(provider)
            expect_equal("the trouble", error.trouble, trouble)
            expect(error.message != "", f"{trouble.value}: the error says nothing")
            expect_equal("the text before it", gather(heard).text, text)
            expect_equal("the stop", gather(heard).stop, None)
            expect_equal("the answer after it", gather(await _listen(provider)), PLAIN)
            await provider.close()


async def check_closing(make: Factory) -> None:
    """A provider can be closed unused, and twice."""
    provider = await make([])
    await provider.close()
    await provider.close()


PROVIDER_CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "the profile": check_profile,
        "the order of chunks": check_order,
        "why it stopped": check_stops,
        "tool calls": check_calls,
        "usage": check_usage,
        "a request is not altered": check_request,
        "closing an answer early": check_closing_early,
        "two answers at once": check_two_at_once,
        "trouble": check_trouble,
        "closing": check_closing,
    }
)
"""The checks, by what they are about."""


async def check_provider(make: Factory) -> None:
    """Run every check; an error carries the name of its check."""
    for name, check in PROVIDER_CHECKS.items():
        try:
            await check(make)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error
