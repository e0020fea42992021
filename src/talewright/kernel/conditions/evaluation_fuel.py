"""Evaluation fuel: what limits the evaluation of an expression, and the comparison of values within it.

Every element that an evaluation looks at costs fuel, so that it terminates soon for every document.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from talewright.common.json_values import Json

Document: TypeAlias = Mapping[str, Json]

Fuel: TypeAlias = list[int]
"""A one-element list: how many more elements may be looked at."""

Evaluator: TypeAlias = Callable[[Document, int, Fuel], Json]
"""A compiled tree: takes a document, the turn and the fuel."""

FUEL_MAX = 10_000
"""Elements of lists and members of objects that one evaluation may look at; beyond that it has no answer."""


class NoAnswerError(ArithmeticError):
    """The expression has no value here: the number is too large, a value is null, or the fuel ran out."""


def spend(fuel: Fuel, amount: int) -> None:
    """Use up fuel for elements looked at; raises NoAnswerError if there is too little."""
    fuel[0] -= amount
    if fuel[0] < 0:
        raise NoAnswerError


def are_equal(left: Json, right: Json, fuel: Fuel) -> bool:
    """Whether two values are the same JSON; a top-level null equals nothing, a nested null equals a null."""
    if left is None or right is None:
        return False
    pending: list[tuple[Json, Json]] = [(left, right)]
    while pending:
        one, other = pending.pop()
        if isinstance(one, dict) and isinstance(other, dict):
            if one.keys() != other.keys():
                return False
            spend(fuel, len(one))
            pending.extend((one[key], other[key]) for key in one)
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            spend(fuel, len(one))
            pending.extend(zip(one, other, strict=True))
        elif one != other or isinstance(one, bool) is not isinstance(other, bool):
            return False
    return True
