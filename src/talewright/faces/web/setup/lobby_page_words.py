"""Words of the lobby's campaigns, imports and costs in the browser.

Placeholders are the same in every language.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from talewright.common.word_catalogues import WordKeys, load_words


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyPageWords:
    """Words of the lobby besides those that every page has."""

    turn: str
    begun: str
    won: str
    lost: str
    ended: str
    scenes: str
    no_details: str
    join: str
    cost: str
    """What something has cost; `{money}` is an amount."""

    little: str
    """An amount that would round to zero."""

    total: str
    total_part: str
    """A total that does not include all campaigns yet."""

    unpriced: str
    just_now: str
    minutes: str
    hours: str
    yesterday: str
    days: str
    last_played: str
    """When the newest campaign was last played; `{when}` is one of the times above."""

    at_turn: str
    under_way: str
    finished: str
    """The heading of the stories that have ended."""

    found: str
    """How many endings of a game were found."""

    anew: str
    """The button that starts a game of which there is a campaign already."""

    finished_ending: str
    """The link from a finished story to the page of its ending."""

    read_book: str
    keep_story: str
    first_length: str
    """Below the only button of the first visit."""

    other_games: str
    """The way from the first visit to the other games."""

    menu: str
    import_link: str
    languages: str
    all_languages: str
    newer: str
    older: str
    storyteller: str
    remove: str
    remove_title: str
    remove_about: str
    remove_do: str
    removed: str
    removed_to: str
    cancel: str
    import_title: str
    import_about: str
    import_file: str
    import_do: str
    import_drop: str
    import_large: str
    """Shown by a script; `{megabytes}` is the limit."""

    cost_title: str
    cost_about: str
    cost_free: str
    cost_rows: Annotated[Mapping[str, str], WordKeys("told", "failed", "aside", "ahead")]
    """Parts of a cost."""

    cost_total: str
    cost_model: str
    cost_what: str
    cost_tokens: str
    cost_money: str
    cost_unknown: str
    cost_estimated: str
    cost_requests: str


def lobby_page_words(language: str) -> LobbyPageWords:
    """The words that best match a language."""
    return load_words(LobbyPageWords, "web_lobby", language)
