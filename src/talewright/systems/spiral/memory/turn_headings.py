"""Turn headings: the day and segment of a past turn, and its title.

A turn belongs to the moment at which it was taken, even if it led into the next.
"""

from collections.abc import Iterable, Iterator, Sequence

from talewright.common.frozen_values import frozen
from talewright.kernel.state.documents import ABSENT
from talewright.kernel.system import PastTurn
from talewright.systems.spiral.slots import META
from talewright.systems.spiral.spiral_state import SpiralState

HEADING_INPUT_MAX = 50
"""Characters of a player's words in the heading of a turn."""

_DAY, _SEGMENT, _READY = f"/{META}/day", f"/{META}/segment", f"/{META}/setup_complete"


@frozen
class TurnMoment:
    """When a turn was taken."""

    is_play: bool
    """False during setup."""

    day: int
    segment: int


@frozen
class DiaryEntry:
    """A turn and its moment."""

    turn: PastTurn
    moment: TurnMoment


def write_diary(turns: Sequence[PastTurn], standing: SpiralState) -> tuple[DiaryEntry, ...]:
    """Turns in order, each with its moment; the last of them led to the current state."""
    moment = TurnMoment(standing.is_set_up, standing.day, standing.segment)
    entries: list[DiaryEntry] = []
    for turn in reversed(turns):
        moment = _before(turn, moment)
        entries.append(DiaryEntry(turn, moment))
    return tuple(reversed(entries))


def _before(turn: PastTurn, after: TurnMoment) -> TurnMoment:
    """The moment at which a turn was taken, from the one it led to, by undoing its changes."""
    found: dict[str, object] = {}
    for change in turn.changes:
        if change.was is not ABSENT:
            found.setdefault(change.path, change.was)
    return TurnMoment(
        bool(found.get(_READY, after.is_play)),
        _whole(found.get(_DAY), after.day),
        _whole(found.get(_SEGMENT), after.segment),
    )


def _whole(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) else otherwise


def heading_of(turn: PastTurn, standing: SpiralState) -> str:
    """The title of the newest turn: its moment, and the start of the player's words, or else of the story."""
    (entry,) = write_diary((turn,), standing)
    said = next(_first_words((turn.input, turn.narration)), "")[:HEADING_INPUT_MAX].rstrip()
    moment = entry.moment
    when = f"Day {moment.day} Seg {moment.segment}" if moment.is_play else "Setup"
    return f"{when}: {said}"


def _first_words(texts: Iterable[str]) -> Iterator[str]:
    return (line for line in (" ".join(text.split()) for text in texts) if line)
