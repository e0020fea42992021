"""Words of the author's pages.

Faults, rulings and reasons come from the engine, in its own words.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from talewright.common.word_catalogues import CountedWords, WordKeys, load_words


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorWords:
    """Words of the pages; placeholders are the same in every language."""

    mark: str
    """The label of every page for authors."""

    spoilers: str
    """What that label means."""

    desk: str
    own_games: str
    """The link to the desk."""

    desk_hint: str
    no_games: str
    no_games_hint: str
    playable: str
    unplayable: str
    never_playable: str
    goes_on: str
    """While the files have errors, with the time of the last good version."""

    checked: str
    severities: Annotated[Mapping[str, CountedWords], WordKeys("error", "warning", "hint")]
    """How many faults of a severity there are."""

    no_faults: str
    suggestion: str
    other_faults: str
    campaigns: str
    reload: str
    reloaded: str
    """Said when the files have changed."""

    not_here: str
    """At the table of a game that is not on the workbench."""

    as_player: str
    inspect_turn: str
    values: str
    notices: str
    inspector: str
    inspected: str
    turns: str
    earlier: str
    any_value: str
    any_value_hint: str
    show: str
    empty: str
    parts: Annotated[
        Mapping[str, str],
        WordKeys("sections", "lore", "cuts", "fit", "prefix", "replies", "repairs", "rulings", "cost"),
    ]
    """Titles of the parts of an inspection, by name."""

    part: str
    tokens: str
    weight: str
    never_cut: str
    total_tokens: str
    differs: str
    told: str
    kept_out: str
    asked: str
    """The head of a reply: its number, what it was for, and the model."""

    usage: str
    no_text: str
    calls: str
    rulings: Annotated[Mapping[str, str], WordKeys("granted", "refused", "waiting")]
    """By ruling."""


def author_words(language: str) -> AuthorWords:
    """The words that best match a language."""
    return load_words(AuthorWords, "web_author", language)
