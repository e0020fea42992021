"""Entries: what stands in the story, made from the views of play.

Pure values, safe for a terminal already; how they look is decided by `layout`.
"""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from talewright.faces.tui.arrows import draw_arrows
from talewright.faces.tui.safety import safe, safe_line
from talewright.play.campaign_view import RollView, TurnView

NoticeKind: TypeAlias = Literal["notice", "trouble", "event"]


@dataclass(frozen=True, slots=True)
class Said:
    """What the player said."""

    text: str


@dataclass(frozen=True, slots=True)
class Narration:
    """What was told, as Markdown."""

    text: str


@dataclass(frozen=True, slots=True)
class Dice:
    """A roll."""

    roll: RollView


@dataclass(frozen=True, slots=True)
class Event:
    """What a trigger or the teller reported."""

    text: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was wished for and refused."""

    text: str


@dataclass(frozen=True, slots=True)
class Changed:
    """What the turn changed, all in one line."""

    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A word of the face itself: of no turn, and gone when the story is opened anew."""

    text: str
    trouble: bool = False


Entry: TypeAlias = Said | Narration | Dice | Event | Refusal | Changed | Notice


def read_turn(turn: TurnView) -> tuple[Entry, ...]:
    """The entries of a finished turn, in the order in which they are read."""
    entries: list[Entry] = []
    if turn.said.strip():
        entries.append(Said(safe(turn.said)))
    # Dice that fell before the story was told decided it, and stand before it.
    entries += [Dice(make_roll_safe(roll)) for roll in turn.rolls if not roll.late]
    if turn.narration.strip():
        entries.append(Narration(safe(turn.narration)))
    entries += [Dice(make_roll_safe(roll)) for roll in turn.rolls if roll.late]
    entries += [Event(safe_line(text)) for text in turn.events]
    entries += [Refusal(safe_line(text)) for text in turn.refusals]
    if turn.changes:
        entries.append(Changed(" · ".join(draw_arrows(safe_line(change.text)) for change in turn.changes)))
    return tuple(entries)


def read_note(text: str, kind: NoticeKind) -> Entry:
    """A note as an entry."""
    return Event(safe(text)) if kind == "event" else Notice(safe(text), kind == "trouble")


def make_roll_safe(roll: RollView) -> RollView:
    """The same roll with words that no terminal obeys."""
    return replace(
        roll, text=safe_line(roll.text), pool=safe_line(roll.pool), outcome=safe_line(roll.outcome)
    )
