"""Stunts: actions in a fight other than an attack, such as tipping a cart over the enemies.

A stunt is a check. If it succeeds, it hurts enemies or puts them to flight; it never does anything else.
"""

from talewright.common.json_values import Json
from talewright.kernel.judging.rulings import mend
from talewright.systems.tabletop.character_sheets import CharacterSheet
from talewright.systems.tabletop.initiative import COMBATANTS_MAX
from talewright.systems.tabletop.moves.character_creation import give
from talewright.systems.tabletop.moves.damage_moves import hurt, tell_fall
from talewright.systems.tabletop.moves.dice_moves import skill_check
from talewright.systems.tabletop.moves.fight_telling import tell_of
from talewright.systems.tabletop.moves.tabletop_arguments import TabletopArguments, find_name, no_such
from talewright.systems.tabletop.moves.tabletop_draft import TabletopDraft
from talewright.systems.tabletop.recorded_rolls import RollKind, RollPurpose
from talewright.systems.tabletop.rulebook_parser.npc_lines import read_damage
from talewright.systems.tabletop.slots import CONTEXT_LENGTH_MAX
from talewright.systems.tabletop.tool_descriptions import STUNT_CHECK


def try_stunt(
    said: TabletopArguments, draft: TabletopDraft, enemies: list[CharacterSheet]
) -> dict[str, Json]:
    """Try a stunt against the enemies who are still standing."""
    dice = _find_dice(said)
    scared = said.whole("scare", 0, COMBATANTS_MAX) if said.has("scare") else 0
    if not dice and not scared:
        raise mend(
            f"{said.tool}: a stunt needs `damage`, such as 2d6, or `scare`, how many enemies run; for "
            "anything else, use skill_check"
        )
    targets = _find_targets(said, enemies)
    check = {name: value for name, value in said.members.items() if name in STUNT_CHECK}
    told = skill_check(TabletopArguments(said.tool, check), draft)
    if told["success"]:
        if dice:
            _hurt_all(draft, dice, str(told["skill"]), targets)
        _scare([enemy for enemy in enemies if _stands(draft, enemy)][:scared], draft)
    # The dice are reported with the others of this turn.
    return {name: told[name] for name in ("skill", "outcome", "success", "margin", "note") if name in told}


def _find_dice(said: TabletopArguments) -> str:
    text = said.line("damage", CONTEXT_LENGTH_MAX)
    found = read_damage(text) if text else ()
    if text and not found:
        raise mend(f"{said.tool}: `damage` is dice such as 2d6, not {text}")
    return found[0].dice if found else ""


def _find_targets(said: TabletopArguments, enemies: list[CharacterSheet]) -> list[CharacterSheet]:
    if said.truth("everyone", default=False):
        return enemies
    name = said.name("target")
    if not name:
        return enemies[:1]
    found = find_name(name, [enemy.name for enemy in enemies])
    if not found:
        raise no_such(said.tool, "enemy who stands", name, [enemy.name for enemy in enemies])
    return [enemy for enemy in enemies if enemy.name == found]


def _hurt_all(draft: TabletopDraft, dice: str, what: str, targets: list[CharacterSheet]) -> None:
    """One roll for all of them."""
    assert draft.character is not None
    rolled = draft.roll(dice, RollPurpose(RollKind.DAMAGE, draft.character.name, what=what))
    for target in targets:
        result = hurt(draft, target.name, max(rolled.total, 0))
        tell_of(draft, "damage", draft.words.hurt, target.name, amount=result.dealt)
        tell_fall(draft, target.name, result)


def _stands(draft: TabletopDraft, enemy: CharacterSheet) -> bool:
    sheet = draft.sheet(enemy.name)
    return sheet is not None and sheet.is_standing


def _scare(enemies: list[CharacterSheet], draft: TabletopDraft) -> None:
    """Enemies run away; they count as defeated."""
    for enemy in enemies:
        draft.tell("ran", draft.words.runs_away.format(name=draft.show_name(enemy.name)))
        draft.drop(enemy.name)
        if enemy.reward is not None:
            give(draft, enemy.reward)
