"""Time words: the time of day as narrator and player read it.

The storyteller's own words apply until the part of the day changes; after that, the clock does.
"""

from talewright.common.language_tags import pick_words
from talewright.systems.world.authored.authored_world import HOURS_OF_DAY, AuthoredWorld
from talewright.systems.world.authored.field_checks import MINUTES_OF_DAY
from talewright.systems.world.words.chinese import CHINESE
from talewright.systems.world.words.english import ENGLISH
from talewright.systems.world.words.phrases import WorldPhrases
from talewright.systems.world.world_state import WorldState


def world_phrases_in(language: str) -> WorldPhrases:
    """The phrases of a language; English if it is not supported."""
    return pick_words(language, {"en": ENGLISH, "zh-CN": CHINESE})


LATER_MINUTES_MAX = 6 * 60
"""The longest time for which the storyteller's words can apply."""


def part_of_day(world: AuthoredWorld, tick: int, parts: int) -> int:
    """Which part of its day a tick is in, counted from midnight."""
    return world.minute_at(tick) % MINUTES_OF_DAY * parts // MINUTES_OF_DAY


def tell_clock(world: AuthoredWorld, tick: int, words: WorldPhrases) -> str:
    """The time of day by the clock, in words."""
    hour, minute = divmod(world.minute_at(tick) % MINUTES_OF_DAY, 60)
    part = words.days[part_of_day(world, tick, len(words.days))]
    return words.clock.format(part=part, hour=hour, minute=minute)


def tell_ago(world: AuthoredWorld, ticks: int, words: WorldPhrases) -> str:
    """How long ago something was, in whole hours or days."""
    hours = ticks * world.rules.tick_minutes // 60
    days = hours // HOURS_OF_DAY
    if days:
        return words.ago_days[min(days, 2) - 1].format(count=days)
    return words.ago_hours[min(hours, 2)].format(count=hours)


def tell_time(state: WorldState, words: WorldPhrases) -> str:
    """The time: in the storyteller's words, or by the clock; at the start, in the author's words."""
    since = state.count("time_tick")
    # The author's words are not in the state, since they differ between languages.
    said = str(state.own["time"]) or (state.world.rules.narrative_time if since == 0 else "")
    parts = len(words.days)
    soon = (state.tick - since) * state.world.rules.tick_minutes <= LATER_MINUTES_MAX
    same = part_of_day(state.world, since, parts) == part_of_day(state.world, state.tick, parts)
    return said if said and same and soon else tell_clock(state.world, state.tick, words)
