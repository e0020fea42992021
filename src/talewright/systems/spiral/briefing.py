"""Briefing: what the storyteller should know beside the state: the dice of the turn, the morning, a review.

It reads and judges nothing. What is for everybody's ears is only what the player could see on a card.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from talewright.kernel.state.documents import Json
from talewright.kernel.system import Note, NoteAudience
from talewright.systems.spiral.audits import ask_for
from talewright.systems.spiral.labels import list_called
from talewright.systems.spiral.rulebook import Relevance, Rulebook
from talewright.systems.spiral.slots import CONTESTED, ROLLED
from talewright.systems.spiral.standing import Member, Standing, owed_effects
from talewright.systems.spiral.tags import read_list
from talewright.systems.spiral.words.words import Words

_Rows = Sequence[Mapping[str, Json]]


def notes_of(standing: Standing, rules: Rulebook, words: Words, trouble: str) -> tuple[Note, ...]:
    """Everything to be told in this turn; `trouble` is what is wrong with the campaign's own rules."""
    if not standing.is_set_up:
        return ()
    notes = [Note(trouble)] if trouble else []
    notes.append(Note(words.relevance[list(Relevance).index(rules.relevance)]))
    notes += [Note(text) for text in _tell_called(standing, words)]
    if standing.own["opened"] is not True:
        return (*notes, Note(words.opening))
    notes += [Note(text) for text in _tell_morning(standing, words)]
    notes += [Note(text, NoteAudience.EVERYONE) for text in tell_check(standing, words)]
    review = _tell_review(standing, words)
    return (*notes, Note(review)) if review else tuple(notes)


def _tell_called(standing: Standing, words: Words) -> Iterator[str]:
    """What the player knows by another name than the one in the state, so that the story can use it."""
    called = {tag: label for tag, label in list_called(standing) if tag != label}
    pairs = [f"`{tag}` = {label}" for tag, label in called.items()]
    if pairs:
        yield words.called.format(pairs=words.semicolon.join(pairs))


def _tell_morning(standing: Standing, words: Words) -> Iterator[str]:
    if standing.day > 1 and standing.turn == standing.own["day_start"]:
        yield words.morning.format(conditions=words.comma.join(standing.conditions) or words.nothing)
    full = [
        words.full_clock.format(id=name, name=person["name"], goal=person["goal"])
        for name, person in standing.people.items()
        if person["clock"] == person["clock_max"]
    ]
    if full:
        yield words.full_clocks.format(clocks=words.semicolon.join(full))


def tell_check(standing: Standing, words: Words) -> Iterator[str]:
    """What became of a check in this very turn."""
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


def _tell_review(standing: Standing, words: Words) -> str:
    """The review of the scratchpad, in the one turn that is shown it."""
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
