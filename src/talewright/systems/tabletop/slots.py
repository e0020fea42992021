"""Slots: the state of a tabletop campaign, made for the attributes and skills of its rulebook.

Only types and limits. Players see the character, the order of a fight and visible rolls; everything about
NPCs, story flags and hidden rolls is hidden from them.
"""

from collections.abc import Mapping
from dataclasses import replace

from talewright.common.json_values import Json
from talewright.kernel.dice.dice_tree import DEFAULT_LIMITS
from talewright.kernel.slots.slot_types import Slot, SlotKind
from talewright.systems.tabletop.character_sheets import NAME_LENGTH_MAX, NOTE_LENGTH_MAX, PROPERTIES_MAX
from talewright.systems.tabletop.damage import CONDITION_LENGTH_MAX, CONDITIONS_MAX, HIT_POINTS_MAX
from talewright.systems.tabletop.initiative import COMBATANTS_MAX, CombatStructure
from talewright.systems.tabletop.recorded_rolls import RollKind
from talewright.systems.tabletop.rulebook_parser.rulebook_types import Rulebook

ROOT = "tabletop"
CHARACTER, NPCS, COMBAT, FLAGS = "character", "npcs", "combat", "flags"
SURPRISED = "surprised"
ROLLS, HIDDEN_ROLLS = "rolls", "hidden_rolls"
ROLL_COUNT, HIDDEN_ROLL_COUNT = "roll_count", "hidden_roll_count"
NPC_COUNT = "npc_count"
"""The members of the root. Hidden rolls are counted separately, so that no gap in the numbers betrays one;
NPCs are counted for their ids.
"""

NPCS_MAX = 200
ATTACKS_MAX = 20
ITEMS_MAX = 100
QUANTITY_MAX = 1_000_000
NPC_NOTES_LENGTH_MAX = 1_000
FLAGS_MAX = 200
FLAG_LENGTH_MAX = 60
STATS_MAX = 40
SKILLS_MAX = 100
STAT_LIMIT = 999
"""The largest attribute, modifier, armor class or bonus."""

LEVEL_MAX = 100
XP_MAX = 1_000_000_000
ROLLS_KEPT = 12
"""Rolls of each kind that are remembered."""

ROLL_DICE_MAX = 500
CONTEXT_LENGTH_MAX = 120
"""Characters of what a roll is for; a longer text is cut."""

EXPRESSION_LENGTH_MAX = DEFAULT_LIMITS.length
VERSION_MAX = 2**31
TOTAL_MAX = 1_000_000_000

NO_OUTCOME, WON, LOST, FLED, ENDED = "none", "won", "lost", "fled", "ended"
OUTCOMES = (NO_OUTCOME, WON, LOST, FLED, ENDED)
"""How the last fight ended."""


def _text(length: int = NAME_LENGTH_MAX) -> Slot:
    return Slot(kind=SlotKind.STRING, default="", max_length=length)


def _list(element: Slot, most: int, default: Json = None) -> Slot:
    return Slot(kind=SlotKind.LIST, default=default or [], element=element, max_items=most)


def _whole(default: int = 0, low: int = -STAT_LIMIT, high: int = STAT_LIMIT) -> Slot:
    return Slot(kind=SlotKind.INTEGER, default=default, minimum=low, maximum=high)


def _object(**fields: Slot) -> Slot:
    return Slot(kind=SlotKind.OBJECT, fields=fields)


def _open(values: Slot, most: int) -> Slot:
    return Slot(kind=SlotKind.OBJECT, values=values, default={}, max_items=most)


_TRUTH = Slot(kind=SlotKind.BOOLEAN, default=False)
_MAYBE = replace(_whole(), default=None, nullable=True)
_HIT_POINTS = _object(current=_whole(10, 0, HIT_POINTS_MAX), max=_whole(10, 1, HIT_POINTS_MAX))
_CONDITIONS = _list(_text(CONDITION_LENGTH_MAX), CONDITIONS_MAX)
_ITEM = _object(
    name=_text(),
    quantity=_whole(1, 0, QUANTITY_MAX),
    properties=_open(_text(NOTE_LENGTH_MAX), PROPERTIES_MAX + 2),
)
_DAMAGE = _object(dice=_text(), kind=_text())
_ATTACK = _object(name=_text(), bonus=_whole(), damage=_list(_DAMAGE, 8))
_REWARD = _object(
    xp=replace(_whole(0, 0, XP_MAX), default=None, nullable=True),
    loot=_list(_ITEM, ITEMS_MAX),
    storyFlag=_text(FLAG_LENGTH_MAX),
)
_COMMON = {
    "name": _text(),
    "hp": _HIT_POINTS,
    "ac": _MAYBE,
    "conditions": _CONDITIONS,
    "inventory": _list(_ITEM, ITEMS_MAX),
    "attacks": _list(_ATTACK, ATTACKS_MAX),
}
_NPC = _object(
    **_COMMON,
    id=_text(),
    stats=_open(_whole(), STATS_MAX),
    skills=_open(_whole(), SKILLS_MAX),
    templateName=_text(FLAG_LENGTH_MAX),
    reward=replace(_REWARD, nullable=True, default=None),
    isHostile=_TRUTH,
    notes=_text(NPC_NOTES_LENGTH_MAX),
)
_COMBATANT = _object(
    name=_text(),
    initiative=_whole(0, -TOTAL_MAX, TOTAL_MAX),
    isPlayer=_TRUTH,
    conditions=_CONDITIONS,
    tieBreaker=_whole(0, -TOTAL_MAX, TOTAL_MAX),
)
_COMBAT = _object(
    active=_TRUTH,
    round=_whole(0, 0, VERSION_MAX),
    initiativeOrder=_list(_COMBATANT, COMBATANTS_MAX),
    currentIndex=_whole(0, 0, COMBATANTS_MAX),
    structure=Slot(
        kind=SlotKind.ENUM,
        default=CombatStructure.TURN_BASED.value,
        enum_values=tuple(one.value for one in CombatStructure),
    ),
    since=_whole(0, 0, VERSION_MAX),
    touched=_whole(0, 0, VERSION_MAX),
    defending=_TRUTH,
    enemies=_whole(0, 0, COMBATANTS_MAX),
    outcome=Slot(kind=SlotKind.ENUM, default=NO_OUTCOME, enum_values=OUTCOMES),
    surprised=_list(_text(), COMBATANTS_MAX),
)
"""A fight: `since` is the turn in which it began, `touched` the last one in which anyone fought, `defending`
whether the player defends, `enemies` how many of them still stand, `outcome` how the last fight ended,
`surprised` who misses the first round.
"""

_ROLL = _object(
    id=_text(),
    turn=_whole(0, 0, VERSION_MAX),
    expression=_text(EXPRESSION_LENGTH_MAX),
    individualRolls=_list(_whole(), ROLL_DICE_MAX),
    total=_whole(0, -TOTAL_MAX, TOTAL_MAX),
    kind=Slot(
        kind=SlotKind.ENUM, default=RollKind.FREE.value, enum_values=tuple(one.value for one in RollKind)
    ),
    who=_text(),
    template=_text(FLAG_LENGTH_MAX),
    what=_text(CONTEXT_LENGTH_MAX),
)


def make_slots(book: Rulebook, character: Mapping[str, Json] | None) -> Mapping[str, Slot]:
    """The state of a game with this rulebook; `character` is the one it starts with, if any."""
    count = _whole(0, 0, VERSION_MAX)
    fields = {
        CHARACTER: replace(_character(book), default=character or {}),
        FLAGS: replace(_list(_text(FLAG_LENGTH_MAX), FLAGS_MAX), hidden=True),
        NPCS: replace(_open(_NPC, NPCS_MAX), hidden=True),
        COMBAT: _COMBAT,
        ROLLS: _list(_ROLL, ROLLS_KEPT),
        ROLL_COUNT: count,
        HIDDEN_ROLLS: replace(_list(_ROLL, ROLLS_KEPT), hidden=True),
        HIDDEN_ROLL_COUNT: replace(count, hidden=True),
        NPC_COUNT: replace(count, secret=True),
    }
    return {ROOT: Slot(kind=SlotKind.OBJECT, readonly=True, fields=fields)}


def _character(book: Rulebook) -> Slot:
    """A character has every attribute and skill of the rulebook, or any it likes if the rulebook has none."""
    stats = {one.key: _whole(0 if one.minimum is None else one.minimum) for one in book.attributes}
    skills = {one.name: _MAYBE for one in book.skills}
    return _object(
        **_COMMON,
        level=_whole(1, 1, LEVEL_MAX),
        xp=_whole(0, 0, XP_MAX),
        stats=_object(**stats) if stats else _open(_whole(), STATS_MAX),
        skills=_object(**skills) if skills else _open(_MAYBE, SKILLS_MAX),
    )
