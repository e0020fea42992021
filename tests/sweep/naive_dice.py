"""Naive dice: the slow oracle. It lists every way dice can fall and shares no code with the kernel.

An expression is built here as values, written out as text for the kernel, and counted by brute force.
"""

import itertools
import math
import operator
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

EXPLOSIONS = 10
"""What the kernel's own limit is."""

Odds: TypeAlias = dict[int, Fraction]

COMPARE: dict[str, Callable[[int, int], bool]] = {
    "": operator.eq,
    "=": operator.eq,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}


@dataclass(frozen=True)
class Rule:
    """One rule as it is written: `kh3`, `ro<3`, `s>=8`."""

    name: str
    number: int | None = None
    sign: str = ""

    def __str__(self) -> str:
        return f"{self.name}{self.sign}{'' if self.number is None else self.number}"

    def fits(self, face: int) -> bool:
        assert self.number is not None
        return COMPARE[self.sign](face, self.number)


@dataclass(frozen=True)
class Dice:
    """A pool of dice."""

    count: int
    die: str
    rules: tuple[Rule, ...] = ()

    def __str__(self) -> str:
        return f"{self.count}d{self.die}{''.join(map(str, self.rules))}"

    def rule(self, *names: str) -> Rule | None:
        return next((rule for rule in self.rules if rule.name in names), None)

    @property
    def faces(self) -> Sequence[int]:
        return (-1, 0, 1) if self.die == "F" else range(1, (100 if self.die == "%" else int(self.die)) + 1)


@dataclass(frozen=True)
class Sum:
    """Two sides and the sign between them."""

    left: "Node"
    sign: str
    right: "Node"

    def __str__(self) -> str:
        return f"({self.left}){self.sign}({self.right})"


Node: TypeAlias = Dice | Sum | int


def list_dice(node: Node) -> list[Dice]:
    """The pools in reading order."""
    match node:
        case Sum(left, _, right):
            return list_dice(left) + list_dice(right)
        case Dice():
            return [node]
        case _:
            return []


def work_out(node: Node, totals: Iterator[int]) -> int:
    """The result of an expression whose pools gave these totals."""
    match node:
        case Sum(left, sign, right):
            one, other = work_out(left, totals), work_out(right, totals)
            if sign == "/":
                return math.floor(Fraction(one, other))
            return {"+": one + other, "-": one - other, "*": one * other}[sign]
        case Dice():
            return next(totals)
        case _:
            return node


def die_chances(dice: Dice) -> dict[tuple[int, int], Fraction]:
    """Every (value, successes) one die can show."""
    reroll, explode = dice.rule("ro"), dice.rule("e", "!")
    if explode is not None and explode.number is None:
        explode = Rule("e", max(dice.faces))
    least, most, success = dice.rule("mi"), dice.rule("ma"), dice.rule("s")
    one = Fraction(1, len(dice.faces))
    standing: dict[int, Fraction] = defaultdict(Fraction)
    for face in dice.faces:
        if reroll is not None and reroll.fits(face):
            for second in dice.faces:
                standing[second] += one * one
        else:
            standing[face] += one
    found: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    open_ways: dict[tuple[int, int], Fraction] = {(0, 0): Fraction(1)}
    for turn in range(EXPLOSIONS + 1):
        still_open: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for (value, hits), chance in open_ways.items():
            for face, share in standing.items():
                worth = face
                if least is not None and least.number is not None:
                    worth = max(worth, least.number)
                if most is not None and most.number is not None:
                    worth = min(worth, most.number)
                hit = int(success is not None and success.fits(worth))
                goes_on = explode is not None and explode.fits(face) and turn < EXPLOSIONS
                (still_open if goes_on else found)[value + worth, hits + hit] += chance * share
        open_ways = still_open
    return found


def count_ways(dice: Dice) -> int:
    """How many ways brute force must list for a pool."""
    return int(len(die_chances(dice)) ** roll_count(dice))


def roll_count(dice: Dice) -> int:
    """How many dice are rolled."""
    return 2 if dice.rule("adv", "dis") else dice.count


def pool_odds(dice: Dice) -> Odds:
    """Brute force over all dice of a pool."""
    chances = die_chances(dice)
    count = roll_count(dice)
    drop_low = drop_high = 0
    for rule in dice.rules:
        number = 1 if rule.number is None else rule.number
        match rule.name:
            case "kh":
                drop_low = count - number
            case "kl":
                drop_high = count - number
            case "dl" | "pl":
                drop_low = number
            case "dh" | "ph":
                drop_high = number
            case "adv":
                drop_low = 1
            case "dis":
                drop_high = 1
            case _:
                pass
    odds: Odds = defaultdict(Fraction)
    part = 1 if dice.rule("s") else 0
    for fallen in itertools.product(chances, repeat=count):
        kept = sorted(fallen, key=lambda die: die[0])[drop_low : count - drop_high]
        odds[sum(die[part] for die in kept)] += math.prod(chances[die] for die in fallen)
    return odds


def brute_force(node: Node) -> Odds:
    """The odds of an expression, from all ways its pools can come together."""
    tables = [pool_odds(dice) for dice in list_dice(node)]
    odds: Odds = defaultdict(Fraction)
    for falls in itertools.product(*(table.items() for table in tables)):
        totals = iter([total for total, _ in falls])
        odds[work_out(node, totals)] += math.prod([chance for _, chance in falls], start=Fraction(1))
    return dict(odds)
