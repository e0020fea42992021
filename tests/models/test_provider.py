"""The adapter keeps the promises of a provider against a real server with a real model.

Where a promise is about words, a grammar holds the model to exactly those words: then the suite that every
provider runs applies as it stands. What only a real server shows (why the model stopped, what it cost, what
goes wrong) is asked here in its own way; `OWN` says for which checks, and why.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider, ProviderError, Trouble
from talewright.llm.reply_chunks import CallPart, Chunk, Reply, Stop, StopReason, Text, Used, gather
from talewright.llm.requests import Request, SystemMessage, UserMessage
from talewright.testing.provider_suite import PROVIDER_CHECKS, REQUEST, WORDS, FarSideReply
from tests.models.grammars import spell
from tests.models.server_process import MODEL
from tests.models.serving import CONTEXT_TOKENS, Served, serve_model
from tests.models.tellers import FREE, HELD, SAMPLING, Spelled, make_adapter

pytestmark = pytest.mark.timeout(900)

AS_THEY_STAND = (
    "the profile",
    "a request is not altered",
    "closing an answer early",
    "two answers at once",
    "closing",
)
"""Checks of the suite that the real server passes as they stand; the tokens are those it has been told of."""

OWN: Mapping[str, str] = {
    "the order of chunks": "5,000 letters take the model minutes; the other texts are asked for below",
    "why it stopped": "no real server can be made to break off for its filter; the other reasons are below",
    "tool calls": "the server gives every call an id of its own, and takes no grammar beside tools",
    "usage": "the tokens are the server's own",
    "trouble": "a real server cannot be made busy at will; a wrong key and a dead server are below",
}
"""Checks that are asked here in another way, and why."""

HELLO = Request((SystemMessage("You are brief."), UserMessage("Say hello.")), max_output_tokens=24)
TOOLS = replace(REQUEST, messages=(UserMessage("I pay two coins."),), temperature=0.0, max_output_tokens=120)
CALLING = replace(FREE, extra=json.dumps(SAMPLING | {"logit_bias": [["<", 6.0]]}))
KEY = "a-key-for-the-tests"


@dataclass(slots=True)
class Directed:
    """The model, held by a grammar to one answer after the other.

    What it has cost is told as the suite expects it: the texts are ours, their tokens are the server's.
    """

    url: str
    answers: Sequence[FarSideReply]
    profile: Profile = FREE
    asked: int = field(default=0)

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        reply = self.answers[self.asked].reply
        self.asked += 1
        spelled = Spelled(self.url, lambda asked: spell(reply.text), self.profile)
        async with aclosing(spelled.stream(request)) as stream:
            async for chunk in stream:
                known = isinstance(chunk, Used) and reply.usage is not None
                yield Used(reply.usage) if known and reply.usage is not None else chunk

    async def close(self) -> None:
        """Nothing is kept between two requests."""


def ask(url: str, request: Request, profile: Profile = FREE, key: str = "") -> list[Chunk]:
    """The chunks of one answer."""

    async def listen() -> list[Chunk]:
        adapter = make_adapter(url, profile, key)
        try:
            return [chunk async for chunk in adapter.stream(request)]
        finally:
            await adapter.close()

    return asyncio.run(listen())


def test_every_check_of_the_suite_is_asked_here_or_there() -> None:
    assert {*AS_THEY_STAND, *OWN} == set(PROVIDER_CHECKS)


@pytest.mark.parametrize("name", AS_THEY_STAND)
def test_promises_of_every_provider(name: str, model_url: str) -> None:
    async def make(answers: Sequence[FarSideReply]) -> Provider:
        return Directed(model_url, answers)

    asyncio.run(PROVIDER_CHECKS[name](make))


@pytest.mark.parametrize("text", [WORDS, "", "x" * 60])
def test_words_come_as_they_are_and_one_stop_ends_them(text: str, model_url: str) -> None:
    async def listen() -> list[Chunk]:
        spelled = Spelled(model_url, lambda request: spell(text), FREE)
        return [chunk async for chunk in spelled.stream(REQUEST)]

    before = deepcopy(REQUEST)
    heard = asyncio.run(listen())
    assert before == REQUEST
    assert gather(heard).text == text
    assert heard[-1] == Stop(StopReason.END)
    assert sum(isinstance(chunk, Stop) for chunk in heard) == 1
    assert isinstance(heard[-2], Used)


def test_length_and_usage_are_the_servers_own(model_url: str) -> None:
    told = gather(ask(model_url, replace(HELLO, max_output_tokens=5)))
    assert told.stop is StopReason.LENGTH
    assert told.usage is not None
    assert told.usage.output_tokens == 5
    assert told.usage.input_tokens > 10
    assert not told.usage.estimated


def test_a_call_has_an_id_a_name_and_arguments_that_fit(model_url: str) -> None:
    heard = ask(model_url, TOOLS, CALLING)
    told = gather(heard)
    # Whoever likes calls that much may go on until the length is reached: then the last is no whole one.
    whole = told.calls if told.stop is StopReason.CALLS else told.calls[:-1]
    assert whole
    assert len({call.id for call in told.calls}) == len(told.calls)
    indices = [chunk.index for chunk in heard if isinstance(chunk, CallPart)]
    assert indices == sorted(indices)
    for call in whole:
        assert call.id
        assert call.name in {tool.name for tool in TOOLS.tools}
        assert isinstance(json.loads(call.arguments), dict)


def test_the_same_question_is_found_in_the_servers_memory(model_url: str) -> None:
    question = replace(HELLO, messages=(SystemMessage("You are brief. " * 40), UserMessage("Say hello.")))
    first, second = (gather(ask(model_url, question)).usage for _ in range(2))
    assert first is not None
    assert second is not None
    assert second.input_tokens == first.input_tokens
    assert second.cached_tokens >= 0.9 * second.input_tokens


def test_an_answer_is_held_to_its_schema(model_url: str) -> None:
    moods = ["glad", "sorry", "cold"]
    members = {"mood": {"type": "string", "enum": moods}, "lamps": {"type": "integer"}}
    schema = {"type": "object", "properties": members, "required": ["mood", "lamps"]}
    told = gather(ask(model_url, replace(HELLO, answer_schema=schema, max_output_tokens=60), HELD))
    assert told.stop is StopReason.END
    answer = json.loads(told.text)
    assert answer["mood"] in moods
    assert isinstance(answer["lamps"], int)


def test_an_answer_can_be_left_early_and_the_next_one_comes(model_url: str) -> None:
    async def leave() -> Reply:
        adapter = make_adapter(model_url, FREE)
        stream = adapter.stream(replace(HELLO, messages=(UserMessage("Count up."),), max_output_tokens=400))
        assert isinstance(await anext(stream), Text)
        await stream.aclose()
        told = gather([chunk async for chunk in adapter.stream(HELLO)])
        await adapter.close()
        return told

    told = asyncio.run(leave())
    assert told.text
    assert told.stop in (StopReason.END, StopReason.LENGTH)


def test_a_prompt_beyond_the_context_is_refused(model_url: str) -> None:
    long = Request((UserMessage("lamp " * (CONTEXT_TOKENS + 100)),), max_output_tokens=5)
    with pytest.raises(ProviderError) as caught:
        ask(model_url, long)
    assert caught.value.trouble is Trouble.REQUEST


def test_a_key_that_is_not_the_servers_is_trouble_with_the_key(weights: Path) -> None:
    with serve_model(weights, context_tokens=512, key=KEY) as served:
        for wrong in ("", "another-key"):
            with pytest.raises(ProviderError) as caught:
                ask(served.url, HELLO, key=wrong)
            assert caught.value.trouble is Trouble.KEY
        assert gather(ask(served.url, HELLO, key=KEY)).stop is not None


def test_a_server_that_dies_in_mid_text_is_out_of_reach(weights: Path) -> None:
    async def listen(served: Served) -> tuple[list[Chunk], Trouble]:
        adapter = make_adapter(served.url, FREE)
        stream = adapter.stream(replace(HELLO, max_output_tokens=400))
        heard = [await anext(stream)]
        served.kill()

        async def hear_the_rest() -> None:
            async for chunk in stream:
                heard.append(chunk)

        with pytest.raises(ProviderError) as caught:
            await hear_the_rest()
        await adapter.close()
        return heard, caught.value.trouble

    with serve_model(weights, context_tokens=512) as served:
        heard, trouble = asyncio.run(listen(served))
        assert trouble is Trouble.UNREACHABLE
        assert gather(heard).text
        assert gather(heard).stop is None
        with pytest.raises(ProviderError) as caught:
            ask(served.url, HELLO)
        assert caught.value.trouble is Trouble.UNREACHABLE


def test_the_server_names_its_model(model_url: str) -> None:
    async def list_models() -> tuple[str, ...]:
        adapter = make_adapter(model_url, FREE)
        try:
            return await adapter.list_models()
        finally:
            await adapter.close()

    assert asyncio.run(list_models()) == (MODEL,)
