"""Words of the history screens.

Words only; placeholders in braces are filled in by the screens.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from talewright.common.word_catalogues import CountedWords, WordKeys, load_words


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryWords:
    """Words of the history screens."""

    back: str
    looking: str
    join: str
    turn: str
    wrong: str
    wrong_hint: str

    now: str
    low: str
    high: str
    range: str
    causes: str
    no_trail: str
    no_causes: str
    by: str
    reason: str
    said: str
    older: str

    tree: str
    here: str
    skipped: CountedWords
    start: str
    """Shown for a turn without input."""

    picked: str
    undo_to: str
    undo_question: str
    undo_text: str
    fork: str
    cancel: str
    fork_from: str
    fork_name: str
    fork_hint: str
    fork_text: str
    switch_to: str
    pick_for: str
    unpick: str
    compare_with: str
    compare_picked: str
    inspect: str
    here_already: str
    not_behind: str
    no_branch: str
    which_branch: str
    pick_one: str
    pick_first: str
    not_a_turn: str
    untaken: str
    what_now: str
    yes: str
    no: str

    compare_title: str
    parted: str
    alone: CountedWords
    alone_none: str
    differences: str
    same: str
    left_out: str

    inspector: str
    inspector_warning: str
    inspector_text: str
    show: str
    search: str
    search_hint: str
    found: str
    found_none: str
    again: str
    empty: str
    parts: Annotated[
        Mapping[str, str],
        WordKeys(
            "sections",
            "lore",
            "cuts",
            "fit",
            "prefix",
            "reply",
            "replies",
            "repairs",
            "rulings",
            "cost",
            "input",
            "changes",
            "draws",
            "rolls",
            "events",
            "attempts",
            "narration",
            "usage",
            "exchanges",
        ),
    ]
    """Titles of the known parts; others are shown by their own names."""


def history_words(language: str) -> HistoryWords:
    """The history words that best match a language."""
    return load_words(HistoryWords, "tui_history", language)
