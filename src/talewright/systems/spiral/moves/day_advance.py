"""Day advance: advances time by segments; the morning of a new day restores resist and moves the clocks.

A full clock stays full until it is set back.
"""

from talewright.common.json_values import Json
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.judging.rulings import mend
from talewright.kernel.story.triggers import Event
from talewright.kernel.system import Grant
from talewright.systems.spiral.checks import CAUSE
from talewright.systems.spiral.moves.npcs import tick_clocks
from talewright.systems.spiral.moves.spiral_arguments import SpiralArguments
from talewright.systems.spiral.rulebook import ClockTick, SpiralRulebook
from talewright.systems.spiral.slots import (
    DAYS_MAX,
    LABELS,
    META,
    OWN,
    PLAYER,
    SEGMENTS,
    SEGMENTS_KEPT,
    TEXT_LENGTH_MAX,
)
from talewright.systems.spiral.spiral_labels import SEGMENT_LABELS, show
from talewright.systems.spiral.spiral_state import SpiralState
from talewright.systems.spiral.tags import read_list
from talewright.systems.spiral.words.phrases import SpiralPhrases

NOON = 3
"""The segment at whose start the clocks move again, if they move twice a day."""


def advance_time(
    said: SpiralArguments, standing: SpiralState, rules: SpiralRulebook, words: SpiralPhrases
) -> Grant:
    """Advance to the next segment, and after the last to the next day."""
    reason = said.text(
        "reason", TEXT_LENGTH_MAX, "why time goes on: a journey, or a botch that throws them elsewhere"
    )
    new_day = standing.segment >= SEGMENTS
    if new_day and standing.day >= DAYS_MAX:
        raise mend(f"advance_time: a campaign has at most {DAYS_MAX} days; bring the story to its end")
    day, segment = (standing.day + 1, 1) if new_day else (standing.day, standing.segment + 1)
    ticks = new_day or (rules.tick is ClockTick.HALF_DAY and segment == NOON)
    moved, filled = tick_clocks(standing) if ticks else ([], [])
    updates = [
        Update(Op.SET, f"{META}.day", day, reason),
        Update(Op.SET, f"{META}.segment", segment, reason),
        *start_segment(standing, day, segment),
        *moved,
    ]
    _, most = standing.resist
    if new_day:
        updates.append(Update(Op.SET, f"{PLAYER}.resist.current", most))
    result: dict[str, Json] = {
        "day": day,
        "segment": segment,
        "segment_label": label_of(standing, segment),
        "new_day": new_day,
        "resist_reset": new_day,
        "filled_clocks": filled,
        "player_conditions": list(standing.conditions),
    }
    event = Event("time", show_moment(standing, day, segment, words), CAUSE)
    return Grant(tuple(updates), result, (event,))


def label_of(standing: SpiralState, segment: int) -> str:
    """The name of a segment in the state."""
    labels = read_list(standing.meta["segment_labels"])
    return labels[segment - 1] if segment <= len(labels) else LABELS[segment - 1]


def show_moment(standing: SpiralState, day: int, segment: int, words: SpiralPhrases) -> str:
    """A day and its segment as shown to the player, with the author's own labels."""
    name = words.translate_label(label_of(standing, segment), segment)
    return words.moment.format(day=day, label=show(standing, SEGMENT_LABELS, name))


def start_segment(standing: SpiralState, day: int, segment: int) -> tuple[Update, ...]:
    """Record the turn with which a segment starts: the one after time was advanced."""
    turn = standing.turn + 1
    starts = standing.own["segment_starts"]
    known = list(starts) if isinstance(starts, list) else []
    kept = [*known, turn][-SEGMENTS_KEPT - 1 :]
    updates = [Update(Op.SET, f"{OWN}.segment_starts", kept), *note_moment(day, segment)]
    if day != (standing.own["noted_day"] or (standing.day if known else 0)):
        updates += [
            Update(Op.SET, f"{OWN}.day_before_start", standing.own["day_start"]),
            Update(Op.SET, f"{OWN}.day_start", turn),
        ]
    return tuple(updates)


def note_moment(day: int, segment: int) -> tuple[Update, ...]:
    """Record which segment's start is known."""
    return (
        Update(Op.SET, f"{OWN}.noted_day", day),
        Update(Op.SET, f"{OWN}.noted_segment", segment),
    )
