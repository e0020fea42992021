"""Dice moves: rolls of any dice, and skill checks by the rules of the rulebook.

The engine rolls; a caller never brings a number.
"""

from collections.abc import Collection
from dataclasses import replace

from talewright.common.json_values import Json, quote_value
from talewright.kernel.dice.dice_parser import EXAMPLES, parse
from talewright.kernel.dice.dice_tree import DiceError, has_negative_count
from talewright.kernel.judging.rulings import mend
from talewright.systems.tabletop.character_sheets import CharacterSheet
from talewright.systems.tabletop.checks import (
    LADDER,
    MEDIOCRE,
    CheckOutcome,
    CheckResult,
    CheckRule,
    Edge,
    check_d20,
    check_fate,
    check_pbta,
    dice_for,
    edge_of,
    ladder_value,
    modifier_of,
)
from talewright.systems.tabletop.moves.tabletop_arguments import TabletopArguments, find_name, no_such
from talewright.systems.tabletop.moves.tabletop_draft import TabletopDraft
from talewright.systems.tabletop.recorded_rolls import RecordedRoll, RollKind, RollPurpose
from talewright.systems.tabletop.rulebook_parser.character_traits import find_attribute
from talewright.systems.tabletop.rulebook_parser.rulebook_types import Rulebook, SkillRule
from talewright.systems.tabletop.slots import CONTEXT_LENGTH_MAX, STAT_LIMIT
from talewright.systems.tabletop.words.phrases import TabletopPhrases


def roll_dice(said: TabletopArguments, draft: TabletopDraft) -> dict[str, Json]:
    """Roll any dice of this game."""
    expression = said.line("expression", STAT_LIMIT)
    try:
        dice = parse(expression, allowed=_allowed_dice(draft))
        if draft.revised and has_negative_count(dice.root):
            raise DiceError("the number of dice cannot be negative; subtract them from others: 2d6-1d4", 1)
    except DiceError as error:
        # The message about a die that this game does not have lists the allowed ones.
        look = "" if "of this system" in error.message else f". Write it like {EXAMPLES}"
        raise mend(f"{said.tool}: {error.message}{look}") from None
    context = said.line("context", STAT_LIMIT)[:CONTEXT_LENGTH_MAX]
    visible = said.truth("visible", default=True)
    rolled = draft.roll(expression, RollPurpose(what=context), visible=visible)
    return rolled.result(draft.words, draft.labels)


def roll_meanings(said: TabletopArguments, draft: TabletopDraft) -> dict[str, Json]:
    """What the arguments of a roll mean; None is the default."""
    return {"expression": "".join(said.line("expression", STAT_LIMIT).split()), **_sight_meaning(said)}


def _sight_meaning(said: TabletopArguments) -> dict[str, Json]:
    return {"visible": None if said.truth("visible", default=True) else False}


USUAL_DICE = (4, 6, 8, 10, 12, 20, 100, "F")
"""Dice that every rulebook has, whether it names them or not."""


def _allowed_dice(draft: TabletopDraft) -> Collection[int | str] | None:
    """The dice that `game.yaml` lists, or else the usual ones and those of the rulebook; None allows all."""
    if draft.dice is not None or not draft.book.dice:
        return draft.dice
    named = ["F" if die == "dF" else int(die[1:]) for die in draft.book.dice]
    return [*dict.fromkeys((*named, *USUAL_DICE))] if draft.revised else named


def skill_check(said: TabletopArguments, draft: TabletopDraft) -> dict[str, Json]:
    """Resolve a check of the player or an NPC."""
    sheet = _who(said, draft)
    book = draft.book
    attribute = _find_attribute(said, draft)
    skill, rule = _find_skill(said, draft, sheet, attribute)
    difficulty = _find_difficulty(said, book)
    edge = edge_of(said.truth("advantage", default=False), said.truth("disadvantage", default=False))
    visible = said.truth("visible", default=True)
    modifier = check_modifier(sheet, skill, rule, attribute, book)
    purpose = RollPurpose(RollKind.CHECK, sheet.name, sheet.template, skill)
    result, rolled = make_check(draft, purpose, modifier, difficulty, edge, visible=visible)
    told: dict[str, Json] = {
        "skill": skill,
        "attribute": attribute or (rule.attribute if rule else ""),
        **report_check(result, rolled, draft),
        "roll": rolled.result(draft.words, draft.labels),
    }
    if _is_outside(skill, rule, book):
        told["note"] = f"{skill} is no skill of this rulebook; {attribute} was rolled for it"
    return told if visible else {**told, "hidden": True}


def check_meanings(said: TabletopArguments, draft: TabletopDraft) -> dict[str, Json]:
    """What the arguments of a check mean; None is the default."""
    sheet, book = _who(said, draft), draft.book
    attribute = _find_attribute(said, draft)
    skill, rule = _find_skill(said, draft, sheet, attribute)
    return {
        "npcName": None if sheet is draft.character else sheet.name,
        # A skill outside the rulebook can be worded freely, so it is the check of its attribute.
        "skill": attribute if _is_outside(skill, rule, book) else skill,
        "difficulty": None if book.check is CheckRule.PBTA else _find_difficulty(said, book),
        "attribute": None if rule and attribute == rule.attribute else attribute,
        **edge_meanings(said),
        **_sight_meaning(said),
    }


def edge_meanings(said: TabletopArguments) -> dict[str, Json]:
    """What advantage and disadvantage mean together; None is the default."""
    edge = edge_of(said.truth("advantage", default=False), said.truth("disadvantage", default=False))
    return {
        "advantage": edge is Edge.ADVANTAGE or None,
        "disadvantage": edge is Edge.DISADVANTAGE or None,
    }


def make_check(
    draft: TabletopDraft,
    purpose: RollPurpose,
    modifier: int,
    difficulty: int,
    edge: Edge = Edge.NONE,
    *,
    visible: bool = True,
) -> tuple[CheckResult, RecordedRoll]:
    """Roll the dice of a check and compare them by the rules of the rulebook."""
    rule = draft.book.check
    dice = dice_for(rule, edge)
    rolled = draft.roll(f"{dice}{modifier:+}" if modifier else dice, purpose, visible=visible)
    match rule:
        case CheckRule.PBTA:
            result = check_pbta(rolled.faces, modifier, edge)
        case CheckRule.FATE:
            result = check_fate(rolled.faces, modifier, difficulty, edge)
        case _:
            result = check_d20(rolled.faces, modifier, difficulty, edge)
    rolled = draft.rolled[-1] = replace(rolled, check=result)
    return result, rolled


def report_check(result: CheckResult, rolled: RecordedRoll, draft: TabletopDraft) -> dict[str, Json]:
    """A check as a tool reports it. A player sees `text`, `total`, `needed` and the outcome."""
    outcome = word_outcome(result.outcome, draft.words)
    text = str(rolled.result(draft.words, draft.labels)["text"])
    told: dict[str, Json] = {
        **result.to_json(),
        "text": text,
        "success": result.succeeded,
        "message": f"{text}{draft.words.comma}{outcome}",
        "logId": rolled.id,
        **({"bands": bands} if (bands := result.bands) else {}),
    }
    return told if result.difficulty is None else {**told, "needed": result.difficulty}


def word_outcome(outcome: CheckOutcome, words: TabletopPhrases) -> str:
    """A degree of success in words."""
    return words.outcomes[list(CheckOutcome).index(outcome)]


def check_modifier(
    sheet: CharacterSheet, skill: str, rule: SkillRule | None, attribute: str, book: Rulebook
) -> int:
    """What a character adds to a check: a learned skill, or else the attribute behind it.

    If another attribute is named, the learned part of the skill is added to that one.
    """
    own = rule.attribute if rule else ""
    learned = sheet.skills.get(skill)
    if learned is None:
        return attribute_modifier(sheet, attribute or own, book)
    if not attribute or attribute == own:
        return learned
    return learned - attribute_modifier(sheet, own, book) + attribute_modifier(sheet, attribute, book)


def attribute_modifier(sheet: CharacterSheet, key: str, book: Rulebook) -> int:
    """The modifier of an attribute; 0 if the character does not have it."""
    return modifier_of(sheet.stats[key], book.modifier) if key in sheet.stats else 0


def _who(said: TabletopArguments, draft: TabletopDraft) -> CharacterSheet:
    name = said.name("npcName")
    if not name:
        assert draft.character is not None, "tools are judged once there is a character"
        return draft.character
    found = draft.npcs.find(name)
    if not found:
        raise no_such(said.tool, "NPC", name, draft.npcs)
    return draft.npcs[found]


def _find_skill(
    said: TabletopArguments, draft: TabletopDraft, sheet: CharacterSheet, attribute: str
) -> tuple[str, SkillRule | None]:
    """The skill and its rule. One that the rulebook does not have needs an attribute, which decides it."""
    name, book = said.name("skill"), draft.book
    if not name:
        raise mend(f"{said.tool} needs `skill`, what is tried")
    rules = {rule.name: rule for rule in book.skills}
    found = find_name(name, rules) or find_name(name, sheet.skills)
    # A PbtA game often rolls a stat itself.
    found = found or find_name(name, [one.key for one in book.attributes])
    if not found and draft.revised and (meant := find_attribute(book.attributes, name)):
        found = meant.key
    if found and found not in rules and found not in sheet.skills:
        return found, SkillRule(found, book.attributes[0].place, found)
    if not found and rules:
        if draft.revised and attribute:
            return name, SkillRule(name, book.attributes[0].place, attribute)
        known = (*rules, *sheet.skills)
        refusal = no_such(said.tool, "skill", name, dict.fromkeys(known) if draft.revised else known)
        stop = "" if refusal.reason.endswith("?") else "."
        look = f"{stop} For any other skill, name the `attribute` that decides it"
        raise mend(f"{refusal.reason}{look}") if draft.revised and book.attributes else refusal
    return found or name, rules.get(found)


def _is_outside(skill: str, rule: SkillRule | None, book: Rulebook) -> bool:
    """Whether a skill is none of the rulebook's, and its attribute was rolled."""
    return rule is not None and rule not in book.skills and skill != rule.attribute


def _find_attribute(said: TabletopArguments, draft: TabletopDraft) -> str:
    name, attributes = said.name("attribute"), draft.book.attributes
    if not name:
        return ""
    for one in attributes:
        if name.casefold() in (one.key.casefold(), one.name.casefold()):
            return one.key
    meant = find_attribute(attributes, name) if draft.revised else None
    if meant is None:
        raise no_such(said.tool, "attribute", name, [one.key for one in attributes])
    return meant.key


def _find_difficulty(said: TabletopArguments, book: Rulebook) -> int:
    value = said.members.get("difficulty")
    if book.check is CheckRule.PBTA:
        return 0
    if book.check is CheckRule.FATE and (value is None or isinstance(value, str)):
        step = MEDIOCRE if value is None else ladder_value(value)
        if step is None:
            steps = ", ".join(LADDER)
            raise mend(f"{said.tool}: {quote_value(value)} is no step of the ladder: {steps}, or a number")
        return step
    if value is None:
        raise mend(
            f"{said.tool} needs `difficulty`, the number to reach; 10 is easy, 15 is hard, 20 is desperate, "
            "unless the rulebook says otherwise"
        )
    return said.whole("difficulty", -STAT_LIMIT, STAT_LIMIT)
