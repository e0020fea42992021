"""Narrator notes: what the narrator reads besides the state, and the phases of play.

The rulebook itself is part of the phase, so that it stays in the unchanging part of a prompt.
"""

from collections.abc import Sequence

from talewright.kernel.system import Note, NoteAudience, Phase
from talewright.systems.tabletop.checks import CheckRule
from talewright.systems.tabletop.moves.character_creation import tell_ranges
from talewright.systems.tabletop.moves.tabletop_draft import TabletopDraft

CREATION, PLAY = "character_creation", "play"

RULEBOOK_LENGTH_MAX = 60_000
"""Characters of the rulebook that the narrator reads."""

LEFT_AFTER_TURNS = 5
"""Turns without a blow after which the narrator is reminded of a fight."""

LEFT_AFTER_MINUTES = 60
"""Minutes without a turn after which the narrator is reminded too."""


def phase_of(draft: TabletopDraft) -> Phase:
    """Creating a character, or playing; the rulebook is read in both."""
    words = draft.words
    rulebook = f"{words.rulebook}\n\n{draft.book.text[:RULEBOOK_LENGTH_MAX]}"
    if draft.character is not None:
        text = words.play_by_hand if draft.book.check is CheckRule.OTHER else words.play
        return Phase(PLAY, text=text, rulebook=rulebook)
    ranges = tell_ranges(draft.book, "–")
    told = words.creation.format(ranges=f" ({ranges})" if ranges else "")
    return Phase(CREATION, text=told, rulebook=rulebook)


def notes_of(draft: TabletopDraft) -> Sequence[Note]:
    """What matters right now."""
    words = draft.words
    if draft.character is None:
        return (Note(words.note_creation, NoteAudience.EVERYONE),)
    order = draft.fight.order
    if order is None or order.current is None:
        return ()
    shown = words.comma.join(draft.show_name(name) for name in order.names)
    current = draft.show_name(order.current.name)
    told = [words.note_turn.format(round=order.round, name=current, order=shown)]
    sheets = [(name, draft.sheet(name)) for name in order.names]
    out = [draft.show_name(name) for name, sheet in sheets if sheet is None or not sheet.is_standing]
    if out:
        told.append(words.note_out.format(names=words.comma.join(out)))
    left = turns_left(draft)
    if left >= LEFT_AFTER_TURNS:
        told.append(words.note_left.format(turns=left))
    elif draft.away_minutes >= LEFT_AFTER_MINUTES:
        told.append(words.note_away.format(hours=draft.away_minutes // 60))
    # The player can see all of this too.
    return tuple(Note(text, NoteAudience.EVERYONE) for text in told)


def turns_left(draft: TabletopDraft) -> int:
    """How many turns ago anyone last fought."""
    return max(0, draft.turn - draft.fight.touched)
