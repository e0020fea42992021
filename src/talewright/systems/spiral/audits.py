"""Audits: whether a finished answer has brought about what the dice of its turn demand.

It looks at calls, never at prose.
"""

from collections.abc import Mapping

from talewright.kernel.judging.moves_and_rulings import Call, Flaw
from talewright.kernel.system import ProposedTelling
from talewright.systems.spiral.oracle import Effect
from talewright.systems.spiral.players import NEGATE
from talewright.systems.spiral.standing import Standing, owed_effects
from talewright.systems.spiral.tools import (
    ADD_GLITCH,
    FLUSH_GLITCHES,
    SPEND_RESIST,
    UPDATE_PLAYER,
)
from talewright.systems.spiral.words.words import Words

_BY_TOOL: Mapping[str, Effect] = {
    ADD_GLITCH: Effect.ADD_GLITCH,
    SPEND_RESIST: Effect.ADD_GLITCH,
    FLUSH_GLITCHES: Effect.FLUSH,
}
_BY_MEMBER: Mapping[str, Effect] = {
    "remove_glitch": Effect.REMOVE_GLITCH,
    "add_condition": Effect.CONDITION,
}


def audit_telling(telling: ProposedTelling, standing: Standing, words: Words) -> tuple[Flaw, ...]:
    """A flaw that says what to call, where an effect is missing from an answer that ends its turn."""
    if not telling.final:
        return ()
    brought = {effect for call in (*telling.calls, *telling.granted) for effect in effects_of(call)}
    missing = [effect for effect in owed_effects(standing) if effect not in brought]
    if not missing:
        return ()
    check = standing.check
    message = words.owed.format(
        context=check["context"],
        highest=check["highest"],
        word=check["word"],
        effects=words.semicolon.join(ask_for(effect, words) for effect in missing),
    )
    return (Flaw(message),)


def ask_for(effect: str, words: Words) -> str:
    """What to call for an effect."""
    return dict(zip(Effect, words.effects, strict=True))[Effect(effect)]


def effects_of(call: Call) -> tuple[Effect, ...]:
    """The effects of the oracle that a call would bring about."""
    said = call.arguments
    if call.tool == UPDATE_PLAYER:
        return tuple(effect for name, effect in _BY_MEMBER.items() if said.get(name))
    if call.tool == SPEND_RESIST and said.get("purpose") != NEGATE:
        return ()
    effect = _BY_TOOL.get(call.tool)
    return () if effect is None else (effect,)
