"""The ledger: the truth about every request, without keys."""

import asyncio

import pytest

from talewright_testkit.fake_provider.fake_clock import HandClock
from talewright_testkit.fake_provider.fake_server import serve
from talewright_testkit.fake_provider.fault_plan import PlacedFault, ProviderFault
from talewright_testkit.fake_provider.request_ledger import (
    ExchangeEnding,
    RequestLedger,
    RequestLedgerEntry,
    hide_headers,
)
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.testkit.fake_provider.client import TALE, address, ask, connected, exchange

CANARY = "sk-canary-7f3a9c"
LONG = "Rain falls on the old harbour and nobody comes. " * 300


def test_an_entry_says_what_was_asked_and_what_it_cost() -> None:
    async def run() -> RequestLedgerEntry:
        async with serve(Wire.OPENAI, [TALE], clock=HandClock(100.0)) as server:
            await exchange(server, Wire.OPENAI)
            return server.ledger.asks[0]

    entry = asyncio.run(run())
    assert (entry.method, entry.path, entry.number, entry.model) == ("POST", "/v1/chat/completions", 1, "m")
    assert entry.body == ask(Wire.OPENAI)
    assert (entry.status, entry.ending, entry.fault, entry.is_billed) == (
        200,
        ExchangeEnding.WHOLE,
        None,
        True,
    )
    assert (entry.asked_at, entry.first_at, entry.ended_at) == (100.0, 100.0, 100.0)
    assert entry.said == TALE.spoken
    assert entry.output_tokens == TALE.tokens
    assert entry.uncached_tokens == entry.prompt_tokens > 10


@pytest.mark.parametrize("wire", Wire)
def test_the_cached_part_of_a_growing_conversation_is_counted(wire: Wire) -> None:
    async def run() -> tuple[list[RequestLedgerEntry], list[RequestLedgerEntry]]:
        async with serve(wire, ["Yes."] * 4) as server:
            said = [LONG, "Go on."]
            for _ in range(2):
                await exchange(server, wire, marked(wire, *said))
                said += ["Yes.", "Go on."]
            same = list(server.ledger.asks)
            for moment in ("noon", "dusk"):
                await exchange(server, wire, marked(wire, moment + LONG, "Go on."))
            return same, list(server.ledger.asks[2:])

    same, changed = asyncio.run(run())
    assert same[0].cached_tokens == 0
    assert same[1].cached_tokens > 0.9 * same[0].prompt_tokens
    assert same[1].cached_tokens <= same[0].prompt_tokens
    assert [entry.cached_tokens for entry in changed] == [0, 0]


def marked(wire: Wire, *texts: str) -> dict[str, object]:
    """A request whose whole prompt is to be kept."""
    more = {"cache_control": {"type": "ephemeral"}} if wire is Wire.ANTHROPIC else {}
    return {**ask(wire, *texts), **more}


@pytest.mark.parametrize("wire", Wire)
def test_keys_never_stand_in_it(wire: Wire) -> None:
    async def run() -> None:
        async with serve(wire, ["x"] * 3, key=CANARY) as server:
            await exchange(server, wire)
            await exchange(server, wire, ask(wire, "Tell.", f"My key is {CANARY}."))
            path, headers = address(wire, CANARY, stream=False)
            async with connected(server) as line:
                line.say(
                    "POST", f"{path.split('?')[0]}?key={CANARY}", {**headers, "cookie": CANARY}, ask(wire)
                )
                await line.hear()
            assert [entry.leaked for entry in server.ledger.entries] == [False, True, False]
            assert CANARY not in repr(server.ledger.entries)
            assert "[key]" in repr(server.ledger.entries[1].body)
            assert "content-length" in server.ledger.entries[0].headers

    asyncio.run(run())


def test_lists_and_errors_are_not_billed() -> None:
    async def run() -> None:
        async with serve(Wire.OPENAI, [TALE] * 3, faults=[PlacedFault(ProviderFault.BROKEN)]) as server:
            async with connected(server) as line:
                line.say("GET", "/v1/models", {"authorization": f"Bearer {server.key}"})
                await line.hear()
            await exchange(server, Wire.OPENAI)
            await exchange(server, Wire.OPENAI)
            ledger = server.ledger
            assert [entry.number for entry in ledger.entries] == [0, 1, 2]
            assert [entry.status for entry in ledger.asks] == [500, 200]
            assert ledger.billed == ledger.asks[1:]

    asyncio.run(run())


def test_a_failed_request_leaves_nothing_in_the_cache() -> None:
    async def run() -> list[int]:
        async with serve(Wire.OPENAI, [TALE] * 3, faults=[PlacedFault(ProviderFault.UNAVAILABLE)]) as server:
            for _ in range(3):
                await exchange(server, Wire.OPENAI, ask(Wire.OPENAI, LONG, "x"))
            return [entry.cached_tokens for entry in server.ledger.asks]

    failed, first, second = asyncio.run(run())
    assert failed == first == 0 < second


def test_an_entry_ends_once() -> None:
    page = RequestLedger().open(RequestLedgerEntry("GET", "/"))
    page.end(ExchangeEnding.LEFT, 5.0)
    page.end(ExchangeEnding.WHOLE, 6.0)
    assert (page.entry.ending, page.entry.ended_at) == (ExchangeEnding.LEFT, 5.0)


def test_headers_with_keys_are_left_out() -> None:
    kept = hide_headers({"authorization": "a", "x-api-key": "b", "x-goog-api-key": "c", "accept": "d"})
    assert kept == {"accept": "d"}
