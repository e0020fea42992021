"""Programs: random expressions, as trees for the oracle and as the text that means them.

The text is written with no more brackets than needed, or with more, and with any spacing and quotes.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from talewright.kernel.slots.slot_types import Slot, SlotKind
from tests.sweep.naive_conditions import Program
from tests.sweep.worlds import EDGE_NUMBERS, MEMBERS, TEXTS, World

NUMERIC: Final = (SlotKind.INTEGER, SlotKind.NUMBER)
TEXTUAL: Final = (SlotKind.ENUM, SlotKind.STRING)
BOOLEAN: Final = (SlotKind.BOOLEAN,)
ALIKE: Final = (NUMERIC, BOOLEAN, TEXTUAL, (SlotKind.LIST,), (SlotKind.OBJECT,))
"""Kinds that may be compared with one another."""

STRENGTH: Final = {"or": 1, "and": 2, "not": 3, "+": 5, "-": 5, "*": 6, "/": 6, "negative": 7}
COMPARING: Final = ("==", "!=", "<", "<=", ">", ">=", "in", "not in")
CALLED: Final = ("len", "count", "min", "max", "has")
BLANKS: Final = (" ", " ", " ", "  ", "\t", "\n", "\r\n ")


@dataclass(frozen=True, slots=True)
class Writer:
    """Makes well-typed programs for one world."""

    rng: random.Random
    world: World

    def write(self, kinds: tuple[SlotKind, ...], depth: int) -> Program:
        """A program that gives a value of one of some like kinds."""
        if kinds == NUMERIC:
            return self.number(depth)
        if kinds == BOOLEAN:
            return self.boolean(depth)
        return self.leaf(kinds)

    def leaf(self, kinds: tuple[SlotKind, ...]) -> Program:
        """A path or something written out; lists and objects can only be read."""
        place = self.world.choose(self.rng, *kinds)
        if place and (kinds in ((SlotKind.LIST,), (SlotKind.OBJECT,)) or self.rng.random() < 0.75):
            return "path", place[0]
        if kinds == NUMERIC:
            return self.number(0)
        if kinds == TEXTUAL:
            return "literal", self.rng.choice(TEXTS)
        return "literal", self.rng.random() < 0.5

    def number(self, depth: int) -> Program:
        """A program that gives a number."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.3:
            place = self.world.choose(rng, *NUMERIC)
            if place and rng.random() < 0.6:
                return "path", place[0]
            if rng.random() < 0.1:
                return ("turn",)
            plain = (
                abs(rng.choice(EDGE_NUMBERS))
                if rng.random() < 0.05
                else rng.choice((0, 1, 2, 3, 5, 100, 2.5))
            )
            return "literal", plain
        match rng.randrange(8):
            case 0:
                return "negative", self.number(depth - 1)
            case 1:
                return rng.choice(("min", "max")), *(
                    self.number(depth - 2) for _ in range(rng.randrange(2, 4))
                )
            case 2:
                place = self.world.choose(rng, SlotKind.LIST, SlotKind.OBJECT, *TEXTUAL)
                return ("len", ("path", place[0])) if place else ("len", ("literal", rng.choice(TEXTS)))
            case 3:
                place = self.world.choose(rng, SlotKind.LIST)
                return ("count", ("path", place[0]), self.sought(place[1], depth)) if place else ("turn",)
            case _:
                return rng.choice("+-*/"), self.number(depth - 1), self.number(depth - 1)

    def boolean(self, depth: int) -> Program:
        """A program that gives true or false."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.1:
            place = self.world.choose(rng, SlotKind.BOOLEAN)
            return ("path", place[0]) if place and rng.random() < 0.9 else ("literal", rng.random() < 0.5)
        match rng.randrange(10):
            case 0 | 1:
                return "not", self.boolean(depth - 1)
            case 2 | 3 | 4:
                return rng.choice(("and", "or")), *(
                    self.boolean(depth - 1) for _ in range(rng.randrange(2, 5))
                )
            case 5 | 6:
                return rng.choice(("<", "<=", ">", ">=")), self.number(depth - 1), self.number(depth - 1)
            case 7:
                return self.search(depth)
            case _:
                return self.equality(depth)

    def equality(self, depth: int) -> Program:
        """Two values of one type held against each other."""
        kinds = self.rng.choice(ALIKE)
        place = self.world.choose(self.rng, *kinds)
        if place is None:
            return self.boolean(depth - 1)
        one: Program = ("path", place[0])
        other = self.partner(place[1], depth) if self.rng.random() < 0.5 else self.write(kinds, depth - 1)
        if other[0] == "literal" and place[1].kind is SlotKind.ENUM:
            other = "literal", self.rng.choice(place[1].enum_values)
        pair = (one, other) if self.rng.random() < 0.7 else (other, one)
        return self.rng.choice(("==", "!=")), *pair

    def search(self, depth: int) -> Program:
        """Something looked for in a list or an object."""
        place = self.world.choose(self.rng, SlotKind.LIST, SlotKind.OBJECT)
        if place is None:
            return self.boolean(depth - 1)
        holder: Program = ("path", place[0])
        sought = self.sought(place[1], depth)
        word = self.rng.choice(("has", "in", "not in"))
        return (word, holder, sought) if word == "has" else (word, sought, holder)

    def sought(self, holder: Slot, depth: int) -> Program:
        """Something that could be in a list, or be a key of an object."""
        if holder.element:
            return self.partner(holder.element, depth)
        if self.rng.random() < 0.2 and (place := self.world.choose(self.rng, *TEXTUAL)):
            return "path", place[0]
        return "literal", self.rng.choice((*MEMBERS, *TEXTS) if holder.values else tuple(holder.fields))

    def partner(self, slot: Slot, depth: int) -> Program:
        """A value of the type of a slot, and one that it could have."""
        kinds = next(alike for alike in ALIKE if slot.kind in alike)
        if slot.kind is SlotKind.ENUM and self.rng.random() < 0.7:
            return "literal", self.rng.choice(slot.enum_values)
        written = self.write(kinds, depth - 2)
        if slot.kind is SlotKind.ENUM and written[0] == "literal":
            return "literal", self.rng.choice(slot.enum_values)
        return written

    def crowd(self, name: str, slot: Slot, looks: int) -> Program:
        """A program that looks so often at all elements of a list."""
        sought = (self.sought(slot, 0) for _ in range(looks))
        parts = (("<=", ("literal", 0), ("count", ("path", (name,)), one)) for one in sought)
        return "and", *parts, ("literal", True)

    def nonsense(self) -> Program:
        """A program that means nothing, within one that would."""
        rng = self.rng
        number, boolean, text = self.number(1), self.boolean(1), self.leaf(TEXTUAL)
        unlike = rng.sample((number, boolean, text), 2)
        broken: Program = rng.choice(
            (
                (rng.choice("+-*/"), *rng.choice(((number, text), (boolean, number), (text, text)))),
                (rng.choice(("and", "or")), boolean, rng.choice((number, text))),
                ("not", rng.choice((number, text))),
                ("negative", rng.choice((boolean, text))),
                (rng.choice(("==", "!=")), *unlike),
                (rng.choice(("<", "<=", ">", ">=")), *rng.choice((unlike, (text, text), (boolean, boolean)))),
                ("len", rng.choice((number, boolean))),
                (rng.choice(("min", "max")), number),
                (rng.choice(("min", "max")), number, boolean),
                (rng.choice(("has", "count")), *unlike),
                ("path", ("nowhere",)),
                ("path", (*rng.choice(self.world.places)[0], "no where")),
            )
        )
        if rng.random() < 0.5:
            broken = rng.choice(("and", "or")), self.boolean(1), broken
        return broken


def nodes_in(program: Program) -> int:
    """How many nodes a program has."""
    return 1 + sum(nodes_in(part) for part in program[1:] if program[0] not in ("literal", "path"))


def render(rng: random.Random, program: Program, around: int = 0) -> str:
    """The text of a program, where the sign around it binds so strongly."""
    word, *parts = program
    strength = 4 if word in COMPARING else STRENGTH.get(word, 9)
    text = _render_bare(rng, word, parts, strength)
    if strength < around or rng.random() < 0.05:
        return f"({_blank(rng)}{text}{_blank(rng)})"
    return text


def reads_of(program: Program) -> Iterator[tuple[str, ...]]:
    """The paths in a program."""
    word, *parts = program
    if word == "path":
        yield parts[0]
    elif word == "turn":
        yield ("turn",)
    elif word != "literal":
        for part in parts:
            yield from reads_of(part)


def _render_bare(rng: random.Random, word: str, parts: list[Program], strength: int) -> str:
    if word == "literal":
        return _render_literal(rng, parts[0])
    if word == "path":
        return ".".join(parts[0])
    if word == "turn":
        return "turn"
    if word == "not":
        return f"not{_gap(rng)}{render(rng, parts[0], strength)}"
    if word == "negative":
        return f"-{_blank(rng)}{render(rng, parts[0], strength)}"
    if word in CALLED:
        inner = f"{_blank(rng)},{_blank(rng)}".join(render(rng, part) for part in parts)
        return f"{word}{_blank(rng)}({_blank(rng)}{inner}{_blank(rng)})"
    # A chain of one word is one junction; a sum within a sum needs brackets only on the right.
    tight = [strength + 1] * len(parts)
    if word in "+-*/":
        tight[0] = strength
    sides = [render(rng, part, around) for part, around in zip(parts, tight, strict=True)]
    spaced = f"{_gap(rng)}{word}{_gap(rng)}" if word.isidentifier() else f"{_blank(rng)}{word}{_blank(rng)}"
    return (f"{_gap(rng)}not{_gap(rng)}in{_gap(rng)}" if word == "not in" else spaced).join(sides)


def _render_literal(rng: random.Random, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.1100f}".rstrip("0")
    if isinstance(value, int):
        return f"{value}.0" if rng.random() < 0.1 else str(value)
    text = str(value).replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
    quote = rng.choice("\"'")
    return quote + text.replace(quote, "\\" + quote) + quote


def _blank(rng: random.Random) -> str:
    return rng.choice(("", "", _gap(rng)))


def _gap(rng: random.Random) -> str:
    return rng.choice(BLANKS)
