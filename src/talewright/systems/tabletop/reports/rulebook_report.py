"""The report on a rulebook: what was understood, where, and what was not; as lines of text and as JSON.

It describes a rulebook and judges nothing.
"""

from collections.abc import Sequence

from talewright.common.json_values import Json
from talewright.errors import Fault, SourcePlace
from talewright.systems.tabletop.rulebook_parser.rulebook_types import (
    AttributeRule,
    CombatRules,
    NpcAttack,
    NpcReward,
    NpcTemplate,
    Rulebook,
    SkillRule,
    tell_save,
)

PURE_NARRATIVE = "There is no rulebook: the game is pure narrative."


def report_lines(
    book: Rulebook | None, warnings: Sequence[Fault] = (), character: NpcTemplate | None = None
) -> list[str]:
    """What was understood, for an author to read."""
    if book is None:
        return [PURE_NARRATIVE]
    lines = [book.title or book.files[0], f"files: {', '.join(book.files)}"]
    lines.append(f"dice: {', '.join(book.dice) or 'none'}{_at(book.dice_place)}")
    lines.append(f"checks: {book.check.value}, modifier by {book.modifier.value}{_at(book.check_place)}")
    lines.append(f"attributes: {len(book.attributes)}")
    lines += [f"  {_tell_attribute(one)}{_at(one.place)}" for one in book.attributes]
    lines.append(f"skills: {len(book.skills)}")
    lines += [f"  {_tell_skill(one)}{_at(one.place)}" for one in book.skills]
    lines += _tell_combat(book.combat)
    lines.append(f"NPC templates: {len(book.templates)}")
    for template in book.templates:
        lines += _tell_template(template)
    if character is not None:
        lines += ["character to start with:", *_tell_template(character)]
    left = [f"  {one.heading}{_at(one.place)}" for one in book.prose]
    left += [
        f"  {template.name}, {attack.name or 'attack'}: {attack.left}{_at(attack.place)}"
        for template in (*book.templates, *([] if character is None else [character]))
        for attack in template.attacks
        if attack.left
    ]
    lines += [f"left to the narrator: {len(left)}", *left]
    lines.append(f"warnings: {len(warnings)}")
    lines += [f"  {fault.place}: {fault.code}: {fault.message}" for fault in warnings]
    return lines


def _at(place: SourcePlace | None) -> str:
    return "" if place is None else f"  ({place.file}:{place.line})"


def _tell_limits(minimum: int | None, maximum: int | None) -> str:
    return "" if minimum is None or maximum is None else f", {minimum} to {maximum}"


def _tell_attribute(one: AttributeRule) -> str:
    short = f" ({one.short})" if one.short else ""
    meaning = f": {one.meaning}" if one.meaning else ""
    return f"{one.name}{short}{_tell_limits(one.minimum, one.maximum)}{meaning}"


def _tell_skill(one: SkillRule) -> str:
    attribute = f" ({one.attribute})" if one.attribute else ""
    meaning = f": {one.meaning}" if one.meaning else ""
    return f"{one.name}{attribute}{_tell_limits(one.minimum, one.maximum)}{meaning}"


def _tell_combat(combat: CombatRules | None) -> list[str]:
    if combat is None:
        return ["combat: none"]
    dice = " + ".join(part for part in (combat.initiative, combat.initiative_attribute) if part)
    initiative = f", initiative {dice}" if dice else ""
    notes = [f"  {note.topic}: {note.text}{_at(note.place)}" for note in combat.notes]
    return [f"combat: {combat.structure.value}{initiative}{_at(combat.place)}", *notes]


def _tell_template(template: NpcTemplate) -> list[str]:
    hp = "?" if template.hp is None else str(template.hp)
    hp += f" ({template.hp_dice})" if template.hp_dice else ""
    ac = "?" if template.ac is None else str(template.ac)
    ac += f" ({template.ac_note})" if template.ac_note else ""
    lines = [f"  {template.name}: HP {hp}, AC {ac}{_at(template.place)}"]
    if template.description:
        lines.append(f"    description: {template.description}")
    if template.stats:
        lines.append("    stats: " + ", ".join(f"{key} {value}" for key, value in template.stats))
    lines += [f"    attack: {_tell_attack(attack)}{_at(attack.place)}" for attack in template.attacks]
    if template.skills:
        lines.append("    skills: " + ", ".join(f"{name} {value:+}" for name, value in template.skills))
    if template.reward:
        lines.append(f"    reward: {_tell_reward(template.reward)}")
    return lines + [f"    {label}: {text}" for label, text in template.traits]


def _tell_attack(attack: NpcAttack) -> str:
    bonus = "" if attack.bonus is None else f" {attack.bonus:+}"
    damage = " plus ".join(f"{roll.dice} {roll.kind}".strip() for roll in attack.damage)
    save = "" if attack.save is None else f", {tell_save(attack.save)}"
    return f"{attack.name or 'attack'}{bonus}" + (f", {damage}" if damage else "") + save


def _tell_reward(reward: NpcReward) -> str:
    told = [] if reward.xp is None else [f"{reward.xp} XP"]
    for item in reward.loot:
        note = f" ({item.note})" if item.note else ""
        told.append(f"{item.quantity} x {item.name}{note}")
    if reward.story_flag:
        told.append(f"flag {reward.story_flag}")
    return ", ".join(told) or "nothing"


def report_json(
    book: Rulebook | None, warnings: Sequence[Fault] = (), character: NpcTemplate | None = None
) -> dict[str, Json] | None:
    """The same as JSON, with every part and its place; None without a rulebook."""
    if book is None:
        return None
    combat: Json = None
    if book.combat is not None:
        combat = {
            "structure": book.combat.structure.value,
            "initiative": book.combat.initiative,
            "initiativeAttribute": book.combat.initiative_attribute,
            "notes": [
                {"topic": note.topic, "text": note.text, **_place_json(note.place)}
                for note in book.combat.notes
            ],
            **_place_json(book.combat.place),
        }
    return {
        "filePath": book.files[0],
        "files": list(book.files),
        "title": book.title,
        "diceTypes": list(book.dice),
        "checkRule": book.check.value,
        "modifierRule": book.modifier.value,
        "hasAttributes": bool(book.attributes),
        "hasSkills": bool(book.skills),
        "hasCombat": book.combat is not None,
        "hasNPCTemplates": bool(book.templates),
        "attributes": [_attribute_json(one) for one in book.attributes],
        "skills": [_skill_json(one) for one in book.skills],
        "combat": combat,
        "npcTemplates": [_template_json(one) for one in book.templates],
        "character": None if character is None else _template_json(character),
        "prose": [{"heading": one.heading, **_place_json(one.place)} for one in book.prose],
        "warnings": [
            {
                "code": fault.code,
                "message": fault.message,
                "suggestion": fault.suggestion,
                **_place_json(fault.place),
            }
            for fault in warnings
        ],
    }


def _place_json(place: SourcePlace) -> dict[str, Json]:
    return {"file": place.file, "line": place.line}


def _attribute_json(one: AttributeRule) -> Json:
    limits = {"min": one.minimum, "max": one.maximum}
    return {"name": one.name, "short": one.short, **limits, "meaning": one.meaning, **_place_json(one.place)}


def _skill_json(one: SkillRule) -> Json:
    limits = {"min": one.minimum, "max": one.maximum}
    named = {"name": one.name, "attribute": one.attribute}
    return {**named, **limits, "meaning": one.meaning, **_place_json(one.place)}


def _template_json(template: NpcTemplate) -> Json:
    return {
        "name": template.name,
        "description": template.description,
        "hp": template.hp,
        "hpDice": template.hp_dice,
        "ac": template.ac,
        "acNote": template.ac_note,
        "stats": dict(template.stats),
        "skills": dict(template.skills),
        "attacks": [_attack_json(attack) for attack in template.attacks],
        "reward": None if template.reward is None else _reward_json(template.reward),
        "traits": [{"label": label, "text": text} for label, text in template.traits],
        **_place_json(template.place),
    }


def _attack_json(attack: NpcAttack) -> Json:
    damage = [{"dice": roll.dice, "kind": roll.kind} for roll in attack.damage]
    named = {"name": attack.name, "bonus": attack.bonus, "damage": damage, "text": attack.text}
    save: Json = None
    if attack.save is not None:
        one = attack.save
        save = {"difficulty": one.difficulty, "attribute": one.attribute, "condition": one.condition}
    return {**named, "save": save, "left": attack.left, **_place_json(attack.place)}


def _reward_json(reward: NpcReward) -> Json:
    loot: list[Json] = [
        {
            "name": item.name,
            "quantity": item.quantity,
            **({"properties": {"note": item.note}} if item.note else {}),
        }
        for item in reward.loot
    ]
    return {"xp": reward.xp, "loot": loot, "storyFlag": reward.story_flag}
