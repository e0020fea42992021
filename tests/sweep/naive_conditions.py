"""The naive oracle of expressions: a slow, plain evaluator that shares no code with the kernel's own.

It walks the generator's own trees, never the kernel's, and rounds exact fractions at the end.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, cast

from talewright.common.json_values import Json
from talewright.kernel.slots.slot_types import Layout, Slot, SlotKind, default_of

Program: TypeAlias = tuple[Any, ...]
"""A tree as nested tuples: a word or sign first, then its parts."""

FUEL = 10_000
LARGEST = 2**53 - 1
NANOS = 10**9


class NoAnswerError(Exception):
    """There is none."""


@dataclass
class Oracle:
    """One evaluation."""

    layout: Layout
    document: Mapping[str, Json]
    turn: int
    fuel: int = FUEL

    def ask(self, program: Program) -> Json:
        """What a program gives; None for null."""
        word, *parts = program
        if word == "literal":
            return cast(Json, parts[0])
        if word == "path":
            return self.read(parts[0])
        if word == "turn":
            return self.turn
        if word in ("and", "or"):
            return self.join(word, parts)
        if word == "not":
            return not self.truth(parts[0])
        if word == "negative":
            return rounded(-exact(self.number(parts[0])))
        if word in ("+", "-", "*", "/"):
            return reckon(word, exact(self.number(parts[0])), exact(self.number(parts[1])))
        if word in ("==", "!="):
            one, other = self.ask(parts[0]), self.ask(parts[1])
            return self.equal(one, other) is (word == "==")
        if word in ("<", "<=", ">", ">="):
            return ordered(word, self.number(parts[0]), self.number(parts[1]))
        return self.call(word, parts)

    def join(self, word: str, parts: list[Program]) -> bool:
        """Left to right, stopping early."""
        for part in parts:
            truth = self.truth(part)
            if word == "and" and not truth:
                return False
            if word == "or" and truth:
                return True
        return word == "and"

    def call(self, word: str, parts: list[Program]) -> Json:
        """The functions, and `in`."""
        if word == "min":
            return sorted((self.number(part) for part in parts), key=exact)[0]
        if word == "max":
            return sorted((self.number(part) for part in parts), key=exact)[-1]
        if word == "len":
            held = self.ask(parts[0])
            return len(held) if isinstance(held, list | dict | str) else 0
        if word == "count":
            return self.count(parts[0], parts[1])
        if word == "has":
            return self.count(parts[0], parts[1]) >= 1
        if word == "in":
            return self.count(parts[1], parts[0]) >= 1
        assert word == "not in"
        return self.count(parts[1], parts[0]) == 0

    def count(self, holder: Program, sought: Program) -> int:
        """How many elements are equal, or whether a key is there."""
        held, value = self.ask(holder), self.ask(sought)
        if held is None:
            return 0
        if isinstance(held, dict):
            return 1 if value in held else 0
        assert isinstance(held, list)
        self.spend(len(held))
        found = 0
        for element in held:
            if self.equal(element, value):
                found += 1
        return found

    def number(self, program: Program) -> int | float:
        """A number, or no answer."""
        value = self.ask(program)
        if value is None:
            raise NoAnswerError
        assert isinstance(value, int | float)
        return value

    def truth(self, program: Program) -> bool:
        """A truth; null is none."""
        return self.ask(program) is True

    def equal(self, one: Json, other: Json) -> bool:
        """Nothing equals null."""
        return one is not None and other is not None and self.same(one, other)

    def same(self, one: Json, other: Json) -> bool:
        """Equal as JSON, looked at from the last element to the first."""
        if isinstance(one, dict) and isinstance(other, dict):
            if set(one) != set(other):
                return False
            self.spend(len(one))
            return all(self.same(one[key], other[key]) for key in reversed(list(one)))
        if isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            self.spend(len(one))
            return all(self.same(one[index], other[index]) for index in reversed(range(len(one))))
        numbers = (int, float)
        if type(one) in numbers and type(other) in numbers:
            return one == other
        return type(one) is type(other) and one == other

    def spend(self, amount: int) -> None:
        """Fuel."""
        self.fuel = self.fuel - amount
        if self.fuel < 0:
            raise NoAnswerError

    def read(self, path: tuple[str, ...]) -> Json:
        """What stands there, the default where nothing does, null where even that is nothing."""
        value: Json = dict(self.document)
        for length in range(1, len(path) + 1):
            slot = self.layout.find(path[:length])
            assert slot
            value = step(value, path[length - 1], slot, self.layout.find(path[: length - 1]))
        assert slot
        if value is not None and not fits(value, slot.kind):
            value = default_of(slot)
        return value if fits(value, slot.kind) else None


def step(value: Json, key: str, slot: Slot, above: Slot | None) -> Json:
    """One key further."""
    if above is not None and above.kind is SlotKind.LIST:
        if isinstance(value, list) and int(key) < len(value):
            return cast(Json, value[int(key)])
    elif isinstance(value, dict) and key in value:
        return cast(Json, value[key])
    return default_of(slot)


def fits(value: Json, kind: SlotKind) -> bool:
    """Whether a value is of a kind."""
    if kind in (SlotKind.INTEGER, SlotKind.NUMBER):
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind in (SlotKind.ENUM, SlotKind.STRING):
        return isinstance(value, str)
    if kind is SlotKind.BOOLEAN:
        return isinstance(value, bool)
    return isinstance(value, list if kind is SlotKind.LIST else dict)


def exact(number: int | float) -> Fraction:
    """A number without any rounding."""
    return Fraction(number)


def rounded(result: Fraction) -> int | float:
    """The nearest number there is, with nine decimal places at most."""
    if result.denominator == 1:
        whole = result.numerator
    else:
        try:
            nearest = float(result)
        except OverflowError:
            raise NoAnswerError from None
        # A fraction rounds half to even; of the result nine decimal places are kept.
        kept = Fraction(round(Fraction(nearest) * NANOS), NANOS)
        if kept.denominator != 1:
            return float(kept)
        whole = kept.numerator
    if abs(whole) > LARGEST:
        raise NoAnswerError
    return whole


def reckon(sign: str, one: Fraction, other: Fraction) -> int | float:
    """Arithmetic."""
    if sign == "+":
        return rounded(one + other)
    if sign == "-":
        return rounded(one - other)
    if sign == "*":
        return rounded(one * other)
    if other == 0:
        raise NoAnswerError
    return rounded(one / other)


def ordered(sign: str, one: int | float, other: int | float) -> bool:
    """Order."""
    if sign in ("<", ">="):
        return (exact(one) < exact(other)) == (sign == "<")
    return (exact(one) > exact(other)) == (sign == ">")
