"""Dice pool parser: reads `4d6kh3` and the rules after its dice (keep, drop, explode, reroll).

It handles one pool at a time; `dice_parser` handles sums, parentheses and labels.
"""

import re
from collections.abc import Collection

from talewright.kernel.dice.dice_tree import NO_FACES, DiceError, DiceLimits, Pool, PoolRules

DIGITS_MAX = 12
"""Digits of one number, including its sign: more than any limit needs, few enough to parse quickly."""

FATE_DIE = "F"
"""The name of the Fate die in the list of allowed dice; others are listed by their sides."""

_HEAD = re.compile(r"([0-9]*)[dD]([0-9]+|[fF%])?", re.ASCII)
# After a gap a rule must not be the start of a word: "d20 stealth" is not a d20 with an s rule.
_RULE = re.compile(
    r"(?P<gap>[ \t]+)?(?P<name>kh|kl|dh|dl|ph|pl|adv|dis|ro|rr|ra|mi|ma|[kpes!])(?(gap)(?![a-z]))"
    r"[ \t]*(?:(?P<sign>>=|<=|==?|>|<)[ \t]*(?P<bound>-?[0-9]+)|(?P<number>[0-9]+))?",
    re.ASCII | re.IGNORECASE,
)


def read_whole(digits: str, column: int, limits: DiceLimits) -> int:
    """The number written with these digits."""
    if len(digits) > DIGITS_MAX:
        raise DiceError(f"a number is at most {limits.result}", column)
    return int(digits)


def read_pool(
    text: str, start: int, limits: DiceLimits, allowed: Collection[int | str] | None
) -> tuple[Pool, int] | None:
    """The pool that starts at `start` and where it ends; None if none starts there."""
    head = _HEAD.match(text, start)
    if head is None:
        return None
    count = read_whole(head[1], start + 1, limits) if head[1] else 1
    if count == 0:
        raise DiceError(f"a pool has 1 to {limits.dice} dice, not 0", start + 1)
    sides, fate = _read_die(head, limits, allowed)
    end = head.end()
    rule = _RULE.match(text, end)
    if rule is None:
        low, high = (-count, count) if fate else (count, count * sides)
        return Pool(head[0], count, sides, fate, None, low, high), end
    draft = _Draft(count, sides, fate, limits)
    while rule is not None:
        draft.add(rule)
        end = rule.end()
        rule = _RULE.match(text, end)
    return draft.finish(text[start:end]), end


def _read_die(
    head: re.Match[str], limits: DiceLimits, allowed: Collection[int | str] | None
) -> tuple[int, bool]:
    name = head[2]
    if name is None:
        raise DiceError(
            f"after d stands a number of sides up to {limits.sides}, F or %: d6, dF, d%", head.end() + 1
        )
    column = head.start(2)
    fate = name in "fF"
    sides = 3 if fate else 100 if name == "%" else read_whole(name, column + 1, limits)
    if allowed is not None and (FATE_DIE if fate else sides) not in allowed:
        raise DiceError(f"d{name.upper()} is not a die of this system: {_list_dice(allowed)}", column)
    if not 1 <= sides <= limits.sides:
        raise DiceError(f"a die has 1 to {limits.sides} sides, not {sides}", column + 1)
    return sides, fate


def _list_dice(allowed: Collection[int | str]) -> str:
    numbered = [f"d{sides}" for sides in sorted(die for die in allowed if isinstance(die, int))]
    return ", ".join(numbered + [f"d{die}" for die in allowed if isinstance(die, str)])


class _Draft:
    """The rules of one pool while parsing."""

    def __init__(self, count: int, sides: int, fate: bool, limits: DiceLimits) -> None:
        self.count = count
        self.sides = sides
        self.fate = fate
        self.first, self.last = (-1, 1) if fate else (1, sides)
        self.limits = limits
        self.seen: set[str] = set()
        self.reroll = NO_FACES
        self.explode = NO_FACES
        self.success: range | None = None
        self.least = self.first
        self.most = self.last
        self.drop_high = 0
        self.drop_low = 0

    def add(self, rule: re.Match[str]) -> None:
        """Add one rule."""
        name = rule["name"].lower()
        column = rule.start("name") + 1
        match name:
            case "kh" | "kl" | "dh" | "dl" | "ph" | "pl":
                self._leave_out(name.replace("p", "d"), rule, column)
            case "adv" | "dis":
                self._take_advantage(name, rule, column)
            case "ro":
                self._once(name, column)
                self.reroll = self._read_span(rule, column, "ro needs the faces to roll again: ro1 or ro<3")
            case "e" | "!":
                self._once("e", column)
                self.explode = self._read_span(rule, column, "")
            case "s":
                self._once(name, column)
                needs = "s needs a comparison that makes a success: 6d10s>=8"
                if rule["sign"] is None:
                    raise DiceError(needs, column)
                self.success = self._read_span(rule, column, needs)
            case "mi":
                self.least = self._read_worth(name, rule, column)
            case "ma":
                self.most = self._read_worth(name, rule, column)
            case "k" | "p":
                raise DiceError(f"after {name} stands h or l and how many dice: {name}h3 or {name}l1", column)
            case _:
                raise DiceError(f"{name} is not taken: ro rolls again once, e explodes", column)

    def finish(self, text: str) -> Pool:
        """The pool with its rules and bounds."""
        explosions = self.limits.explosions if self.explode else 0
        own_worth = (self.least, self.most) == (self.first, self.last)
        rules = PoolRules(
            self.reroll,
            self.explode,
            explosions,
            self.least,
            self.most,
            self.drop_high,
            self.drop_low,
            self.success,
            only_drops=own_worth and not (self.reroll or self.explode or self.success),
        )
        faces = explosions + 1
        kept = self.count - self.drop_high - self.drop_low
        if self.success:
            return Pool(text, self.count, self.sides, self.fate, rules, 0, kept * faces)
        low = kept * min(self.least, self.least * faces)
        high = kept * max(self.most, self.most * faces)
        return Pool(text, self.count, self.sides, self.fate, rules, low, high)

    def _once(self, kind: str, column: int) -> None:
        if kind in self.seen:
            raise DiceError(f"a pool takes {kind} once", column)
        self.seen.add(kind)

    def _leave_out(self, name: str, rule: re.Match[str], column: int) -> None:
        if rule["sign"] is not None:
            raise DiceError(f"{name} takes a number of dice: {name}1", column)
        number = read_whole(rule["number"], rule.start("number") + 1, self.limits) if rule["number"] else 1
        keeps = name in ("kh", "kl")
        self._choose("keep" if keeps else name, column)
        most = self.count if keeps else self.count - self.drop_high - self.drop_low - 1
        if not 1 <= number <= most:
            wants = f"keeps 1 to {self.count} dice" if keeps else "leaves at least one die out and one in"
            raise DiceError(f"{name} {wants}; {number} does not fit a pool of {self.count}", column)
        if name == "kh":
            self.drop_low = self.count - number
        elif name == "kl":
            self.drop_high = self.count - number
        elif name == "dh":
            self.drop_high = number
        else:
            self.drop_low = number

    def _choose(self, kind: str, column: int) -> None:
        taken = self.seen & {"keep", "dh", "dl"}
        if kind in taken or (taken and "keep" in taken | {kind}):
            raise DiceError("a pool takes one of kh, kl, adv and dis, or dh and dl once each", column)
        self.seen.add(kind)

    def _take_advantage(self, name: str, rule: re.Match[str], column: int) -> None:
        self._choose("keep", column)
        if self.count != 1 or rule["sign"] or rule["number"]:
            raise DiceError(f"{name} is for one die and takes no number: d20{name}", column)
        self.count = 2
        if name == "adv":
            self.drop_low = 1
        else:
            self.drop_high = 1

    def _read_span(self, rule: re.Match[str], column: int, needs: str) -> range:
        written: str | None = rule["bound"] if rule["sign"] else rule["number"]
        if written is None and needs:
            raise DiceError(needs, column)
        number = self.last if written is None else read_whole(written, column, self.limits)
        first, last = self.first, self.last
        match rule["sign"]:
            case ">=":
                first = max(first, number)
            case ">":
                first = max(first, number + 1)
            case "<=":
                last = min(last, number)
            case "<":
                last = min(last, number - 1)
            case _:
                first, last = max(first, number), min(last, number)
        if first > last or (first, last) == (self.first, self.last):
            faces = f"{'no' if first > last else 'every'} face from {self.first} to {self.last}"
            some = "a test holds for some of them and not for all"
            raise DiceError(f"{rule[0].strip()} holds for {faces}; {some}", column)
        return range(first, last + 1)

    def _read_worth(self, name: str, rule: re.Match[str], column: int) -> int:
        self._once(name, column)
        number = None if rule["number"] is None else read_whole(rule["number"], column, self.limits)
        if number is None or not self.least <= number <= self.most:
            most = self.most
            raise DiceError(f"{name} takes a number from {self.least} to {most} here: {name}{most}", column)
        return number
