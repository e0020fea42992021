"""Times in words: when a campaign was played last, as one would say it.

The clock is handed in.
"""

from datetime import datetime

from talewright.faces.tui.safety import safe_line
from talewright.faces.tui.words.lobby import LobbyWords

MINUTE_SECONDS = 60
HOUR_SECONDS = 60 * MINUTE_SECONDS
HOURS_MAX = 12
"""Hours that are counted on the same day or into the night; after that it is yesterday, or days."""

DAYS_MAX = 6
"""Days that are counted; after that the date is told."""


def tell_time(at: str, now: datetime, words: LobbyWords) -> str:
    """A time of the record in words, seen from now and where the player is; as it stands where it is none."""
    try:
        then = datetime.fromisoformat(at)
    except ValueError:
        return safe_line(at)
    if then.tzinfo is None:
        then = then.replace(tzinfo=now.tzinfo)
    then = then.astimezone(now.tzinfo)
    seconds = (now - then).total_seconds()
    days = (now.date() - then.date()).days
    if seconds < 2 * MINUTE_SECONDS:
        return words.just_now if seconds < MINUTE_SECONDS else words.minute
    if seconds < HOUR_SECONDS:
        return words.minutes.format(count=int(seconds // MINUTE_SECONDS))
    if days == 0 or seconds < HOURS_MAX * HOUR_SECONDS:
        hours = int(seconds // HOUR_SECONDS)
        return words.hour if hours == 1 else words.hours.format(count=hours)
    if days == 1:
        return words.yesterday
    if days <= DAYS_MAX:
        return words.days.format(count=days)
    return then.strftime(words.date)
