"""Progress while a prompt is read: asked for, told, passed on by every wrapper, and no part of a reply."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from talewright.llm.cost_meter import Metered
from talewright.llm.fallback import Fallback
from talewright.llm.known_models import find_profile
from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider
from talewright.llm.rate_limit import RateLimitedProvider
from talewright.llm.reply_chunks import Chunk, PromptProgress, Reply, Stop, StopReason, Text, Usage, gather
from talewright.llm.requests import Request, UserMessage
from talewright.llm.retry import RetryingProvider
from talewright.providers.http_errors import ProviderErrorReporter
from talewright.providers.openai_wire.openai_provider import OpenAICompatible
from talewright.providers.openai_wire.reply_stream import ReplyStreamReader
from talewright.providers.openai_wire.request_body import write_request
from talewright_testkit.fake_provider.fake_server import serve
from talewright_testkit.fake_provider.wires.vendor_dialects import LLAMA_CPP
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.llm.doubles import DONE, Failing, broken, listen
from tests.providers.openai_wire.raw_server import event

LOCAL = find_profile("some.gguf", service="llama_cpp")
LONG = Request((UserMessage("so " * 300),))


def progress(**told: object) -> bytes:
    return event({"role": "assistant", "content": None}, prompt_progress=told)


def read(*pieces: bytes) -> list[Chunk]:
    reader = ReplyStreamReader(Profile("plain"), ProviderErrorReporter("host", "tale-1", ""))
    return [chunk for piece in pieces for chunk in reader.feed(piece)]


def test_it_is_asked_for_only_where_the_server_tells_it() -> None:
    assert LOCAL.reports_progress
    assert json.loads(write_request("m", LONG, LOCAL))["return_progress"] is True
    assert "return_progress" not in json.loads(write_request("m", LONG, Profile("plain")))


def test_it_is_told_before_the_first_word() -> None:
    told = progress(total=900, cache=100, processed=100, time_ms=0)
    more = progress(total=900, cache=100, processed=900, time_ms=90)
    assert read(told, more, event({"content": "He"}), told) == [
        PromptProgress(100, 900, 100),
        PromptProgress(900, 900, 100),
        Text("He"),
    ]


@pytest.mark.parametrize(
    ("told", "chunk"),
    [
        ({"total": 9, "cache": 99, "processed": 999}, PromptProgress(9, 9, 9)),
        ({"total": 9, "cache": True, "processed": "x"}, PromptProgress(0, 9, 0)),
        ({"total": 0}, None),
        ({"total": -1}, None),
        ([], None),
        ("soon", None),
    ],
)
def test_nonsense_breaks_nothing(told: object, chunk: PromptProgress | None) -> None:
    assert read(event({}, prompt_progress=told)) == ([chunk] if chunk else [])


WRAPPERS: dict[str, Callable[[Provider], Provider]] = {
    "retry": RetryingProvider,
    "fallback": lambda provider: Fallback([provider]),
    "metered": lambda provider: Metered(provider, lambda usage, profile: None),
    "limited": lambda provider: RateLimitedProvider(provider, 2),
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_every_wrapper_passes_it_on(name: str) -> None:
    chunks: list[Chunk] = [PromptProgress(5, 10), *DONE]
    assert listen(WRAPPERS[name](Failing(chunks))) == (chunks, None)


def test_it_is_no_part_of_a_reply_and_costs_nothing() -> None:
    assert gather([PromptProgress(5, 10), *DONE]) == Reply("He nods.", (), Usage(10, 2), StopReason.END)
    book: list[Usage] = []
    failing = Failing([PromptProgress(5, 10), broken(Usage(7, 1))])
    listen(Metered(failing, lambda usage, profile: book.append(usage)))
    assert book == [Usage(7, 1)]


def test_a_fake_server_tells_it_batch_by_batch() -> None:
    async def run() -> list[Chunk]:
        batches = replace(LLAMA_CPP, progress_tokens=100)
        async with serve(Wire.OPENAI, ["He nods."], dialect=batches) as server:
            provider = OpenAICompatible("m", f"{server.url}/v1", profile=LOCAL)
            heard = [chunk async for chunk in provider.stream(LONG)]
            await provider.close()
        return heard

    heard = asyncio.run(run())
    reports = [chunk for chunk in heard if isinstance(chunk, PromptProgress)]
    total = reports[0].total
    assert total > 300
    assert [one.read for one in reports] == [*range(0, total, 100), total]
    assert (gather(heard).text, heard[-1]) == ("He nods.", Stop(StopReason.END))
