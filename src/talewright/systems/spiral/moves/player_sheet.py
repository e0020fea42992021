"""The player's sheet: what the tools do to glitches, conditions, inherent tags and resist.

Each call is checked against the dice of the turn, if there are any.
"""

from collections.abc import Iterable, Mapping

from talewright.common.json_values import Json
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.judging.rulings import mend
from talewright.kernel.story.triggers import Event
from talewright.kernel.system import Grant
from talewright.systems.spiral import spiral_labels
from talewright.systems.spiral.checks import CAUSE, settle
from talewright.systems.spiral.moves.spiral_arguments import SpiralArguments
from talewright.systems.spiral.oracle import OracleEffect
from talewright.systems.spiral.rulebook import ConditionsEndedBy, SpiralRulebook
from talewright.systems.spiral.slots import CONDITIONS_MAX, GLITCHES_MAX, INHERENT_MAX, PLAYER, ROLLED
from talewright.systems.spiral.spiral_labels import show, show_all
from talewright.systems.spiral.spiral_state import SpiralState, owed_effects
from talewright.systems.spiral.tags import add_to, find, read_list, suggest, take_away, tidy
from talewright.systems.spiral.words.phrases import SpiralPhrases

NEGATE_COST = 1
CLEAR_COST = 2

NEGATE, CLEAR = "negate_glitch", "clear_condition"
PURPOSES = (NEGATE, CLEAR)

PLAYER_LISTS: Mapping[str, tuple[str, int]] = {
    "inherent": ("inherent_tags", INHERENT_MAX),
    "condition": ("conditions", CONDITIONS_MAX),
}
"""By its name in `update_player`: a list of the sheet, and its maximum size."""


def add_glitch(said: SpiralArguments, standing: SpiralState, words: SpiralPhrases) -> Grant:
    """Add a glitch: something starts to go wrong."""
    tag = tidy(said.members.get("tag"), "add_glitch: `tag`")
    if _is_undue(OracleEffect.ADD_GLITCH, standing):
        check = standing.check
        why = ", since resist was spent" if check["resist"] else " now"
        raise mend(
            f"add_glitch: the roll of this turn ({check['highest']}, {check['word']}) demands no "
            f"glitch{why}; "
            "tell the answer without one"
        )
    if find(tag, standing.glitches) is not None:
        raise mend(f"add_glitch: `{tag}` is a glitch already; name something new that comes of this act")
    glitches = add_to(standing.glitches, [tag], "add_glitch", GLITCHES_MAX)
    updates = (Update(Op.SET, f"{PLAYER}.glitch_tags", glitches), *settle(standing, OracleEffect.ADD_GLITCH))
    event = Event("glitch", words.new_glitch.format(tag=show(standing, spiral_labels.GLITCHES, tag)), CAUSE)
    return Grant(updates, {"glitch_tags": glitches, "count": len(glitches)}, (event,))


def flush_glitches(standing: SpiralState, words: SpiralPhrases) -> Grant:
    """Flush the glitches: everything that was going wrong has gone wrong."""
    flushed = list(standing.glitches)
    if flushed and _is_undue(OracleEffect.FLUSH, standing):
        check = standing.check
        raise mend(
            f"flush_glitches: the roll of this turn ({check['highest']}, {check['word']}) flushes nothing; "
            "the glitches stay until a roll says so"
        )
    updates = (Update(Op.SET, f"{PLAYER}.glitch_tags", []), *settle(standing, OracleEffect.FLUSH))
    shown = words.comma.join(show_all(standing, spiral_labels.GLITCHES, flushed))
    told = (Event("flush", words.flushed.format(tags=shown), CAUSE),) if flushed else ()
    return Grant(updates, {"flushed": flushed, "count": len(flushed)}, told)


def _is_undue(effect: OracleEffect, standing: SpiralState) -> bool:
    """Whether dice were rolled in this turn and do not demand this effect, or no more of it."""
    check = standing.check
    rolled = check["turn"] == standing.turn and check["answer"] == ROLLED
    return rolled and effect not in owed_effects(standing)


def spend_resist(said: SpiralArguments, standing: SpiralState, words: SpiralPhrases) -> Grant:
    """Avert a glitch, or heal a condition in the morning."""
    if said.choice("purpose", PURPOSES) == NEGATE:
        if OracleEffect.ADD_GLITCH not in owed_effects(standing):
            raise mend(
                "spend_resist: negate_glitch keeps away the glitch that a roll of this very turn "
                "demands, and none is demanded now; resist removes no glitch that is there and turns no "
                "failure"
            )
        left = _pay(standing, NEGATE_COST)
        event = Event("resist", words.resist_spent.format(left=left), CAUSE)
        updates = (_spend(left), *settle(standing, OracleEffect.ADD_GLITCH))
        return Grant(updates, {"success": True, "resist_remaining": left}, (event,))
    if standing.segment != 1:
        raise mend(
            "spend_resist: clear_condition is for the morning, the first segment of a day; wait for it"
        )
    condition = _choose_condition(said, standing)
    left = _pay(standing, CLEAR_COST)
    kept = take_away(standing.conditions, [condition], "spend_resist")
    updates = (_spend(left), Update(Op.SET, f"{PLAYER}.conditions", kept))
    events = _tell_conditions(words.cleared, [condition], standing)
    return Grant(updates, {"success": True, "resist_remaining": left}, events)


def _tell_conditions(told: str, conditions: Iterable[str], standing: SpiralState) -> tuple[Event, ...]:
    shown = show_all(standing, spiral_labels.CONDITIONS, conditions)
    return tuple(Event("condition", told.format(tag=tag), CAUSE) for tag in shown)


def _pay(standing: SpiralState, cost: int) -> int:
    """The points left after paying."""
    left, _ = standing.resist
    if left < cost:
        raise mend(f"spend_resist: this costs {cost} and {left} is left; it comes back with the next morning")
    return left - cost


def _spend(left: int) -> Update:
    return Update(Op.SET, f"{PLAYER}.resist.current", left)


def _choose_condition(said: SpiralArguments, standing: SpiralState) -> str:
    there = standing.conditions
    if not there:
        raise mend("spend_resist: there is no condition to clear")
    if not said.has("condition") and len(there) == 1:
        return there[0]
    named = tidy(said.members["condition"], "spend_resist: `condition`") if said.has("condition") else ""
    found = find(named, there)
    if found is None:
        raise mend(f"spend_resist: `condition` names the one to clear; {suggest(named, there)}")
    return found


def update_player(
    said: SpiralArguments, standing: SpiralState, rules: SpiralRulebook, words: SpiralPhrases
) -> Grant:
    """Change what lasts: inherent tags and conditions; and remove one glitch after a six."""
    if said.tags("remove_condition") and rules.conditions is ConditionsEndedBy.RESIST:
        raise mend(
            "update_player: `remove_condition` is refused, since under the rules of this campaign no story "
            f"ends a condition: it leaves in the morning for {CLEAR_COST} resist, by spend_resist with "
            f"`purpose` {CLEAR}, once the player has decided it"
        )
    sheet = dict(standing.player)
    updates: list[Update] = []
    for name, (member, most) in PLAYER_LISTS.items():
        gone, more = said.tags(f"remove_{name}"), said.tags(f"add_{name}")
        left = take_away(read_list(sheet[member]), gone, f"update_player: `remove_{name}`")
        sheet[member] = add_to(left, more, f"update_player: `add_{name}`", most)
        if gone or more:
            updates.append(Update(Op.SET, f"{PLAYER}.{member}", sheet[member]))
    events = (
        *_tell_conditions(words.cleared, _spell(said.tags("remove_condition"), standing), standing),
        *_tell_conditions(words.new_condition, said.tags("add_condition"), standing),
    )
    done = [OracleEffect.CONDITION] if said.tags("add_condition") else []
    if said.has("remove_glitch"):
        sheet["glitch_tags"] = _remove_glitch(said, standing)
        updates.append(Update(Op.SET, f"{PLAYER}.glitch_tags", sheet["glitch_tags"]))
        done.append(OracleEffect.REMOVE_GLITCH)
    if not updates:
        raise mend("update_player changes something: add_inherent, remove_inherent, add_condition, ...")
    updates += settle(standing, *done)
    player: Json = sheet
    return Grant(tuple(updates), {"player": player}, events)


def _spell(named: Iterable[str], standing: SpiralState) -> list[str]:
    """Conditions as spelled in the state."""
    return [find(tag, standing.conditions) or tag for tag in named]


def _remove_glitch(said: SpiralArguments, standing: SpiralState) -> list[str]:
    tags = said.tags("remove_glitch")
    if OracleEffect.REMOVE_GLITCH not in owed_effects(standing) or len(tags) != 1:
        raise mend(
            "update_player: `remove_glitch` takes one glitch away after a roll of this turn that says so "
            "(a 6); all of them go with flush_glitches, when the oracle flushes"
        )
    return take_away(standing.glitches, tags, "update_player: `remove_glitch`")
