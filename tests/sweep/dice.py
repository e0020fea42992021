"""Dice: for 300 expressions, exact odds against brute force where feasible, else against many rolls.

Part of the list is written by hand, the rest is made from a fixed seed, so that it is always the same list.
"""

import math
import random
from collections.abc import Callable

from talewright.kernel.chance import Fate
from talewright.kernel.dice.dice_odds import Distribution, distribution
from talewright.kernel.dice.dice_parser import parse
from talewright.kernel.dice.dice_rolls import roll
from tests.sweep.naive_dice import Dice, Node, Rule, Sum, brute_force, count_ways, list_dice

FULL_COUNT = 300
"""Expressions."""

CHUNK = 10
"""Consecutive seeds take consecutive tens of the list."""

ROLLS = 100_000
"""Rolls of an expression that brute force cannot list."""

SIGMAS = 4.0
"""How far from its expectation an average of rolls may lie."""

WAYS_MAX = 20_000
"""Ways that brute force lists for one expression."""

KEEP_HIGH, KEEP_LOW = Rule("kh", 3), Rule("kl", 2)
DICE = (*("2", "3", "4", "6", "8", "10", "12", "20", "%", "F"), "7", "100", "1000")

BY_HAND: tuple[Node, ...] = (
    *(Dice(1, die) for die in DICE),
    *(
        Dice(count, die)
        for count, die in ((2, "6"), (3, "6"), (4, "F"), (2, "%"), (5, "4"), (20, "6"), (100, "6"))
    ),
    *(Dice(1, die, (Rule(name),)) for die in ("20", "6", "F", "%") for name in ("adv", "dis")),
    *(Dice(4, "6", (rule,)) for rule in (KEEP_HIGH, KEEP_LOW, Rule("dl", 1), Rule("dh", 1), Rule("kh"))),
    *(Dice(4, "F", (rule,)) for rule in (KEEP_HIGH, KEEP_LOW, Rule("pl", 1), Rule("ph", 2), Rule("kl"))),
    *(Dice(count, "6", (Rule("dh", 1), Rule("dl", 1))) for count in (3, 4, 5, 12)),
    *(Dice(10, "10", (Rule(name, 3),)) for name in ("kh", "kl", "dh", "dl")),
    *(Dice(5, die, (Rule("kh", 4),)) for die in ("2", "3", "4", "F")),
    *(Dice(count, "6", (Rule("e", 6),)) for count in (1, 2, 3, 6)),
    *(Dice(1, die, (Rule("!"),)) for die in ("2", "6", "20", "F")),
    *(
        Dice(2, "6", (Rule("e", number, sign),))
        for number, sign in ((5, ">="), (3, "<"), (2, "<="), (1, "="))
    ),
    *(Dice(count, "6", (Rule("ro", 1),)) for count in (1, 2, 4)),
    *(
        Dice(2, "6", (Rule("ro", number, sign),))
        for number, sign in ((3, "<"), (4, ">"), (2, "<="), (5, ">="))
    ),
    *(Dice(count, "10", (Rule("s", 8, ">="),)) for count in (1, 3, 4, 12)),
    *(Dice(4, "6", (Rule("s", number, sign),)) for number, sign in ((6, "="), (3, "<"), (5, ">"), (2, "<="))),
    *(Dice(3, "6", (Rule(name, number),)) for name, number in (("mi", 2), ("ma", 5), ("mi", 6), ("ma", 1))),
    Dice(4, "F", (Rule("s", 0, ">="),)),
    Dice(3, "F", (Rule("ro", -1, "="), Rule("mi", 0))),
    Dice(3, "6", (Rule("e", 6), Rule("kh", 2))),
    Dice(3, "4", (Rule("kl", 1), Rule("e", 4), Rule("ro", 1))),
    Dice(4, "10", (Rule("e", 10), Rule("s", 8, ">="))),
    Dice(2, "10", (Rule("s", 5, ">"), Rule("e", 10), Rule("kh", 1), Rule("ro", 1))),
    Dice(3, "6", (Rule("mi", 2), Rule("ma", 5), Rule("ro", 3), Rule("e", 6), Rule("dh", 1))),
    Sum(Dice(2, "6"), "+", 3),
    Sum(Dice(2, "6"), "-", Dice(1, "8")),
    Sum(Dice(1, "6"), "*", Dice(1, "6")),
    Sum(Dice(1, "20"), "/", Dice(1, "4")),
    Sum(Sum(0, "-", Dice(2, "8")), "/", 3),
    Sum(Dice(4, "F"), "*", Dice(4, "F")),
    Sum(Sum(Dice(1, "6"), "-", 7), "/", Dice(2, "4")),
    Sum(Sum(Dice(1, "6"), "*", 1000), "+", Dice(1, "6")),
    Sum(Sum(Dice(1, "20", (Rule("adv"),)), "+", 5), "+", Sum(Dice(1, "4"), "-", 1)),
    Sum(Dice(1, "1000"), "*", Dice(1, "100")),
    Sum(7, "-", 9),
)


def run(count: int, seed: int, progress: Callable[[int], None] | None = None) -> int:
    """Check `count` expressions, those that belong to the seed; rolls differ from seed to seed."""
    for done in range(count):
        number = (seed * CHUNK + done) % FULL_COUNT
        check(EXPRESSIONS[number], f"seed {seed}, expression {number}", ROLLS, WAYS_MAX)
        if progress is not None:
            progress(done + 1)
    return count


def check(node: Node, where: str, rolls: int, ways_max: int) -> None:
    """Hold the exact odds of an expression against brute force, or else against rolls."""
    text = str(node)
    odds = distribution(parse(text))
    assert sum(weight for _, weight in odds.weights) == odds.ways, f"{where}: {text}"
    if math.prod(map(count_ways, list_dice(node))) <= ways_max:
        assert dict(odds.items()) == brute_force(node), f"{where}: {text}"
    else:
        _check_rolls(text, odds, where, rolls)


def _check_rolls(text: str, odds: Distribution, where: str, rolls: int) -> None:
    dice = parse(text)
    fate = Fate(where.encode(), 0)
    possible = {total for total, _ in odds.weights}
    middle = math.ceil(odds.mean)
    added = above = 0
    for _ in range(rolls):
        total = roll(dice, fate).total
        assert total in possible, f"{where}: {text} cannot give {total}"
        added += total
        above += total >= middle
    distance = abs(added / rolls - odds.mean) * math.sqrt(rolls)
    assert distance <= SIGMAS * odds.deviation, f"{where}: {text} averages {added / rolls}, not {odds.mean}"
    share = float(odds.at_least(middle))
    distance = abs(above / rolls - share) * math.sqrt(rolls)
    told = f"{where}: {text} gives {middle} or more with {above / rolls}, not {share}"
    assert distance <= SIGMAS * math.sqrt(share * (1 - share)), told


def _make_node(rng: random.Random, depth: int) -> Node:
    if depth == 0 or rng.random() < 0.45:
        return _make_dice(rng)
    left, right = _make_node(rng, depth - 1), _make_node(rng, depth - 1)
    sign = rng.choice("++--*/")
    if sign == "/":
        # What divides must not be zero: a pool that counts from one, or a number.
        right = rng.choice((rng.choice((-3, -2, 2, 3, 10)), Dice(rng.randint(1, 2), rng.choice("468"))))
    elif rng.random() < 0.3:
        right = rng.randint(0, 12)
    return Sum(left, sign, right)


def _make_dice(rng: random.Random) -> Dice:
    die = rng.choice(("2", "3", "4", "6", "6", "8", "10", "20", "F"))
    count = rng.randint(1, 5)
    faces = Dice(1, die).faces
    rules = []
    if rng.random() < 0.4 and count > 1:
        rules.append(Rule(rng.choice(("kh", "kl", "dh", "dl")), rng.randint(1, count - 1)))
    if rng.random() < 0.25:
        rules.append(Rule("ro", rng.choice(faces), "="))
    if rng.random() < 0.25:
        rules.append(Rule("e", rng.choice(faces), "="))
    if rng.random() < 0.2:
        rules.append(Rule(rng.choice(("mi", "ma")), max(0, rng.choice(faces))))
    if rng.random() < 0.25:
        rules.append(Rule("s", rng.choice(faces[1:]), ">="))
    rng.shuffle(rules)
    return Dice(count, die, tuple(rules))


def _make_expressions() -> tuple[Node, ...]:
    rng = random.Random("dice")
    found = {str(node): node for node in BY_HAND}
    while len(found) < FULL_COUNT:
        node = _make_node(rng, 2)
        found.setdefault(str(node), node)
    return tuple(found.values())


EXPRESSIONS = _make_expressions()
"""All that are checked, those written by hand first."""
