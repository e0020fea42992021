"""Story entries: what the story shows, made from the views of play.

Plain values, already sanitized for a terminal; `story_layout` decides how they look.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final, Literal, TypeAlias

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
    """The narration, as Markdown."""

    text: str


@frozen
class RollEntry:
    """A roll of the dice, or several that are shown together."""

    rolls: tuple[RollView, ...]


@frozen
class FoldedRollsEntry:
    """Rolls of others, in a few words each."""

    text: str


@frozen
class EventEntry:
    """An event reported by a trigger or the storyteller."""

    text: str
    favor: str = ""
    """Whether it is `good` or `bad` for the player; empty for neither."""


@frozen
class RefusalEntry:
    """A request that was refused."""

    text: str


@frozen
class ChangesEntry:
    """What the turn changed, on one line."""

    text: str


@frozen
class NoticeEntry:
    """A message of the interface, which belongs to no turn and is not saved; or who narrated a turn."""

    text: str
    trouble: bool = False


StoryEntry: TypeAlias = (
    SaidEntry
    | NarrationEntry
    | RollEntry
    | FoldedRollsEntry
    | EventEntry
    | RefusalEntry
    | ChangesEntry
    | NoticeEntry
)


def read_turn(turn: TurnView) -> tuple[StoryEntry, ...]:
    """Return the entries of a finished turn, in reading order."""
    entries: list[StoryEntry] = []
    if turn.said.strip():
        entries.append(SaidEntry(safe(turn.said)))
    # Dice rolled before the narration decided it, so they come first.
    entries += group_rolls([roll for roll in turn.rolls if not roll.late])
    before, after = turn.split_narration()
    entries += _narrate(before)
    entries += group_rolls([roll for roll in turn.rolls if roll.late])
    favors = (*turn.favors, *[""] * len(turn.events))
    entries += [EventEntry(safe_line(text), favor) for text, favor in zip(turn.events, favors, strict=False)]
    entries += _narrate(after)
    entries += [RefusalEntry(safe_line(text)) for text in turn.refusals]
    if turn.changes:
        entries.append(
            ChangesEntry(" · ".join(draw_arrows(safe_line(change.text)) for change in turn.changes))
        )
    if turn.stand_in:
        entries.append(NoticeEntry(safe_line(turn.stand_in)))
    return tuple(entries)


BOXES_MAX: Final = 2
"""How many rolls in a row get a box each; more share one."""


def group_rolls(rolls: Sequence[RollView]) -> list[RollEntry | FoldedRollsEntry]:
    """Group rolls by the box that shows them; those of others share a line."""
    grouped: list[RollEntry | FoldedRollsEntry] = []
    for is_brief, several in groupby(rolls, key=lambda roll: bool(roll.brief)):
        group = tuple(several)
        if is_brief:
            grouped.append(FoldedRollsEntry(" · ".join(safe_line(roll.brief) for roll in group)))
            continue
        safe_rolls = tuple(map(make_roll_safe, group))
        boxes = [safe_rolls] if len(group) > BOXES_MAX else [(roll,) for roll in safe_rolls]
        grouped += map(RollEntry, boxes)
    return grouped


def _narrate(text: str) -> list[StoryEntry]:
    return [NarrationEntry(safe(text.strip("\n")))] if text.strip() else []


def read_note(text: str, kind: NoticeKind) -> StoryEntry:
    """Return a note as an entry."""
    return EventEntry(safe(text)) if kind == "event" else NoticeEntry(safe(text), kind == "trouble")


def make_roll_safe(roll: RollView) -> RollView:
    """Return the roll with sanitized texts."""
    return replace(
        roll, text=safe_line(roll.text), pool=safe_line(roll.pool), outcome=safe_line(roll.outcome)
    )
