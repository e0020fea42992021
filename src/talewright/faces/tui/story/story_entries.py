"""Story entries: what stands in the story, made from the views of play.

Pure values, safe for a terminal already; how they look is decided by `story_layout`.
"""

from dataclasses import replace
from typing import Literal, TypeAlias

from talewright.common.frozen_values import frozen
from talewright.faces.tui.safe_content import safe, safe_line
from talewright.faces.tui.widgets.meters import draw_arrows
from talewright.play.campaign_view import RollView, TurnView

NoticeKind: TypeAlias = Literal["notice", "trouble", "event"]


@frozen
class SaidEntry:
    """What the player said."""

    text: str


@frozen
class NarrationEntry:
    """What was told, as Markdown."""

    text: str


@frozen
class RollEntry:
    """A roll."""

    roll: RollView


@frozen
class EventEntry:
    """What a trigger or the teller reported."""

    text: str


@frozen
class RefusalEntry:
    """What was wished for and refused."""

    text: str


@frozen
class ChangesEntry:
    """What the turn changed, all in one line."""

    text: str


@frozen
class NoticeEntry:
    """A word of the face itself, of no turn and gone when the story is opened anew; or who told a turn."""

    text: str
    trouble: bool = False


StoryEntry: TypeAlias = (
    SaidEntry | NarrationEntry | RollEntry | EventEntry | RefusalEntry | ChangesEntry | NoticeEntry
)


def read_turn(turn: TurnView) -> tuple[StoryEntry, ...]:
    """The entries of a finished turn, in the order in which they are read."""
    entries: list[StoryEntry] = []
    if turn.said.strip():
        entries.append(SaidEntry(safe(turn.said)))
    # Dice that fell before the story was told decided it, and stand before it.
    entries += [RollEntry(make_roll_safe(roll)) for roll in turn.rolls if not roll.late]
    before, after = turn.split_narration()
    entries += _narrate(before)
    entries += [RollEntry(make_roll_safe(roll)) for roll in turn.rolls if roll.late]
    entries += [EventEntry(safe_line(text)) for text in turn.events]
    entries += _narrate(after)
    entries += [RefusalEntry(safe_line(text)) for text in turn.refusals]
    if turn.changes:
        entries.append(
            ChangesEntry(" · ".join(draw_arrows(safe_line(change.text)) for change in turn.changes))
        )
    if turn.stand_in:
        entries.append(NoticeEntry(safe_line(turn.stand_in)))
    return tuple(entries)


def _narrate(text: str) -> list[StoryEntry]:
    return [NarrationEntry(safe(text.strip("\n")))] if text.strip() else []


def read_note(text: str, kind: NoticeKind) -> StoryEntry:
    """A note as an entry."""
    return EventEntry(safe(text)) if kind == "event" else NoticeEntry(safe(text), kind == "trouble")


def make_roll_safe(roll: RollView) -> RollView:
    """The same roll with words that no terminal obeys."""
    return replace(
        roll, text=safe_line(roll.text), pool=safe_line(roll.pool), outcome=safe_line(roll.outcome)
    )
