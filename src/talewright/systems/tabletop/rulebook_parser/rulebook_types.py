"""Rulebook types: what can be understood of a rulebook, each part with its place.

Plain values. Anything without a known pattern is only in the text, which the narrator reads.
"""

from typing import TypeAlias

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import Fault, Severity, SourcePlace
from talewright.systems.tabletop.checks import CheckRule, ModifierRule
from talewright.systems.tabletop.initiative import CombatStructure

NAME_LENGTH_MAX = 60
"""Characters of the name of an attribute, a skill or a template."""


@frozen
class AttributeRule:
    """An attribute of characters."""

    name: str
    place: SourcePlace
    short: str = ""
    """Its abbreviation, such as `STR`; empty if it has none."""

    minimum: int | None = None
    maximum: int | None = None
    meaning: str = ""

    @property
    def key(self) -> str:
        """Its name on a character sheet: its abbreviation, or else its name."""
        return self.short or self.name


@frozen
class SkillRule:
    """A skill of characters, or a move of a PbtA game."""

    name: str
    place: SourcePlace
    attribute: str = ""
    """The key of its attribute; empty if it has none."""

    minimum: int | None = None
    maximum: int | None = None
    meaning: str = ""


@frozen
class CombatNote:
    """One rule of combat, in the author's words."""

    topic: str
    """`initiative`, `actions`, `attack`, `damage` or `zero_hp`."""

    text: str
    place: SourcePlace


@frozen
class CombatRules:
    """How fights go."""

    structure: CombatStructure
    place: SourcePlace
    initiative: str = ""
    """What is rolled for initiative, in dice notation; empty if nothing is."""

    initiative_attribute: str = ""
    """The key of the attribute that is added to it."""

    notes: tuple[CombatNote, ...] = ()


@frozen
class DamageRoll:
    """A part of the damage of an attack."""

    dice: str
    """In dice notation, or a number."""

    kind: str = ""
    """Such as `slashing`."""


@frozen
class AttackSave:
    """What someone who is hit must withstand."""

    difficulty: int
    attribute: str
    """The key of the attribute that is rolled."""

    condition: str
    """What it does to those who fail, such as `prone`."""


@frozen
class NpcAttack:
    """One attack of a template."""

    name: str
    place: SourcePlace
    bonus: int | None = None
    damage: tuple[DamageRoll, ...] = ()
    text: str = ""
    """The attack as written."""

    save: AttackSave | None = None
    left: str = ""
    """A save that the engine does not understand, as written; the narrator resolves it."""


ItemProperties: TypeAlias = tuple[tuple[str, Json], ...]


@frozen
class LootItem:
    """Something gained."""

    name: str
    quantity: int = 1
    note: str = ""
    equipped: bool | None = None
    """Whether it is worn or held; None if nobody has said so."""

    properties: ItemProperties = ()
    """What else is known about it, by name: texts, numbers, true or false."""


@frozen
class NpcReward:
    """The reward for defeating an NPC."""

    xp: int | None = None
    loot: tuple[LootItem, ...] = ()
    story_flag: str = ""


@frozen
class NpcTemplate:
    """An NPC in the rulebook's bestiary, from which others are made."""

    name: str
    place: SourcePlace
    description: str = ""
    hp: int | None = None
    hp_dice: str = ""
    ac: int | None = None
    ac_note: str = ""
    stats: tuple[tuple[str, int], ...] = ()
    """The values of attributes, by key."""

    skills: tuple[tuple[str, int], ...] = ()
    attacks: tuple[NpcAttack, ...] = ()
    reward: NpcReward | None = None
    traits: tuple[tuple[str, str], ...] = ()
    """Everything else that has a label, such as immunities."""


@frozen
class ProseSection:
    """A section left to the narrator."""

    heading: str
    place: SourcePlace


@frozen
class Rulebook:
    """What was understood of a rulebook."""

    title: str
    files: tuple[str, ...]
    text: str
    """The whole text, for the narrator."""

    dice: tuple[str, ...] = ()
    """The dice of this system, such as `d20` and `dF`."""

    dice_place: SourcePlace | None = None
    check: CheckRule = CheckRule.OTHER
    check_place: SourcePlace | None = None
    modifier: ModifierRule = ModifierRule.VALUE
    attributes: tuple[AttributeRule, ...] = ()
    skills: tuple[SkillRule, ...] = ()
    combat: CombatRules | None = None
    templates: tuple[NpcTemplate, ...] = ()
    prose: tuple[ProseSection, ...] = ()


def tell_save(save: AttackSave) -> str:
    """A save in words, as authors write it."""
    return f"DC {save.difficulty} {save.attribute} or {save.condition}"


def warn(code: str, message: str, place: SourcePlace, suggestion: str = "") -> Fault:
    """A warning about a part of a rulebook; the game still loads."""
    return Fault(code, message, place, suggestion, Severity.WARNING)
