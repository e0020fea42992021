"""Cast and cards: people, items and lore of a game, its cards and status bar, as the author defined them.

Ids, tags, conditions and styles only: names are texts, and slots decide whether a viewer may see a value.
"""

from enum import StrEnum

from talewright.common.frozen_values import frozen
from talewright.kernel.conditions.conditions import Condition


@frozen
class Person:
    """A character the game knows by id."""

    id: str
    where: str = ""


@frozen
class GameItem:
    """A thing the game knows by id."""

    id: str
    tags: tuple[str, ...] = ()
    stack: bool = False


class LoreLogic(StrEnum):
    """How secondary keys narrow the primary ones."""

    ANY_AND_ANY = "any_and_any"
    ANY_AND_ALL = "any_and_all"
    ANY_AND_NONE = "any_and_none"


@frozen
class Lore:
    """A piece of knowledge that is added to the prompt when its keys are mentioned or its condition holds."""

    id: str
    logic: LoreLogic = LoreLogic.ANY_AND_ANY
    whole_words: bool = True
    regex: bool = False
    case_sensitive: bool = False
    constant: bool = False
    when: Condition | None = None
    reveal_when: Condition | None = None
    """Withheld from the narrator until this holds."""

    priority: int = 100
    sticky: int = 0
    """Turns it stays after it was last mentioned."""

    cooldown: int = 0
    """Turns before it may be added again."""

    group: str = ""
    weight: int = 100
    recurse: bool = False
    """Whether its own text may add further entries."""

    budget: int = 0
    """Its token limit; 0 leaves that to the prompt."""


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
