"""Damage moves: what damage and conditions do to the player or an NPC, whoever caused them.

Hit points stay within their bounds. Nobody dies here: the rulebook says what having none left means.
"""

from collections.abc import Iterable
from dataclasses import replace

from talewright.common.json_values import Json
from talewright.kernel.judging.rulings import mend
from talewright.systems.tabletop.character_sheets import CharacterSheet
from talewright.systems.tabletop.damage import (
    CONDITION_LENGTH_MAX,
    CONDITIONS_MAX,
    HIT_POINTS_MAX,
    DamageResult,
    remove_conditions,
)
from talewright.systems.tabletop.damage import apply_damage as harm
from talewright.systems.tabletop.moves.fight_telling import is_player, tell_of
from talewright.systems.tabletop.moves.tabletop_arguments import TabletopArguments, no_such
from talewright.systems.tabletop.moves.tabletop_draft import TabletopDraft
from talewright.systems.tabletop.tool_descriptions import NPC_TARGET, PLAYER_TARGET


def apply_damage(said: TabletopArguments, draft: TabletopDraft) -> dict[str, Json]:
    """Damage or heal a character, and begin or end conditions."""
    target = _find_target(said, draft)
    amount = said.whole("amount", -HIT_POINTS_MAX, HIT_POINTS_MAX)
    begun, ended = said.lines("applyConditions"), said.lines("removeConditions")
    if ended:
        draft.put(replace(target, health=remove_conditions(target.health, ended)))
    result = hurt(draft, target.name, amount, begun)
    if result.refused:
        raise mend(
            f"{said.tool}: a condition has 1 to {CONDITION_LENGTH_MAX} characters, and nobody has more than "
            f"{CONDITIONS_MAX}; refused: {', '.join(one[:CONDITION_LENGTH_MAX] for one in result.refused)}"
        )
    if is_known(draft, target.name):
        _tell(draft, target.name, result)
    told: dict[str, Json] = {"success": True, "target": target.name, **result.to_json()}
    if said.has("damageType"):
        told["damageType"] = said.name("damageType")
    if result.fell:
        told["message"] = f"{target.name} has no hit points left and is incapacitated; see the rulebook"
    return told


def _find_target(said: TabletopArguments, draft: TabletopDraft) -> CharacterSheet:
    assert draft.character is not None, "tools are judged once there is a character"
    if said.choice("target", (PLAYER_TARGET, NPC_TARGET)) == PLAYER_TARGET:
        return draft.character
    name = said.name("npcName")
    if not name:
        raise mend(f"{said.tool} needs `npcName` if the target is an NPC")
    found = draft.npcs.find(name)
    if not found:
        raise no_such(said.tool, "NPC", name, draft.npcs)
    return draft.npcs[found]


def hurt(draft: TabletopDraft, name: str, amount: int, conditions: Iterable[str] = ()) -> DamageResult:
    """Change a character's hit points and conditions in the draft."""
    sheet = draft.sheet(name)
    assert sheet is not None
    result = harm(sheet.health, amount, conditions)
    draft.put(replace(sheet, health=result.after))
    return result


def tell_fall(draft: TabletopDraft, name: str, result: DamageResult) -> None:
    """Report that a character has no hit points left."""
    if result.fell:
        tell_of(draft, "fallen", draft.words.falls, name)


def _tell(draft: TabletopDraft, name: str, result: DamageResult) -> None:
    words = draft.words
    if result.dealt > 0:
        tell_of(draft, "damage", words.hurt, name, amount=result.dealt)
    elif result.dealt < 0:
        tell_of(draft, "healing", words.healed, name, amount=-result.dealt)
    for condition in result.added:
        tell_of(draft, "condition", words.condition, name, condition=condition)
    tell_fall(draft, name, result)


def is_known(draft: TabletopDraft, name: str) -> bool:
    """Whether the player may hear about a character: their own, and everyone in a fight."""
    fighting = draft.fight.order is not None and name in draft.fight.order.names
    return fighting or is_player(draft, name)
