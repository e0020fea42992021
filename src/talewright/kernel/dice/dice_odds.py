"""Dice odds: the exact distribution of a roll, and the number of ways to reach each total.

Nothing is rolled or rounded; computations that would take too long are refused. Totals are encoded as the
digits of one large integer, so that a single multiplication adds every total of one side to every total of
the other.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import accumulate, repeat
from math import comb, gcd, sqrt
from typing import TypeAlias, assert_never

from talewright.common.frozen_values import frozen
from talewright.kernel.dice.dice_tree import (
    NO_FACES,
    Dice,
    DiceError,
    DicePart,
    Group,
    Labelled,
    NegativePart,
    NumberPart,
    Operator,
    Pair,
    Pool,
    PoolRules,
)

Ways: TypeAlias = Mapping[int, int]
"""Totals, each with the number of ways to reach it."""

LONG_BITS_MAX = 2**23
"""Bits of one large integer; a multiplication with a result of this length takes about a second."""

RANK_STEPS_MAX = 2**31
"""Digit products that ranking the dice of one pool may take."""

PAIR_BITS_MAX = 2**27
"""Total size in bits of all pairs, when two sides are combined pair by pair."""

_PAIR_BITS_LEAST = 64
"""Minimum weight of a pair, however small its numbers are."""

_DIGIT_BITS = 30
"""Bits per digit of a Python integer, the unit of multiplication."""


class TooManyWaysError(ValueError):
    """The computation would exceed a limit."""


def pool_ways(pool: Pool) -> Ways:
    """The ways of one pool."""
    first, last = (-1, 1) if pool.fate else (1, pool.sides)
    rules = pool.rules or PoolRules(NO_FACES, NO_FACES, 0, first, last, 0, 0, None, only_drops=True)
    ranked = bool(rules.drop_high or rules.drop_low)
    die = _die_ways(range(first, last + 1), rules, ranked)
    return _keep_some(die, pool.count, rules) if ranked else _keep_all(die[0], pool.count)


def sum_ways(left: Ways, right: Ways) -> Ways:
    """The ways of the sum of two independent sides."""
    span = _span(left) + _span(right)
    if len(left) * len(right) <= span + 1:
        return pair_ways(left, right, int.__add__)
    width = _place_bytes(sum(left.values()) * sum(right.values()), span)
    return _unpack(_pack(left, width) * _pack(right, width), min(left) + min(right), width)


def pair_ways(left: Ways, right: Ways, make: Callable[[int, int], int]) -> Ways:
    """The ways of a combination of two independent sides, computed pair by pair."""
    _check_pairs(len(left) * len(right), sum(left.values()) * sum(right.values()))
    found: defaultdict[int, int] = defaultdict(int)
    for total, ways in left.items():
        for other, other_ways in right.items():
            found[make(total, other)] += ways * other_ways
    return found


def _die_ways(faces: range, rules: PoolRules, ranked: bool) -> dict[int, Ways]:
    """The ways of one die by score, grouped by its value; without ranks all under 0.

    The score is what the die adds to the total: its value, or its number of successes.
    """
    stop: defaultdict[tuple[int, int], int] = defaultdict(int)
    go_on: defaultdict[tuple[int, int], int] = defaultdict(int)
    again = len(rules.reroll)
    stand = len(faces) if again else 1
    for face in faces:
        worth = min(max(face, rules.least), rules.most)
        score = worth if rules.success is None else int(worth in rules.success)
        # With a reroll there are sides * sides ways: either the first face counts, whatever the second would
        # have been, or the second one does.
        ways = again + (0 if face in rules.reroll else stand)
        (go_on if face in rules.explode else stop)[worth if ranked else 0, score] += ways
    die = _explode(stop, go_on, rules.explosions)
    by_value: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for (value, score), ways in die.items():
        by_value[value][score] = ways
    return dict(by_value)


def _explode(
    stop: Mapping[tuple[int, int], int], go_on: Mapping[tuple[int, int], int], explosions: int
) -> Mapping[tuple[int, int], int]:
    """The ways of a die by (value, score), if some faces add another, up to `explosions` times."""
    once = every = sum(stop.values()) + sum(go_on.values())
    die = defaultdict(int, stop)
    for key, ways in go_on.items():
        die[key] += ways
    pairs = 0
    for _ in range(explosions):
        pairs += len(go_on) * len(die)
        _check_pairs(pairs, every)
        longer = defaultdict(int, {key: ways * every for key, ways in stop.items()})
        for (value, score), ways in go_on.items():
            for (more_value, more_score), more_ways in die.items():
                longer[value + more_value, score + more_score] += ways * more_ways
        die = longer
        every *= once
    return die


def _keep_all(scores: Ways, count: int) -> Ways:
    width = _place_bytes(sum(scores.values()) ** count, _span(scores) * count)
    return _unpack(_pack(scores, width) ** count, min(scores) * count, width)


def _keep_some(die: Mapping[int, Ways], count: int, rules: PoolRules) -> Ways:
    """The ways of the dice that are kept, going through the values of a die from one end.

    `begun[n]` holds the ways of having placed n dice on the values so far. When a value fills the last kept
    rank, the remaining dice may be there or anywhere beyond, and those ways are complete.
    """
    values = sorted(die, reverse=True)
    skip, end = rules.drop_high, count - rules.drop_low
    if count - skip < end:
        values.reverse()
        skip, end = count - end, count - skip
    low = min(min(scores) for scores in die.values())
    span = (max(max(scores) for scores in die.values()) - low) * (end - skip)
    beyond = sum(sum(scores.values()) for scores in die.values())
    width = _place_bytes(beyond**count, span)
    digits = 8 * width // _DIGIT_BITS + 1
    if len(values) * (end * (end + 1) // 2) * (span + 1) * digits**2 > RANK_STEPS_MAX:
        raise TooManyWaysError
    done = 0
    begun = [1] + [0] * (end - 1)
    for value in values:
        scores = die[value]
        here = sum(scores.values())
        beyond -= here
        kept = _powers(_pack(scores, width), end - skip)
        shift = 8 * width * (min(scores) - low)
        passed = [0] * end
        for placed, ways in enumerate(begun):
            left = count - placed
            for more in range(end - placed):
                counted = max(placed + more, skip) - max(placed, skip)
                factor = comb(left, more) * here ** (more - counted) * kept[counted]
                passed[placed + more] += ways * factor << shift * counted
            counted = end - max(placed, skip)
            others = sum(
                comb(left, more) * here ** (more - counted) * beyond ** (left - more)
                for more in range(end - placed, left + 1)
            )
            done += ways * (others * kept[counted]) << shift * counted
        begun = passed
    return _unpack(done, low * (end - skip), width)


def _powers(base: int, most: int) -> list[int]:
    return [*accumulate(repeat(base, most), int.__mul__, initial=1)]


def _check_pairs(pairs: int, every: int) -> None:
    if pairs * max(every.bit_length(), _PAIR_BITS_LEAST) > PAIR_BITS_MAX:
        raise TooManyWaysError


def _span(ways: Ways) -> int:
    return max(ways) - min(ways)


def _place_bytes(every: int, span: int) -> int:
    """How many bytes a place needs to hold any count of ways."""
    width = (every.bit_length() + 7) // 8
    if 8 * width * (span + 1) > LONG_BITS_MAX:
        raise TooManyWaysError
    return width


def _pack(ways: Ways, width: int) -> int:
    places = [ways.get(total, 0).to_bytes(width, "little") for total in range(min(ways), max(ways) + 1)]
    return int.from_bytes(b"".join(places), "little")


def _unpack(number: int, low: int, width: int) -> Ways:
    digits = number.to_bytes((number.bit_length() // (8 * width) + 1) * width, "little")
    places = range(0, len(digits), width)
    counts = [int.from_bytes(digits[place : place + width], "little") for place in places]
    return {total: ways for total, ways in enumerate(counts, low) if ways}


@frozen
class Distribution:
    """The probability of each total."""

    weights: tuple[tuple[int, int], ...]
    """Each possible total, ascending, with its number of ways in lowest terms."""

    ways: int
    """The sum of all weights."""

    def items(self) -> tuple[tuple[int, Fraction], ...]:
        """Each possible total, ascending, with its probability."""
        return tuple((total, Fraction(weight, self.ways)) for total, weight in self.weights)

    def at_least(self, target: int) -> Fraction:
        """The probability of reaching at least the target."""
        return Fraction(sum(weight for total, weight in self.weights if total >= target), self.ways)

    @property
    def mean(self) -> Fraction:
        """The average total."""
        return Fraction(sum(total * weight for total, weight in self.weights), self.ways)

    @property
    def variance(self) -> Fraction:
        """The mean squared distance from the mean."""
        squares = Fraction(sum(total * total * weight for total, weight in self.weights), self.ways)
        return squares - self.mean**2

    @property
    def deviation(self) -> float:
        """The standard deviation: the square root of the variance."""
        return sqrt(self.variance)


def distribution(dice: Dice) -> Distribution:
    """The probability of every total."""
    try:
        ways = _count(dice.root)
    except TooManyWaysError:
        raise DiceError(
            f"the exact odds of {dice.text} take too long to work out; "
            "fewer dice, sides, explosions or products are taken",
            1,
            "Roll it many times instead to see how it falls.",
        ) from None
    common = gcd(*ways.values())
    weights = tuple((total, ways[total] // common) for total in sorted(ways))
    return Distribution(weights, sum(weight for _, weight in weights))


def _count(part: DicePart) -> Ways:
    match part:
        case Pool():
            return pool_ways(part)
        case NumberPart():
            return {part.value: 1}
        case Pair():
            return _count_pair(part.operator, _count(part.left), _count(part.right))
        case Labelled() | Group():
            return _count(part.part)
        case NegativePart():
            return _negate(_count(part.part))
        case _:
            assert_never(part)


def _count_pair(operator: Operator, left: Ways, right: Ways) -> Ways:
    # No pool occurs in a tree twice, so the two sides are always independent.
    if operator == "+":
        return sum_ways(left, right)
    if operator == "-":
        return sum_ways(left, _negate(right))
    return pair_ways(left, right, int.__mul__ if operator == "*" else int.__floordiv__)


def _negate(ways: Ways) -> Ways:
    return {-total: count for total, count in ways.items()}
