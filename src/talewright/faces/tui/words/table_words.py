"""Words of the game table.

What happens in the game comes from the views.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from talewright.common.word_catalogues import WordKeys, load_words


@dataclass(frozen=True, slots=True, kw_only=True)
class TableWords:
    """Words of the table; placeholders are the same in every language."""

    turn: str
    """The current turn, in the top line."""

    branch: str
    story: str
    unseen: str
    """Shown when the story continues below the visible part."""

    cards: str
    """The two tabs of a narrow terminal."""

    no_cards: str
    """Shown when there are no cards, or none yet."""

    line_free: str
    """In the empty input line where free input is understood."""

    line_words: str
    """The same, where there are no numbered choices."""

    line_fixed: str
    line_busy: str
    line_decision: str
    line_ended: str
    line_read_only: str
    note: str
    """Placeholder of the field for a note to an answer."""

    note_why: str
    """The same, where the note is the answer."""

    busy: str
    """When something is sent while a turn runs."""

    answer_first: str
    no_such_number: str
    nothing_to_choose: str
    risks: Annotated[Mapping[str, str], WordKeys("medium", "high")]
    """By risk; a low risk is not shown."""

    range: str
    stopping: str
    working: str
    """Until the engine reports what it is doing."""

    waited: str
    """How long a turn has run."""

    waited_usual: str
    """The same, where it is known how long it usually takes."""

    waited_longer: str
    """The same, where it already takes longer."""

    skipping: str
    skip_not: str
    """When the player does not want to wait, and the game has no written scene for the turn."""

    skip_nothing: str
    """The same, when no turn is running."""

    done: str
    critical: str
    """When a value has just become critical; the status bar shows it too."""

    join: str
    """Separates several such values."""

    unfinished: str
    unfinished_yes: str
    unfinished_no: str
    won: str
    lost: str
    ended: str
    end_again: str
    end_again_hint: str
    end_tree: str
    end_undo: str
    end_lobby: str
    read_first: str
    """When one of these is chosen before the player has read to the end."""

    press_number: str
    """When Enter is pressed on the option that starts a new game."""

    read_only: str
    back_at: str
    at_start: str
    moved: str
    """When the story was continued in another session."""

    mark_title: str
    mark_label: str
    mark_hint: str
    mark_do: str
    saved: str
    load_title: str
    no_marks: str
    retry_title: str
    retry_label: str
    retry_hint: str
    retry_do: str
    retry_same: str
    """When a retry would only repeat the turn."""

    dice: str
    inspector_hidden: str
    """When the inspector is requested but turned off."""

    needs_turn: str
    """When the inspector is requested before the first turn."""


def table_words(language: str) -> TableWords:
    """The words that best match a language."""
    return load_words(TableWords, "tui_table", language)
