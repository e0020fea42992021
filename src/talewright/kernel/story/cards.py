"""Cards: how values of the state are shown, on cards and in the status bar, as the author defined it.

Ids and styles only: names are texts, and slots decide whether a viewer may see a value.
"""

from enum import StrEnum

from talewright.common.frozen_values import frozen


class CardFormat(StrEnum):
    """How a card draws its value."""

    BAR = "bar"
    PLAIN = "plain"
    LIST = "list"
    CHIPS = "chips"
    KEYVALUE = "keyvalue"


class PromptWeight(StrEnum):
    """How early a value is left out of a prompt that is too long."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    HIDDEN = "hidden"


@frozen
class Card:
    """One variable shown as a card."""

    variable: str
    visible: bool = True
    order: int = 0
    format: CardFormat = CardFormat.PLAIN
    prompt_weight: PromptWeight = PromptWeight.MEDIUM
    tags: tuple[str, ...] = ()


class StatusStyle(StrEnum):
    """How a status item is drawn."""

    METER = "meter"
    TEXT = "text"


class CriticalWhen(StrEnum):
    """On which side of its threshold a value is critical."""

    BELOW = "below"
    ABOVE = "above"


@frozen
class StatusItem:
    """One item in the status bar."""

    variable: str
    style: StatusStyle = StatusStyle.TEXT
    show_delta: bool = True
    critical_threshold: int | float | None = None
    critical_when: CriticalWhen = CriticalWhen.BELOW
