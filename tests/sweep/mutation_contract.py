"""Mutation testing of the room `contract`: does some test of `tests/contract` notice each small mistake?"""

from tests.sweep.mutation import sweep_room
from tests.sweep.parts import Order, Outcome


def sweep(order: Order) -> Outcome:
    """The part: all mutants of the room."""
    return sweep_room("contract", order)
