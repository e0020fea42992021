"""Notes and audit: notes for the narrator on dice and morning, and whether it did what the dice demand.

Notes judge nothing and contain only what the player could see on a card. The audit looks at calls, never at
prose.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from talewright.common.json_values import Json
from talewright.kernel.judging.moves import Call
from talewright.kernel.judging.rulings import Flaw
from talewright.kernel.system import Note, NoteAudience, ProposedTelling
from talewright.systems.spiral.moves.player_sheet import NEGATE
from talewright.systems.spiral.oracle import OracleEffect
from talewright.systems.spiral.rulebook import SpiralRulebook, TagRelevance
from talewright.systems.spiral.slots import CONTESTED, ROLLED
from talewright.systems.spiral.spiral_labels import list_called
from talewright.systems.spiral.spiral_state import Member, SpiralState, owed_effects
from talewright.systems.spiral.tags import read_list
from talewright.systems.spiral.tool_descriptions import (
    ADD_GLITCH,
    FLUSH_GLITCHES,
    SPEND_RESIST,
    UPDATE_PLAYER,
)
from talewright.systems.spiral.words.phrases import SpiralPhrases

_Rows = Sequence[Mapping[str, Json]]


def notes_of(
    standing: SpiralState, rules: SpiralRulebook, words: SpiralPhrases, trouble: str
) -> tuple[Note, ...]:
    """All notes for this turn; `trouble` is what is wrong with the campaign's own rules."""
    if not standing.is_set_up:
        return ()
    notes = [Note(trouble)] if trouble else []
    notes.append(Note(words.relevance[list(TagRelevance).index(rules.relevance)]))
    notes += [Note(text) for text in _tell_called(standing, words)]
    if standing.own["opened"] is not True:
        return (*notes, Note(words.opening))
    notes += [Note(text) for text in _tell_morning(standing, words)]
    notes += [Note(text, NoteAudience.EVERYONE) for text in tell_check(standing, words)]
    review = _tell_review(standing, words)
    return (*notes, Note(review)) if review else tuple(notes)


def _tell_called(standing: SpiralState, words: SpiralPhrases) -> Iterator[str]:
    """Values that the player knows by another name than in the state, so that the story can use that name."""
    called = {tag: label for tag, label in list_called(standing) if tag != label}
    pairs = [f"`{tag}` = {label}" for tag, label in called.items()]
    if pairs:
        yield words.called.format(pairs=words.semicolon.join(pairs))


def _tell_morning(standing: SpiralState, words: SpiralPhrases) -> Iterator[str]:
    if standing.day > 1 and standing.turn == standing.own["day_start"]:
        yield words.morning.format(conditions=words.comma.join(standing.conditions) or words.nothing)
    full = [
        words.full_clock.format(id=name, name=person["name"], goal=person["goal"])
        for name, person in standing.people.items()
        if person["clock"] == person["clock_max"]
    ]
    if full:
        yield words.full_clocks.format(clocks=words.semicolon.join(full))


def tell_check(standing: SpiralState, words: SpiralPhrases) -> Iterator[str]:
    """The result of a check in this very turn."""
    check = standing.check
    if check["turn"] != standing.turn:
        return
    if check["answer"] == ROLLED:
        owed = [ask_for(effect, words) for effect in owed_effects(standing)]
        told = words.owed if owed else words.nothing_owed
        yield told.format(
            context=check["context"],
            highest=check["highest"],
            word=check["word"],
            effects=words.semicolon.join(owed),
        )
        if check["resist"]:
            yield words.near_miss
    elif check["answer"] == CONTESTED:
        yield words.contested.format(context=check["context"], note=check["note"] or words.unsaid)
    else:
        yield words.withdrawn.format(context=check["context"])


def _tell_review(standing: SpiralState, words: SpiralPhrases) -> str:
    """The review of the scratchpad, in the one turn that shows it."""
    review = cast(Member, standing.own["review"])
    if review["for_turn"] != standing.turn:
        return ""
    lines = [words.stale.format(**row) for row in cast(_Rows, review["stale"])]
    for row in cast(_Rows, review["consolidate"]):
        entries = words.semicolon.join(read_list(row["entries"]))
        lines.append(words.consolidate.format(entries=entries, suggested=row["suggested"]))
    lines += [words.contradiction.format(**row) for row in cast(_Rows, review["contradictions"])]
    lines += [words.missing.format(entry=entry) for entry in read_list(review["missing"])]
    return "\n".join((words.review, *lines)) if lines else ""


_BY_TOOL: Mapping[str, OracleEffect] = {
    ADD_GLITCH: OracleEffect.ADD_GLITCH,
    SPEND_RESIST: OracleEffect.ADD_GLITCH,
    FLUSH_GLITCHES: OracleEffect.FLUSH,
}
_BY_MEMBER: Mapping[str, OracleEffect] = {
    "remove_glitch": OracleEffect.REMOVE_GLITCH,
    "add_condition": OracleEffect.CONDITION,
}


def audit_telling(telling: ProposedTelling, standing: SpiralState, words: SpiralPhrases) -> tuple[Flaw, ...]:
    """A flaw that names the call to make, if an effect is missing from an answer that ends its turn."""
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


def ask_for(effect: str, words: SpiralPhrases) -> str:
    """The call to make for an effect."""
    return dict(zip(OracleEffect, words.effects, strict=True))[OracleEffect(effect)]


def effects_of(call: Call) -> tuple[OracleEffect, ...]:
    """The effects of the oracle that a call would carry out."""
    said = call.arguments
    if call.tool == UPDATE_PLAYER:
        return tuple(effect for name, effect in _BY_MEMBER.items() if said.get(name))
    if call.tool == SPEND_RESIST and said.get("purpose") != NEGATE:
        return ()
    effect = _BY_TOOL.get(call.tool)
    return () if effect is None else (effect,)
