"""NPC sheets: NPCs from templates or of the narrator's own, created, changed and removed.

Names are unique, including the player's. An unknown template is a warning, not a refusal.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import replace

from talewright.common.json_values import Json
from talewright.common.name_suggestions import listed
from talewright.kernel.judging.moves import REASON
from talewright.kernel.judging.rulings import mend
from talewright.systems.tabletop.character_sheets import (
    CharacterSheet,
    SheetAttack,
    name_length_max,
    report_npc,
    sheet_from_template,
    shorten_name,
)
from talewright.systems.tabletop.damage import CONDITION_LENGTH_MAX, CONDITIONS_MAX, Health, HitPoints
from talewright.systems.tabletop.damage import apply_damage as harm
from talewright.systems.tabletop.moves.tabletop_arguments import TabletopArguments, find_name, no_such
from talewright.systems.tabletop.moves.tabletop_draft import TabletopDraft
from talewright.systems.tabletop.rulebook_parser.character_traits import find_attribute
from talewright.systems.tabletop.rulebook_parser.npc_lines import read_damage
from talewright.systems.tabletop.rulebook_parser.rulebook_types import NpcReward, NpcTemplate, Rulebook
from talewright.systems.tabletop.sheet_limits import check_sheet
from talewright.systems.tabletop.slots import (
    ATTACKS_MAX,
    FLAG_LENGTH_MAX,
    NPC_NOTES_LENGTH_MAX,
    NPCS_MAX,
    STAT_LIMIT,
    XP_MAX,
)
from talewright.systems.tabletop.tool_descriptions import PLAYER_TARGET, REASONS

NUMBER_LENGTH = len(f" {NPCS_MAX}")


def create_npc(said: TabletopArguments, draft: TabletopDraft) -> dict[str, Json]:
    """Create an NPC."""
    name = check_new_name(said, draft)
    wanted = said.line("templateName", STAT_LIMIT)
    template = find_template(wanted, draft.book)
    sheet = CharacterSheet(name) if template is None else sheet_from_template(template, name)
    sheet = draft.npcs.create(_amend(said, sheet, draft.book))
    origin = f" from template {template.name}" if template else ""
    result: dict[str, Json] = {
        "success": True,
        "npc": report_npc(sheet),
        "message": f"Created {name}{origin}",
    }
    if wanted and template is None:
        known = [one.name for one in draft.book.templates]
        result["warning"] = (
            f"there is no template {wanted!r}, so {name} has only what you gave; there is "
            f"{listed(known) or 'none in this rulebook'}"
        )
    return result


def check_new_name(said: TabletopArguments, draft: TabletopDraft) -> str:
    """A name that is still free."""
    name = said.name("name")
    if not name:
        raise mend(f"{said.tool} needs `name`, which nobody else has")
    taken = names_taken(draft)
    if find_name(name, taken):
        raise mend(
            f"{said.tool}: the name {name!r} is taken; names are unique. There is {listed(taken)}. "
            f"Number them, such as {number_name(name, taken)!r}, or invent a name"
        )
    if len(draft.npcs) >= NPCS_MAX:
        raise mend(f"{said.tool}: there are {NPCS_MAX} NPCs; remove one who matters no more with remove_npc")
    return name


def names_taken(draft: TabletopDraft) -> tuple[str, ...]:
    """All names that are in use."""
    player = () if draft.character is None else (draft.character.name,)
    return (*draft.npcs, *player, PLAYER_TARGET)


def number_name(name: str, taken: Collection[str]) -> str:
    """The first of `Goblin 1`, `Goblin 2` ... that is free."""
    short = re.sub(r" [0-9]+$", "", name)[: name_length_max(name) - NUMBER_LENGTH].strip()
    number = 1
    while find_name(f"{short} {number}", taken):
        number += 1
    return f"{short} {number}"


def find_template(name: str, book: Rulebook) -> NpcTemplate | None:
    """The template of this name, ignoring case."""
    found = find_name(name, [one.name for one in book.templates]) if name else ""
    return next((one for one in book.templates if one.name == found), None)


def update_npc(said: TabletopArguments, draft: TabletopDraft) -> dict[str, Json]:
    """Change the named fields, and leave the rest."""
    sheet = _find(said, draft)
    updates = said.within("updates")
    if not updates.members:
        raise mend(f"{said.tool}: `updates` names what changes: stats, skills, hp, conditions, notes ...")
    changed = _amend(updates, sheet, draft.book)
    if updates.has("conditions"):
        changed = replace(changed, health=_set_conditions(updates, changed.health))
    if updates.has("inventory"):
        changed = replace(changed, inventory=updates.items("inventory"))
    if said.has(REASON):
        check_sheet(said.tool, sheet, changed, draft.book)
    draft.npcs[sheet.name] = changed
    return {"success": True, "npc": report_npc(changed), "changes": [*_compare(sheet, changed)]}


def remove_npc(said: TabletopArguments, draft: TabletopDraft) -> dict[str, Json]:
    """Remove an NPC, including from a fight."""
    sheet = _find(said, draft)
    reason = said.choice("reason", REASONS, "other")
    draft.drop(sheet.name)
    told = {"defeated": "was defeated", "fled": "has fled", "departed": "has left"}.get(reason, "is gone")
    reward = f" Reward, to be given with award: {tell_reward(sheet.reward)}" if sheet.reward else ""
    return {
        "success": True,
        "npc": report_npc(sheet),
        "reason": reason,
        "message": f"{sheet.name} {told}.{reward}",
    }


def tell_reward(reward: NpcReward) -> str:
    """A reward in words, for the narrator."""
    told = [f"{reward.xp} XP"] if reward.xp else []
    told += [f"{item.quantity} x {item.name}" for item in reward.loot]
    told += [f"story flag {reward.story_flag}"] if reward.story_flag else []
    return ", ".join(told) or "nothing"


def _find(said: TabletopArguments, draft: TabletopDraft) -> CharacterSheet:
    name = said.name("name")
    found = draft.npcs.find(name)
    if not found:
        raise no_such(said.tool, "NPC", name, draft.npcs)
    return draft.npcs[found]


def _amend(said: TabletopArguments, sheet: CharacterSheet, book: Rulebook) -> CharacterSheet:
    """A sheet updated with what a call says."""
    if said.has("stats"):
        sheet = replace(sheet, stats={**sheet.stats, **name_stats(said.numbers("stats"), book)})
    if said.has("skills"):
        skills = {shorten_name(name): value for name, value in said.numbers("skills").items()}
        sheet = replace(sheet, skills={**sheet.skills, **skills})
    if said.has("hp"):
        sheet = replace(sheet, health=replace(sheet.health, hit_points=said.hit_points("hp")))
    if said.has("ac"):
        sheet = replace(sheet, ac=said.whole("ac", 0, STAT_LIMIT))
    if said.has("attacks"):
        sheet = replace(sheet, attacks=read_attacks(said))
    if said.has("reward"):
        sheet = replace(sheet, reward=_read_reward(said.within("reward")))
    if said.has("isHostile"):
        sheet = replace(sheet, is_hostile=said.truth("isHostile", default=False))
    if said.has("notes"):
        sheet = replace(sheet, notes=said.line("notes", NPC_NOTES_LENGTH_MAX))
    return sheet


def name_stats(stats: dict[str, int], book: Rulebook) -> dict[str, int]:
    """Attributes by the keys of the rulebook: `Strength` is `STR`."""
    keys = {name: find_attribute(book.attributes, name) for name in stats}
    return {one.key if (one := keys[name]) else shorten_name(name): value for name, value in stats.items()}


def read_attacks(said: TabletopArguments) -> tuple[SheetAttack, ...]:
    """The attacks that a call lists."""
    rows = said.members["attacks"]
    if not isinstance(rows, list | tuple) or len(rows) > ATTACKS_MAX:
        raise mend(f"{said.tool}: `attacks` is a list of at most {ATTACKS_MAX}")
    return tuple(_read_attack(TabletopArguments(said.tool, {"attack": row}).within("attack")) for row in rows)


def _read_attack(said: TabletopArguments) -> SheetAttack:
    name = said.name("name")
    if not name:
        raise mend(f"{said.tool}: an attack needs a `name`, such as Longsword")
    written = said.line("damage", STAT_LIMIT)
    damage = read_damage(written) or (read_damage(f"damage {written}") if written else ())
    if written and not damage:
        raise mend(f"{said.tool}: the damage {written!r} has no dice; write it like 1d8+3 slashing")
    bonus = said.whole("bonus", -STAT_LIMIT, STAT_LIMIT) if said.has("bonus") else 0
    short = tuple(replace(one, kind=shorten_name(one.kind)) for one in damage)
    return SheetAttack(name, bonus, short)


def _read_reward(said: TabletopArguments) -> NpcReward:
    xp = said.whole("xp", 0, XP_MAX) if said.has("xp") else None
    return NpcReward(xp, said.items("loot"), said.line("storyFlag", FLAG_LENGTH_MAX))


def _set_conditions(said: TabletopArguments, health: Health) -> Health:
    wanted = said.lines("conditions")
    result = harm(Health(health.hit_points), 0, wanted)
    if result.refused:
        raise mend(
            f"{said.tool}: a condition has 1 to {CONDITION_LENGTH_MAX} characters, and nobody has more than "
            f"{CONDITIONS_MAX}"
        )
    return result.after


def _compare(before: CharacterSheet, after: CharacterSheet) -> Iterable[str]:
    """What has changed, in words."""
    yield from _compare_points(before.health.hit_points, after.health.hit_points)
    for condition in after.health.conditions:
        if condition not in before.health.conditions:
            yield f"Added condition: {condition}"
    for condition in before.health.conditions:
        if condition not in after.health.conditions:
            yield f"Removed condition: {condition}"
    for name, one, other in (("stats", before.stats, after.stats), ("skills", before.skills, after.skills)):
        for key, value in other.items():
            if one.get(key) != value:
                yield f"{name}: {key} {one.get(key, 'none')} → {value}"
    for name in ("ac", "attacks", "inventory", "reward", "is_hostile", "notes"):
        if getattr(before, name) != getattr(after, name):
            yield f"Changed {name.replace('is_hostile', 'isHostile')}"


def _compare_points(before: HitPoints, after: HitPoints) -> Iterable[str]:
    if before.current != after.current:
        yield f"HP: {before.current} → {after.current}"
    if before.maximum != after.maximum:
        yield f"Maximum HP: {before.maximum} → {after.maximum}"
