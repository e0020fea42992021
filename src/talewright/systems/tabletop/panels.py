"""Panels: the character sheet, the fight and the visible rolls, as the player sees them.

It shows only NPCs in the fight, with their names, hit points and conditions.
"""

from talewright.kernel.panel_parts import Chips, Lines, Meter, Panel, PanelPart, Rolled, Table, TurnOrder
from talewright.systems.tabletop.character_sheets import CharacterSheet
from talewright.systems.tabletop.checks import ModifierRule
from talewright.systems.tabletop.moves.attacks import default_attack
from talewright.systems.tabletop.moves.character_creation import show_item
from talewright.systems.tabletop.moves.dice_moves import attribute_modifier
from talewright.systems.tabletop.moves.tabletop_draft import TabletopDraft
from talewright.systems.tabletop.recorded_rolls import RecordedRoll
from talewright.systems.tabletop.words.phrases import TabletopPhrases

KEPT = "k"
"""The dice notation for counting only the highest or lowest dice."""

ROLLS_SHOWN = 6
"""Rolls in the panel, the newest first."""


def panels_of(draft: TabletopDraft) -> tuple[Panel, ...]:
    """All panels, in order."""
    if draft.character is None:
        return ()
    return (*_tell_fight(draft), _tell_character(draft, draft.character), *_tell_rolls(draft))


def _tell_fight(draft: TabletopDraft) -> list[Panel]:
    order = draft.fight.order
    if order is None:
        return []
    words = draft.words
    names = tuple(draft.show_name(name) for name in order.names)
    sheets = [draft.sheet(name) for name in order.names]
    levels = tuple(None if one is None else _hit_points(one) for one in sheets)
    notes = tuple("" if one is None else words.comma.join(one.health.conditions) for one in sheets)
    player = next((at for at, one in enumerate(order.combatants) if one.is_player), None)
    fighters = TurnOrder(words.order, names, order.current_index, levels, notes, player)
    return [Panel("tabletop-fight", words.fight.format(round=order.round), (fighters,))]


def _hit_points(sheet: CharacterSheet) -> tuple[int, int]:
    points = sheet.health.hit_points
    return points.current, points.maximum


def _tell_health(sheet: CharacterSheet, words: TabletopPhrases) -> list[PanelPart]:
    parts: list[PanelPart] = [Meter(words.hit_points, *_hit_points(sheet))]
    return [*parts, Chips(words.conditions, sheet.health.conditions)] if sheet.health.conditions else parts


def _tell_character(draft: TabletopDraft, sheet: CharacterSheet) -> Panel:
    words, labels, book = draft.words, draft.labels, draft.book
    parts = _tell_health(sheet, words)
    facts = [words.level.format(level=sheet.level), f"{words.experience}{words.colon}{sheet.xp}"]
    facts += [] if sheet.ac is None else [f"{words.armor}{words.colon}{sheet.ac}"]
    parts.append(Lines("", tuple(facts)))
    scores = book.modifier is ModifierRule.SCORE
    stats = tuple(
        (labels.attributes.get(key, key), str(value), f"{attribute_modifier(sheet, key, book):+}")
        if scores
        else (labels.attributes.get(key, key), f"{value:+}")
        for key, value in sheet.stats.items()
    )
    parts += [Table(words.attributes, (), stats)] if stats else []
    skills = tuple((labels.skills.get(name, name), f"{value:+}") for name, value in sheet.skills.items())
    parts += [Table(words.skills, (), skills)] if skills else []
    attacks = sheet.attacks or (default_attack(sheet, book),)
    ways = tuple(
        (
            labels.thing(one.name) or words.unarmed,
            f"{one.bonus:+}",
            " + ".join(f"{roll.dice} {draft.labels.thing(roll.kind)}".strip() for roll in one.damage),
        )
        for one in attacks
    )
    parts.append(Table(words.attacks, (), ways))
    items = tuple(show_item(draft, item) for item in sheet.inventory)
    parts += [Lines(words.inventory, items)] if items else []
    return Panel("tabletop-character", draft.show_name(sheet.name), tuple(parts))


def _tell_rolls(draft: TabletopDraft) -> list[Panel]:
    shown = draft.visible_rolls()[-ROLLS_SHOWN:][::-1]
    parts = tuple(_tell_roll(draft, one) for one in shown)
    return [Panel("tabletop-rolls", draft.words.rolls, parts)] if parts else []


def _tell_roll(draft: TabletopDraft, rolled: RecordedRoll) -> Rolled:
    purpose = rolled.purpose.tell(draft.words, draft.labels)
    if purpose and KEPT in rolled.expression:
        # If only some dice count, they do not add up to the total.
        return Rolled(purpose, (), rolled.total)
    label = f"{purpose}{draft.words.colon}{rolled.expression}" if purpose else rolled.expression
    return Rolled(label, rolled.faces, rolled.total)
