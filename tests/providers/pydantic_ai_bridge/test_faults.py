"""Faults of the fake servers against the bridge: each is a trouble of its kind, with words, and in time."""

import asyncio

import pytest

from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Chunk, StopReason, gather
from talewright.llm.requests import ToolCall
from talewright.testing.provider_suite import REQUEST
from talewright_testkit.fake_provider.fake_server import serve
from talewright_testkit.fake_provider.fault_plan import FaultPlace, PlacedFault, ProviderFault, list_cells
from talewright_testkit.fake_provider.reply_script import FakeAnswer, ReplyPace
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.providers.fault_timeouts import choose_timeouts
from tests.providers.pydantic_ai_bridge.far_sides import bridge_to

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
    ProviderFault.INVALID_UTF8: Trouble.GARBLED,
    ProviderFault.LONG_LINE: Trouble.GARBLED,
    ProviderFault.WRONG_TYPE: Trouble.GARBLED,
    ProviderFault.EMPTY: Trouble.GARBLED,
}
"""Faults that end an answer in the same way on both wires and at every place."""

ENDS = {
    (ProviderFault.TRUNCATED_JSON, FaultPlace.START, Wire.ANTHROPIC): Trouble.GARBLED,
    (ProviderFault.TRUNCATED_JSON, FaultPlace.TEXT, Wire.ANTHROPIC): Trouble.UNREACHABLE,
    (ProviderFault.TRUNCATED_JSON, FaultPlace.TOOL, Wire.ANTHROPIC): Trouble.UNREACHABLE,
    (ProviderFault.TRUNCATED_JSON, FaultPlace.START, Wire.GEMINI): Trouble.GARBLED,
    (ProviderFault.TRUNCATED_JSON, FaultPlace.TEXT, Wire.GEMINI): Trouble.GARBLED,
    (ProviderFault.TRUNCATED_JSON, FaultPlace.TOOL, Wire.GEMINI): Trouble.GARBLED,
    (ProviderFault.TRUNCATED_CALL, FaultPlace.TOOL, Wire.GEMINI): Trouble.GARBLED,
    (ProviderFault.REORDERED, FaultPlace.START, Wire.ANTHROPIC): Trouble.GARBLED,
}
STOPS = {ProviderFault.REFUSAL: StopReason.REFUSAL, ProviderFault.LENGTH: StopReason.LENGTH}
CELLS = [cell for cell in list_cells() if cell[2] is not Wire.OPENAI]
# The grid plays them all; here every fault once a wire, at the last place it has.
PICKED = list({(fault, wire): (fault, place, wire) for fault, place, wire in CELLS}.values())


async def ask(
    fault: ProviderFault, place: FaultPlace, wire: Wire
) -> tuple[list[Chunk], ProviderError | None]:
    calls = (ToolCall("a", "pay", '{"coins": 2}'),) if place is FaultPlace.TOOL else ()
    placed = PlacedFault(
        fault, place, retry_after="0.01", seconds=0.02 if fault is ProviderFault.DRIP else None
    )
    heard: list[Chunk] = []
    pace = ReplyPace(piece_characters=5)
    times = choose_timeouts(fault, place)
    async with serve(wire, lambda asked: FakeAnswer(TEXT, calls), faults=[placed], pace=pace) as server:
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
def test_a_fault_is_a_trouble_or_an_answer(fault: ProviderFault, place: FaultPlace, wire: Wire) -> None:
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
    assert bool(reply.text) == (place is not FaultPlace.START)
    if fault is ProviderFault.BUSY_UNTIL:
        assert error.retry_after_seconds == 0.01
    # What was asked for and begun is paid for; what was turned away is not.
    assert error.unpaid == (place is FaultPlace.START and fault not in BEGUN)
    if place is not FaultPlace.START and fault is not ProviderFault.TRUNCATED_CALL:
        assert error.usage is not None
        assert error.usage.estimated
        assert error.usage.input_tokens > error.usage.output_tokens > 0


BEGUN = frozenset(
    {
        ProviderFault.RESET,
        ProviderFault.STALL_FIRST,
        ProviderFault.DRIP,
        ProviderFault.TRUNCATED_JSON,
        ProviderFault.REORDERED,
        ProviderFault.INVALID_UTF8,
        ProviderFault.LONG_LINE,
        ProviderFault.WRONG_TYPE,
        ProviderFault.EMPTY,
    }
)
"""Faults before the first token of which nobody knows whether the model had begun."""
