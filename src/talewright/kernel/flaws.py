"""Flaws: what is wrong with an answer, in words its teller can act on.

A flaw judges the telling. What the telling wanted to change is judged by rulings.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing to mend in an answer."""

    message: str
    soft: bool = False
    """Told once and never asked for again."""
