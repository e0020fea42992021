"""Triggers: what happens by itself once a condition holds.

A trigger is data. When it is looked at and in which order is `cascade`'s business.
"""

from dataclasses import dataclass

from talewright.kernel.language.conditions import Condition
from talewright.kernel.moves import Update


@dataclass(frozen=True, slots=True)
class Event:
    """Something worth telling that is no change: a trigger's line, a refusal, an ending."""

    type: str
    text: str
    """The key of a text, or words where a model gave them."""

    cause: str


@dataclass(frozen=True, slots=True)
class Trigger:
    """One rule of the world."""

    id: str
    when: Condition
    effects: tuple[Update, ...] = ()
    events: tuple[Event, ...] = ()
    once: bool = False
    priority: int = 100
    """Lower fires first; ties go by id."""
