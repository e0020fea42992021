"""Fights: the moves that play out a fight, so that it needs no narrator.

They do what `attack`, `apply_damage` and `manage_combat` do one by one, by the same rules.
"""

import re
from dataclasses import replace

from talewright.common.json_values import Json
from talewright.kernel.judging.rulings import mend
from talewright.systems.tabletop.character_sheets import (
    CharacterSheet,
    SheetAttack,
    add_items,
    sheet_from_template,
)
from talewright.systems.tabletop.checks import CheckOutcome, CheckRule, Edge, edge_of
from talewright.systems.tabletop.initiative import COMBATANTS_MAX, CombatStructure, join_order
from talewright.systems.tabletop.moves.attacks import default_attack, make_attack, strike_back
from talewright.systems.tabletop.moves.combat_order import (
    begin_fight,
    describe_fight,
    finish,
    make_combatant,
    outcome_of,
    pass_turn,
    require_fight,
    skip_surprised,
)
from talewright.systems.tabletop.moves.damage_moves import hurt
from talewright.systems.tabletop.moves.dice_moves import (
    attribute_modifier,
    check_meanings,
    edge_meanings,
    make_check,
)
from talewright.systems.tabletop.moves.fight_telling import is_player, tell_of
from talewright.systems.tabletop.moves.npc_sheets import (
    check_new_name,
    find_template,
    names_taken,
    number_name,
)
from talewright.systems.tabletop.moves.stunts import try_stunt
from talewright.systems.tabletop.moves.tabletop_arguments import TabletopArguments, find_name, no_such
from talewright.systems.tabletop.moves.tabletop_draft import TabletopDraft
from talewright.systems.tabletop.recorded_rolls import RollKind, RollPurpose
from talewright.systems.tabletop.rulebook_parser.npc_lines import read_damage
from talewright.systems.tabletop.rulebook_parser.rulebook_types import LootItem
from talewright.systems.tabletop.slots import FLED
from talewright.systems.tabletop.tool_descriptions import (
    ATTACK_ACTION,
    DEFEND,
    ENEMIES_MAX,
    FLEE,
    PLAYER_TARGET,
    STUNT,
    STUNT_CHECK,
    TURN_ACTIONS,
    TURN_TERMS,
    USE,
)

FLEE_DIFFICULTY = {CheckRule.D20: 12, CheckRule.FATE: 1}
"""The difficulty of fleeing; in a PbtA game, the usual 7."""

TURNS_MAX = 2 * COMBATANTS_MAX
"""Turns of NPCs in one move."""

NOBODY, PLAYER, ENEMIES = SURPRISES = ("none", "player", "enemies")

_HEALING = re.compile(r"heal|restor|regain|cure|recover|治疗|恢复|回复|疗伤", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,4}")


def attack(said: TabletopArguments, draft: TabletopDraft) -> dict[str, Json]:
    """One attack by any character on any other."""
    attacker = _find_attacker(said, draft)
    target = find_fighter(said, "target", draft)
    if attacker.name == target.name:
        raise mend(f"{said.tool}: {attacker.name} does not attack themselves; name another target")
    check_turn(said.tool, draft, attacker)
    ordered = draft.fight.structure is CombatStructure.TURN_BASED
    if ordered and draft.fight.is_surprised(attacker.name):
        raise mend(f"{said.tool}: {attacker.name} is surprised and does not act in the first round")
    for sheet in (attacker, target):
        if not sheet.is_standing:
            raise mend(f"{said.tool}: {sheet.name} is down, with no hit points left")
    edge = edge_of(said.truth("advantage", default=False), said.truth("disadvantage", default=False))
    way = find_attack(said, attacker, draft)
    done = make_attack(draft, attacker, target, way, edge)
    if draft.fight.order is not None:
        # Without an order there are no rounds to miss: the first blow ends the surprise.
        surprised = draft.fight.surprised if ordered else ()
        draft.fight = replace(draft.fight, touched=draft.turn, surprised=surprised)
        end_if_decided(draft)
    return {**describe_fight(draft), **done.to_json()}


def _find_attacker(said: TabletopArguments, draft: TabletopDraft) -> CharacterSheet:
    return find_fighter(said, "attacker", draft) if said.has("attacker") else _player(draft)


def attack_meanings(said: TabletopArguments, draft: TabletopDraft) -> dict[str, Json]:
    """What the arguments of an attack mean; None is the default."""
    attacker = _find_attacker(said, draft)
    return {
        # The name of the player's character may change.
        "attacker": None if is_player(draft, attacker.name) else attacker.name,
        "attack": find_attack(said, attacker, draft).name,
        **edge_meanings(said),
    }


def turn_meanings(said: TabletopArguments, draft: TabletopDraft) -> dict[str, Json]:
    """What the arguments of the player's turn mean; None is the default. Arguments that its action ignores
    mean nothing.
    """
    action = said.choice("action", TURN_ACTIONS)
    meanings: dict[str, Json] = dict.fromkeys(TURN_TERMS)
    if action == ATTACK_ACTION:
        meanings["attack"] = find_attack(said, _player(draft), draft).name
    elif action == STUNT:
        check = {name: value for name, value in said.members.items() if name in STUNT_CHECK}
        meanings |= check_meanings(TabletopArguments(said.tool, check), draft)
        meanings |= {name: said.members.get(name) for name in ("damage", "everyone", "scare")}
    return meanings


def take_turn(said: TabletopArguments, draft: TabletopDraft) -> dict[str, Json]:
    """The player's turn, followed by everyone else's until it is the player's turn again."""
    action = said.choice("action", TURN_ACTIONS)
    player = _player(draft)
    if not player.is_standing:
        raise mend(f"{said.tool}: {player.name} is down, with no hit points left")
    if action == USE and draft.fight.order is None:
        return {**_use(said, draft), **describe_fight(draft)}
    require_fight(said.tool, draft)
    check_turn(said.tool, draft, player)
    match action:
        case "attack":
            told = _attack(said, draft)
        case "defend":
            draft.fight = replace(draft.fight, defending=True)
            draft.tell(DEFEND, draft.words.defends)
            told = {"outcome": CheckOutcome.SUCCESS.value, "success": True}
        case "use":
            told = _use(said, draft)
        case "stunt":
            told = try_stunt(said, draft, standing_enemies(draft))
        case _:
            told = _flee(said, draft)
    if draft.fight.order is not None and not end_if_decided(draft):
        go_on(draft)
    return {"action": action, **describe_fight(draft), **told}


def go_on(draft: TabletopDraft) -> None:
    """After the player's turn: everyone else acts until it is the player's turn or the fight is over."""
    order = draft.fight.order
    assert order is not None
    if draft.book.check is CheckRule.PBTA:
        # NPCs act through the player's costs and failures.
        draft.fight = replace(draft.fight, order=replace(order, round=order.round + 1), touched=draft.turn)
        return
    pass_turn(draft)
    act_npcs(draft)


def act_npcs(draft: TabletopDraft) -> None:
    """Let NPCs act until it is the player's turn or the fight is over; the surprised skip the first round."""
    for _ in range(TURNS_MAX):
        skip_surprised(draft)
        order = draft.fight.order
        current = None if order is None else order.current
        if current is None or current.is_player:
            return
        _act(draft, draft.npcs[current.name])
        if end_if_decided(draft):
            return
        pass_turn(draft)


def _act(draft: TabletopDraft, npc: CharacterSheet) -> None:
    """One turn of an NPC: its first attack, on the player, or on an enemy if it is on the player's side."""
    order = draft.fight.order
    assert order is not None
    if npc.is_hostile:
        target = next((draft.sheet(one.name) for one in order.combatants if one.is_player), None)
    else:
        target = next(iter(standing_enemies(draft)), None)
    if target is None or not npc.is_standing:
        draft.tell("hesitated", draft.words.hesitates.format(name=draft.show_name(npc.name)))
        return
    guarded = draft.fight.defending and npc.is_hostile
    way = next(iter(npc.attacks), None) or default_attack(npc, draft.book)
    make_attack(draft, npc, target, way, Edge.DISADVANTAGE if guarded else Edge.NONE)


def end_if_decided(draft: TabletopDraft) -> bool:
    """End a fight that is won or lost; returns whether it has ended."""
    outcome = outcome_of(draft)
    if outcome:
        finish(draft, outcome)
    return bool(outcome)


def check_turn(tool: str, draft: TabletopDraft, sheet: CharacterSheet) -> None:
    """Refuse a character who is not in the fight, or whose turn it is not."""
    order = draft.fight.order
    if order is None:
        return
    if sheet.name not in order.names:
        raise mend(f"{tool}: {sheet.name} is not in this fight; there is {', '.join(order.names)}")
    current = order.current
    ordered = draft.fight.structure is CombatStructure.TURN_BASED
    if ordered and current is not None and current.name != sheet.name:
        raise mend(
            f"{tool}: it is the turn of {current.name}, not of {sheet.name}; let them act, or pass the turn "
            "with manage_combat next_turn"
        )


def find_fighter(said: TabletopArguments, member: str, draft: TabletopDraft) -> CharacterSheet:
    """A character who can be named in an attack: during a fight, only those in it."""
    player, name = _player(draft), said.name(member)
    order = draft.fight.order
    names = (player.name, *draft.npcs) if order is None else order.names
    if name.casefold() == PLAYER_TARGET:
        return player
    found = find_name(name, names) or find_name(draft.npcs.find(name), names)
    sheet = draft.sheet(found) if found else None
    if sheet is None:
        raise no_such(said.tool, member, name, names)
    return sheet


def find_attack(said: TabletopArguments, sheet: CharacterSheet, draft: TabletopDraft) -> SheetAttack:
    """The named attack, or the first."""
    name = said.name("attack")
    if not name:
        return next(iter(sheet.attacks), None) or default_attack(sheet, draft.book)
    known = {one.name: one for one in sheet.attacks}
    found = find_name(name, known)
    if not found:
        raise no_such(said.tool, "attack", name, known)
    return known[found]


def _player(draft: TabletopDraft) -> CharacterSheet:
    assert draft.character is not None, "tools are judged once there is a character"
    return draft.character


def standing_enemies(draft: TabletopDraft) -> list[CharacterSheet]:
    """The enemies in the fight who can still act, in order."""
    order = draft.fight.order
    names = () if order is None else order.names
    sheets = (draft.npcs[name] for name in names if name in draft.npcs)
    return [sheet for sheet in sheets if sheet.is_hostile and sheet.is_standing]


def _attack(said: TabletopArguments, draft: TabletopDraft) -> dict[str, Json]:
    player, enemies = _player(draft), standing_enemies(draft)
    if not said.has("target") and len(enemies) == 1:
        target = enemies[0]
    else:
        target = find_fighter(said, "target", draft)
    if target.name not in [enemy.name for enemy in enemies]:
        raise mend(
            f"{said.tool}: {target.name} is no enemy who stands; there is "
            f"{', '.join(enemy.name for enemy in enemies)}"
        )
    return make_attack(draft, player, target, find_attack(said, player, draft)).to_json()


def healing_of(item: LootItem) -> str:
    """The dice or the number of hit points that an item restores; empty if it heals nothing."""
    text = f"{item.name} {item.note}"
    if not _HEALING.search(text):
        return ""
    dice = read_damage(item.note) or read_damage(item.name)
    if dice:
        return dice[0].dice
    number = _NUMBER.search(item.note)
    return number[0] if number else ""


def _use(said: TabletopArguments, draft: TabletopDraft) -> dict[str, Json]:
    player = _player(draft)
    held = {item.name: item for item in player.inventory}
    found = find_name(said.name("item"), held)
    if not found:
        raise no_such(said.tool, "item", said.name("item"), held)
    dice = healing_of(held[found])
    if not dice:
        raise mend(
            f"{said.tool}: the rules do not say what {found} does; tell it, and use the tool that fits. An "
            "item that heals says so in its note, such as `heals 2d4+2`"
        )
    rolled = draft.roll(dice, RollPurpose(RollKind.HEALING, player.name, what=found))
    draft.character = replace(player, inventory=add_items(player.inventory, [LootItem(found, -1)]))
    draft.tell(USE, draft.words.uses.format(item=draft.labels.thing(found)))
    healed = hurt(draft, player.name, -rolled.total)
    tell_of(draft, "healing", draft.words.healed, player.name, amount=-healed.dealt)
    return {"outcome": CheckOutcome.SUCCESS.value, "success": True, "healed": -healed.dealt}


def _flee(said: TabletopArguments, draft: TabletopDraft) -> dict[str, Json]:
    player, book = _player(draft), draft.book
    attribute = book.combat.initiative_attribute if book.combat else ""
    purpose = RollPurpose(RollKind.FLIGHT, player.name)
    modifier = attribute_modifier(player, attribute, book)
    result, _ = make_check(draft, purpose, modifier, FLEE_DIFFICULTY.get(book.check, 0))
    enemies = standing_enemies(draft)
    if book.check is CheckRule.PBTA and result.outcome is not CheckOutcome.SUCCESS and enemies:
        strike_back(draft, player, enemies[0])
    if result.succeeded and _player(draft).is_standing:
        draft.tell(FLEE, draft.words.flees)
        finish(draft, FLED)
    else:
        draft.tell("caught", draft.words.cannot_flee)
    return {"outcome": result.outcome.value, "success": result.succeeded}


def start_fight(said: TabletopArguments, draft: TabletopDraft) -> dict[str, Json]:
    """Create enemies, roll initiative, and let those before the player act.

    During a fight, the enemies join it.
    """
    player = _player(draft)
    if not player.is_standing:
        raise mend(f"{said.tool}: {player.name} is down, with no hit points left")
    rows = said.members.get("enemies")
    if not isinstance(rows, list | tuple) or not rows:
        raise mend(f"{said.tool}: `enemies` lists who attacks, such as [{{template: Goblin, count: 2}}]")
    entries = [TabletopArguments(said.tool, {"one": row}).within("one") for row in rows]
    enemies = [sheet for entry in entries for sheet in _create_enemies(entry, draft)]
    if draft.fight.order is not None:
        _join(said.tool, draft, enemies)
        return {"outcome": CheckOutcome.SUCCESS.value, "success": True, **describe_fight(draft)}
    begin_fight(said.tool, draft, [player, *enemies])
    who = said.choice("surprise", SURPRISES, NOBODY)
    surprised = {NOBODY: (), PLAYER: (player.name,), ENEMIES: tuple(one.name for one in enemies)}[who]
    draft.fight = replace(draft.fight, surprised=surprised)
    if draft.book.check is not CheckRule.PBTA:
        act_npcs(draft)
    stands = _player(draft).is_standing
    outcome = CheckOutcome.SUCCESS if stands else CheckOutcome.FAILURE
    return {"outcome": outcome.value, "success": stands, **describe_fight(draft)}


def _create_enemies(said: TabletopArguments, draft: TabletopDraft) -> list[CharacterSheet]:
    template = find_template(said.line("template", ENEMIES_MAX * COMBATANTS_MAX), draft.book)
    if template is None:
        known = [one.name for one in draft.book.templates]
        raise no_such(said.tool, "template", str(said.members.get("template")), known)
    count = said.whole("count", 1, ENEMIES_MAX) if said.has("count") else 1
    created = []
    for _ in range(count):
        taken = names_taken(draft)
        name = said.name("name") or template.name
        if count > 1 or not said.has("name"):
            name = number_name(name, taken)
        name = check_new_name(TabletopArguments(said.tool, {"name": name}), draft)
        created.append(draft.npcs.create(sheet_from_template(template, name)))
    return created


def _join(tool: str, draft: TabletopDraft, enemies: list[CharacterSheet]) -> None:
    order = draft.fight.order
    assert order is not None
    if len(order.combatants) + len(enemies) > COMBATANTS_MAX:
        raise mend(f"{tool}: a fight has at most {COMBATANTS_MAX} combatants")
    for sheet in enemies:
        order = join_order(order, make_combatant(draft, sheet, {}))
    draft.fight = replace(draft.fight, order=order, touched=draft.turn)
    shown = draft.words.comma.join(draft.show_name(name) for name in order.names)
    draft.tell("fight_started", draft.words.fight_starts.format(order=shown))
