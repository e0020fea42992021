"""Words of the browser's pages.

What happens in the game comes from the views; errors of the engine come with an English message.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from talewright.common.language_tags import COMMON_LANGUAGE
from talewright.common.word_catalogues import WordKeys, find_word, load_words, pick_interface_language


@dataclass(frozen=True, slots=True, kw_only=True)
class WebWords:
    """Words of the pages; placeholders are the same in every language."""

    language: str
    to_story: str
    """The link that skips to the story."""

    lobby: str
    subtitle: str
    games: str
    no_games: str
    campaigns: str
    no_campaigns: str
    begin: str
    go_on: str
    told_in: str
    """The language of a new story."""

    needs_model: str
    turns_about: str
    damaged: str
    damaged_hint: str
    turn: str
    branch: str
    story: str
    earlier: str
    newest: str
    """The link from an earlier part of the story to the newest turn."""

    you: str
    dice: str
    status: str
    changed: str
    cards: str
    no_cards: str
    critical: str
    more_cards: str
    """Opens the cards for which the rail has no room."""

    what_changed: str
    """Opens the list of everything that a turn changed."""

    chance: str
    """The chance of a check, after its percentage."""

    at_stake: str
    choices: str
    all_choices: str
    """On a phone, opens the sheet with the choices."""

    keys: str
    """Which keys choose."""

    groups: Annotated[Mapping[str, str], WordKeys("talk", "go", "wait")]
    """Headings of groups of choices, where there are many."""

    risks: Annotated[Mapping[str, str], WordKeys("medium", "high")]
    """By risk; a low risk is not shown."""

    margin_notes: Annotated[Mapping[str, str], WordKeys("risk", "undo", "teller")]
    """What a new player is told once: what a risk mark means, what undo does, where to find a storyteller."""

    free: str
    fixed: str
    teller_offer: str
    """The link from the line of a story without a storyteller to the models."""

    send: str
    note: str
    answer: str
    unfinished: str
    unfinished_yes: str
    retry: str
    undo: str
    carry_on: str
    """The button that continues the story without an input."""

    wait: str
    wait_hint: str
    """On a page without scripts, while a turn is in progress."""

    waited: str
    waited_usual: str
    stop: str
    skip: str
    lost_connection: str
    saved: str
    moved: str
    unreachable: str
    silent: str
    """If the server does not answer for some seconds."""

    the_end: str
    won: str
    lost: str
    again: str
    read: str
    read_forms: Annotated[Mapping[str, str], WordKeys("html", "epub", "md")]
    """The formats in which a story can be downloaded."""

    why: str
    """Heading of the changes of one value."""

    unchanged: str
    back: str
    colon: str
    read_only: str
    nothing_to_choose: str
    menu: str
    menu_hints: Annotated[Mapping[str, str], WordKeys("lobby", "history", "book", "receipts", "teller")]
    """In the menu of the table: what each page is for, in a few words."""

    display: str
    theme: str
    themes: Annotated[Mapping[str, str], WordKeys("auto", "light", "dark")]
    size: str
    sizes: Annotated[Mapping[str, str], WordKeys("small", "medium", "large")]
    digits: str
    """Whether digit keys choose."""

    digits_states: Annotated[Mapping[str, str], WordKeys("on", "off")]
    tongue: str
    """The language of the pages outside a story."""

    apply: str
    log_out: str
    read_aloud: str
    pause_reading: str
    resume_reading: str
    stop_reading: str
    teller: str
    """The link from a table to the models."""

    error: str
    missing: str
    """The title of the page for an address that leads nowhere."""

    map: str
    graph: str
    here: str
    links: str
    for_authors: str


def web_words(language: str) -> WebWords:
    """The words that best match a language."""
    return load_words(WebWords, "web", language)


def error_sentence(code: str, language: str) -> str:
    """What an error means, before its English message; empty if only that says so.

    English pages show the message alone; the English sentences are there for translators.
    """
    picked = pick_interface_language(language)
    return "" if picked == COMMON_LANGUAGE else find_word("web_errors", code, picked)
