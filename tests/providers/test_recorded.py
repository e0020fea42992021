"""Recorded answers: what went by is given again, to the same request and to no other."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider, ProviderError, Trouble
from talewright.llm.reply_chunks import (
    Again,
    CallPart,
    Chunk,
    PromptProgress,
    Stop,
    StopReason,
    Text,
    Usage,
    Used,
)
from talewright.llm.requests import Request, SystemMessage, ToolSpec, UserMessage
from talewright.providers.scripted import Scripted, ScriptedReply, by
from talewright.testing.provider_suite import PROVIDER_CHECKS, REQUEST, FarSideReply
from tests.providers.recorded import Recorded, Recorder, Recording, digest, read_recordings, write_recordings

ASK = Request((UserMessage("Go on."),))
CHUNKS: tuple[Chunk, ...] = (
    Text("He\u2028 said “你好”\n"),
    Again("it broke"),
    PromptProgress(5, 9, 2),
    CallPart(1, "a", "pay", "{}"),
    Used(Usage(3, 2, 1, estimated=True)),
    Stop(StopReason.CALLS),
)


def hear(provider: Provider, request: Request = ASK) -> list[Chunk]:
    async def run() -> list[Chunk]:
        return [chunk async for chunk in provider.stream(request)]

    return asyncio.run(run())


def line_of(said: FarSideReply) -> ScriptedReply:
    error = None if said.trouble is None else ProviderError(said.trouble, "it broke")
    return ScriptedReply(said.reply.text, said.reply.calls, said.reply.usage, said.reply.stop, error)


async def record(answers: Sequence[FarSideReply]) -> list[Recording]:
    kept: list[Recording] = []
    recorder = Recorder(Scripted([line_of(said) for said in answers], cut=by(9)), kept.append)
    for _ in answers:
        try:
            async for _ in recorder.stream(REQUEST):
                pass
        except ProviderError:
            pass
    await recorder.close()
    return kept


@pytest.mark.parametrize("name", PROVIDER_CHECKS)
def test_what_was_recorded_keeps_every_promise(name: str) -> None:
    async def make(answers: Sequence[FarSideReply]) -> Provider:
        kept = read_recordings(write_recordings(await record(answers)))
        return Recorded(kept, Profile("recorded"))

    asyncio.run(PROVIDER_CHECKS[name](make))


@pytest.mark.parametrize("name", PROVIDER_CHECKS)
def test_recording_keeps_every_promise(name: str) -> None:
    async def make(answers: Sequence[FarSideReply]) -> Provider:
        return Recorder(Scripted([line_of(said) for said in answers], cut=by(9)), lambda recording: None)

    asyncio.run(PROVIDER_CHECKS[name](make))


def test_recordings_are_lines() -> None:
    kept = (Recording("r1", CHUNKS), Recording("r2", (), Trouble.BUSY, "later"))
    text = write_recordings(kept)
    assert text.count("\n") == 2
    assert read_recordings(text) == kept
    assert read_recordings("\n" + text + "  \n") == kept
    assert read_recordings("") == ()


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "7",
        "{}",
        '{"request": "a"}',
        '{"request": "a", "chunks": 7}',
        '{"request": "a", "chunks": [7]}',
        '{"request": "a", "chunks": [{}]}',
        '{"request": "a", "chunks": [{"song": "la"}]}',
        '{"request": "a", "chunks": [{"stop": "never"}]}',
        '{"request": "a", "chunks": [{"call": {"x": 1}}]}',
        '{"request": "a", "chunks": [], "trouble": "odd"}',
        "[" * 9_999,
    ],
)
def test_what_is_no_recording(line: str) -> None:
    with pytest.raises(ProviderError) as caught:
        read_recordings(write_recordings([Recording("r", ())]) + line)
    assert caught.value.message == "line 2 is no recording"


def test_equal_requests_in_their_order() -> None:
    kept = [Recording(digest(ASK), (Text(text),)) for text in "ab"]
    recorded = Recorded(kept, Profile("recorded"))
    assert [hear(recorded), hear(recorded)] == [[Text("a")], [Text("b")]]
    with pytest.raises(ProviderError) as caught:
        hear(recorded)
    assert (caught.value.trouble, caught.value.unpaid) == (Trouble.SPENT, True)


def test_every_part_of_a_request_counts() -> None:
    others = [
        replace(ASK, messages=(SystemMessage("Go on."),)),
        replace(ASK, messages=(UserMessage("Go on"),)),
        replace(ASK, tools=(ToolSpec("a", "", {}),)),
        replace(ASK, answer_schema={"type": "object"}),
        replace(ASK, temperature=0.5),
        replace(ASK, max_output_tokens=5),
    ]
    assert len({digest(request) for request in (ASK, *others)}) == 7
    assert digest(replace(ASK)) == digest(ASK)


def test_an_answer_that_nobody_hears_to_its_end_is_not_kept() -> None:
    async def run() -> None:
        kept: list[Recording] = []
        recorder = Recorder(Scripted(["He nods."], cut=by(2)), kept.append)
        assert recorder.profile == Profile("scripted")
        stream = recorder.stream(ASK)
        await anext(stream)
        await stream.aclose()
        assert kept == []

    asyncio.run(run())
