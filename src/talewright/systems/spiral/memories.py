"""Memories: what of a campaign stands before the storyteller besides the turns, and how far those go back.

A whole day is let go at once, in the morning, so that the prompt begins the same all day long.
"""

from talewright.kernel.system import Retention, SystemMemory
from talewright.systems.spiral.limits import SEGMENTS_KEPT
from talewright.systems.spiral.pages import find_log_start
from talewright.systems.spiral.standing import Standing
from talewright.systems.spiral.words.words import Words


def memories_of(standing: Standing, words: Words) -> tuple[SystemMemory, ...]:
    """The scratchpad, the story so far, and the summaries of the days it does not tell, oldest first."""
    own = standing.own
    found = [
        SystemMemory(words.scratchpad, str(own["scratchpad"]).strip()),
        SystemMemory(words.story, str(own["story_so_far"]), told=True),
    ]
    for day, text in later_summaries(standing).items():
        found.append(SystemMemory(words.day.format(day=day), text, told=True))
    return tuple(memory for memory in found if memory.text)


def later_summaries(standing: Standing) -> dict[int, str]:
    """The summaries of the days that the story so far does not tell, by day."""
    summaries, upto = standing.own["summaries"], standing.own["story_upto"]
    assert isinstance(summaries, dict)
    assert isinstance(upto, int)
    days = sorted((int(day) for day in summaries if day.isdigit()), key=int)
    return {day: str(summaries[str(day)]) for day in days if day > upto}


def retention_of(standing: Standing) -> Retention | None:
    """The current segment and the four before it stay; what is older goes when a day has begun."""
    starts = standing.own["segment_starts"]
    if not standing.is_set_up or not isinstance(starts, list) or not starts:
        return None
    return Retention(int(starts[-SEGMENTS_KEPT - 1 :][0]), standing.segment == 1)


def reach_of(standing: Standing) -> int:
    """The oldest turn that pages and errands want to look at."""
    wanted = find_log_start(standing, max(standing.turn - 1, 1))
    before = standing.own["day_before_start"]
    if isinstance(before, int) and before and is_unsummed(standing):
        return min(wanted, before)
    return wanted


def is_unsummed(standing: Standing) -> bool:
    """Whether the day before this one has no summary yet."""
    summaries = standing.own["summaries"]
    yesterday = standing.day - 1
    return (
        standing.is_set_up
        and yesterday >= 1
        and isinstance(summaries, dict)
        and str(yesterday) not in summaries
    )
