"""Fight choices: what the player may do in a fight, and how an abandoned fight ends.

Every choice is a move that is judged like any other.
"""

import re

from talewright.kernel.judging.moves import Call
from talewright.kernel.story.scenes import Risk, SystemChoice
from talewright.kernel.system import NO_TICK, Tick
from talewright.systems.tabletop.checks import CheckRule
from talewright.systems.tabletop.initiative import CombatStructure
from talewright.systems.tabletop.moves.attacks import default_attack
from talewright.systems.tabletop.moves.combat_order import finish
from talewright.systems.tabletop.moves.fights import end_if_decided, healing_of, standing_enemies
from talewright.systems.tabletop.moves.tabletop_draft import TabletopDraft
from talewright.systems.tabletop.narrator_notes import turns_left
from talewright.systems.tabletop.slots import ENDED
from talewright.systems.tabletop.tool_descriptions import ATTACK_ACTION, DEFEND, FLEE, TAKE_TURN, USE

TARGETS_MAX = 6
"""Enemies that are offered as targets."""

OTHER_ATTACKS_MAX = 2
ITEMS_OFFERED_MAX = 2

_ENDS = re.compile(
    r"(?:fight|combat|battle)s?[^.\n]{0,40}?(?:left|abandoned|idle)[^.\n]{0,20}?"
    r"([0-9]{1,4}) (turn|minute|hour|day)s?[^.\n]{0,20}?ends?"
    r"|(?:战斗|打斗)[^。\n]{0,12}?搁置[^。\n]{0,8}?([0-9]{1,4}) ?个?(回合|分钟|小时|天)"
    r"[^。\n]{0,12}?(?:结束|作罢)",
    re.IGNORECASE,
)
_MINUTES = {"minute": 1, "hour": 60, "day": 24 * 60, "分钟": 1, "小时": 60, "天": 24 * 60}


def choices_of(draft: TabletopDraft) -> tuple[SystemChoice, ...]:
    """What the player may do on their turn; outside fights, items that heal a badly wounded character."""
    player, order = draft.character, draft.fight.order
    # If the engine does not know how attacks are decided, the narrator resolves them.
    if player is None or not player.is_standing or draft.book.check is CheckRule.OTHER:
        return ()
    if order is None:
        points = player.health.hit_points
        return _offer_items(draft) if 2 * points.current <= points.maximum else ()
    ordered = draft.fight.structure is CombatStructure.TURN_BASED
    if player.name not in order.names or (ordered and order.current and not order.current.is_player):
        return ()
    words = draft.words
    return (
        *_offer_attacks(draft),
        SystemChoice(DEFEND, words.defend_choice, Call(TAKE_TURN, {"action": DEFEND})),
        *_offer_items(draft),
        SystemChoice(FLEE, words.flee_choice, Call(TAKE_TURN, {"action": FLEE}), risk=Risk.MEDIUM),
    )


def _offer_attacks(draft: TabletopDraft) -> list[SystemChoice]:
    player, words = draft.character, draft.words
    assert player is not None
    enemies = standing_enemies(draft)[:TARGETS_MAX]
    attacks = player.attacks or (default_attack(player, draft.book),)
    others = attacks[1 : 1 + OTHER_ATTACKS_MAX]
    pairs = [(attacks[0], enemy) for enemy in enemies] + [(one, enemies[0]) for one in others if enemies]
    offers = []
    for attack, enemy in pairs:
        named = {"attack": attack.name} if attack.name else {}
        points = enemy.health.hit_points
        shown = draft.labels.thing(attack.name) or words.unarmed
        label = words.attack_choice.format(target=draft.show_name(enemy.name), attack=shown)
        hint = words.attack_hint.format(hp=points.current, max=points.maximum)
        call = Call(TAKE_TURN, {"action": ATTACK_ACTION, "target": enemy.name, **named})
        name = "-".join(["attack", enemy.name, *([] if attack is attacks[0] else [attack.name])])
        offers.append(SystemChoice(_slug(name), label, call, hint, Risk.MEDIUM))
    return offers


def _offer_items(draft: TabletopDraft) -> tuple[SystemChoice, ...]:
    player = draft.character
    assert player is not None
    points = player.health.hit_points
    if points.current == points.maximum:
        return ()
    healing = [item for item in player.inventory if healing_of(item)][:ITEMS_OFFERED_MAX]
    return tuple(
        SystemChoice(
            _slug(f"use-{item.name}"),
            draft.words.use_choice.format(item=draft.labels.thing(item.name)),
            Call(TAKE_TURN, {"action": USE, "item": item.name}),
        )
        for item in healing
    )


def _slug(name: str) -> str:
    return re.sub(r"[\s.]+", "-", name.casefold())


def tick_of(draft: TabletopDraft) -> Tick:
    """What happens to a fight at the end of a turn: it ends if it is decided, or was abandoned long ago."""
    order = draft.fight.order
    if order is not None and not order.combatants:
        finish(draft, ENDED)
    elif order is not None and not end_if_decided(draft) and is_given_up(draft):
        draft.tell("fight_left", draft.words.fight_left)
        finish(draft, ENDED)
    updates = draft.updates()
    return Tick(updates, tuple(draft.events)) if updates else NO_TICK


def is_given_up(draft: TabletopDraft) -> bool:
    """Whether nobody has continued a fight for as long as the rulebook allows, if it sets a limit.

    A player who returns after a long time may still continue it in their first turn.
    """
    found = _ENDS.search(draft.book.text)
    turns = turns_left(draft)
    if found is None or not turns:
        return False
    number, unit = int(found[1] or found[3]), (found[2] or found[4]).casefold()
    return draft.away_minutes >= number * _MINUTES[unit] if unit in _MINUTES else turns >= number
