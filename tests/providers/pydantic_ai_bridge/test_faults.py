"""Faults of the fake servers against the bridge: each is a trouble of its kind, with words, and in time."""

import asyncio

import pytest

from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Chunk, StopReason, gather
from talewright.llm.requests import ToolCall
from talewright.providers.reply_timeouts import ProviderTimeouts
from talewright.testing.fake_provider.faults import Fault, Place, Placed, list_cells
from talewright.testing.fake_provider.scripts import Answer, Pace
from talewright.testing.fake_provider.server import serve
from talewright.testing.fake_provider.wires import Wire
from talewright.testing.providers import REQUEST
from tests.providers.openai_wire.raw_server import PATIENT
from tests.providers.pydantic_ai_bridge.far_sides import bridge_to

HASTY = ProviderTimeouts(0.1, 0.4, 0.2, 1.0)
TIMED = frozenset({Fault.CONNECT_HANG, Fault.STALL_FIRST, Fault.STALL, Fault.DRIP})
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
    Fault.INVALID_UTF8: Trouble.GARBLED,
    Fault.LONG_LINE: Trouble.GARBLED,
    Fault.WRONG_TYPE: Trouble.GARBLED,
    Fault.EMPTY: Trouble.GARBLED,
}
"""Faults that end an answer in the same way on both wires and at every place."""

ENDS = {
    (Fault.TRUNCATED_JSON, Place.START, Wire.ANTHROPIC): Trouble.GARBLED,
    (Fault.TRUNCATED_JSON, Place.TEXT, Wire.ANTHROPIC): Trouble.UNREACHABLE,
    (Fault.TRUNCATED_JSON, Place.TOOL, Wire.ANTHROPIC): Trouble.UNREACHABLE,
    (Fault.TRUNCATED_JSON, Place.START, Wire.GEMINI): Trouble.GARBLED,
    (Fault.TRUNCATED_JSON, Place.TEXT, Wire.GEMINI): Trouble.GARBLED,
    (Fault.TRUNCATED_JSON, Place.TOOL, Wire.GEMINI): Trouble.GARBLED,
    (Fault.TRUNCATED_CALL, Place.TOOL, Wire.GEMINI): Trouble.GARBLED,
    (Fault.REORDERED, Place.START, Wire.ANTHROPIC): Trouble.GARBLED,
}
STOPS = {Fault.REFUSAL: StopReason.REFUSAL, Fault.LENGTH: StopReason.LENGTH}
CELLS = [cell for cell in list_cells() if cell[2] is not Wire.OPENAI]
# The grid plays them all; here every fault once a wire, at the last place it has.
PICKED = list({(fault, wire): (fault, place, wire) for fault, place, wire in CELLS}.values())


async def ask(fault: Fault, place: Place, wire: Wire) -> tuple[list[Chunk], ProviderError | None]:
    calls = (ToolCall("a", "pay", '{"coins": 2}'),) if place is Place.TOOL else ()
    placed = Placed(fault, place, retry_after="0.01", seconds=0.02 if fault is Fault.DRIP else None)
    heard: list[Chunk] = []
    pace = Pace(piece_characters=5)
    times = HASTY if fault in TIMED else PATIENT
    async with serve(wire, lambda asked: Answer(TEXT, calls), faults=[placed], pace=pace) as server:
        bridge = bridge_to(wire, server.url, key=server.key, timeouts=times)
        try:
            async with asyncio.timeout(9):
                async for chunk in bridge.stream(REQUEST):
                    heard.append(chunk)
        except ProviderError as error:
            return heard, error
        finally:
            await bridge.close()
        return heard, None


@pytest.mark.parametrize(("fault", "place", "wire"), PICKED)
def test_a_fault_is_a_trouble_or_an_answer(fault: Fault, place: Place, wire: Wire) -> None:
    heard, error = asyncio.run(ask(fault, place, wire))
    reply = gather(heard)
    assert (error.trouble if error else None) == (TROUBLES.get(fault) or ENDS.get((fault, place, wire)))
    if error is None:
        expected = StopReason.CALLS if reply.calls else StopReason.END
        assert reply.stop is STOPS.get(fault, expected)
        assert reply.usage is not None
        return
    assert reply.stop is None
    assert error.hint
    assert TEXT.startswith(reply.text)
    assert bool(reply.text) == (place is not Place.START)
    if fault is Fault.BUSY_UNTIL:
        assert error.retry_after_seconds == 0.01
    # What was asked for and begun is paid for; what was turned away is not.
    assert error.unpaid == (place is Place.START and fault not in BEGUN)
    if place is not Place.START and fault is not Fault.TRUNCATED_CALL:
        assert error.usage is not None
        assert error.usage.estimated
        assert error.usage.input_tokens > error.usage.output_tokens > 0


BEGUN = frozenset(
    {
        Fault.RESET,
        Fault.STALL_FIRST,
        Fault.DRIP,
        Fault.TRUNCATED_JSON,
        Fault.REORDERED,
        Fault.INVALID_UTF8,
        Fault.LONG_LINE,
        Fault.WRONG_TYPE,
        Fault.EMPTY,
    }
)
"""Faults before the first token of which nobody knows whether the model had begun."""
