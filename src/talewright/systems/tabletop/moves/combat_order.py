"""The combat order: how a fight starts, whose turn it is, and how it ends.

The engine rolls initiative, or has rolled it earlier in the same turn. When a fight ends, rewards are given
for everyone who fell.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from talewright.common.json_values import Json, quote_value
from talewright.kernel.judging.rulings import mend
from talewright.systems.tabletop.character_sheets import CharacterSheet, add_items
from talewright.systems.tabletop.checks import CheckRule
from talewright.systems.tabletop.initiative import (
    Combatant,
    CombatStructure,
    next_turn,
    start_order,
)
from talewright.systems.tabletop.moves.character_creation import give
from talewright.systems.tabletop.moves.dice_moves import attribute_modifier
from talewright.systems.tabletop.moves.fight_telling import tell_of
from talewright.systems.tabletop.moves.tabletop_arguments import TabletopArguments, no_such
from talewright.systems.tabletop.moves.tabletop_draft import FightState, TabletopDraft
from talewright.systems.tabletop.recorded_rolls import RollKind, RollPurpose
from talewright.systems.tabletop.rulebook_parser.rulebook_types import NpcReward, Rulebook
from talewright.systems.tabletop.slots import ENDED, FLED, LOST, WON
from talewright.systems.tabletop.tool_descriptions import COMBAT_ACTIONS, PLAYER_TARGET

GOES_ON = "goes_on"
"""A fight that has not ended."""

COMBATANTS_MIN = 2


def manage_combat(said: TabletopArguments, draft: TabletopDraft) -> dict[str, Json]:
    """Start a fight, pass the turn, or end the fight."""
    match said.choice("action", COMBAT_ACTIONS):
        case "start":
            _start(said, draft)
        case "next_turn":
            require_fight(said.tool, draft)
            pass_turn(draft)
            skip_surprised(draft)
        case _:
            require_fight(said.tool, draft)
            finish(draft, outcome_of(draft) or ENDED)
    return describe_fight(draft)


def require_fight(tool: str, draft: TabletopDraft) -> None:
    """Refuse a move that needs a fight."""
    if draft.fight.order is None:
        raise mend(f"{tool}: nobody fights now; start a fight with start_fight or manage_combat")


def _start(said: TabletopArguments, draft: TabletopDraft) -> None:
    if draft.fight.order is not None:
        raise mend(f"{said.tool}: a fight goes on already; end it first, or go on with next_turn")
    rows = said.members.get("combatants")
    if rows is None:
        sheets = [sheet for sheet in draft.npcs.values() if sheet.is_hostile and sheet.is_standing]
        begin_fight(said.tool, draft, [_player(draft), *sheets])
        return
    if not isinstance(rows, list | tuple):
        raise mend(f"{said.tool}: `combatants` is a list of {{name, isPlayer}}")
    entries = [TabletopArguments(said.tool, {"one": row}).within("one") for row in rows]
    sheets = [_find_combatant(entry, draft) for entry in entries]
    rolled = {
        sheet.name: _find_initiative(entry, draft)
        for entry, sheet in zip(entries, sheets, strict=True)
        if entry.has("initiativeRoll")
    }
    used = [entry.members["initiativeRoll"] for entry in entries if entry.has("initiativeRoll")]
    if len(set(map(str, used))) < len(used):
        raise mend(f"{said.tool}: every combatant needs a roll of their own")
    begin_fight(said.tool, draft, sheets, rolled)


def _player(draft: TabletopDraft) -> CharacterSheet:
    assert draft.character is not None, "tools are judged once there is a character"
    return draft.character


def _find_combatant(said: TabletopArguments, draft: TabletopDraft) -> CharacterSheet:
    player, name = _player(draft), said.name("name")
    if said.truth("isPlayer", default=False) or name.casefold() in (player.name.casefold(), PLAYER_TARGET):
        return player
    found = draft.npcs.find(name)
    if not found:
        raise no_such(said.tool, "combatant", name, (player.name, *draft.npcs))
    return draft.npcs[found]


def _find_initiative(said: TabletopArguments, draft: TabletopDraft) -> int:
    name = said.members["initiativeRoll"]
    rolled = draft.find_roll(name) if isinstance(name, str) else None
    if rolled is None:
        raise mend(
            f"{said.tool}: `initiativeRoll` is the logId of a roll of this turn, such as r1, not "
            f"{quote_value(name)}; leave it out, and the engine rolls"
        )
    return rolled.total


def begin_fight(
    tool: str, draft: TabletopDraft, sheets: list[CharacterSheet], rolled: Mapping[str, int] | None = None
) -> None:
    """Set up the order; `rolled` has the initiatives that are already known."""
    names = [sheet.name for sheet in sheets]
    twice = next((name for name in names if names.count(name) > 1), "")
    if twice:
        raise mend(f"{tool}: {twice} is listed twice; everybody fights once")
    if len(sheets) < COMBATANTS_MIN or not any(sheet.is_hostile for sheet in sheets):
        raise mend(
            f"{tool}: a fight needs somebody hostile; create one with create_npc, or set isHostile with "
            "update_npc"
        )
    down = [sheet.name for sheet in sheets if not sheet.is_standing]
    if down:
        raise mend(f"{tool}: {', '.join(down)} cannot fight with no hit points left")
    order = start_order(make_combatant(draft, sheet, rolled or {}) for sheet in sheets)
    structure = structure_of(draft.book)
    draft.fight = FightState(order, structure, draft.turn, draft.turn)
    shown = draft.words.comma.join(draft.show_name(name) for name in order.names)
    draft.tell("fight_started", draft.words.fight_starts.format(order=shown))


def make_combatant(draft: TabletopDraft, sheet: CharacterSheet, rolled: Mapping[str, int]) -> Combatant:
    """A combatant with an initiative, which is rolled unless it is known."""
    combat = draft.book.combat
    ordered = structure_of(draft.book) is not CombatStructure.NARRATIVE
    usual = "1d20" if draft.book.check is CheckRule.D20 and ordered else ""
    dice = (combat.initiative if combat else "") or usual
    attribute = combat.initiative_attribute if combat else ""
    modifier = attribute_modifier(sheet, attribute, draft.book)
    initiative = rolled.get(sheet.name)
    if initiative is None and dice:
        purpose = RollPurpose(RollKind.INITIATIVE, sheet.name, sheet.template)
        initiative = draft.roll(f"{dice}{modifier:+}" if modifier else dice, purpose).total
    is_player = draft.character is not None and sheet.name == draft.character.name
    return Combatant(sheet.name, initiative or 0, is_player, modifier, sheet.health.conditions)


def structure_of(book: Rulebook) -> CombatStructure:
    """How fights of this rulebook are narrated."""
    if book.combat is not None:
        return book.combat.structure
    return CombatStructure.TURN_BASED if book.check is CheckRule.D20 else CombatStructure.NARRATIVE


def pass_turn(draft: TabletopDraft) -> None:
    """Pass the turn to the next one who can act."""
    order = draft.fight.order
    assert order is not None
    out = {name for name in order.names if (sheet := draft.sheet(name)) is None or not sheet.is_standing}
    following = next_turn(order, out)
    current = following.current
    defending = draft.fight.defending and not (current is not None and current.is_player)
    draft.fight = replace(draft.fight, order=following, touched=draft.turn, defending=defending)


def skip_surprised(draft: TabletopDraft) -> None:
    """Pass over those who are surprised when their turn in the first round comes."""
    order = draft.fight.order
    for _ in order.names if order is not None else ():
        current = draft.fight.order.current if draft.fight.order is not None else None
        if current is None or not draft.fight.is_surprised(current.name):
            return
        tell_of(draft, "surprised", draft.words.surprised, current.name)
        pass_turn(draft)


def outcome_of(draft: TabletopDraft) -> str:
    """How a fight was decided; empty if it is not decided yet."""
    order = draft.fight.order
    assert order is not None
    sheets = [sheet for name in order.names if (sheet := draft.sheet(name)) is not None]
    player = draft.character
    if player is not None and player.name in order.names and not player.is_standing:
        return LOST
    return "" if any(sheet.is_hostile and sheet.is_standing for sheet in sheets) else WON


def finish(draft: TabletopDraft, outcome: str) -> None:
    """End the fight, and reward the player for everyone who fell, unless the player lost."""
    order = draft.fight.order
    assert order is not None
    enemies = [npc for name in order.names if (npc := draft.npcs.get(name)) is not None and npc.is_hostile]
    fallen = [npc for npc in enemies if not npc.is_standing]
    words = {
        WON: draft.words.fight_won,
        LOST: draft.words.fight_lost,
        FLED: draft.words.fight_fled,
    }
    draft.tell(f"fight_{outcome}", words.get(outcome, draft.words.fight_ended))
    if outcome != LOST:
        _reward(draft, fallen)
    # Enemies with only a number are removed; those with names may return.
    left = [npc for npc in enemies if outcome in (LOST, FLED) and _is_numbered(npc)]
    for npc in (*fallen, *(npc for npc in left if npc.is_standing)):
        del draft.npcs[npc.name]
    structure, since = draft.fight.structure, draft.fight.since
    draft.fight = FightState(None, structure, since, draft.turn, outcome=outcome)


def _reward(draft: TabletopDraft, fallen: Sequence[CharacterSheet]) -> None:
    """Give the player everything they leave behind, at once."""
    rewards = [npc.reward for npc in fallen if npc.reward is not None]
    loot = add_items((), [item for reward in rewards for item in reward.loot])
    give(draft, NpcReward(sum(reward.xp or 0 for reward in rewards), loot))
    for reward in rewards:
        draft.add_flag(reward.story_flag)


def _is_numbered(npc: CharacterSheet) -> bool:
    rest = npc.name.removeprefix(npc.template)
    return bool(npc.template) and rest != npc.name and rest.strip().isdigit()


def describe_fight(draft: TabletopDraft) -> dict[str, Json]:
    """The fight as a tool reports it."""
    order = draft.fight.order
    rolls: dict[str, Json] = {"rolls": draft.results()} if draft.rolled else {}
    if order is None:
        return {"active": False, "fight": draft.fight.outcome, "message": _message(draft), **rolls}
    entries: list[Json] = [
        {
            "name": one.name,
            "initiative": one.initiative,
            "isPlayer": one.is_player,
            **_health(draft, one.name),
        }
        for one in order.combatants
    ]
    return {
        "active": True,
        "fight": GOES_ON,
        "round": order.round,
        "current": order.current.name if order.current else "",
        "initiativeOrder": entries,
        "message": _message(draft),
        **rolls,
    }


def _health(draft: TabletopDraft, name: str) -> dict[str, Json]:
    sheet = draft.sheet(name)
    if sheet is None:
        return {}
    return {"hp": sheet.health.hit_points.to_json(), "incapacitated": sheet.health.incapacitated}


def _message(draft: TabletopDraft) -> str:
    return " ".join(event.text for event in draft.events)
