"""The adapter keeps every promise of a provider, against raw bytes and against the fake OpenAI server."""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack

import pytest

from talewright.llm.known_models import THINK, find_profile
from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider, Trouble
from talewright.llm.reply_chunks import Chunk, StopReason
from talewright.llm.requests import Request
from talewright.providers.openai_wire.openai_provider import OpenAICompatible
from talewright.testing.provider_suite import PROVIDER_CHECKS, Factory, FarSideReply
from talewright_testkit.fake_provider.fake_server import serve
from talewright_testkit.fake_provider.fault_plan import FaultPlace, PlacedFault, ProviderFault
from talewright_testkit.fake_provider.reply_script import FakeAnswer, ReplyPace
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.providers.openai_wire.raw_server import DONE, EVENTS, Answer, event, make, reply, serve_raw

FINISH = {
    StopReason.END: "stop",
    StopReason.LENGTH: "length",
    StopReason.CALLS: "tool_calls",
    StopReason.REFUSAL: "content_filter",
}
CODES = {Trouble.KEY: "invalid_api_key", Trouble.BUSY: "rate_limit_exceeded"}
STATUSES = {Trouble.KEY: "401 No", Trouble.BUSY: "429 Later"}


def spell(said: FarSideReply) -> Answer:
    """An answer as the bytes of a stream."""
    told, trouble = said.reply, said.trouble
    if trouble in STATUSES and not told.text:
        return Answer([reply(STATUSES[trouble], b"{}")])
    if trouble is Trouble.UNREACHABLE and not told.text:
        return Answer([])
    events = [event({"role": "assistant", "content": ""})] if trouble is None or told.text else []
    events += [event({"content": told.text[at : at + 7]}) for at in range(0, len(told.text), 7)]
    for index, call in enumerate(told.calls):
        function = {"name": call.name, "arguments": ""}
        events.append(event({"tool_calls": [{"index": index, "id": call.id, "function": function}]}))
        for letter in call.arguments:
            events.append(event({"tool_calls": [{"index": index, "function": {"arguments": letter}}]}))
    if trouble in CODES:
        events.append(
            b"data: " + json.dumps({"error": {"code": CODES[trouble], "message": "no"}}).encode() + b"\n\n"
        )
    if trouble is None and told.stop is not None:
        events.append(event({}, FINISH[told.stop]))
    if told.usage is not None:
        events.append(
            event(
                usage={
                    "prompt_tokens": told.usage.input_tokens,
                    "completion_tokens": told.usage.output_tokens,
                    "prompt_tokens_details": {"cached_tokens": told.usage.cached_tokens},
                }
            )
        )
    return Answer([EVENTS, *events, *([] if trouble else [DONE])])


class Served:
    """An adapter that brings its own server, and stops it when it is closed."""

    def __init__(self, stack: AsyncExitStack, adapter: OpenAICompatible) -> None:
        self._stack = stack
        self._adapter = adapter

    @property
    def profile(self) -> Profile:
        return self._adapter.profile

    def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        return self._adapter.stream(request)

    async def close(self) -> None:
        await self._adapter.close()
        await self._stack.aclose()


def raw(profile: Profile) -> Factory:
    async def build(answers: Sequence[FarSideReply]) -> Provider:
        stack = AsyncExitStack()
        server = await stack.enter_async_context(serve_raw(*map(spell, answers)))
        return Served(stack, make(server.url, profile=profile))

    return build


@pytest.mark.parametrize("tags", [(), THINK], ids=["plain", "thinking"])
@pytest.mark.parametrize("name", PROVIDER_CHECKS)
def test_every_promise_over_raw_bytes(name: str, tags: tuple[tuple[str, str], ...]) -> None:
    asyncio.run(PROVIDER_CHECKS[name](raw(Profile("tale-1", reasoning_tags=tags))))


FAULTS = {
    Trouble.KEY: ProviderFault.KEY,
    Trouble.BUSY: ProviderFault.BUSY,
    Trouble.UNREACHABLE: ProviderFault.RESET,
}
AMISS = frozenset(
    {"usage", "a request is not altered", "trouble", "closing an answer early", "the order of chunks"}
)
"""Checks that fix tokens or troubles; the fake server counts and places them by its vendor's rules."""


async def fake(answers: Sequence[FarSideReply]) -> Provider:
    stack = AsyncExitStack()
    script = [FakeAnswer(said.reply.text, said.reply.calls, stop=said.reply.stop) for said in answers]
    faults = [
        PlacedFault(FAULTS[said.trouble], FaultPlace.START, at=number)
        for number, said in enumerate(answers, 1)
        if said.trouble is not None
    ]
    serving = serve(Wire.OPENAI, script, faults=faults, pace=ReplyPace(piece_characters=40))
    server = await stack.enter_async_context(serving)
    profile = find_profile("gpt-4.1-mini")
    return Served(stack, OpenAICompatible("gpt-4.1-mini", server.url + "/v1", server.key, profile=profile))


@pytest.mark.parametrize("name", [name for name in PROVIDER_CHECKS if name not in AMISS])
def test_promises_against_the_fake_server(name: str) -> None:
    asyncio.run(PROVIDER_CHECKS[name](fake))
