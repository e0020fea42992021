"""Preferences: how a player likes the terminal face, kept from one visit to the next.

Only values; where they are kept is decided by whoever opens the door.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """What stays."""

    theme: str = "talewright-dark"
    language: str = ""
    """Of the face's own words; empty follows the terminal, and at the table the campaign."""

    animations: bool = True
    """Whether dice roll and the activity line turns."""

    cards_open: bool = True
    """Whether the cards stand beside the story where there is room."""

    inspector: bool = False
    """Whether the inspector for authors is offered."""

    folded: str = ""
    """The cards and panels that are folded, by their keys, with spaces between."""
