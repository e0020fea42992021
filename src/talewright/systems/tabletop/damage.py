"""Damage: what damage, healing and conditions do to a character's health.

Hit points stay between 0 and their maximum. A character with none left is incapacitated; the rulebook says
what that means.
"""

from collections.abc import Iterable
from dataclasses import replace

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json

HIT_POINTS_MAX = 100_000
"""The largest maximum of hit points."""

CONDITIONS_MAX = 20
"""Conditions of one character."""

CONDITION_LENGTH_MAX = 39
"""Characters of a condition; a hidden text of 40 must not be quoted, and those of NPCs are hidden."""


@frozen
class HitPoints:
    """How much damage a character can still take."""

    current: int
    maximum: int

    def __post_init__(self) -> None:
        assert 0 <= self.current <= self.maximum <= HIT_POINTS_MAX, f"{self.current} of {self.maximum}"

    def to_json(self) -> dict[str, Json]:
        """The hit points as they are stored."""
        return {"current": self.current, "max": self.maximum}


@frozen
class Health:
    """Hit points and conditions."""

    hit_points: HitPoints
    conditions: tuple[str, ...] = ()
    """In the order in which they came, each once."""

    @property
    def incapacitated(self) -> bool:
        """Whether no hit points are left."""
        return self.hit_points.current == 0


@frozen
class DamageResult:
    """What an attack, a fall or a potion did."""

    before: Health
    after: Health
    excess: int
    """The part of the damage or healing that had no effect."""

    added: tuple[str, ...] = ()
    """New conditions."""

    refused: tuple[str, ...] = ()
    """Conditions that are too long, empty or too many."""

    @property
    def dealt(self) -> int:
        """Hit points lost; negative if some came back."""
        return self.before.hit_points.current - self.after.hit_points.current

    @property
    def fell(self) -> bool:
        """Whether this incapacitated a character who could still act."""
        return self.after.incapacitated and not self.before.incapacitated

    @property
    def revived(self) -> bool:
        """Whether this revived an incapacitated character."""
        return self.before.incapacitated and not self.after.incapacitated

    def to_json(self) -> dict[str, Json]:
        """The result as a tool reports it."""
        return {
            "hp": self.after.hit_points.to_json(),
            "conditions": list(self.after.conditions),
            "incapacitated": self.after.incapacitated,
            "dealt": self.dealt,
            "excess": self.excess,
        }


def apply_damage(health: Health, amount: int, conditions: Iterable[str] = ()) -> DamageResult:
    """Take hit points away, or give them back if the amount is negative, and add conditions."""
    points = health.hit_points
    wanted = points.current - amount
    current = min(max(wanted, 0), points.maximum)
    kept, added, refused = _add_conditions(health.conditions, conditions)
    after = Health(replace(points, current=current), kept)
    return DamageResult(health, after, abs(wanted - current), added, refused)


def remove_conditions(health: Health, conditions: Iterable[str]) -> Health:
    """End conditions; those that the character does not have are ignored."""
    ended = {_key(condition) for condition in conditions}
    kept = tuple(condition for condition in health.conditions if _key(condition) not in ended)
    return replace(health, conditions=kept)


def _add_conditions(
    present: tuple[str, ...], new: Iterable[str]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    kept, added, refused = list(present), [], []
    keys = {_key(condition) for condition in present}
    for condition in new:
        plain = " ".join(condition.split())
        # Chinese says as much in half as many characters, so it is guarded from half the length on.
        most = CONDITION_LENGTH_MAX if plain.isascii() else CONDITION_LENGTH_MAX // 2
        if not plain or len(plain) > most:
            refused.append(condition)
        elif _key(plain) in keys:
            continue
        elif len(kept) >= CONDITIONS_MAX:
            refused.append(condition)
        else:
            keys.add(_key(plain))
            kept.append(plain)
            added.append(plain)
    return tuple(kept), tuple(added), tuple(refused)


def _key(condition: str) -> str:
    """What makes two spellings the same condition."""
    return " ".join(condition.split()).casefold()
