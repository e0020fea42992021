"""With two models and one down, every turn is told; `tests/sweep/one_down.py` takes a thousand."""

import asyncio

import pytest

from talewright_testkit.fake_provider.fault_plan import FaultPlace, ProviderFault
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.provider_faults.stage import MODELS
from tests.provider_faults.standing_in import play_on


@pytest.mark.parametrize(
    ("fault", "place", "down", "up"),
    [
        (ProviderFault.REFUSED, FaultPlace.START, Wire.OPENAI, Wire.ANTHROPIC),
        (ProviderFault.RESET, FaultPlace.TEXT, Wire.ANTHROPIC, Wire.GEMINI),
        (ProviderFault.KEY, FaultPlace.START, Wire.GEMINI, Wire.OPENAI),
        (ProviderFault.INVALID_UTF8, FaultPlace.TEXT, Wire.OPENAI, Wire.GEMINI),
    ],
)
def test_every_turn_is_told(fault: ProviderFault, place: FaultPlace, down: Wire, up: Wire) -> None:
    told = asyncio.run(play_on(fault, place, down, up, 5))
    assert told.turns == 5
    assert told.models == {MODELS[up]}
