"""With two models and one down, every turn is told; `tests/sweep/one_down.py` takes a thousand."""

import asyncio

import pytest

from talewright.testing.fake_provider.faults import Fault, Place
from talewright.testing.fake_provider.wires import Wire
from tests.provider_faults.stage import MODELS
from tests.provider_faults.standing_in import play_on


@pytest.mark.parametrize(
    ("fault", "place", "down", "up"),
    [
        (Fault.REFUSED, Place.START, Wire.OPENAI, Wire.ANTHROPIC),
        (Fault.RESET, Place.TEXT, Wire.ANTHROPIC, Wire.GEMINI),
        (Fault.KEY, Place.START, Wire.GEMINI, Wire.OPENAI),
        (Fault.INVALID_UTF8, Place.TEXT, Wire.OPENAI, Wire.GEMINI),
    ],
)
def test_every_turn_is_told(fault: Fault, place: Place, down: Wire, up: Wire) -> None:
    told = asyncio.run(play_on(fault, place, down, up, 5))
    assert told.turns == 5
    assert told.models == {MODELS[up]}
