"""Every fault of the fake OpenAI server against the adapter: it is a trouble of its kind, and in time."""

import asyncio

import pytest

from talewright.llm.known_models import find_profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Chunk, Reply, StopReason, gather
from talewright.llm.requests import ToolCall
from talewright.llm.retry import RetryingProvider, RetryLimits
from talewright.providers.openai_wire.openai_provider import OpenAICompatible
from talewright.providers.reply_timeouts import ProviderTimeouts
from talewright.testing.fake_provider.faults import Fault, Place, Placed, list_cells
from talewright.testing.fake_provider.scripts import Answer, Pace
from talewright.testing.fake_provider.server import serve
from talewright.testing.fake_provider.wires import Wire
from talewright.testing.providers import REQUEST

TIMES = ProviderTimeouts(0.15, 0.3, 0.2, 2.0)
CELLS = [(fault, place) for fault, place, wire in list_cells() if wire is Wire.OPENAI]
TEXT = "The fog comes in over the quay, and a bell begins to count."
TROUBLES = {
    Fault.KEY: Trouble.KEY,
    Fault.MONEY: Trouble.MONEY,
    Fault.MISSING: Trouble.MISSING,
    Fault.TIMEOUT: Trouble.SLOW,
    Fault.CONFLICT: Trouble.BUSY,
    Fault.BUSY: Trouble.BUSY,
    Fault.BUSY_UNTIL: Trouble.BUSY,
    Fault.BROKEN: Trouble.BUSY,
    Fault.UNAVAILABLE: Trouble.BUSY,
    Fault.OVERLOADED: Trouble.BUSY,
    Fault.REFUSED: Trouble.UNREACHABLE,
    Fault.RESET: Trouble.UNREACHABLE,
    Fault.CONNECT_HANG: Trouble.SLOW,
    Fault.STALL_FIRST: Trouble.SLOW,
    Fault.DRIP: Trouble.SLOW,
    Fault.STALL: Trouble.SLOW,
    Fault.TRUNCATED_JSON: Trouble.UNREACHABLE,
    Fault.INVALID_UTF8: Trouble.GARBLED,
    Fault.LONG_LINE: Trouble.GARBLED,
    Fault.WRONG_TYPE: Trouble.GARBLED,
    Fault.EMPTY: Trouble.GARBLED,
}
"""Faults that end an answer; the others change it, and the contract has to see that."""

STOPS = {Fault.REFUSAL: StopReason.REFUSAL, Fault.LENGTH: StopReason.LENGTH}
LIMITS = RetryLimits(first_wait_seconds=0.01, wait_seconds_max=0.5)


async def ask(fault: Fault, place: Place, patient: bool) -> tuple[list[Chunk], ProviderError | None, int]:
    calls = (ToolCall("a", "pay", '{"coins": 2}'),) if place is Place.TOOL else ()
    placed = Placed(fault, place, retry_after="0.01", seconds=0.05 if fault is Fault.DRIP else None)
    pace = Pace(piece_characters=5)
    heard: list[Chunk] = []
    async with serve(Wire.OPENAI, lambda asked: Answer(TEXT, calls), faults=[placed], pace=pace) as server:
        adapter = OpenAICompatible(
            "gpt-4.1-mini",
            server.url + "/v1",
            server.key,
            profile=find_profile("gpt-4.1-mini"),
            timeouts=TIMES,
        )
        provider = RetryingProvider(adapter, LIMITS) if patient else adapter
        try:
            async with asyncio.timeout(5):
                async for chunk in provider.stream(REQUEST):
                    heard.append(chunk)
        except ProviderError as error:
            return heard, error, len(server.ledger.asks)
        finally:
            await provider.close()
        return heard, None, len(server.ledger.asks)


@pytest.mark.parametrize(("fault", "place"), CELLS)
def test_a_fault_is_a_trouble_or_an_answer(fault: Fault, place: Place) -> None:
    heard, error, _ = asyncio.run(ask(fault, place, patient=False))
    reply = gather(heard)
    assert (error.trouble if error else None) == TROUBLES.get(fault)
    if error is not None:
        assert reply.stop is None
        assert error.hint
        assert TEXT.startswith(reply.text)
        assert bool(reply.text) == (place is not Place.START)
        assert bool(reply.calls) == (place is Place.TOOL)
    else:
        expected = StopReason.CALLS if reply.calls else StopReason.END
        assert reply.stop is STOPS.get(fault, expected)
        assert reply.usage is not None


PASSING = [Fault.BUSY_UNTIL, Fault.BROKEN, Fault.RESET, Fault.INVALID_UTF8, Fault.STALL]


@pytest.mark.parametrize(
    ("fault", "place"), [cell for cell in CELLS if cell[0] in PASSING], ids=lambda value: str(value.value)
)
def test_patience_gets_the_whole_answer(fault: Fault, place: Place) -> None:
    heard, error, asked = asyncio.run(ask(fault, place, patient=True))
    reply: Reply = gather(heard)
    assert error is None
    assert reply.text == TEXT
    assert [call.arguments for call in reply.calls] == (['{"coins": 2}'] if place is Place.TOOL else [])
    assert asked == 2
