"""Character creation: the player's character within the ranges of the rulebook, and its later rewards.

Before there is a character, every other move leads here.
"""

from dataclasses import replace

from talewright.common.json_values import Json
from talewright.kernel.judging.moves import REASON
from talewright.kernel.judging.rulings import Refusal, mend
from talewright.systems.tabletop.character_sheets import (
    CharacterSheet,
    add_items,
    item_json,
    report_character,
)
from talewright.systems.tabletop.damage import Health
from talewright.systems.tabletop.moves.dice_moves import attribute_modifier
from talewright.systems.tabletop.moves.npc_sheets import name_stats, read_attacks
from talewright.systems.tabletop.moves.tabletop_arguments import TabletopArguments, find_name, no_such
from talewright.systems.tabletop.moves.tabletop_draft import TabletopDraft
from talewright.systems.tabletop.rulebook_parser.rulebook_types import LootItem, NpcReward, Rulebook
from talewright.systems.tabletop.sheet_limits import check_reward, check_sheet
from talewright.systems.tabletop.slots import FLAG_LENGTH_MAX, ITEMS_MAX, LEVEL_MAX, STAT_LIMIT, XP_MAX
from talewright.systems.tabletop.tool_descriptions import PLAYER_TARGET


def deny_without_character(tool: str, book: Rulebook) -> Refusal:
    """A refusal that tells the caller to create a character first."""
    ranges = tell_ranges(book)
    stats = f", stats ({ranges})" if ranges else ""
    return mend(
        f"{tool}: there is no character yet. Agree on one with the player, then call set_character with "
        f"name{stats}, skills, hp and attacks"
    )


def tell_ranges(book: Rulebook, between: str = " to ") -> str:
    """The attributes and their ranges."""
    return ", ".join(
        one.key
        if one.minimum is None or one.maximum is None
        else f"{one.key} {one.minimum}{between}{one.maximum}"
        for one in book.attributes
    )


def set_character(said: TabletopArguments, draft: TabletopDraft) -> dict[str, Json]:
    """Record a character, or change the named fields of the existing one."""
    sheet = _name(said, draft)
    book = draft.book
    stats = name_stats(said.numbers("stats"), book) if said.has("stats") else {}
    _check_stats(said, stats, book, complete=draft.character is None)
    sheet = replace(sheet, stats={**sheet.stats, **stats})
    if said.has("skills"):
        sheet = replace(sheet, skills={**sheet.skills, **_read_skills(said, book)})
    if said.has("hp"):
        sheet = replace(sheet, health=Health(said.hit_points("hp"), sheet.health.conditions))
    if said.has("ac"):
        sheet = replace(sheet, ac=said.whole("ac", 0, STAT_LIMIT))
    if said.has("attacks"):
        sheet = replace(sheet, attacks=read_attacks(said))
    if said.has("inventory"):
        sheet = replace(sheet, inventory=add_items((), said.items("inventory")))
    if said.has("level"):
        sheet = replace(sheet, level=said.whole("level", 1, LEVEL_MAX))
    if said.has(REASON):
        check_sheet(said.tool, draft.character, sheet, book)
    draft.character = sheet
    return {"success": True, "character": describe_character(sheet, book)}


def _name(said: TabletopArguments, draft: TabletopDraft) -> CharacterSheet:
    name = said.name("name")
    known = draft.character
    if known is None and not name:
        raise deny_without_character(said.tool, draft.book)
    if known is None or (name and name != known.name):
        if find_name(name, (*draft.npcs, PLAYER_TARGET)):
            raise mend(f"{said.tool}: the name {name!r} is taken; names are unique")
        if draft.fight.order is not None:
            raise mend(f"{said.tool}: nobody is renamed during a fight; end it first")
    if known is None:
        return CharacterSheet(name, is_hostile=False)
    return replace(known, name=name or known.name)


def _check_stats(said: TabletopArguments, stats: dict[str, int], book: Rulebook, *, complete: bool) -> None:
    known = {one.key: one for one in book.attributes}
    for key, value in stats.items():
        rule = known.get(key)
        if rule is None:
            if known:
                raise no_such(said.tool, "attribute", key, known)
            continue
        low, high = rule.minimum, rule.maximum
        if (low is not None and value < low) or (high is not None and value > high):
            raise mend(
                f"{said.tool}: {key} {value} is out of range; this rulebook has {key} from {low} to {high}"
            )
    missing = [key for key in known if key not in stats]
    if complete and missing:
        raise mend(f"{said.tool}: a new character needs all attributes; {', '.join(missing)} are missing")


def _read_skills(said: TabletopArguments, book: Rulebook) -> dict[str, int]:
    known = {one.name: one for one in book.skills}
    skills: dict[str, int] = {}
    for name, value in said.numbers("skills").items():
        found = find_name(name, known)
        if known and not found:
            raise no_such(said.tool, "skill", name, known)
        rule = known.get(found)
        low = rule.minimum if rule and rule.minimum is not None else -STAT_LIMIT
        high = rule.maximum if rule and rule.maximum is not None else STAT_LIMIT
        if not low <= value <= high:
            raise mend(f"{said.tool}: {found} {value:+} is out of range; it goes from {low:+} to {high:+}")
        skills[found or name] = value
    return skills


def get_character(draft: TabletopDraft) -> dict[str, Json]:
    """The existing character."""
    assert draft.character is not None, "tools are judged once there is a character"
    return describe_character(draft.character, draft.book)


def describe_character(sheet: CharacterSheet, book: Rulebook) -> dict[str, Json]:
    """A character with the modifiers of its attributes."""
    modifiers: dict[str, Json] = {
        one.key: attribute_modifier(sheet, one.key, book) for one in book.attributes if one.key in sheet.stats
    }
    return {
        **report_character(sheet),
        "modifiers": modifiers,
        "incapacitated": sheet.health.incapacitated,
    }


def award(said: TabletopArguments, draft: TabletopDraft) -> dict[str, Json]:
    """Give experience, items and story flags, or take items away."""
    assert draft.character is not None, "tools are judged once there is a character"
    xp = said.whole("xp", 0, XP_MAX) if said.has("xp") else None
    if said.has(REASON):
        check_reward(said.tool, xp or 0, draft.character.xp, XP_MAX, draft.book)
    loot, lost = said.items("loot"), said.items("lost")
    flag = said.line("storyFlag", FLAG_LENGTH_MAX)
    if not (xp or loot or lost or flag):
        raise mend(f"{said.tool} gives something: xp, loot or storyFlag; or takes items away: lost")
    if lost:
        draft.character = replace(draft.character, inventory=_take_away(said.tool, draft.character, lost))
        shown = draft.words.comma.join(show_item(draft, item) for item in lost)
        draft.tell("lost", draft.words.loses.format(items=shown))
    give(draft, NpcReward(xp, loot, flag))
    if len(draft.character.inventory) > ITEMS_MAX:
        raise mend(f"{said.tool}: nobody carries more than {ITEMS_MAX} different items")
    return {
        "xp": draft.character.xp,
        "inventory": [item_json(item) for item in draft.character.inventory],
        "storyFlags": list(draft.flags),
    }


def give(draft: TabletopDraft, reward: NpcReward) -> None:
    """Give a reward to the player."""
    assert draft.character is not None
    words = draft.words
    before = draft.character
    draft.character = replace(
        before,
        xp=min(before.xp + (reward.xp or 0), XP_MAX),
        inventory=add_items(before.inventory, reward.loot),
    )
    draft.add_flag(reward.story_flag)
    gains = [words.xp.format(xp=reward.xp)] if reward.xp else []
    gains += [show_item(draft, item) for item in reward.loot]
    if gains:
        draft.tell("gained", words.gains.format(gains=words.comma.join(gains)))


def show_item(draft: TabletopDraft, item: LootItem) -> str:
    """An item with its count."""
    name = draft.labels.thing(item.name)
    return name if item.quantity == 1 else f"{item.quantity} × {name}"


def _take_away(tool: str, sheet: CharacterSheet, lost: tuple[LootItem, ...]) -> tuple[LootItem, ...]:
    held = {item.name: item.quantity for item in sheet.inventory}
    less: list[LootItem] = []
    for item in lost:
        found = find_name(item.name, held)
        if not found:
            raise no_such(tool, "item", item.name, held)
        if item.quantity > held[found]:
            raise mend(f"{tool}: {sheet.name} has {held[found]} of {found}, not {item.quantity}")
        held[found] -= item.quantity
        less.append(LootItem(found, -item.quantity))
    return add_items(sheet.inventory, less)
