"""The scripted provider: replies from a list or a function, cut at will."""

import asyncio

import pytest

from talewright.llm.profiles import Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import CallPart, Chunk, Stop, StopReason, Text, Usage, Used
from talewright.llm.requests import Request, ToolCall, UserMessage
from talewright.providers.scripted import Scripted, ScriptedReply, by, whole

REQUEST = Request((UserMessage("Go on."),))


def say(provider: Scripted, request: Request = REQUEST) -> list[Chunk]:
    async def run() -> list[Chunk]:
        return [chunk async for chunk in provider.stream(request)]

    return asyncio.run(run())


def test_words_are_a_whole_reply() -> None:
    assert say(Scripted(["He nods."])) == [Text("He nods."), Stop(StopReason.END)]
    assert say(Scripted([""])) == [Stop(StopReason.END)]


def test_a_line_with_everything() -> None:
    line = ScriptedReply(
        "Wait.", (ToolCall("a", "pay", '{"c": 1}'), ToolCall("b", "look", "")), Usage(1, 2), StopReason.LENGTH
    )
    assert say(Scripted([line], cut=by(4))) == [
        Text("Wait"),
        Text("."),
        CallPart(0, "a", "pay"),
        CallPart(0, arguments='{"c"'),
        CallPart(0, arguments=": 1}"),
        CallPart(1, "b", "look"),
        Used(Usage(1, 2)),
        Stop(StopReason.LENGTH),
    ]


def test_calls_stop_a_reply_where_nothing_else_is_said() -> None:
    assert say(Scripted([ScriptedReply(calls=(ToolCall("a", "pay", ""),))]))[-1] == Stop(StopReason.CALLS)


def test_an_error_comes_after_the_text() -> None:
    async def run() -> None:
        error = ProviderError(Trouble.BUSY, "later")
        stream = Scripted([ScriptedReply("He", usage=Usage(1), error=error)]).stream(REQUEST)
        assert await anext(stream) == Text("He")
        with pytest.raises(ProviderError) as caught:
            await anext(stream)
        assert caught.value is error

    asyncio.run(run())


def test_a_script_is_spoken_in_order_until_it_is_spent() -> None:
    provider = Scripted(["one", "two"])
    assert [say(provider)[0], say(provider)[0]] == [Text("one"), Text("two")]
    with pytest.raises(ProviderError) as caught:
        say(provider)
    assert caught.value.trouble is Trouble.SPENT
    assert caught.value.message == "the script has 2 replies, not 3"
    assert provider.requests == [REQUEST] * 3


def test_a_script_may_be_a_function_of_the_request() -> None:
    provider = Scripted(lambda request: f"You said {request.messages[-1].text}")
    assert say(provider)[0] == Text("You said Go on.")
    assert say(Scripted(lambda request: ScriptedReply("x", usage=Usage(1))))[1] == Used(Usage(1))


def test_cuts() -> None:
    assert list(whole("abc")) == ["abc"]
    assert list(whole("")) == []
    assert list(by(2)("abcde")) == ["ab", "cd", "e"]
    assert list(by(2)("")) == []


def test_the_profile() -> None:
    assert Scripted([]).profile == Profile("scripted")
    assert Scripted([], profile=Profile("other")).profile == Profile("other")
    asyncio.run(Scripted([]).close())
