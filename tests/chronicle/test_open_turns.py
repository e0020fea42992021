"""Open turns: revisions that only grow, and slots as they are kept."""

import json

import pytest

from talewright.chronicle.open_turns import OpenTurn, OpenTurnSlot, read_slot, write_slot
from talewright.chronicle.store import OpenTurnMovedError

TURN = OpenTurn("main", "op", "master", "2026-01-01T00:00:00Z", body={"moves": [1]})


def test_revisions_grow_for_ever() -> None:
    slot = OpenTurnSlot()
    assert (slot.expected, slot.turn) == (0, None)
    slot = slot.put(TURN).put(TURN)
    assert slot.turn is not None
    assert (slot.revision, slot.expected, slot.turn.revision) == (2, 2, 2)
    slot = slot.put(None)
    assert (slot.revision, slot.expected, slot.turn) == (2, 0, None)
    assert slot.put(TURN).expected == 3


@pytest.mark.parametrize("slot", [OpenTurnSlot(), OpenTurnSlot(4), OpenTurnSlot().put(TURN)])
def test_slots_are_read_as_they_were_written(slot: OpenTurnSlot) -> None:
    assert read_slot(json.loads(json.dumps(write_slot(slot)))) == slot


def test_whoever_comes_late_is_told_what_is_there() -> None:
    error = OpenTurnMovedError(TURN)
    assert error.turn is TURN
    assert error.message == "somebody else has changed the open turn in the meantime"
    assert error.hint.startswith("Look at the current open turn")
    assert OpenTurnMovedError(None).turn is None
