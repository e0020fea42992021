"""Dice parser: turns a text into a dice tree, or an error that says what is accepted.

Nothing is rolled here, and parsing takes time linear in the length of the text.

    sum     = product { ("+" | "-") product }
    product = signed { ("*" | "/") signed }
    signed  = ("-" | "+") signed | part [ "[" label "]" ]
    part    = number | pool | "(" sum ")"
    pool    = [ count ] "d" ( sides | "%" | "F" ) { rule }
    rule    = ("kh" | "kl" | "dh" | "dl") [ count ] | "adv" | "dis" | "ro" test
            | ("e" | "!") [ test ] | "mi" number | "ma" number | "s" comparison number
    test    = [ comparison ] number
"""

import re
from collections.abc import Collection

from talewright.kernel.dice.dice_pool_parser import read_pool, read_whole
from talewright.kernel.dice.dice_tree import (
    DEFAULT_LIMITS,
    Dice,
    DiceError,
    DiceLimits,
    DicePart,
    Group,
    Labelled,
    NegativePart,
    NumberPart,
    Operator,
    Pair,
    Pool,
)

EXAMPLES = "2d6+3, 4d6kh3, d20adv, 6d10s>=8, 4dF, (d8+1)*2 or 2d6[fire]"
"""Examples of rolls, for messages about invalid ones."""

_GAPS = frozenset(" \t")
_SUM_SIGNS: dict[str, Operator] = {"+": "+", "-": "-"}
_PRODUCT_SIGNS: dict[str, Operator] = {"*": "*", "/": "/"}
_DIGITS = re.compile(r"[0-9]+")
_LABEL = re.compile(r"[ \t]*\[([^\[\]]*)(\]?)")


def parse(
    text: str, limits: DiceLimits = DEFAULT_LIMITS, allowed: Collection[int | str] | None = None
) -> Dice:
    """Parse a roll. `allowed` lists the dice of a game by sides, or `"F"`; None allows any die."""
    if len(text) > limits.length:
        raise DiceError(f"a roll has at most {limits.length} characters, not {len(text)}", limits.length + 1)
    reader = _Reader(text, limits, allowed)
    root = reader.read_sum()
    reader.expect_end()
    return Dice(text, root, tuple(reader.pools))


class _Reader:
    """Parses one text in a single pass from left to right."""

    __slots__ = ("allowed", "depth", "dice", "limits", "pools", "position", "text")

    def __init__(self, text: str, limits: DiceLimits, allowed: Collection[int | str] | None) -> None:
        self.text = text
        self.limits = limits
        self.allowed = allowed
        self.position = 0
        self.depth = 0
        self.dice = 0
        self.pools: list[Pool] = []

    def read_sum(self) -> DicePart:
        part = self._read_product()
        while True:
            sign = _SUM_SIGNS.get(self._peek())
            if sign is None:
                return part
            column = self._step()
            part = self._pair(sign, part, self._read_product(), column)

    def expect_end(self) -> None:
        character = self._peek()
        if not character:
            return
        if character in "<>=":
            raise self._error("a roll compares nothing by itself; to count successes write 6d6s>=5")
        if character == ")":
            raise self._error("this ) closes nothing; each ) needs a ( before it")
        raise self._error(
            f"{character!r} is not expected here: after dice come rules, + - * / or the end, and words stand "
            f"in [ ], as in {EXAMPLES}"
        )

    def _read_product(self) -> DicePart:
        part = self._read_signed()
        while True:
            sign = _PRODUCT_SIGNS.get(self._peek())
            if sign is None:
                return part
            column = self._step()
            part = self._pair(sign, part, self._read_signed(), column)

    def _read_signed(self) -> DicePart:
        sign = self._peek()
        if sign not in _SUM_SIGNS:
            return self._read_part(sign)
        self._enter()
        part = self._read_signed()
        self.depth -= 1
        return NegativePart(part, -part.high, -part.low) if sign == "-" else part

    def _read_part(self, character: str) -> DicePart:
        start = self.position
        part: DicePart
        if character == "(":
            part = self._read_group()
        elif found := read_pool(self.text, start, self.limits, self.allowed):
            part, self.position = found
            self._count_dice(part, start + 1)
        elif digits := _DIGITS.match(self.text, start):
            part = NumberPart(read_whole(digits[0], start + 1, self.limits))
            self.position = digits.end()
        else:
            raise self._error(f"here a number, dice or ( is expected, as in {EXAMPLES}")
        self._keep_bounds(part.low, part.high, start + 1)
        label = _LABEL.match(self.text, self.position)
        return part if label is None else self._read_label(part, label)

    def _read_group(self) -> DicePart:
        opened = self._enter()
        part = self.read_sum()
        if self._peek() != ")":
            raise self._error(f"the ( at column {opened} needs its ) here")
        self.position += 1
        self.depth -= 1
        return Group(part, part.low, part.high)

    def _read_label(self, part: DicePart, match: re.Match[str]) -> DicePart:
        label = match[1].strip()
        column = match.start(1)
        if not match[2]:
            raise DiceError("the [ of this label needs its ]", column)
        if not label or len(label) > self.limits.label or not label.isprintable():
            raise DiceError(f"a label is 1 to {self.limits.label} printable characters: 2d6[fire]", column)
        self.position = match.end()
        return Labelled(part, label, part.low, part.high)

    def _pair(self, operator: Operator, left: DicePart, right: DicePart, column: int) -> Pair:
        a, b, c, d = left.low, left.high, right.low, right.high
        if operator == "+":
            low, high = a + c, b + d
        elif operator == "-":
            low, high = a - d, b - c
        elif operator == "*":
            corners = (a * c, a * d, b * c, b * d)
            low, high = min(corners), max(corners)
        elif c <= 0 <= d:
            raise DiceError(f"what divides must never be 0; this may lie between {c} and {d}", column)
        else:
            corners = (a // c, a // d, b // c, b // d)
            low, high = min(corners), max(corners)
        self._keep_bounds(low, high, column)
        return Pair(operator, left, right, low, high)

    def _keep_bounds(self, low: int, high: int, column: int) -> None:
        limit = self.limits.result
        if low < -limit or high > limit:
            far = high if high > limit else low
            raise DiceError(f"a result lies between -{limit} and {limit}; this may reach {far}", column)

    def _count_dice(self, pool: Pool, column: int) -> None:
        self.pools.append(pool)
        self.dice += pool.count
        if self.dice > self.limits.dice:
            raise DiceError(f"a roll has at most {self.limits.dice} dice, not {self.dice}", column)

    def _enter(self) -> int:
        """Skip a sign or an opening parenthesis, count one more level, and return its column."""
        self.depth += 1
        if self.depth > self.limits.depth:
            raise self._error(f"signs and parentheses stand at most {self.limits.depth} deep")
        return self._step()

    def _step(self) -> int:
        self.position += 1
        return self.position

    def _peek(self) -> str:
        """The next character that is not a blank; empty at the end."""
        text = self.text
        while (character := text[self.position : self.position + 1]) in _GAPS:
            self.position += 1
        return character

    def _error(self, message: str) -> DiceError:
        return DiceError(message, self.position + 1)
