"""Every fault of the fake OpenAI server against the adapter: it is a trouble of its kind, and in time."""

import asyncio

import pytest

from talewright.llm.known_models import find_profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Chunk, Reply, StopReason, gather
from talewright.llm.requests import ToolCall
from talewright.llm.retry import RetryingProvider, RetryLimits
from talewright.providers.openai_wire.openai_provider import OpenAICompatible
from talewright.testing.provider_suite import REQUEST
from talewright_testkit.fake_provider.fake_server import serve
from talewright_testkit.fake_provider.fault_plan import FaultPlace, PlacedFault, ProviderFault, list_cells
from talewright_testkit.fake_provider.reply_script import FakeAnswer, ReplyPace
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.providers.fault_timeouts import choose_timeouts

CELLS = [(fault, place) for fault, place, wire in list_cells() if wire is Wire.OPENAI]
TEXT = "The fog comes in over the quay, and a bell begins to count."
TROUBLES = {
    ProviderFault.KEY: Trouble.KEY,
    ProviderFault.MONEY: Trouble.MONEY,
    ProviderFault.MISSING: Trouble.MISSING,
    ProviderFault.TIMEOUT: Trouble.SLOW,
    ProviderFault.CONFLICT: Trouble.BUSY,
    ProviderFault.BUSY: Trouble.BUSY,
    ProviderFault.BUSY_UNTIL: Trouble.BUSY,
    ProviderFault.BROKEN: Trouble.BUSY,
    ProviderFault.UNAVAILABLE: Trouble.BUSY,
    ProviderFault.OVERLOADED: Trouble.BUSY,
    ProviderFault.REFUSED: Trouble.UNREACHABLE,
    ProviderFault.RESET: Trouble.UNREACHABLE,
    ProviderFault.CONNECT_HANG: Trouble.SLOW,
    ProviderFault.STALL_FIRST: Trouble.SLOW,
    ProviderFault.DRIP: Trouble.SLOW,
    ProviderFault.STALL: Trouble.SLOW,
    ProviderFault.TRUNCATED_JSON: Trouble.UNREACHABLE,
    ProviderFault.INVALID_UTF8: Trouble.GARBLED,
    ProviderFault.LONG_LINE: Trouble.GARBLED,
    ProviderFault.WRONG_TYPE: Trouble.GARBLED,
    ProviderFault.EMPTY: Trouble.GARBLED,
}
"""Faults that end an answer; the others change it, and the contract has to see that."""

STOPS = {ProviderFault.REFUSAL: StopReason.REFUSAL, ProviderFault.LENGTH: StopReason.LENGTH}
LIMITS = RetryLimits(first_wait_seconds=0.01, wait_seconds_max=0.5)


async def ask(
    fault: ProviderFault, place: FaultPlace, patient: bool
) -> tuple[list[Chunk], ProviderError | None, int]:
    calls = (ToolCall("a", "pay", '{"coins": 2}'),) if place is FaultPlace.TOOL else ()
    placed = PlacedFault(
        fault, place, retry_after="0.01", seconds=0.05 if fault is ProviderFault.DRIP else None
    )
    pace = ReplyPace(piece_characters=5)
    heard: list[Chunk] = []
    async with serve(
        Wire.OPENAI, lambda asked: FakeAnswer(TEXT, calls), faults=[placed], pace=pace
    ) as server:
        adapter = OpenAICompatible(
            "gpt-4.1-mini",
            server.url + "/v1",
            server.key,
            profile=find_profile("gpt-4.1-mini"),
            timeouts=choose_timeouts(fault, place),
        )
        provider = RetryingProvider(adapter, LIMITS) if patient else adapter
        try:
            async with asyncio.timeout(9):
                async for chunk in provider.stream(REQUEST):
                    heard.append(chunk)
        except ProviderError as error:
            return heard, error, len(server.ledger.asks)
        finally:
            await provider.close()
        return heard, None, len(server.ledger.asks)


@pytest.mark.parametrize(("fault", "place"), CELLS)
def test_a_fault_is_a_trouble_or_an_answer(fault: ProviderFault, place: FaultPlace) -> None:
    heard, error, _ = asyncio.run(ask(fault, place, patient=False))
    reply = gather(heard)
    assert (error.trouble if error else None) == TROUBLES.get(fault)
    if error is not None:
        assert reply.stop is None
        assert error.hint
        assert TEXT.startswith(reply.text)
        assert bool(reply.text) == (place is not FaultPlace.START)
        assert bool(reply.calls) == (place is FaultPlace.TOOL)
    else:
        expected = StopReason.CALLS if reply.calls else StopReason.END
        assert reply.stop is STOPS.get(fault, expected)
        assert reply.usage is not None


PASSING = [
    ProviderFault.BUSY_UNTIL,
    ProviderFault.BROKEN,
    ProviderFault.RESET,
    ProviderFault.INVALID_UTF8,
    ProviderFault.STALL,
]


@pytest.mark.parametrize(
    ("fault", "place"), [cell for cell in CELLS if cell[0] in PASSING], ids=lambda value: str(value.value)
)
def test_patience_gets_the_whole_answer(fault: ProviderFault, place: FaultPlace) -> None:
    heard, error, asked = asyncio.run(ask(fault, place, patient=True))
    reply: Reply = gather(heard)
    assert error is None
    assert reply.text == TEXT
    assert [call.arguments for call in reply.calls] == (['{"coins": 2}'] if place is FaultPlace.TOOL else [])
    assert asked == 2
