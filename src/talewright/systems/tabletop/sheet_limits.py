"""Sheet limits: how far a game master may raise a character's numbers on its own authority.

A rulebook may state them: `HP: at most 30`, `AC: up to 18`, `Levels: 1 to 10`, `Attributes add up to 72`.
Where it states none, they follow from its creatures, and from what characters usually have.
"""

import re

from talewright.common.frozen_values import cached_by_identity, frozen
from talewright.kernel.judging.rulings import mend
from talewright.systems.tabletop.character_sheets import CharacterSheet
from talewright.systems.tabletop.damage import Health, HitPoints
from talewright.systems.tabletop.rulebook_parser.rulebook_types import Rulebook
from talewright.systems.tabletop.slots import LEVEL_MAX

HIT_POINTS_PER_LEVEL = 20
ARMOUR_USUAL_MAX = 20
XP_USUAL_MAX = 1_000
XP_REWARDS_MAX = 10
"""The usual limits; of experience at once, so many times the highest reward in the rulebook."""

NOBODY = Health(HitPoints(0, 0))
"""The health of someone who does not exist yet."""

BOOKS_KEPT_MAX = 64
"""Rulebooks whose limits are cached."""


def _pattern(english: str, chinese: str) -> re.Pattern[str]:
    """Lines such as `- HP: at most 30`, `Levels: 1 to 10` and `Maximum AC: 18`, but not the `HP: 7` of a
    creature.
    """
    most = r"(?:at most|up to|no more than|max(?:imum)?\.?|最多|不超过)"
    span = r"(?:from |从 ?)?[0-9]+ ?(?:to|-|–|至|到)"
    label = rf"(?:{english}|{chinese})"
    return re.compile(
        rf"^[ \t>*_+-]*(?:{label}[*_]*[ ]?(?:[:：]|is|are|为)?[*_]*[ ]?(?:{span}|{most})"
        rf"|(?:max(?:imum)?\.? |最大|最高){label}[*_]*[ ]?(?:[:：]|is|为))[*_]*[ ]?([0-9]{{1,6}})\b",
        re.IGNORECASE | re.MULTILINE,
    )


_HIT_POINTS = _pattern("HP|hit points", "生命值|生命")
_ARMOUR = _pattern("AC|armou?r(?: class)?", "护甲等级|护甲")
_LEVEL = _pattern("levels?", "等级")
_TOTAL = re.compile(
    r"\b(?:attributes|scores|stats|values)\b[^.\n0-9]{0,30}\b(?:add up|total|sum)\b[^.\n0-9]{0,12}"
    r"([0-9]{1,4})\b"
    r"|(?:属性|数值)[^。\n0-9]{0,12}(?:总和|合计)[^。\n0-9]{0,6}([0-9]{1,4})",
    re.IGNORECASE,
)


@frozen
class SheetLimits:
    """The most that a character may have; None where only the usual limits apply."""

    hit_points: int | None = None
    armour: int | None = None
    level: int | None = None
    total: int | None = None
    """Of all attributes together."""

    strongest: int = 0
    """The most hit points of a creature in the rulebook."""

    toughest: int = 0
    """The best armour of one."""

    reward: int = 0
    """The most experience that one brings."""


def _find(pattern: re.Pattern[str], text: str) -> int | None:
    """The highest number that a rulebook states."""
    found = (next(filter(None, one.groups())) for one in pattern.finditer(text))
    return max(map(int, found), default=None)


@cached_by_identity(BOOKS_KEPT_MAX)
def limits_of(book: Rulebook) -> SheetLimits:
    """The limits of a rulebook."""
    rewards = [one.reward.xp or 0 for one in book.templates if one.reward is not None]
    return SheetLimits(
        _find(_HIT_POINTS, book.text),
        _find(_ARMOUR, book.text),
        _find(_LEVEL, book.text),
        _find(_TOTAL, book.text),
        strongest=max((one.hp or 0 for one in book.templates), default=0),
        toughest=max((one.ac or 0 for one in book.templates), default=0),
        reward=max(rewards, default=0),
    )


def check_sheet(tool: str, before: CharacterSheet | None, after: CharacterSheet, book: Rulebook) -> None:
    """Refuse numbers of a character that were raised above the limits."""
    limits = limits_of(book)
    had = CharacterSheet("", NOBODY, level=0) if before is None else before
    points = after.health.hit_points.maximum
    usual = max(limits.strongest, HIT_POINTS_PER_LEVEL * after.level)
    _check(tool, "hit points", points, had.health.hit_points.maximum, limits.hit_points or usual)
    armour = limits.armour or max(limits.toughest, ARMOUR_USUAL_MAX)
    _check(tool, "armor class", after.ac or 0, had.ac or 0, armour)
    _check(tool, "levels", after.level, had.level, limits.level or LEVEL_MAX)
    if before is not None and after.level > before.level + 1:
        raise mend(f"{tool}: nobody rises by more than one level at once; {before.name} has {before.level}")
    keys = {one.key for one in book.attributes}
    total, before_it = (sum(one.stats[key] for key in keys & one.stats.keys()) for one in (after, had))
    if limits.total is not None:
        _check(tool, "attribute points", total, before_it, limits.total)


def check_reward(tool: str, xp: int, total: int, total_max: int, book: Rulebook) -> None:
    """Refuse more experience at once than the creatures of a rulebook are worth."""
    reward = limits_of(book).reward
    most = max(XP_USUAL_MAX, XP_REWARDS_MAX * reward)
    _check(tool, "XP at once", xp, 0, most)
    _check(tool, "XP", total + xp, 0, total_max)


def _check(tool: str, what: str, value: int, before: int, most: int) -> None:
    if value > max(most, before):
        raise mend(f"{tool}: {value} is too much; by this rulebook there are at most {most} {what}")
