"""Words of the pages for reading offline.

The stories themselves are in their own languages.
"""

from dataclasses import dataclass

from talewright.common.word_catalogues import load_words


@dataclass(frozen=True, slots=True, kw_only=True)
class OfflineWords:
    """Words of the pages that a browser shows while it cannot reach the server."""

    description: str
    """What the app is, where it is installed."""

    away: str
    """The heading of the page."""

    kept: str
    """Above the list of the stories that can be read."""

    nothing_kept: str
    copy: str
    """On each copy of a story: what it is."""

    to_table: str
    """The link from a copy to its campaign."""

    to_list: str
    try_again: str
    part: str
    """Which turns a copy has."""

    not_yet: str


def offline_words(language: str) -> OfflineWords:
    """The words that best match a language."""
    return load_words(OfflineWords, "web_offline", language)
