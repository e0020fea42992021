"""A game with a slot of every kind, for the tests of updates."""

from dataclasses import replace

from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.slot_types import Carry, Policy, Slot
from talewright.kernel.state.state import begin
from tests.kernel.making import (
    boolean,
    enum,
    integer,
    listing,
    make_game,
    make_layout,
    number,
    opened,
    record,
    string,
)

CLOCK = record(day=integer(1), hour=integer(20), minute=integer(10, carry=Carry("hour", 60)))
SLOTS: dict[str, Slot] = {
    "hp": integer(80, 0, 100),
    "strict": integer(5, 0, 10, clamp=False),
    "free": number(1.5),
    "name": string("Lian", 10),
    "place": replace(enum("bar", "docks"), policy=Policy.SET_ONLY),
    "trust": integer(0, -100, 100, policy=Policy.INC_DEC_ONLY),
    "rank": integer(1, policy=Policy.SET_ONLY),
    "slow": integer(50, 0, 100, max_step=5),
    "stiff": integer(50, 0, 100, max_step=5, clamp=False),
    "lit": boolean(),
    "fixed": integer(3, readonly=True),
    "plot": replace(string("the mayor"), secret=True),
    "double": integer(0, derived="hp * 2"),
    "time": CLOCK,
    "bag": listing(string(max_length=10), "watch", "knife", max_items=3),
    "pack": listing(record(id=string("?"), qty=integer(1, 0, 99)), {"id": "rope", "qty": 1}),
    "people": opened(
        record(trust=integer(0, -9, 9), oath=boolean()), {"lian": {"trust": 1, "oath": False}}, 3
    ),
    "scores": opened(integer(10, 0, 20), {"a": 1}, 2),
    "maybe": replace(record(x=integer(1)), nullable=True, default={}),
    "empty_list": replace(listing(integer()), nullable=True, default=None),
    "sealed": record(open=integer(), shut=integer(7, readonly=True)),
    "vault": listing(record(open=integer(), shut=integer(7, secret=True)), {"open": 1, "shut": 8}),
}
LAYOUT = make_layout(SLOTS)
GAME = make_game(LAYOUT)


def table() -> WorkingState:
    return WorkingState(GAME, begin(GAME))
