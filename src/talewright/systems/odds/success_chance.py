"""The chance of success: a player's skills, and how likely an attempt is, in whole ten-thousandths.

Integers only: chances and draws are the same on every machine. Skills are defined by the author in
`player.skills`. Nothing is written here.
"""

import re
from collections.abc import Mapping
from decimal import Decimal

from talewright.common.json_values import Json
from talewright.kernel.state.documents import find, normal_number

WHOLE = 10_000
"""Certainty; one ten-thousandth is the smallest step of a chance."""

SKILL_WEIGHT = WHOLE // 50
"""How much one point of a skill adds."""

EVEN = WHOLE // 2
LEAST = WHOLE // 20
"""The minimum chance: nothing that may be tried is hopeless ..."""

GREATEST = WHOLE - LEAST
"""... and the maximum: nothing is certain."""

SPELLED_MAX = 20
"""Characters of a number that are read."""

NUMBER_MAX = 1_000
"""Larger whole numbers cannot be a share."""

_DECIMAL = re.compile(r"[0-9]+(\.[0-9]+)?|\.[0-9]+")


def chance_of(skill: int, difficulty: int) -> int:
    """p = clamp(0.5 + skill/50 - difficulty, 0.05, 0.95); difficulty and p in ten-thousandths."""
    return max(LEAST, min(GREATEST, EVEN + skill * SKILL_WEIGHT - difficulty))


def to_number(units: int) -> int | float:
    """Ten-thousandths as the displayed number: 1800 is 0.18."""
    number = normal_number(units / WHOLE)
    assert number is not None, "ten-thousandths are always finite"
    return number


def to_units(number: Json) -> int | None:
    """A number, or a text with one, in ten-thousandths; None if it is not a whole count of them."""
    if isinstance(number, bool) or not isinstance(number, int | float | str):
        return None
    if isinstance(number, int) and not 0 <= number <= NUMBER_MAX:
        return None
    # Compare the decimal spelling, not the binary fraction: 0.6 is exactly 6000.
    spelled = repr(number) if isinstance(number, float) else str(number).strip()
    if len(spelled) > SPELLED_MAX or not _DECIMAL.fullmatch(spelled):
        return None
    units = Decimal(spelled) * WHOLE
    return int(units) if units == int(units) else None


SKILLS_PATH = ("player", "skills")

SKILL_SHOWN_MAX = 50
"""The maximum of a skill's meter: this much outweighs the greatest difficulty."""


def find_skill(skills: Mapping[str, int], said: Json) -> str:
    """The skill with this name, ignoring case; empty if there is none."""
    if not isinstance(said, str):
        return ""
    plain = said.strip().casefold()
    return next((name for name in skills if name.casefold() == plain), "")


def skills_of(document: Mapping[str, Json]) -> dict[str, int]:
    """All skills that are whole numbers, in the author's order."""
    found = find(document, SKILLS_PATH)
    members = found if isinstance(found, Mapping) else {}
    return {
        name: value
        for name, value in members.items()
        if isinstance(value, int) and not isinstance(value, bool)
    }
