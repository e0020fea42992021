"""The server probe: a hundred combinations of servers and circumstances end in time, rightly or safely."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx
import pytest

from talewright.llm.measured_abilities import MeasuredAbilities
from talewright.llm.profiles import AnswerMode, SchemaForm
from talewright.providers.openai_wire.probe_connection import ProbeConnection, ProbeReply
from talewright.providers.openai_wire.server_probe import AbilityProbe, ProbeQuestion
from talewright.providers.openai_wire.speed_measurement import (
    MeasuredSpeed,
    measure_speed,
    write_speed_prompt,
)
from tests.providers.openai_wire.imitated_servers import (
    MODEL,
    EventStream,
    ImitatedServer,
    ImitatedTransport,
    make_servers,
    run_virtually,
)

TODAY = "2026-11-16"
LIMIT_SECONDS = 60.0
SERVERS = tuple(make_servers())
CIRCUMSTANCES = (
    *("usual", "fast", "slow", "very_slow", "thinking", "without_tools"),
    *("falls_silent", "breaks_off", "strict", "garbled_pages"),
)
COMBINATIONS = [(name, circumstance) for name in SERVERS for circumstance in CIRCUMSTANCES]


def change(server: ImitatedServer, circumstance: str) -> ImitatedServer:
    """A server in a circumstance."""
    match circumstance:
        case "fast":
            return replace(server, reads=5_000.0, writes=200.0)
        case "slow":
            return replace(server, reads=12.0, writes=4.0)
        case "very_slow":
            return replace(server, reads=2.0, writes=0.5)
        case "thinking":
            return replace(server, thinks=True)
        case "without_tools":
            return replace(server, refuses=server.refuses | {"tools"})
        case "falls_silent":
            return replace(server, silent_after=min(9, server.silent_after or 9))
        case "breaks_off":
            return replace(server, breaks_every=2)
        case "strict":
            extras = {"return_progress", "ignore_eos", "stream_options", "grammar"}
            return replace(server, refuses=server.refuses | extras)
        case "garbled_pages":
            return replace(server, pages=dict.fromkeys(server.pages, b'\xff{"data": [[[]]'))
        case _:
            return server


async def probe(server: ImitatedServer, skip: frozenset[ProbeQuestion] = frozenset()) -> MeasuredAbilities:
    loop = asyncio.get_running_loop()
    client = httpx.AsyncClient(transport=ImitatedTransport(server), trust_env=False)
    connection = ProbeConnection("http://127.0.0.1:9000/v1", client=client, clock=loop.time)
    heard: list[int] = []

    def progress(question: ProbeQuestion, number: int, of: int) -> None:
        heard.append(number)
        assert of == len(ProbeQuestion)
        if question in skip:
            loop.call_soon(asking.skip)

    asking = AbilityProbe(connection, MODEL, "a nonce", date=TODAY, progress=progress)
    try:
        return await asking.run()
    finally:
        await connection.close()
        assert heard == sorted(set(heard))


def is_near(found: float | None, true: float) -> bool:
    return found is not None and 0.6 * true <= found <= 1.5 * true


@pytest.mark.parametrize(("name", "circumstance"), COMBINATIONS)
def test_right_or_safe_within_the_limit(name: str, circumstance: str) -> None:
    server = change(make_servers()[name], circumstance)
    found, seconds = run_virtually(probe(server))
    assert seconds <= LIMIT_SECONDS
    assert found.date == TODAY
    assert found.server in ("", server.kind)
    assert found.context_tokens in (None, server.context)
    assert found.answer_mode is not AnswerMode.SCHEMA or _is_held(server, found.schema_form)
    assert found.answer_mode is not AnswerMode.JSON or "json_object" in server.holds
    assert not found.takes_grammar or "grammar" in server.holds
    assert not found.takes_tools or (server.calls_tools and "tools" not in server.refuses)
    assert not found.reports_progress or server.tells_progress
    assert not found.keeps_prefix or server.keeps
    assert not found.asks_usage or server.tells_usage
    if name != "silent":
        # Never faster than it is: that would promise the player a wait that is too short.
        assert (found.read_tokens_per_second or 0.0) <= 1.5 * server.reads
        assert (found.write_tokens_per_second or 0.0) <= 1.5 * server.writes


def _is_held(server: ImitatedServer, form: SchemaForm | None) -> bool:
    names = {SchemaForm.JSON_SCHEMA: "json_schema", SchemaForm.JSON_OBJECT: "object_schema"}
    return form is not None and names[form] in server.holds


def test_there_are_a_hundred_combinations() -> None:
    assert len(set(COMBINATIONS)) == 100


RIGHT = {
    "ollama": MeasuredAbilities(
        TODAY, "ollama", AnswerMode.SCHEMA, SchemaForm.JSON_SCHEMA, False, True, 4096
    ),
    "ollama_old": MeasuredAbilities(
        TODAY, "ollama", AnswerMode.SCHEMA, SchemaForm.JSON_SCHEMA, False, True, 8192
    ),
    "lm_studio": MeasuredAbilities(
        TODAY, "lm_studio", AnswerMode.SCHEMA, SchemaForm.JSON_SCHEMA, False, True, 16384
    ),
    "lm_studio_old": MeasuredAbilities(
        TODAY, "lm_studio", AnswerMode.SCHEMA, SchemaForm.JSON_SCHEMA, False, True, 8192
    ),
    "vllm": MeasuredAbilities(TODAY, "vllm", AnswerMode.SCHEMA, SchemaForm.JSON_SCHEMA, False, True, 32768),
    "kobold_cpp": MeasuredAbilities(TODAY, "kobold_cpp", AnswerMode.FREE, None, True, None, 12288),
    "llama_cpp": MeasuredAbilities(
        TODAY, "llama_cpp", AnswerMode.SCHEMA, SchemaForm.JSON_SCHEMA, True, True, 8192
    ),
    "llama_cpp_old": MeasuredAbilities(
        TODAY, "llama_cpp", AnswerMode.SCHEMA, SchemaForm.JSON_OBJECT, True, False, 4096
    ),
    "liar": MeasuredAbilities(TODAY, "llama_cpp", AnswerMode.FREE, None, False, None, None),
    "silent": MeasuredAbilities(TODAY),
}


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("circumstance", ["usual", "fast", "slow", "thinking"])
def test_what_a_server_can_do_is_found(name: str, circumstance: str) -> None:
    server = change(make_servers()[name], circumstance)
    found, _ = run_virtually(probe(server))
    if (name, circumstance) != ("liar", "thinking") and circumstance != "slow":
        left = ["asks_usage", "keeps_prefix", "reports_progress"]
        left += ["read_tokens_per_second", "write_tokens_per_second"]
        # A call after long thoughts is not waited for: the server's usual ability stays.
        left += ["takes_tools"] if circumstance == "thinking" else []
        rest: dict[str, Any] = dict.fromkeys(left)
        assert replace(found, **rest) == replace(RIGHT[name], **rest)
    if name == "silent":
        return
    assert is_near(found.read_tokens_per_second, server.reads)
    assert is_near(found.write_tokens_per_second, server.writes)
    if name != "liar":
        assert found.reports_progress is server.tells_progress
        assert found.asks_usage is (True if server.tells_usage else None)
        assert found.keeps_prefix in (server.keeps, None)


def test_a_slow_machine_is_measured_in_a_minute() -> None:
    server = change(make_servers()["llama_cpp"], "slow")
    found, seconds = run_virtually(probe(server))
    assert seconds <= LIMIT_SECONDS
    assert found.answer_mode is AnswerMode.SCHEMA
    assert is_near(found.read_tokens_per_second, server.reads)


def test_a_very_slow_machine_is_known_to_be_slow() -> None:
    found, _ = run_virtually(probe(change(make_servers()["llama_cpp"], "very_slow")))
    assert 0.0 < (found.read_tokens_per_second or 0.0) <= 3.0
    assert 0.0 < (found.write_tokens_per_second or 0.0) <= 1.0


def test_a_server_that_says_nothing_is_left_soon() -> None:
    found, seconds = run_virtually(probe(make_servers()["silent"]))
    assert found.found_nothing
    assert seconds < 30.0


@pytest.mark.parametrize("question", ProbeQuestion)
def test_each_question_can_be_skipped(question: ProbeQuestion) -> None:
    found, _ = run_virtually(probe(make_servers()["llama_cpp"], frozenset({question})))
    gone = {
        ProbeQuestion.SERVER: ("server", ""),
        ProbeQuestion.USAGE: ("asks_usage", None),
        ProbeQuestion.CONTEXT: ("context_tokens", None),
        ProbeQuestion.SCHEMA: ("schema_form", SchemaForm.JSON_OBJECT),
        ProbeQuestion.SPEED: ("read_tokens_per_second", None),
        ProbeQuestion.PREFIX: ("keeps_prefix", None),
        ProbeQuestion.GRAMMAR: ("takes_grammar", None),
        ProbeQuestion.TOOLS: ("takes_tools", None),
    }
    if question in gone:
        name, value = gone[question]
        assert getattr(found, name) == value


def test_all_questions_can_be_skipped() -> None:
    found, seconds = run_virtually(probe(make_servers()["llama_cpp"], frozenset(ProbeQuestion)))
    assert found.found_nothing
    assert seconds == 0.0


async def _flood() -> AsyncIterator[bytes]:
    while True:
        yield b"data: " + b"x" * 65_536


class FloodingTransport(httpx.AsyncBaseTransport):
    """A server that never ends anything it says."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        kind = {"content-type": "text/event-stream"}
        return httpx.Response(200, headers=kind, stream=EventStream(_flood()))


def test_a_flood_is_not_read_to_its_end() -> None:
    async def run() -> MeasuredAbilities:
        client = httpx.AsyncClient(transport=FloodingTransport(), trust_env=False)
        connection = ProbeConnection("http://127.0.0.1:9000/v1", client=client)
        try:
            return await AbilityProbe(connection, MODEL, "a nonce", date=TODAY).run()
        finally:
            await connection.close()

    found, _ = run_virtually(run())
    assert found.found_nothing


def test_a_connection_that_breaks_is_not_a_slow_server() -> None:
    prompt = write_speed_prompt("a")
    assert measure_speed(ProbeReply(), prompt, 25.0) == MeasuredSpeed()
    late = measure_speed(ProbeReply(is_late=True), prompt, 25.0)
    assert late.read is not None
    assert late.read < 10
    assert late.write is None


def test_a_kept_connection_that_was_closed_is_opened_again() -> None:
    broken = [True]

    def answer(request: httpx.Request) -> httpx.Response:
        if broken:
            broken.clear()
            raise httpx.RemoteProtocolError("Server disconnected without sending a response.")
        return httpx.Response(200, content=speak(), headers={"content-type": "text/event-stream"})

    async def speak() -> AsyncIterator[bytes]:
        yield b'data: {"choices": [{"delta": {"content": "fair"}}]}\n\n'

    async def run() -> None:
        client = httpx.AsyncClient(transport=httpx.MockTransport(answer))
        connection = ProbeConnection("http://127.0.0.1:1/v1", client=client)
        reply = await connection.ask({"messages": []}, 5.0)
        await connection.close()
        assert (reply.status, reply.text, reply.is_answered, reply.is_late) == (200, "fair", True, False)

    asyncio.run(run())
