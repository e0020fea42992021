"""Times in words."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from talewright.faces.tui.lobby.lobby_rows import tell_time
from talewright.faces.tui.words.lobby_words import lobby_words

ENGLISH = lobby_words("en")
CHINESE = lobby_words("zh-CN")

NOW = datetime(2031, 3, 10, 13, 0, tzinfo=UTC)

CASES = [
    ("2031-03-10T13:00:10Z", "just now"),
    ("2031-03-10T12:59:01Z", "just now"),
    ("2031-03-10T12:59:00Z", "a minute ago"),
    ("2031-03-10T12:58:00Z", "2 minutes ago"),
    ("2031-03-10T12:00:01Z", "59 minutes ago"),
    ("2031-03-10T12:00:00Z", "an hour ago"),
    ("2031-03-10T00:30:00Z", "12 hours ago"),
    ("2031-03-09T23:00:00Z", "yesterday"),
    ("2031-03-08T23:59:00Z", "2 days ago"),
    ("2031-03-04T13:00:00Z", "6 days ago"),
    ("2031-03-03T13:00:00Z", "2031-03-03"),
    ("2031-03-10T12:58:00", "2 minutes ago"),
    ("no time", "no time"),
    ("\x1b[2Jnever", "[2Jnever"),
]


@pytest.mark.parametrize(("at", "told"), CASES)
def test_time_is_told_as_one_would_say_it(at: str, told: str) -> None:
    assert tell_time(at, NOW, ENGLISH) == told


def test_early_in_the_morning_the_evening_before_is_counted_in_hours() -> None:
    assert tell_time("2031-03-09T22:00:00Z", NOW.replace(hour=3), ENGLISH) == "5 hours ago"


def test_days_are_those_of_the_player() -> None:
    east = NOW.astimezone(timezone(timedelta(hours=14)))
    assert tell_time("2031-03-10T00:30:00Z", east, ENGLISH) == "yesterday"


def test_time_in_chinese() -> None:
    assert tell_time("2031-03-09T09:00:00Z", NOW, CHINESE) == "昨天"
