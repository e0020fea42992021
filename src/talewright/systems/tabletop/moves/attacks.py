"""Attacks: whether an attack hits, and what it does, by the rules of the rulebook.

With a d20, the attacker rolls against the armor class, and a critical hit rolls the damage dice twice. In a
PbtA game only the player rolls: a cost or a failure lets the target strike back. In Fate both sides roll, and
the difference is the damage if the attack names no dice.
"""

import re
from dataclasses import replace

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.dice.dice_parser import parse
from talewright.systems.tabletop.character_sheets import CharacterSheet, SheetAttack, shorten_name
from talewright.systems.tabletop.checks import CheckOutcome, CheckRule, Edge
from talewright.systems.tabletop.moves.damage_moves import hurt, tell_fall
from talewright.systems.tabletop.moves.dice_moves import attribute_modifier, make_check
from talewright.systems.tabletop.moves.fight_telling import is_player, tell_blow, tell_of
from talewright.systems.tabletop.moves.tabletop_draft import TabletopDraft
from talewright.systems.tabletop.recorded_rolls import RollKind, RollPurpose
from talewright.systems.tabletop.rulebook_parser.rulebook_types import AttackSave, DamageRoll, Rulebook

ARMOR_CLASS_USUAL = 10
"""The armor class of a character who has none."""

UNARMED_DAMAGE = (DamageRoll("1"),)

_FIGHTING = re.compile(
    r"fight|blows|melee|brawl|strike|attack|weapon|violence|forceful|战斗|格斗|近战|肉搏|攻击|动手|强力",
    re.IGNORECASE,
)
_DEFENDING = re.compile(
    r"athletic|dodge|defen[cs]e|parry|quick|evade|运动|闪避|防御|敏捷|灵巧", re.IGNORECASE
)


@frozen
class AttackOutcome:
    """The result of an attack."""

    outcome: CheckOutcome
    damage: int = 0
    """Hit points that the target lost."""

    struck_back: int = 0
    """Hit points that the attacker lost."""

    condition: str = ""
    """What the target suffers from because it failed a save."""

    @property
    def hit(self) -> bool:
        """Whether the target was hit."""
        return self.outcome not in (CheckOutcome.FAILURE, CheckOutcome.CRITICAL_FAILURE)

    def to_json(self) -> dict[str, Json]:
        """The attack as a tool reports it."""
        return {
            "outcome": self.outcome.value,
            "success": self.hit,
            "damage": self.damage,
            "struckBack": self.struck_back,
            **({"condition": self.condition} if self.condition else {}),
        }


def default_attack(sheet: CharacterSheet, book: Rulebook) -> SheetAttack:
    """The attack of a character who has none: a fighting skill, or else the first attribute."""
    learned = [value for name, value in sheet.skills.items() if _FIGHTING.search(name)]
    behind = [one.attribute for one in book.skills if one.attribute and _FIGHTING.search(one.name)]
    first = behind or [one.key for one in book.attributes[:1]]
    bonus = (
        max(learned) if learned else max((attribute_modifier(sheet, key, book) for key in first), default=0)
    )
    return SheetAttack("", bonus, () if book.check is CheckRule.FATE else UNARMED_DAMAGE)


def make_attack(
    draft: TabletopDraft,
    attacker: CharacterSheet,
    target: CharacterSheet,
    attack: SheetAttack,
    edge: Edge = Edge.NONE,
) -> AttackOutcome:
    """Attack, roll the damage and apply it."""
    match draft.book.check:
        case CheckRule.PBTA:
            return _attack_pbta(draft, attacker, target, attack, edge)
        case CheckRule.FATE:
            return _attack_fate(draft, attacker, target, attack, edge)
        case _:
            return _attack_d20(draft, attacker, target, attack, edge)


def _purpose(kind: RollKind, sheet: CharacterSheet, what: str = "") -> RollPurpose:
    return RollPurpose(kind, sheet.name, sheet.template, what)


def _attack_d20(
    draft: TabletopDraft, attacker: CharacterSheet, target: CharacterSheet, attack: SheetAttack, edge: Edge
) -> AttackOutcome:
    armor = ARMOR_CLASS_USUAL if target.ac is None else target.ac
    purpose = _purpose(RollKind.ATTACK, attacker, attack.name)
    result, _ = make_check(draft, purpose, attack.bonus, armor, edge)
    if not result.succeeded:
        return _tell_miss(draft, attacker, target, attack, result.outcome)
    critical = result.outcome is CheckOutcome.CRITICAL_SUCCESS
    damage = _roll_damage(draft, attacker, attack, twice=critical)
    done = _strike(draft, attacker, target, attack, damage, result.outcome)
    save = _find_save(draft, attacker, attack) if draft.revised else None
    return done if save is None else replace(done, condition=_withstand(draft, target.name, save))


def _find_save(draft: TabletopDraft, attacker: CharacterSheet, attack: SheetAttack) -> AttackSave | None:
    """The save that the rulebook has for an attack."""
    if is_player(draft, attacker.name):
        template = draft.rules.ready_made
    else:
        template = next((one for one in draft.book.templates if one.name == attacker.template), None)
    attacks = () if template is None else template.attacks
    return next((one.save for one in attacks if one.save and shorten_name(one.name) == attack.name), None)


def _withstand(draft: TabletopDraft, name: str, save: AttackSave) -> str:
    """Roll the save of a target who still stands; returns the condition that follows from a failure."""
    target = draft.sheet(name)
    if target is None or not target.is_standing:
        return ""
    modifier = attribute_modifier(target, save.attribute, draft.book)
    result, _ = make_check(draft, _purpose(RollKind.CHECK, target, save.attribute), modifier, save.difficulty)
    if result.succeeded or not hurt(draft, name, 0, (save.condition,)).added:
        return ""
    tell_of(draft, "condition", draft.words.condition, name, condition=save.condition)
    return save.condition


def _attack_pbta(
    draft: TabletopDraft, attacker: CharacterSheet, target: CharacterSheet, attack: SheetAttack, edge: Edge
) -> AttackOutcome:
    player = draft.character is not None and attacker.name == draft.character.name
    if not player:
        damage = _roll_damage(draft, attacker, attack) - (target.ac or 0)
        return _strike(draft, attacker, target, attack, damage, CheckOutcome.SUCCESS)
    result, _ = make_check(draft, _purpose(RollKind.ATTACK, attacker, attack.name), attack.bonus, 0, edge)
    if result.succeeded:
        damage = _roll_damage(draft, attacker, attack) - (target.ac or 0)
        done = _strike(draft, attacker, target, attack, damage, result.outcome)
    else:
        done = _tell_miss(draft, attacker, target, attack, result.outcome)
    if result.outcome is CheckOutcome.SUCCESS:
        return done
    return AttackOutcome(done.outcome, done.damage, strike_back(draft, attacker, target))


def strike_back(draft: TabletopDraft, attacker: CharacterSheet, target: CharacterSheet) -> int:
    """The target hurts the attacker, unless it is surprised; returns the hit points lost."""
    if draft.fight.is_surprised(target.name):
        return 0
    attack = next(iter(target.attacks), None) or default_attack(target, draft.book)
    damage = max(_roll_damage(draft, target, attack) - (attacker.ac or 0), 0)
    result = hurt(draft, attacker.name, damage)
    tell_blow(draft, "struck_back", draft.words.strikes_back, attacker, target, attack, damage=result.dealt)
    tell_fall(draft, attacker.name, result)
    return result.dealt


def _attack_fate(
    draft: TabletopDraft, attacker: CharacterSheet, target: CharacterSheet, attack: SheetAttack, edge: Edge
) -> AttackOutcome:
    defence = draft.roll(_with_modifier("4dF", _defence(target)), _purpose(RollKind.DEFENCE, target))
    purpose = _purpose(RollKind.ATTACK, attacker, attack.name)
    result, _ = make_check(draft, purpose, attack.bonus, defence.total, edge)
    if result.margin <= 0:
        return _tell_miss(draft, attacker, target, attack, CheckOutcome.FAILURE)
    damage = _roll_damage(draft, attacker, attack) if attack.damage else result.margin
    return _strike(draft, attacker, target, attack, damage, result.outcome)


def _defence(target: CharacterSheet) -> int:
    if target.ac is not None:
        return target.ac
    learned = (
        value for name, value in target.skills.items() if _DEFENDING.search(name) or _FIGHTING.search(name)
    )
    return max(learned, default=0)


def _with_modifier(dice: str, modifier: int) -> str:
    return f"{dice}{modifier:+}" if modifier else dice


def _roll_damage(
    draft: TabletopDraft, attacker: CharacterSheet, attack: SheetAttack, *, twice: bool = False
) -> int:
    """The damage of a hit; a critical one rolls the dice twice, but adds the numbers once."""
    parts = [one.dice for one in attack.damage or UNARMED_DAMAGE]
    if twice:
        parts += [pool.text for part in tuple(parts) for pool in parse(part).pools]
    purpose = _purpose(RollKind.DAMAGE, attacker, attack.name)
    return draft.roll("+".join(parts), purpose).total


def _strike(
    draft: TabletopDraft,
    attacker: CharacterSheet,
    target: CharacterSheet,
    attack: SheetAttack,
    damage: int,
    outcome: CheckOutcome,
) -> AttackOutcome:
    """Apply the damage of a hit and report it."""
    result = hurt(draft, target.name, max(damage, 0))
    words = draft.words
    wordings = words.critical_hit if outcome is CheckOutcome.CRITICAL_SUCCESS else words.hit
    tell_blow(draft, "hit", wordings, attacker, target, attack, damage=result.dealt)
    tell_fall(draft, target.name, result)
    return AttackOutcome(outcome, result.dealt)


def _tell_miss(
    draft: TabletopDraft,
    attacker: CharacterSheet,
    target: CharacterSheet,
    attack: SheetAttack,
    outcome: CheckOutcome,
) -> AttackOutcome:
    tell_blow(draft, "miss", draft.words.miss, attacker, target, attack)
    return AttackOutcome(outcome)
