"""Pools: the dice, every rule, its limits and its message."""

import pytest

from talewright.kernel.dice.dice_pool_parser import DIGITS_MAX, read_pool, read_whole
from talewright.kernel.dice.dice_tree import DEFAULT_LIMITS, NO_FACES, DiceError, DiceLimits, Pool, PoolRules

D20_SYSTEM: frozenset[int | str] = frozenset({4, 6, 8, 10, 12, 20, 100, "F"})


def read(text: str, limits: DiceLimits = DEFAULT_LIMITS) -> Pool:
    found = read_pool(text, 0, limits, None)
    assert found is not None
    pool, end = found
    assert end == len(text)
    return pool


def refuse(text: str, limits: DiceLimits = DEFAULT_LIMITS) -> tuple[str, int]:
    with pytest.raises(DiceError) as caught:
        read_pool(text, 0, limits, None)
    return caught.value.message, caught.value.column


def rules_of(text: str) -> PoolRules:
    rules = read(text).rules
    assert rules is not None
    return rules


@pytest.mark.parametrize(
    ("text", "count", "sides", "fate", "low", "high"),
    [
        ("d6", 1, 6, False, 1, 6),
        ("2d6", 2, 6, False, 2, 12),
        ("1D20", 1, 20, False, 1, 20),
        ("d%", 1, 100, False, 1, 100),
        ("4dF", 4, 3, True, -4, 4),
        ("df", 1, 3, True, -1, 1),
        ("d1", 1, 1, False, 1, 1),
        ("500d1000", 500, 1000, False, 500, 500_000),
    ],
)
def test_plain_pool(text: str, count: int, sides: int, fate: bool, low: int, high: int) -> None:
    assert read(text) == Pool(text, count, sides, fate, None, low, high)


@pytest.mark.parametrize("text", ["", "6", "+", "x", "(", " d6", "20", "\u0662d6"])
def test_no_pool_begins_here(text: str) -> None:
    assert read_pool(text, 0, DEFAULT_LIMITS, None) is None


def test_pool_is_read_from_where_it_begins_to_where_it_ends() -> None:
    text = "3+4d6kh3 + 1"
    pool, end = read_pool(text, 2, DEFAULT_LIMITS, None) or pytest.fail("no pool")
    assert (pool.text, end) == ("4d6kh3", 8)


def test_gaps_before_and_within_rules() -> None:
    assert read("4d6 \tkh 3").rules == rules_of("4d6kh3")
    assert read("6d10 s >= 8").rules == rules_of("6d10s>=8")
    assert read("6d6 e kh 2").rules == rules_of("6d6ekh2")


@pytest.mark.parametrize("word", ["stealth", "ex", "kx", "per", "adventure", "disarm", "mix", "roar"])
def test_word_after_a_gap_is_no_rule(word: str) -> None:
    assert read_pool(f"d20 {word}", 0, DEFAULT_LIMITS, None) == (read("d20"), 3)


def test_rules_are_read_in_any_order_and_case() -> None:
    rules = PoolRules(range(1, 2), range(10, 11), 10, 2, 9, 0, 3, range(8, 11), only_drops=False)
    assert rules_of("6d10ro1e10mi2ma9kh3s>=8") == rules
    assert rules_of("6D10S>=8KH3MA9MI2E10RO1") == rules


@pytest.mark.parametrize(
    ("text", "high", "low", "kept"),
    [
        ("4d6kh3", 0, 1, 3),
        ("4d6kh", 0, 3, 1),
        ("4d6kh4", 0, 0, 4),
        ("4d6kl1", 3, 0, 1),
        ("4d6kl", 3, 0, 1),
        ("4d6dh1", 1, 0, 3),
        ("4d6dh", 1, 0, 3),
        ("4d6dl3", 0, 3, 1),
        ("4d6ph2", 2, 0, 2),
        ("4d6pl", 0, 1, 3),
        ("4d6dh1dl2", 1, 2, 1),
        ("4d6dl2dh1", 1, 2, 1),
        ("4d6dh1pl1", 1, 1, 2),
    ],
)
def test_drops(text: str, high: int, low: int, kept: int) -> None:
    pool = read(text)
    assert pool.rules == PoolRules(NO_FACES, NO_FACES, 0, 1, 6, high, low, None, only_drops=True)
    assert (pool.count, pool.low, pool.high) == (4, kept, 6 * kept)


@pytest.mark.parametrize(("text", "high", "low"), [("d20adv", 0, 1), ("1d20DIS", 1, 0)])
def test_advantage_is_two_dice(text: str, high: int, low: int) -> None:
    pool = read(text)
    assert (pool.text, pool.count, pool.low, pool.high) == (text, 2, 1, 20)
    assert pool.rules == PoolRules(NO_FACES, NO_FACES, 0, 1, 20, high, low, None, only_drops=True)


SOME = "a test holds for some of them and not for all"

TESTS = [
    ("1", range(1, 2)),
    ("=6", range(6, 7)),
    ("==3", range(3, 4)),
    (">=5", range(5, 7)),
    (">=6", range(6, 7)),
    (">4", range(5, 7)),
    ("<=2", range(1, 3)),
    ("<3", range(1, 3)),
    (">= 2", range(2, 7)),
    ("<=5", range(1, 6)),
    ("<99", None),
    (">=-3", None),
    ("<=6", None),
    (">0", None),
    (">=1", None),
    ("<1", None),
    ("<=0", None),
    (">6", None),
    (">=7", None),
    ("7", None),
    ("0", None),
    ("=-1", None),
]


@pytest.mark.parametrize(("test", "faces"), TESTS)
@pytest.mark.parametrize("rule", ["ro", "e", "!"])
def test_faces_of_a_test(rule: str, test: str, faces: range | None) -> None:
    if faces is None:
        faces_held = "every face" if test in ("<99", ">=-3", "<=6", ">0", ">=1") else "no face"
        told = f"{rule}{test} holds for {faces_held} from 1 to 6; {SOME}"
        assert refuse(f"2d6{rule}{test}") == (told, 4)
    else:
        rules = rules_of(f"2d6{rule}{test}")
        assert (rules.reroll if rule == "ro" else rules.explode) == faces
        assert not rules.only_drops


@pytest.mark.parametrize(("test", "faces"), [("=-1", range(-1, 0)), (">=0", range(2)), ("<1", range(-1, 1))])
def test_faces_of_a_fate_die(test: str, faces: range) -> None:
    pool = read(f"4dFs{test}")
    assert pool.rules == PoolRules(NO_FACES, NO_FACES, 0, -1, 1, 0, 0, faces, only_drops=False)
    assert (pool.low, pool.high) == (0, 4)
    assert refuse("4dFs>1") == (f"s>1 holds for no face from -1 to 1; {SOME}", 4)


def test_exploding_takes_the_highest_face_by_itself() -> None:
    assert rules_of("2d8e") == rules_of("2d8!") == rules_of("2d8e8")
    assert rules_of("2d8e").explosions == DEFAULT_LIMITS.explosions == 10
    assert rules_of("2dF!").explode == range(1, 2)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("2d6e6", 2, 132),
        ("2dFe1", -22, 22),
        ("3d6e6kh2", 2, 132),
        ("2d6mi3", 6, 12),
        ("2d6ma3", 2, 6),
        ("2dFma0", -2, 0),
        ("2dFe=-1ma0", -22, 0),
        ("5d6s>3", 0, 5),
        ("5d6s>3kh2", 0, 2),
        ("5d6s>3e6", 0, 55),
        ("5d6s>3e6dl1", 0, 44),
        ("2d6ro1", 2, 12),
    ],
)
def test_bounds(text: str, low: int, high: int) -> None:
    pool = read(text)
    assert (pool.low, pool.high) == (low, high)


@pytest.mark.parametrize(("text", "least", "most"), [("d6mi2", 2, 6), ("d6ma5", 1, 5), ("d6mi3ma3", 3, 3)])
def test_least_and_most(text: str, least: int, most: int) -> None:
    assert rules_of(text) == PoolRules(NO_FACES, NO_FACES, 0, least, most, 0, 0, None, only_drops=False)


def test_least_that_changes_nothing() -> None:
    assert rules_of("d6mi1ma6") == PoolRules(NO_FACES, NO_FACES, 0, 1, 6, 0, 0, None, only_drops=True)


CHOOSE = "a pool takes one of kh, kl, adv and dis, or dh and dl once each"

REFUSED = [
    ("0d6", "a pool has 1 to 500 dice, not 0", 1),
    ("00d6", "a pool has 1 to 500 dice, not 0", 1),
    ("d", "after d stands a number of sides up to 1000, F or %: d6, dF, d%", 2),
    ("2dx", "after d stands a number of sides up to 1000, F or %: d6, dF, d%", 3),
    ("d0", "a die has 1 to 1000 sides, not 0", 2),
    ("2d1001", "a die has 1 to 1000 sides, not 1001", 3),
    ("d1234567890123", "a number is at most 1000000000", 2),
    ("1234567890123d6", "a number is at most 1000000000", 1),
    ("4d6kh5", "kh keeps 1 to 4 dice; 5 does not fit a pool of 4", 4),
    ("4d6 kl0", "kl keeps 1 to 4 dice; 0 does not fit a pool of 4", 5),
    ("4d6dl4", "dl leaves at least one die out and one in; 4 does not fit a pool of 4", 4),
    ("4d6dh0", "dh leaves at least one die out and one in; 0 does not fit a pool of 4", 4),
    ("4d6pl4", "dl leaves at least one die out and one in; 4 does not fit a pool of 4", 4),
    ("4d6dl2dh2", "dh leaves at least one die out and one in; 2 does not fit a pool of 4", 7),
    ("d6dl", "dl leaves at least one die out and one in; 1 does not fit a pool of 1", 3),
    ("4d6dh1dl1dl1", CHOOSE, 10),
    ("4d6kh1234567890123", "a number is at most 1000000000", 6),
    ("4d6kh>2", "kh takes a number of dice: kh1", 4),
    ("4d6ph=2", "dh takes a number of dice: dh1", 4),
    ("4d6kh3kl1", CHOOSE, 7),
    ("4d6kh3dl1", CHOOSE, 7),
    ("4d6dl1kh3", CHOOSE, 7),
    ("4d6dh1dh1", CHOOSE, 7),
    ("d20kh1adv", CHOOSE, 7),
    ("d20advdis", CHOOSE, 7),
    ("d20advdl1", CHOOSE, 7),
    ("2d20adv", "adv is for one die and takes no number: d20adv", 5),
    ("d20dis2", "dis is for one die and takes no number: d20dis", 4),
    ("d20adv>2", "adv is for one die and takes no number: d20adv", 4),
    ("4d6ro", "ro needs the faces to roll again: ro1 or ro<3", 4),
    ("4d6ro1ro2", "a pool takes ro once", 7),
    ("4d6e6!5", "a pool takes e once", 6),
    ("4d6e1234567890123", "a number is at most 1000000000", 4),
    ("d1!", f"! holds for every face from 1 to 1; {SOME}", 3),
    ("2d1 e", f"e holds for every face from 1 to 1; {SOME}", 5),
    ("4d6s", "s needs a comparison that makes a success: 6d10s>=8", 4),
    ("4d6s6", "s needs a comparison that makes a success: 6d10s>=8", 4),
    ("4d6s>5s>4", "a pool takes s once", 7),
    ("4d6s>=1", f"s>=1 holds for every face from 1 to 6; {SOME}", 4),
    ("4d6 s > 9", f"s > 9 holds for no face from 1 to 6; {SOME}", 5),
    ("4d6mi", "mi takes a number from 1 to 6 here: mi6", 4),
    ("4d6mi0", "mi takes a number from 1 to 6 here: mi6", 4),
    ("4d6mi7", "mi takes a number from 1 to 6 here: mi6", 4),
    ("4d6ma>3", "ma takes a number from 1 to 6 here: ma6", 4),
    ("4d6mi4ma3", "ma takes a number from 4 to 6 here: ma6", 7),
    ("4d6ma3mi4", "mi takes a number from 1 to 3 here: mi3", 7),
    ("4d6mi2mi3", "a pool takes mi once", 7),
    ("4d6ma2ma2", "a pool takes ma once", 7),
    ("4d6mi1234567890123", "a number is at most 1000000000", 4),
    ("4d6k3", "after k stands h or l and how many dice: kh3 or kl1", 4),
    ("4d6P>3", "after p stands h or l and how many dice: ph3 or pl1", 4),
    ("4d6rr1", "rr is not taken: ro rolls again once, e explodes", 4),
    ("4d6RA6", "ra is not taken: ro rolls again once, e explodes", 4),
]


@pytest.mark.parametrize(("text", "message", "column"), REFUSED, ids=[text for text, _, _ in REFUSED])
def test_refusal_says_what_is_taken(text: str, message: str, column: int) -> None:
    assert refuse(text) == (message, column)


def test_kelvin_and_long_s_are_no_letters_of_rules() -> None:
    for letter in "\u212a\u017f":
        assert read_pool(f"4d6{letter}>3", 0, DEFAULT_LIMITS, None) == (read("4d6"), 3)


def test_limits_are_those_handed_in() -> None:
    limits = DiceLimits(sides=12, explosions=2, dice=7, result=99)
    assert refuse("d20", limits) == ("a die has 1 to 12 sides, not 20", 2)
    assert refuse("0d6", limits) == ("a pool has 1 to 7 dice, not 0", 1)
    assert refuse("d", limits) == ("after d stands a number of sides up to 12, F or %: d6, dF, d%", 2)
    assert refuse("d%", limits) == ("a die has 1 to 12 sides, not 100", 2)
    assert refuse("1234567890123d6", limits) == ("a number is at most 99", 1)
    pool = read("d12e", limits)
    assert pool.rules is not None
    assert (pool.rules.explosions, pool.high) == (2, 36)


def test_allowed_dice() -> None:
    for text in ("d4", "2d20", "d%", "d100", "4dF", "df"):
        assert read_pool(text, 0, DEFAULT_LIMITS, D20_SYSTEM) == (read(text), len(text))


@pytest.mark.parametrize(
    ("text", "die", "column"), [("d7", "d7", 1), ("2d3", "d3", 2), ("3d0", "d0", 2), ("d99999", "d99999", 1)]
)
def test_die_that_is_not_allowed(text: str, die: str, column: int) -> None:
    with pytest.raises(DiceError) as caught:
        read_pool(text, 0, DEFAULT_LIMITS, D20_SYSTEM)
    told = f"{die} is not a die of this system: d4, d6, d8, d10, d12, d20, d100, dF"
    assert (caught.value.message, caught.value.column) == (told, column)


@pytest.mark.parametrize(("text", "die"), [("4dF", "dF"), ("4df", "dF"), ("d%", "d%")])
def test_named_die_that_is_not_allowed(text: str, die: str) -> None:
    with pytest.raises(DiceError) as caught:
        read_pool(text, 0, DEFAULT_LIMITS, [20, 6])
    assert caught.value.message == f"{die} is not a die of this system: d6, d20"


def test_whole_numbers() -> None:
    assert read_whole("9" * DIGITS_MAX, 1, DEFAULT_LIMITS) == 999_999_999_999
    with pytest.raises(DiceError, match="a number is at most 1000000000") as caught:
        read_whole("0" * (DIGITS_MAX + 1), 7, DEFAULT_LIMITS)
    assert caught.value.column == 7
