"""Words that every screen of the terminal face shares.

Keys and their descriptions are in `key_bindings`, from which the help is generated.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from talewright.common.word_catalogues import WordKeys, load_words


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedWords:
    """Words used on every screen; placeholders are the same in every language."""

    language: str
    """The language tag."""

    join: str
    """Separates the parts of a line."""

    loading: str
    """While the services are loaded after the first paint."""

    opening: str
    """While a game or a campaign is opened."""

    tagline: str
    """Below the program's name on the title screen."""

    to_lobby: str
    """Below the error when something could not be opened."""

    wrong: str
    wrong_hint: str
    not_kept: str
    """When a preference could not be saved."""

    cancel: str
    close: str
    search: str
    """In the empty line of the command palette."""

    help_title: str
    help_here: str
    help_everywhere: str
    help_typing: str
    help_card: str
    help_foot: str
    leaving: str
    """When ctrl+c is pressed, which does not quit."""

    theme: str
    themes: Annotated[
        Mapping[str, str],
        WordKeys("talewright-dark", "talewright-light", "talewright-contrast", "talewright-safe"),
    ]
    """Display names of the themes."""

    theme_keywords: str
    """More words by which the palette finds the themes, separated by spaces."""

    theme_help: str
    languages: str
    language_help: str
    animations_on: str
    animations_off: str
    animations_help: str
    inspector_on: str
    inspector_off: str
    inspector_help: str


def shared_words(language: str) -> SharedWords:
    """The words that best match a language."""
    return load_words(SharedWords, "tui_shared", language)
