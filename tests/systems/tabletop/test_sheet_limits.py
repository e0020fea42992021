"""The limits of a game master's own changes: what a rulebook states, and what follows from its creatures."""

from dataclasses import replace

import pytest

from talewright.kernel.judging.rulings import Refusal
from talewright.systems.tabletop.character_sheets import CharacterSheet
from talewright.systems.tabletop.damage import Health, HitPoints
from talewright.systems.tabletop.rulebook import read_rulebook
from talewright.systems.tabletop.rulebook_parser.rulebook_types import Rulebook
from talewright.systems.tabletop.sheet_limits import SheetLimits, check_reward, check_sheet, limits_of

BOOK = """\
# Rules

## Dice

Roll 1d20 + modifier. A potion gives back HP, up to 8 of them. Spend at most 2 levels of effort.

## Attributes

- Strength (STR): 8 to 18
- Dexterity (DEX): 8 to 18

## Bestiary

### Wolf
- HP: 31
- AC: 12
- Attack: Bite +3 (1d6)
- Reward: 250 XP
"""
STATED = """\

## Growing

- **HP**: at most 40
- Maximum AC: 17
Levels: 1 to 9
The attributes of a character add up to 30.
"""
CHINESE = """\

## 成长

- 生命值：最多 25
- 护甲：10 至 16
- 等级：1 到 5
属性总和为 28。
"""


def read(text: str) -> Rulebook:
    book, _ = read_rulebook({"System.md": text})
    assert book is not None
    return book


@pytest.mark.parametrize(
    ("more", "limits"),
    [
        ("", SheetLimits(strongest=31, toughest=12, reward=250)),
        # What has hit points and armour counts as a creature, too.
        (STATED, SheetLimits(40, 17, 9, 30, 40, 17, 250)),
        (CHINESE, SheetLimits(25, 16, 5, 28, 31, 12, 250)),
    ],
    ids=["none", "english", "chinese"],
)
def test_what_a_rulebook_states(more: str, limits: SheetLimits) -> None:
    assert limits_of(read(BOOK + more)) == limits


def sheet(points: int = 10, ac: int = 10, level: int = 1, strength: int = 10) -> CharacterSheet:
    health = Health(HitPoints(points, points))
    return CharacterSheet("Ansa", health, {"STR": strength, "DEX": 12}, ac=ac, level=level)


@pytest.mark.parametrize(
    ("more", "after", "why"),
    [
        ("", sheet(32), "32 is too much; by this rulebook there are at most 31 hit points"),
        ("", sheet(41, level=2), "at most 40 hit points"),
        ("", sheet(ac=21), "at most 20 armor class"),
        ("", sheet(level=3), "nobody rises by more than one level at once; Ansa has 1"),
        (STATED, sheet(41), "at most 40 hit points"),
        (STATED, sheet(ac=18), "at most 17 armor class"),
        (STATED, sheet(strength=19), "at most 30 attribute points"),
    ],
)
def test_more_is_refused(more: str, after: CharacterSheet, why: str) -> None:
    with pytest.raises(Refusal) as caught:
        check_sheet("set_character", sheet(), after, read(BOOK + more))
    assert why in caught.value.reason


def test_what_is_within_them_or_was_more_before_is_not() -> None:
    book = read(BOOK + STATED)
    check_sheet("set_character", sheet(), sheet(40, 17, 2, 18), book)
    check_sheet("set_character", sheet(99, 30), sheet(99, 30, 2), book)
    check_sheet("set_character", None, sheet(level=9), book)
    with pytest.raises(Refusal, match="at most 9 levels"):
        check_sheet("set_character", replace(sheet(), level=9), sheet(level=10), book)


def test_experience_at_once_and_together() -> None:
    book = read(BOOK)
    check_reward("award", 2_500, 0, 5_000, book)
    for xp, total in ((2_501, 0), (1, 5_000)):
        with pytest.raises(Refusal):
            check_reward("award", xp, total, 5_000, book)
