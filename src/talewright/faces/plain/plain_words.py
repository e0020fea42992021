"""Words of the plain interface.

Only the interface's own words; those of the game and the engine come with the view.
"""

from collections.abc import Mapping
from typing import Annotated

from talewright.common.frozen_values import frozen
from talewright.common.language_tags import pick_language
from talewright.common.word_catalogues import WordKeys, interface_languages, load_words, native_name

COMMAND_KEYS = WordKeys(
    "look", "cards", "why", "history", "go", "undo", "retry", "save", "load", "language", "help", "quit"
)
HELP_KEYS = WordKeys("number", "words", *(name for name in COMMAND_KEYS.names if name != "help"))
"""Everything that can be typed; the list is shown by `/help` itself."""


@frozen
class PlainWords:
    """The interface's own words; placeholders in braces are the same in every language."""

    language: str
    """The language tag."""

    prompt: str
    join: str
    """Separates the parts of a line."""

    sentences: str
    """Two sentences, one after the other."""

    stop: str
    """The end of a sentence."""

    pair: str
    """A name and its value."""

    opening: str
    """Shown once, below the first choices."""

    opening_fixed: str
    """The same without a storyteller to understand free text."""

    going_on: str
    """The campaign that was opened, and how to start a new one."""

    receipt: str
    """Heading of the first receipt of a new campaign."""

    note: str
    """Before a notice about the campaign."""

    asked: str
    """Before the player's words."""

    dice: str
    changed: str
    becomes: str
    """Between the old and the new value."""

    status: str
    critical: str
    delta: str
    risk_medium: str
    risk_high: str
    hint: str
    """A choice with its hint."""

    nothing_to_choose: str
    no_such_number: str
    number_first: str
    own_words: str
    """Asks for the note of a decision."""

    unfinished: str
    unfinished_yes: str
    unfinished_no: str
    begins_again: str
    """The narration so far is discarded."""

    wait: str
    """Shown until the engine reports what it is doing."""

    wait_seconds: str
    """What the engine is doing, and for how long."""

    wait_usual: str
    """The same, where it is known how long it usually takes."""

    wait_longer: str
    """The same, where it already takes longer."""

    wait_skip: str
    """What the player can do instead of waiting."""

    wait_stop: str
    """The same, where the game has no written scene for the turn."""

    won: str
    lost: str
    ended: str
    """The ending is neither won nor lost."""

    after_end: str
    read_only: str
    back_at: str
    same_again: str
    """Repeating the turn would give the same result."""

    at_start: str
    """There is nothing to undo."""

    saved: str
    saves: str
    no_saves: str
    no_such_save: str
    turn: str
    """The heading of a turn in the history."""

    no_history: str
    range: str
    """The range of a card's value."""

    no_cards: str
    why: str
    why_reason: str
    why_said: str
    why_what: str
    no_such_variable: str
    told_in: str
    """The language of the interface."""

    retold_in: str
    """The language of the story, and how to change it."""

    no_such_language: str
    unknown_command: str
    did_you_mean: str
    number_wanted: str
    games: str
    campaigns: str
    campaign: str
    damaged: str
    menu: str
    no_games: str
    kept: str
    goodbye: str
    wrong: str
    wrong_hint: str
    help_typed: Annotated[Mapping[str, str], HELP_KEYS]
    """What can be typed. Commands keep their names."""

    help_does: Annotated[Mapping[str, str], HELP_KEYS]
    """What it does."""

    help_words_fixed: str
    """What other words do where no storyteller reads them."""

    help_retry_fixed: str
    """What a retry does there."""

    help_foot: str
    commands: Annotated[Mapping[str, str], COMMAND_KEYS]
    """A name for a command in this language, without a slash; the English one always works too."""


def words_for(language: str) -> PlainWords:
    """Return the words that best match a language."""
    return load_words(PlainWords, "plain", language)


def name_of(language: str) -> str:
    """Return the native name of a language, or its code when the interface does not speak it."""
    picked = pick_language(language, interface_languages())
    return native_name(picked) if picked else language
