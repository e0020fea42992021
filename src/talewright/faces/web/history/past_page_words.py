"""Words of the pages for looking back.

What happened comes from the views.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from talewright.common.word_catalogues import CountedWords, WordKeys, load_words


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPageWords:
    """Words of these pages; placeholders are the same in every language."""

    looking_back: str
    """The name of the links to these pages."""

    history: str
    book: str
    receipts: str
    ending: str
    tree_hint: str
    here: str
    mark: str
    skipped: CountedWords
    outcomes: Annotated[Mapping[str, str], WordKeys("win", "lose")]
    """By outcome; any other ending gets the page's own name."""

    every: str
    fewer: str
    rows: str
    rows_before: str
    rows_after: str
    to_here: str
    beginning: str
    branches: str
    go_to_branch: str
    go_back: str
    fork: str
    fork_name: str
    fork_hint: str
    name_turn: str
    name_turn_button: str
    compare: str
    compare_here: str
    compare_with: str
    compare_hint: str
    one: str
    other: str
    compare_button: str
    on_branch: str
    parted: str
    same: str
    differences: str
    no_differences: str
    story_since: str
    nothing_since: str
    turns_before: str
    turns_after: str
    chapter: str
    chapters: str
    chapter_before: str
    chapter_after: str
    empty_book: str
    take_away: str
    export_forms: Annotated[Mapping[str, str], WordKeys("html", "epub", "md", "json", "jsonl")]
    """The formats in which a campaign can be exported."""

    going_on: str
    receipt_hint: str
    receipt_now: str
    receipt_download: str
    verify: str
    verify_hint: str
    verify_button: str
    verify_receipt: str
    verified_good: str
    verified_bad: str
    verified_partly: str
    verified_derived: str
    verified_imported: str
    verified_older: str
    receipt_good: str
    receipt_bad: str
    bad_hint: str
    verdicts: Annotated[Mapping[str, str], WordKeys("proven", "folded", "wrong")]
    dice_of_turns: str
    no_dice: str
    not_verified: str
    turn_column: str
    dice_column: str
    verdict_column: str
    figures: Annotated[Mapping[str, str], WordKeys("turns", "rolls", "successes", "failures", "branches")]
    """Names of the statistics."""

    figures_of: str
    endings_found: str
    """How many endings of the game the player has found, on the page of an ending."""

    not_taken: str
    """The heading of the choices that the player did not take at the end."""

    you_chose: str
    """What the player chose instead; `{said}` is a choice, without a full stop."""

    try_it: str
    tried: str
    """Beside a choice that the player has taken in another line of the story."""

    told_in: str
    keep_story: str
    told_on: str
    told_from: str
    read_story: str
    see_tree: str
    last_turn: str


def past_page_words(language: str) -> PastPageWords:
    """The words that best match a language."""
    return load_words(PastPageWords, "web_history", language)
