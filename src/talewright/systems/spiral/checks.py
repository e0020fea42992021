"""Checks: the assessment of a roll, the card on which a player confirms it, and the roll itself.

Dice come only from tags in the state. Nothing is rolled before the player agrees.
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, quote_value
from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.judging.rulings import Decision, Option, mend
from talewright.kernel.story.triggers import Event
from talewright.kernel.system import Grant, Wait
from talewright.systems.spiral.moves.spiral_arguments import SpiralArguments
from talewright.systems.spiral.oracle import BOTCH, SIDES, OracleEffect, net_of, odds_of
from talewright.systems.spiral.rulebook import CompanionDice, SpiralRulebook
from talewright.systems.spiral.slots import (
    CHECK,
    CONDITIONS_MAX,
    CONTESTED,
    CONTEXT_LENGTH_MAX,
    GLITCHES_MAX,
    PLAYER,
    ROLLED,
    TEXT_LENGTH_MAX,
    WITHDRAWN,
)
from talewright.systems.spiral.spiral_labels import show_dice
from talewright.systems.spiral.spiral_state import SpiralState, helping, hindering, owed_effects
from talewright.systems.spiral.tags import find, suggest, to_line
from talewright.systems.spiral.words.phrases import SpiralPhrases

DICE_MAX = 40
"""Tags of one colour that can be named in a check."""

ROLL, ROLL_WITH_RESIST, CONTEST, WITHDRAW = "roll", "roll_resist", "contest", "withdraw"
CARD = "check"
"""The id of the card."""

NOTE = f"{CARD}.note"
"""The key of the player's own words in an answer."""

CAUSE = "system:spiral"


@frozen
class CheckAssessment:
    """A roll proposed by a narrator, verified against the state."""

    context: str
    action_tags: tuple[str, ...]
    danger_tags: tuple[str, ...]
    """Named tags other than glitches."""

    glitches: tuple[str, ...]

    @property
    def action_dice(self) -> int:
        """One, plus one for each tag."""
        return 1 + len(self.action_tags)

    @property
    def danger_dice(self) -> int:
        """One for every glitch and each named tag."""
        return len(self.glitches) + len(self.danger_tags)

    @property
    def net_dice(self) -> int:
        """The dice left to roll."""
        return net_of(self.action_dice, self.danger_dice)


def assess(said: SpiralArguments, standing: SpiralState, rules: SpiralRulebook) -> CheckAssessment:
    """Check a proposal against the state."""
    owed = owed_effects(standing)
    if owed:
        raise mend(
            f"roll_check: the check before this one still demands {', '.join(owed)}; see to that first"
        )
    context = said.members.get("context")
    line = to_line(context)[:CONTEXT_LENGTH_MAX].strip() if isinstance(context, str) else ""
    if not line:
        raise mend("roll_check needs `context`: what is tried, in a few words")
    counted = rules.companion_dice is CompanionDice.COUNTED
    action = _match(said, "action_tags", list(helping(standing, companion=counted)))
    danger = _match(said, "danger_tags", [*hindering(standing), *standing.glitches])
    # Glitches always count, whether they are named or not, and each of them once.
    named = tuple(tag for tag in danger if find(tag, standing.glitches) is None)
    found = CheckAssessment(line, action, named, standing.glitches)
    proposed = (said.whole("action_dice", 0), said.whole("danger_dice", 0))
    if proposed[0] != found.action_dice:
        raise mend(
            f"roll_check: `action_dice` is 1 and one for each of `action_tags`, {found.action_dice}; "
            f"not {proposed[0]}. Name the tags that count, or change the number"
        )
    if proposed[1] != found.danger_dice:
        raise mend(
            f"roll_check: `danger_dice` is every glitch ({len(found.glitches)}) and one for each other of "
            f"`danger_tags` ({len(found.danger_tags)}), {found.danger_dice}; not {proposed[1]}"
        )
    return found


def _match(said: SpiralArguments, name: str, known: Sequence[str]) -> tuple[str, ...]:
    found: list[str] = []
    for tag in said.tags(name):
        real = find(tag, known)
        if real is None:
            raise mend(
                f"roll_check: `{name}`: no tag {quote_value(tag)} stands in the state; {suggest(tag, known)}"
            )
        if real in found:
            raise mend(f"roll_check: `{name}`: `{real}` is named twice; a tag is one die")
        found.append(real)
    if len(found) > DICE_MAX:
        raise mend(f"roll_check: `{name}` names at most {DICE_MAX} tags, not {len(found)}")
    return tuple(found)


def open_card(
    found: CheckAssessment, standing: SpiralState, rules: SpiralRulebook, words: SpiralPhrases
) -> Wait:
    """The card on which the player agrees, contests or withdraws."""
    helping = words.comma.join(show_dice(standing, found.action_tags)) or words.nothing
    against = words.comma.join(show_dice(standing, (*found.glitches, *found.danger_tags))) or words.nothing
    lines = [
        words.helping.format(tags=helping, dice=found.action_dice),
        words.against.format(tags=against, dice=found.danger_dice),
    ]
    if found.net_dice:
        lines.append(words.net.format(dice=found.net_dice))
    else:
        lines.append(words.botch_sure.format(word=rules.table.read(BOTCH).word))
    if found.net_dice:
        odds = odds_of(rules.table, found.net_dice)
        told = [words.odds.format(word=word, percent=to_percent(share)) for word, share in odds]
        lines.append(words.semicolon.join(told))
    options = [Option(ROLL, words.roll)]
    left, _ = standing.resist
    if found.net_dice and left and any(map(rules.table.costs_glitch, range(1, SIDES + 1))):
        options.append(Option(ROLL_WITH_RESIST, words.roll_resist.format(left=left)))
    options += [Option(CONTEST, words.contest), Option(WITHDRAW, words.withdraw)]
    return Wait(
        Decision(CARD, found.context, tuple(options), tuple(lines), takes_note=True, note_with=CONTEST)
    )


def to_percent(share: Fraction) -> int:
    """A percentage, rounded half up; never 0 or 100 unless it is exactly that."""
    rounded = math.floor(100 * share + Fraction(1, 2))
    return min(max(rounded, 1), 99) if 0 < share < 1 else rounded


def throw(
    found: CheckAssessment,
    standing: SpiralState,
    rules: SpiralRulebook,
    chance: Chance,
    words: SpiralPhrases,
    *,
    with_resist: bool,
) -> Grant:
    """Roll the remaining dice, and record the effects that the oracle demands."""
    rolls = [chance.draw(SIDES, found.context) for _ in range(found.net_dice)]
    highest = max(rolls, default=BOTCH)
    answer = rules.table.read(highest)
    left, _ = standing.resist
    spent = with_resist and bool(rolls) and left > 0 and OracleEffect.ADD_GLITCH in answer.effects
    owed = _demand(answer.effects, standing, spent=spent)
    updates = [_record(found, standing, ROLLED, highest=highest, word=answer.word, owed=owed, resist=spent)]
    events = []
    if spent:
        updates.append(Update(Op.DEC, f"{PLAYER}.resist.current", 1, found.context))
        events.append(Event("resist", words.resist_spent.format(left=left - 1), CAUSE))
    if not rolls:
        events.append(Event("check", words.botched.format(word=answer.word), CAUSE))
    dice = f"{found.net_dice}d{SIDES} ({', '.join(map(str, rolls))}) = {highest}" if rolls else words.no_dice
    result: dict[str, Json] = {
        "net_dice": found.net_dice,
        "rolls": list(rolls),
        "highest": highest,
        "botch": not rolls,
        # Beyond the original design: the meaning from the table of `prompt.md`, and its wording for a face.
        "outcome": answer.word,
        "effects": list(owed),
        "resist_spent": spent,
        "text": words.rolled.format(
            action=found.action_dice, danger=found.danger_dice, dice=dice, word=answer.word
        ),
    }
    return Grant(tuple(updates), result, tuple(events))


def _demand(effects: Sequence[OracleEffect], standing: SpiralState, *, spent: bool) -> list[str]:
    """The effects that must follow: not a glitch averted by resist, nor one without a target or room."""
    vain = {
        OracleEffect.ADD_GLITCH: spent or len(standing.glitches) >= GLITCHES_MAX,
        OracleEffect.REMOVE_GLITCH: not standing.glitches,
        OracleEffect.FLUSH: not standing.glitches,
        OracleEffect.CONDITION: len(standing.conditions) >= CONDITIONS_MAX,
    }
    return [effect.value for effect in effects if not vain[effect]]


def _record(
    found: CheckAssessment, standing: SpiralState, answer: str, note: str = "", **more: Json
) -> Update:
    check: Mapping[str, Json] = {
        "turn": standing.turn,
        "answer": answer,
        "context": found.context,
        "note": note,
        "highest": 0,
        "word": "",
        "owed": [],
        "resist": False,
        **more,
    }
    return Update(Op.SET, CHECK, check, found.context)


def answer_card(
    found: CheckAssessment,
    standing: SpiralState,
    rules: SpiralRulebook,
    chance: Chance,
    words: SpiralPhrases,
    answers: Mapping[str, Json],
) -> Grant:
    """The result of the player's answer on the card."""
    option, said = answers[CARD], answers.get(NOTE)
    note = to_line(said)[:TEXT_LENGTH_MAX] if isinstance(said, str) else ""
    if option == CONTEST:
        return Grant((_record(found, standing, CONTESTED, note),), {"contested": note})
    if option == WITHDRAW:
        return Grant((_record(found, standing, WITHDRAWN, note),), {"withdrawn": True})
    if option not in (ROLL, ROLL_WITH_RESIST):
        raise mend(f"roll_check: the card knows {ROLL}, {ROLL_WITH_RESIST}, {CONTEST} and {WITHDRAW}")
    return throw(found, standing, rules, chance, words, with_resist=option == ROLL_WITH_RESIST)


def roll_check(
    said: SpiralArguments,
    standing: SpiralState,
    rules: SpiralRulebook,
    chance: Chance,
    words: SpiralPhrases,
    answers: Mapping[str, Json],
    *,
    is_held: bool,
) -> Grant | Wait:
    """Propose a roll, or make it once the player has answered; `is_held`: the card belongs to this call."""
    if standing.checks_waiting and not is_held:
        raise mend("roll_check: a card lies before the player already; wait for the answer")
    found = assess(said, standing, rules)
    if CARD not in answers:
        return open_card(found, standing, rules, words)
    return answer_card(found, standing, rules, chance, words, answers)


def settle(standing: SpiralState, *effects: OracleEffect) -> tuple[Update, ...]:
    """The update that marks effects as done, if this turn's dice demanded them."""
    owed = owed_effects(standing)
    left = [effect for effect in owed if effect not in effects]
    return (Update(Op.SET, f"{CHECK}.owed", left),) if len(left) < len(owed) else ()
