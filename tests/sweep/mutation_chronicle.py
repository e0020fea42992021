"""Mutation testing of the room `chronicle`: does some test of `tests/chronicle` notice each small mistake?"""

from tests.sweep.mutation import sweep_room
from tests.sweep.parts import Order, Outcome


def sweep(order: Order) -> Outcome:
    """The part: all mutants of the room."""
    return sweep_room("chronicle", order)
