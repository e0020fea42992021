"""Character sheets: the player's character and the NPCs, which have the same kind of sheet.

Values only, and how they are stored. Nothing is judged here.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.systems.tabletop.damage import Health, HitPoints
from talewright.systems.tabletop.rulebook_parser.npc_lines import read_reward
from talewright.systems.tabletop.rulebook_parser.rulebook_types import (
    DamageRoll,
    ItemProperties,
    LootItem,
    NpcReward,
    NpcTemplate,
)

HIT_POINTS_USUAL = 10
"""The default hit points, if nothing else is said."""

NAME_LENGTH_MAX = 39
"""Characters of a name, an item or an attack; 19 of them for Chinese. Sheets of NPCs are hidden, but names
appear in the order of a fight: a hidden text of 40 characters, or 20 Chinese ones, must not be quoted.
"""

NOTE_LENGTH_MAX = NAME_LENGTH_MAX
"""Characters of a note about an item; an NPC's items are hidden until they are looted."""

Members = Mapping[str, Json]


@frozen
class SheetAttack:
    """One attack."""

    name: str
    bonus: int = 0
    """What is added to the roll."""

    damage: tuple[DamageRoll, ...] = ()


@frozen
class CharacterSheet:
    """Everything the rules know about one character."""

    name: str
    health: Health = Health(HitPoints(HIT_POINTS_USUAL, HIT_POINTS_USUAL))
    stats: Mapping[str, int] = field(default_factory=dict)
    skills: Mapping[str, int] = field(default_factory=dict)
    """Modifiers of the skills that the character has learned."""

    ac: int | None = None
    attacks: tuple[SheetAttack, ...] = ()
    inventory: tuple[LootItem, ...] = ()
    level: int = 1
    xp: int = 0
    """Only the player has levels and experience."""

    id: str | None = None
    """What identifies an NPC for good, whoever has its name later; None if the campaign keeps an older game.
    """

    template: str = ""
    """The template of an NPC; empty if it has none."""

    reward: NpcReward | None = None
    is_hostile: bool = True
    notes: str = ""
    """What the narrator wants to remember about an NPC."""

    @property
    def is_standing(self) -> bool:
        """Whether the character can still act."""
        return not self.health.incapacitated


def read_character(stored: Members) -> CharacterSheet | None:
    """The player's character from the state; None if there is none yet."""
    if not stored["name"]:
        return None
    sheet = _read_common(stored)
    return replace(sheet, level=cast(int, stored["level"]), xp=cast(int, stored["xp"]), is_hostile=False)


def read_npc(stored: Members) -> CharacterSheet:
    """An NPC from the state."""
    reward = stored["reward"]
    return replace(
        _read_common(stored),
        id=cast("str | None", stored.get("id")),
        template=str(stored["templateName"]),
        reward=read_stored_reward(reward) if isinstance(reward, Mapping) else None,
        is_hostile=stored["isHostile"] is True,
        notes=str(stored["notes"]),
    )


def _read_common(stored: Members) -> CharacterSheet:
    points = cast(Mapping[str, int], stored["hp"])
    conditions = tuple(str(one) for one in cast(Sequence[Json], stored["conditions"]))
    # A scene may have written hit points beyond the maximum.
    health = Health(HitPoints(min(points["current"], points["max"]), points["max"]), conditions)
    return CharacterSheet(
        name=str(stored["name"]),
        health=health,
        stats=_read_numbers(stored["stats"]),
        skills=_read_numbers(stored["skills"]),
        ac=cast("int | None", stored["ac"]),
        attacks=tuple(_read_attack(one) for one in cast(Sequence[Members], stored["attacks"])),
        inventory=tuple(read_stored_item(one) for one in cast(Sequence[Members], stored["inventory"])),
    )


def _read_numbers(stored: Json) -> dict[str, int]:
    return {name: value for name, value in cast(Members, stored).items() if isinstance(value, int)}


def _read_attack(stored: Members) -> SheetAttack:
    damage = cast(Sequence[Mapping[str, str]], stored["damage"])
    rolls = tuple(DamageRoll(one["dice"], one["kind"]) for one in damage)
    return SheetAttack(str(stored["name"]), cast(int, stored["bonus"]), rolls)


NOTE, EQUIPPED = "note", "equipped"
"""Properties of an item that the engine knows."""

PROPERTIES_MAX = 6
"""Further properties of an item."""


def read_stored_item(stored: Members) -> LootItem:
    """An item from the state."""
    kept = cast(Mapping[str, str], stored["properties"])
    others = tuple(
        (name, _read_property(text)) for name, text in kept.items() if name not in (NOTE, EQUIPPED)
    )
    return LootItem(
        str(stored["name"]),
        cast(int, stored["quantity"]),
        kept.get(NOTE, ""),
        kept[EQUIPPED] == write_property(True) if EQUIPPED in kept else None,
        others,
    )


def write_property(value: Json) -> str:
    """A property of an item as it is stored: texts as they are, anything else as JSON."""
    is_plain = isinstance(value, str) and value == _read_property(value)
    return str(value) if is_plain else json.dumps(value, ensure_ascii=False)


def _read_property(text: str) -> Json:
    try:
        return cast(Json, json.loads(text))
    except ValueError:
        return text


def read_stored_reward(stored: Members) -> NpcReward:
    """A reward from the state."""
    loot = tuple(read_stored_item(one) for one in cast(Sequence[Members], stored["loot"]))
    return NpcReward(cast("int | None", stored["xp"]), loot, str(stored["storyFlag"]))


def character_json(sheet: CharacterSheet, skills: Sequence[str] = ()) -> dict[str, Json]:
    """The player's character as it is stored; skills of the rulebook that are not learned are null."""
    stored = _common_json(sheet, _stored_item)
    stored["skills"] = {**dict.fromkeys(skills), **sheet.skills}
    return {**stored, "level": sheet.level, "xp": sheet.xp}


def npc_json(sheet: CharacterSheet) -> dict[str, Json]:
    """An NPC as it is stored."""
    return _npc_json(sheet, _stored_item)


def report_character(sheet: CharacterSheet) -> dict[str, Json]:
    """The player's character as a tool reports it."""
    return {**_common_json(sheet, item_json), "level": sheet.level, "xp": sheet.xp}


def report_npc(sheet: CharacterSheet) -> dict[str, Json]:
    """An NPC as a tool reports it."""
    return _npc_json(sheet, item_json)


def _npc_json(sheet: CharacterSheet, write_item: Callable[[LootItem], Json]) -> dict[str, Json]:
    return {
        **({} if sheet.id is None else {"id": sheet.id}),
        **_common_json(sheet, write_item),
        "templateName": sheet.template,
        "reward": None if sheet.reward is None else _reward_json(sheet.reward, write_item),
        "isHostile": sheet.is_hostile,
        "notes": sheet.notes,
    }


def _common_json(sheet: CharacterSheet, write_item: Callable[[LootItem], Json]) -> dict[str, Json]:
    attacks: list[Json] = [
        {
            "name": one.name,
            "bonus": one.bonus,
            "damage": [{"dice": roll.dice, "kind": roll.kind} for roll in one.damage],
        }
        for one in sheet.attacks
    ]
    return {
        "name": sheet.name,
        "stats": dict(sheet.stats),
        "skills": dict(sheet.skills),
        "hp": sheet.health.hit_points.to_json(),
        "ac": sheet.ac,
        "conditions": list(sheet.health.conditions),
        "inventory": [write_item(item) for item in sheet.inventory],
        "attacks": attacks,
    }


def item_json(item: LootItem) -> Json:
    """An item as a tool reports it."""
    properties: dict[str, Json] = {**({NOTE: item.note} if item.note else {}), **dict(item.properties)}
    told: dict[str, Json] = {"name": item.name, "quantity": item.quantity, "properties": properties}
    return told if item.equipped is None else {**told, EQUIPPED: item.equipped}


def _stored_item(item: LootItem) -> Json:
    """An item as it is stored: all its properties are texts."""
    properties: dict[str, Json] = {NOTE: item.note} if item.note else {}
    properties |= {name: write_property(value) for name, value in item.properties}
    properties |= {} if item.equipped is None else {EQUIPPED: write_property(item.equipped)}
    return {"name": item.name, "quantity": item.quantity, "properties": properties}


def _reward_json(reward: NpcReward, write_item: Callable[[LootItem], Json]) -> dict[str, Json]:
    loot = [write_item(item) for item in reward.loot]
    return {"xp": reward.xp, "loot": loot, "storyFlag": reward.story_flag}


def sheet_from_template(template: NpcTemplate, name: str) -> CharacterSheet:
    """A new sheet with everything in a template."""
    points = HIT_POINTS_USUAL if template.hp is None else max(template.hp, 1)
    attacks = (
        SheetAttack(shorten_name(attack.name), attack.bonus or 0, attack.damage)
        for attack in template.attacks
    )
    return CharacterSheet(
        name=name,
        health=Health(HitPoints(points, points)),
        stats=dict(template.stats),
        skills={shorten_name(skill): value for skill, value in template.skills},
        ac=template.ac,
        attacks=tuple(attacks),
        template=template.name,
        reward=None if template.reward is None else _trim_reward(template.reward),
    )


_INVENTORY = re.compile(r"inventory|equipment|items?|gear|possessions|物品|装备|携带", re.IGNORECASE)
_LEVEL = re.compile(r"level|lv\.?|等级", re.IGNORECASE)


def ready_made_sheet(template: NpcTemplate) -> CharacterSheet:
    """The player's character as the author wrote it, like a template, with inventory and level."""
    sheet = replace(sheet_from_template(template, shorten_name(template.name)), template="", reward=None)
    traits = dict(template.traits)
    carried = next((text for label, text in traits.items() if _INVENTORY.fullmatch(label.strip())), "")
    level = next((text for label, text in traits.items() if _LEVEL.fullmatch(label.strip())), "")
    number = re.search(r"[0-9]{1,2}", level)
    return replace(
        sheet,
        inventory=tuple(trim_item(item) for item in read_reward(carried).loot),
        level=max(1, int(number[0])) if number else 1,
        xp=(template.reward.xp or 0) if template.reward else 0,
        is_hostile=False,
    )


def _trim_reward(reward: NpcReward) -> NpcReward:
    return replace(reward, loot=tuple(trim_item(item) for item in reward.loot))


def trim_item(item: LootItem) -> LootItem:
    """An item with its texts cut to their maximum length."""
    return replace(item, name=shorten_name(item.name), note=shorten_name(item.note))


def shorten_name(name: str) -> str:
    """A name cut to its maximum length."""
    return name[: name_length_max(name)].strip()


def name_length_max(name: str) -> int:
    """How many characters a name may have."""
    return NAME_LENGTH_MAX if name.isascii() else NAME_LENGTH_MAX // 2


def add_items(inventory: Sequence[LootItem], gained: Sequence[LootItem]) -> tuple[LootItem, ...]:
    """An inventory with more items; items of the same name are merged."""
    held = {item.name.casefold(): item for item in inventory}
    for item in gained:
        known = held.get(item.name.casefold())
        if known is None:
            held[item.name.casefold()] = item
        else:
            held[item.name.casefold()] = replace(
                known,
                quantity=known.quantity + item.quantity,
                note=known.note or item.note,
                equipped=known.equipped if item.equipped is None else item.equipped,
                properties=_merge(known.properties, item.properties),
            )
    return tuple(item for item in held.values() if item.quantity > 0)


def _merge(known: ItemProperties, new: ItemProperties) -> ItemProperties:
    """Properties with others that were learned later."""
    return tuple({**dict(known), **dict(new)}.items())[:PROPERTIES_MAX]
