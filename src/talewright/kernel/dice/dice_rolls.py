"""Dice rolls: rolls the dice, applies the rules, and formats and records the result.

Rolling never fails: invalid input was rejected when the text was parsed. The values are named tuples, which
take a third of the time of frozen dataclasses to create; dice that no rule touched are shared.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, assert_never

from talewright.common.json_values import Json
from talewright.kernel.chance import Chance
from talewright.kernel.dice.dice_tree import (
    FATE_SHIFT,
    Dice,
    DicePart,
    Group,
    Labelled,
    NegativePart,
    NumberPart,
    Pair,
    Pool,
    PoolRules,
    combine,
)

SHARED_MAX = 4096
"""Cached dice and their texts: there are few different ones, and they recur constantly."""


class DieFace(NamedTuple):
    """One face that counts."""

    shown: int
    worth: int
    """Its value, which `mi` or `ma` may make different from the face."""

    success: bool = False
    """Whether it is a success, if the pool counts successes."""

    rerolled: int | None = None
    """The first face, if it was rolled again."""


class Die(NamedTuple):
    """One die of a pool and its result."""

    faces: tuple[DieFace, ...]
    """More than one if the die exploded."""

    value: int
    """The sum of the values of its faces."""

    kept: bool = True


class Throw(NamedTuple):
    """The result of one pool."""

    pool: Pool
    dice: tuple[Die, ...]
    """In the order rolled."""

    total: int


class Roll(NamedTuple):
    """A rolled expression. Its tree is that of the dice; the throws are the leaves, in order."""

    dice: Dice
    throws: tuple[Throw, ...]
    labels: tuple[tuple[str, int], ...]
    """Each label with the total of its part; inner labels before outer ones."""

    total: int

    def __str__(self) -> str:
        """Plain text to read or to hear: `4d6kh3 (6, 5, 2 dropped, 4) + 1 = 16`."""
        return f"{_tell(self.dice.root, iter(self.throws))} = {self.total}"

    @property
    def modifiers(self) -> int:
        """What is added to the dice: the total without them. Subtracted dice count as negative."""
        return self.total - _count_dice(self.dice.root, iter(self.throws))

    def to_json(self) -> dict[str, Json]:
        """The roll as it is recorded; default values are left out."""
        record: dict[str, Json] = {
            "dice": self.dice.text,
            "total": self.total,
            "throws": [_record_throw(throw) for throw in self.throws],
        }
        if self.labels:
            record["labels"] = [{"label": label, "total": total} for label, total in self.labels]
        return record


def roll(dice: Dice, chance: Chance, why: str = "") -> Roll:
    """Roll the pools in reading order; each draw is recorded with `why`, or else the dice's text."""
    reason = why or dice.text
    if isinstance(dice.root, Pool):
        throw = _throw(dice.root, chance, reason)
        return Roll(dice, (throw,), (), throw.total)
    throws = tuple([_throw(pool, chance, reason) for pool in dice.pools])
    labels: list[tuple[str, int]] = []
    total = _sum_up(dice.root, iter(throws), labels)
    return Roll(dice, throws, tuple(labels), total)


def _throw(pool: Pool, chance: Chance, why: str) -> Throw:
    rules = pool.rules
    if rules is not None and not rules.only_drops:
        return _throw_by_rules(pool, rules, chance, why)
    draw, sides = chance.draw, pool.sides
    faces = [draw(sides, why) for _ in range(pool.count)]
    if pool.fate:
        faces = [face - FATE_SHIFT for face in faces]
    dice, total = [*map(_plain_die, faces)], sum(faces)
    if rules is not None:
        for place in _rank_out(faces, rules):
            total -= faces[place]
            dice[place] = _dropped_die(faces[place])
    return Throw(pool, tuple(dice), total)


def _throw_by_rules(pool: Pool, rules: PoolRules, chance: Chance, why: str) -> Throw:
    dice = _fall(pool, rules, chance, why)
    if rules.drop_high or rules.drop_low:
        for place in _rank_out([die.value for die in dice], rules):
            faces, value, _ = dice[place]
            dice[place] = Die(faces, value, kept=False)
    if rules.success is None:
        total = sum([die.value for die in dice if die.kept])
    else:
        total = sum([face.success for die in dice if die.kept for face in die.faces])
    return Throw(pool, tuple(dice), total)


def _rank_out(values: Sequence[int], rules: PoolRules) -> list[int]:
    """The indexes of the dice that are dropped."""
    ranked = sorted(range(len(values)), key=values.__getitem__, reverse=True)
    return ranked[: rules.drop_high] + ranked[len(ranked) - rules.drop_low :]


def _fall(pool: Pool, rules: PoolRules, chance: Chance, why: str) -> list[Die]:
    """Roll each die: a face may be rerolled once, and the result may explode."""
    draw, sides, shift = chance.draw, pool.sides, FATE_SHIFT if pool.fate else 0
    reroll, explode, success = rules.reroll, rules.explode, rules.success
    least, most = rules.least, rules.most
    dice: list[Die] = []
    for _ in range(pool.count):
        shown = draw(sides, why) - shift
        if success is None and least <= shown <= most and shown not in reroll and shown not in explode:
            dice.append(_plain_die(shown))
            continue
        faces: list[DieFace] = []
        while True:
            rerolled = None
            if shown in reroll:
                rerolled, shown = shown, draw(sides, why) - shift
            worth = min(max(shown, least), most)
            faces.append(DieFace(shown, worth, success is not None and worth in success, rerolled))
            if shown not in explode or len(faces) > rules.explosions:
                break
            shown = draw(sides, why) - shift
        dice.append(Die(tuple(faces), sum([face.worth for face in faces])))
    return dice


@lru_cache(SHARED_MAX)
def _plain_die(face: int) -> Die:
    return Die((DieFace(face, face),), face)


@lru_cache(SHARED_MAX)
def _dropped_die(face: int) -> Die:
    return Die((DieFace(face, face),), face, kept=False)


def _sum_up(part: DicePart, throws: Iterator[Throw], labels: list[tuple[str, int]]) -> int:
    match part:
        case Pool():
            return next(throws).total
        case NumberPart():
            return part.value
        case Pair():
            left = _sum_up(part.left, throws, labels)
            right = _sum_up(part.right, throws, labels)
            return combine(part.operator, left, right)
        case Labelled():
            total = _sum_up(part.part, throws, labels)
            labels.append((part.label, total))
            return total
        case Group():
            return _sum_up(part.part, throws, labels)
        case NegativePart():
            return -_sum_up(part.part, throws, labels)
        case _:
            assert_never(part)


def _count_dice(part: DicePart, throws: Iterator[Throw]) -> int:
    """The sum of all dice, each with the sign that it has in the expression."""
    match part:
        case Pool():
            return next(throws).total
        case NumberPart():
            return 0
        case Pair():
            left, right = _count_dice(part.left, throws), _count_dice(part.right, throws)
            return left - right if part.operator == "-" else left + right
        case Labelled() | Group():
            return _count_dice(part.part, throws)
        case NegativePart():
            return -_count_dice(part.part, throws)
        case _:
            assert_never(part)


def _tell(part: DicePart, throws: Iterator[Throw]) -> str:
    match part:
        case Pool():
            return _tell_throw(next(throws))
        case NumberPart():
            return str(part.value)
        case Pair():
            return f"{_tell(part.left, throws)} {part.operator} {_tell(part.right, throws)}"
        case Labelled():
            return f"{_tell(part.part, throws)} [{part.label}]"
        case Group():
            return f"({_tell(part.part, throws)})"
        case NegativePart():
            return f"-{_tell(part.part, throws)}"
        case _:
            assert_never(part)


def _tell_throw(throw: Throw) -> str:
    pool = throw.pool
    if pool.rules is None and not pool.fate:
        told = [str(die.value) for die in throw.dice]
    else:
        told = [_tell_die(die, pool.fate) for die in throw.dice]
    return f"{pool.text} ({', '.join(told)})"


@lru_cache(SHARED_MAX)
def _tell_die(die: Die, signed: bool) -> str:
    told = " then ".join([_tell_face(face, signed) for face in die.faces])
    if die.kept:
        return told
    return f"{told} dropped" if len(die.faces) == 1 else f"({told}) dropped"


def _tell_face(face: DieFace, signed: bool) -> str:
    told = _tell_number(face.shown, signed)
    if face.rerolled is not None:
        told = f"{_tell_number(face.rerolled, signed)} rerolled to {told}"
    if face.worth != face.shown:
        told = f"{told} as {_tell_number(face.worth, signed)}"
    return f"{told} counts" if face.success else told


def _tell_number(number: int, signed: bool) -> str:
    return f"+{number}" if signed and number > 0 else str(number)


def _record_throw(throw: Throw) -> Json:
    dice = [_record_die(die) for die in throw.dice]
    return {"pool": throw.pool.text, "total": throw.total, "dice": dice}


def _record_die(die: Die) -> Json:
    record: dict[str, Json] = {"value": die.value, "faces": [_record_face(face) for face in die.faces]}
    if not die.kept:
        record["dropped"] = True
    return record


def _record_face(face: DieFace) -> Json:
    record: dict[str, Json] = {"face": face.shown}
    if face.rerolled is not None:
        record["rerolled"] = face.rerolled
    if face.worth != face.shown:
        record["worth"] = face.worth
    if face.success:
        record["success"] = True
    return record
