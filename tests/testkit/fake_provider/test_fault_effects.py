"""Every fault over the wire: each cell of the grid does what its name says, seen by a raw client."""

import asyncio
import json
import re
from dataclasses import replace
from typing import Any

import pytest

from talewright.llm.requests import ToolCall
from talewright_testkit.fake_provider import fault_effects
from talewright_testkit.fake_provider.fake_clock import HandClock
from talewright_testkit.fake_provider.fake_server import serve
from talewright_testkit.fake_provider.fault_effects import LINE_BYTES, NO_SUCH_TOOL
from talewright_testkit.fake_provider.fault_plan import (
    CONTRACT,
    OUTAGES,
    STATUSES,
    FaultPlace,
    PlacedFault,
    ProviderFault,
    list_cells,
)
from talewright_testkit.fake_provider.parsed_request import ParsedRequest
from talewright_testkit.fake_provider.reply_script import FakeAnswer, ReplyPace
from talewright_testkit.fake_provider.request_ledger import ExchangeEnding, RequestLedgerEntry
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.testkit.fake_provider.client import TALE, Response, address, ask, connected, ended, exchange

SILENT_TURNS = 500
"""Turns of the event loop after which a server that says nothing is taken to stall."""

CELLS = [(fault, place, wire) for fault, place, wire in list_cells() if fault not in OUTAGES]
STALLS = (ProviderFault.STALL, ProviderFault.STALL_FIRST)
PLAYED = [cell for cell in CELLS if cell[0] not in (*STALLS, ProviderFault.DRIP)]


def play(
    fault: ProviderFault, place: FaultPlace, wire: Wire, *, stream: bool = True, answer: FakeAnswer = TALE
) -> tuple[Response, RequestLedgerEntry]:
    """What a client hears, and what the server wrote down."""

    async def run() -> tuple[Response, RequestLedgerEntry]:
        async with serve(wire, [answer] * 2, faults=[PlacedFault(fault, place)]) as server:
            response = await exchange(server, wire, ask(wire, stream=stream), stream=stream)
            entry = await ended(server)
            after = await exchange(server, wire, ask(wire, stream=stream), stream=stream)
            if fault is not ProviderFault.TOOL_LOOP:
                assert after.status == 200, "it strikes once"
                assert server.ledger.asks[1].fault is None
            return response, entry

    return asyncio.run(run())


def texts(wire: Wire, response: Response) -> str:
    """The text that was told, of events that are whole."""
    told = []
    for event in sound(response):
        match wire:
            case Wire.OPENAI:
                told += [choice["delta"].get("content") or "" for choice in event.get("choices", [])]
            case Wire.ANTHROPIC:
                told.append(event.get("delta", {}).get("text", ""))
            case Wire.GEMINI:
                for candidate in event.get("candidates", []):
                    told += [part.get("text", "") for part in candidate["content"].get("parts", [])]
    return "".join(told)


def sound(response: Response) -> list[Any]:
    """The events that can be read."""
    found = []
    for line in response.body.replace(b"\r\n", b"\n").split(b"\n"):
        try:
            found.append(json.loads(line.removeprefix(b"data: "))) if line.startswith(b"data: {") else None
        except ValueError:
            continue
    return found


def check_status(
    fault: ProviderFault, place: FaultPlace, wire: Wire, response: Response, entry: RequestLedgerEntry
) -> None:
    """An error: as a status before the answer, as an event within it."""
    if place is FaultPlace.START:
        assert response.status == entry.status == STATUSES[fault]
        assert "error" in response.json
        assert response.headers.get("retry-after") == ("1" if fault is ProviderFault.BUSY_UNTIL else None)
        assert (entry.ending, entry.output_tokens, entry.is_billed) == (ExchangeEnding.WHOLE, 0, False)
    else:
        assert response.status == 200
        assert "error" in response.events[-1]
        assert b"[DONE]" not in response.body
        assert entry.ending is ExchangeEnding.CUT


def check_broken(
    fault: ProviderFault, place: FaultPlace, wire: Wire, response: Response, entry: RequestLedgerEntry
) -> None:
    """The end is missing."""
    assert response.ending == ("reset" if fault is ProviderFault.RESET else "whole")
    assert entry.ending is ExchangeEnding.CUT
    assert response.status == (0 if fault is ProviderFault.RESET and place is FaultPlace.START else 200)
    heard = texts(wire, response)
    if place is FaultPlace.TEXT:
        assert "" != heard != TALE.text
        assert TALE.text.startswith(heard)
    if place is FaultPlace.TOOL:
        assert heard == TALE.text
    if place is FaultPlace.START:
        assert heard == ""
    whole = response.body.count(b"\n\n") + response.body.count(b"\r\n\r\n")
    assert fault is ProviderFault.RESET or not response.body.endswith(b"\n\n"), "the last event is half"
    assert whole == 0 or place is not FaultPlace.START


def check_answer(
    fault: ProviderFault, place: FaultPlace, wire: Wire, response: Response, entry: RequestLedgerEntry
) -> None:
    """The protocol is kept; what was said is not what was meant."""
    assert (response.status, response.ending, entry.ending) == (200, "whole", ExchangeEnding.WHOLE)
    body = response.body.decode()
    stops = {
        (ProviderFault.LENGTH, Wire.OPENAI): '"finish_reason":"length"',
        (ProviderFault.LENGTH, Wire.ANTHROPIC): '"stop_reason":"max_tokens"',
        (ProviderFault.LENGTH, Wire.GEMINI): '"finishReason":"MAX_TOKENS"',
        (ProviderFault.REFUSAL, Wire.ANTHROPIC): '"stop_reason":"refusal"',
        (ProviderFault.TRUNCATED_CALL, Wire.GEMINI): '"finishReason":"MALFORMED_FUNCTION_CALL"',
        (ProviderFault.TRUNCATED_CALL, Wire.OPENAI): '"finish_reason":"tool_calls"',
        (ProviderFault.TRUNCATED_CALL, Wire.ANTHROPIC): '"stop_reason":"tool_use"',
    }
    assert stops.get((fault, wire), "") in body
    if fault in (ProviderFault.LENGTH, ProviderFault.REFUSAL):
        expected = {
            FaultPlace.START: "",
            FaultPlace.TEXT: TALE.text[: len(TALE.text) // 2],
            FaultPlace.TOOL: TALE.text,
        }
        assert texts(wire, response) == expected[place]
    if fault in (ProviderFault.TRUNCATED_CALL, ProviderFault.LENGTH) and place is FaultPlace.TOOL:
        assert "20" not in "".join(entry.said.split("roll")[1:])
    assert (NO_SUCH_TOOL in body) == (fault is ProviderFault.NO_SUCH_TOOL)


def check_damage(
    fault: ProviderFault, place: FaultPlace, wire: Wire, response: Response, entry: RequestLedgerEntry
) -> None:
    """Everything came, but not as it should."""
    assert (response.status, response.ending) == (200, "whole")
    match fault:
        case ProviderFault.DUPLICATED:
            assert any(one == two for one, two in zip(response.chunks, response.chunks[1:], strict=False))
        case ProviderFault.REORDERED:
            heard, told = untimed(response.chunks), untimed(asyncio.run(told_by_pace(wire, place)))
            assert sorted(heard) == sorted(told)
            assert heard != told
        case ProviderFault.INVALID_UTF8:
            with pytest.raises(UnicodeDecodeError):
                response.body.decode()
        case ProviderFault.LONG_LINE:
            assert LINE_BYTES < max(map(len, response.body.split(b"\n"))) < LINE_BYTES + 1_000
            assert texts(wire, response) == TALE.text
        case ProviderFault.WRONG_TYPE:
            assert response.headers["content-type"].startswith("text/html")
        case ProviderFault.EMPTY:
            assert response.body == b""
        case _:
            assert fault is ProviderFault.WRONG_USAGE
            assert texts(wire, response) == TALE.text
            assert response.body != unharmed(wire)[0].body
            assert "1000" in response.body.decode()
            assert entry.output_tokens == TALE.tokens, "the ledger knows the truth"


def unharmed(wire: Wire) -> tuple[Response, RequestLedgerEntry]:
    """The same answer without a fault."""

    async def run() -> tuple[Response, RequestLedgerEntry]:
        async with serve(wire, [TALE]) as server:
            return await exchange(server, wire), server.ledger.asks[0]

    return asyncio.run(run())


def untimed(chunks: list[bytes]) -> list[bytes]:
    """Chunks without the time at which they were made."""
    return [re.sub(rb'("created(?:_at)?"): ?[0-9.]+', rb"\1", chunk) for chunk in chunks]


async def told_by_pace(wire: Wire, place: FaultPlace) -> list[bytes]:
    """The same answer without a fault, cut as the fault cuts it."""
    pace = fault_effects.tighten(ReplyPace(), PlacedFault(ProviderFault.REORDERED, place), TALE)
    async with serve(wire, [TALE], pace=pace) as server:
        return (await exchange(server, wire)).chunks


@pytest.mark.parametrize(("fault", "place", "wire"), PLAYED, ids=lambda value: value.name)
def test_fault_does_what_it_says(fault: ProviderFault, place: FaultPlace, wire: Wire) -> None:
    response, entry = play(fault, place, wire)
    assert entry.fault == PlacedFault(fault, place)
    if fault in STATUSES:
        check = check_status
    elif fault in (ProviderFault.RESET, ProviderFault.TRUNCATED_JSON):
        check = check_broken
    elif fault in CONTRACT:
        check = check_answer
    else:
        check = check_damage
    check(fault, place, wire, response, entry)


@pytest.mark.parametrize(
    ("fault", "place", "wire"), [c for c in CELLS if c[0] in STALLS], ids=lambda v: v.name
)
def test_a_stall_lasts_until_the_client_leaves(fault: ProviderFault, place: FaultPlace, wire: Wire) -> None:
    async def run() -> RequestLedgerEntry:
        async with serve(wire, [TALE], faults=[PlacedFault(fault, place)]) as server:
            path, headers = address(wire, server.key)
            async with connected(server) as line:
                line.say("POST", path, headers, ask(wire))
                response = await line.head()
                hearing = asyncio.create_task(line.follow(response))
                for _ in range(SILENT_TURNS):
                    await asyncio.sleep(0)
                assert (response.status, hearing.done()) == (200, False)
                assert bool(response.body) == (place is not FaultPlace.START)
                assert server.ledger.asks[0].ending is ExchangeEnding.OPEN
                hearing.cancel()
            return await ended(server)

    entry = asyncio.run(run())
    assert entry.ending is ExchangeEnding.LEFT
    assert (entry.said == "") == (place is FaultPlace.START)
    assert entry.said != TALE.spoken
    assert entry.output_tokens < TALE.tokens


@pytest.mark.parametrize(
    ("fault", "place", "wire"), [c for c in CELLS if c[0] is ProviderFault.DRIP], ids=lambda v: v.name
)
def test_a_drip_comes_byte_by_byte_as_time_passes(
    fault: ProviderFault, place: FaultPlace, wire: Wire
) -> None:
    async def run() -> tuple[Response, float]:
        clock = HandClock()
        begun = clock.now()
        async with serve(
            wire, [TALE], faults=[PlacedFault(fault, place, seconds=2.0)], clock=clock
        ) as server:
            hearing = asyncio.create_task(exchange(server, wire))
            while not hearing.done():
                sleeping = asyncio.create_task(clock.until_someone_sleeps())
                await asyncio.wait({hearing, sleeping}, return_when=asyncio.FIRST_COMPLETED)
                sleeping.cancel()
                clock.advance(2.0)
            return await hearing, clock.now() - begun

    response, spent = asyncio.run(run())
    single = sum(len(chunk) == 1 for chunk in response.chunks)
    assert texts(wire, response) == TALE.text
    assert spent / 2.0 == pytest.approx(single, abs=2)
    assert (single == len(response.chunks)) == (place is FaultPlace.START)


@pytest.mark.parametrize(
    "fault",
    [ProviderFault.RESET, ProviderFault.TRUNCATED_JSON, ProviderFault.INVALID_UTF8, ProviderFault.LENGTH],
)
@pytest.mark.parametrize("wire", Wire)
def test_whole_answers_are_struck_too(fault: ProviderFault, wire: Wire) -> None:
    response, entry = play(fault, FaultPlace.TEXT, wire, stream=False)
    assert entry.fault is not None
    if fault is ProviderFault.LENGTH:
        assert response.json
    else:
        assert response.body, "it was in the middle"
        with pytest.raises(ValueError):
            assert response.json


def test_a_fault_waits_for_a_reply_that_has_its_place() -> None:
    async def run() -> list[PlacedFault | None]:
        call = FakeAnswer(calls=TALE.calls)
        placed = PlacedFault(ProviderFault.BROKEN, FaultPlace.TEXT)
        async with serve(Wire.OPENAI, [call, "No", "Rain falls."], faults=[placed]) as server:
            for _ in range(3):
                await exchange(server, Wire.OPENAI)
            return [entry.fault for entry in server.ledger.asks]

    assert asyncio.run(run()) == [None, None, PlacedFault(ProviderFault.BROKEN, FaultPlace.TEXT)]


@pytest.mark.parametrize("fault", [ProviderFault.DUPLICATED, ProviderFault.REORDERED])
def test_a_whole_answer_has_no_chunks_to_mix_up(fault: ProviderFault) -> None:
    asked = ParsedRequest("m", ())
    assert not fault_effects.can_strike(PlacedFault(fault), asked, TALE)
    assert fault_effects.can_strike(PlacedFault(fault), replace(asked, stream=True), TALE)


@pytest.mark.parametrize("script", [[TALE], [FakeAnswer("Nothing to call.")]])
def test_a_loop_calls_for_ever_and_outlives_its_script(script: list[FakeAnswer]) -> None:
    async def run() -> list[str]:
        placed = PlacedFault(ProviderFault.TOOL_LOOP, FaultPlace.TOOL)
        async with serve(Wire.OPENAI, script, faults=[placed]) as server:
            calls = []
            for _ in range(4):
                body = ask(Wire.OPENAI, stream=False)
                (call,) = (await exchange(server, Wire.OPENAI, body)).json["choices"][0]["message"][
                    "tool_calls"
                ]
                calls.append(call)
            assert {call["function"]["name"] for call in calls} == {"roll"}
            return [call["id"] for call in calls]

    assert len(set(asyncio.run(run()))) == 4


def test_without_tools_nobody_can_loop() -> None:
    loop = PlacedFault(ProviderFault.TOOL_LOOP, FaultPlace.TOOL)
    assert not fault_effects.can_strike(loop, ParsedRequest("m", ()), TALE)


def test_a_tool_that_is_not_there_is_called_even_where_none_was_meant() -> None:
    placed = PlacedFault(ProviderFault.NO_SUCH_TOOL, FaultPlace.TOOL)
    asked = ParsedRequest("m", ())
    assert fault_effects.alter(placed, asked, FakeAnswer("x")).calls == (ToolCall("", NO_SUCH_TOOL, "{}"),)
    renamed = fault_effects.alter(placed, asked, TALE).calls
    assert renamed == (ToolCall("", NO_SUCH_TOOL, '{"sides": 20}'),)
