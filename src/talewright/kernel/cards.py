"""Cards and the status bar: how the author wants variables to be shown.

Looks only: whether a viewer may see a value is the slot's business.
"""

from dataclasses import dataclass
from enum import StrEnum


class Format(StrEnum):
    """How a card draws its value."""

    BAR = "bar"
    PLAIN = "plain"
    LIST = "list"
    CHIPS = "chips"
    KEYVALUE = "keyvalue"


class PromptWeight(StrEnum):
    """How soon a value is left out of a prompt that is too long."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Card:
    """One variable as a card."""

    variable: str
    visible: bool = True
    order: int = 0
    format: Format = Format.PLAIN
    prompt_weight: PromptWeight = PromptWeight.MEDIUM
    tags: tuple[str, ...] = ()


class Style(StrEnum):
    """How a status item is drawn."""

    METER = "meter"
    TEXT = "text"


class CriticalWhen(StrEnum):
    """On which side of its threshold a value is a warning."""

    BELOW = "below"
    ABOVE = "above"


@dataclass(frozen=True, slots=True)
class StatusItem:
    """One place in the status bar."""

    variable: str
    style: Style = Style.TEXT
    show_delta: bool = True
    critical_threshold: int | float | None = None
    critical_when: CriticalWhen = CriticalWhen.BELOW
