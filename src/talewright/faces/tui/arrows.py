"""Arrows: the sign between what was and what is, which is the same wherever a change is told.

Only changes in the engine's words are drawn with it; what people and models wrote stays as it is.
"""

from typing import Final

WRITTEN: Final = " -> "
"""As the engine writes it, for every face."""

DRAWN: Final = " → "


def draw_arrows(text: str) -> str:
    """A change in words with the arrow of this face."""
    return text.replace(WRITTEN, DRAWN)
