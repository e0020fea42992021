"""Cast: people, items and lore of a game, as the author defined them.

Ids, tags and conditions only: names are texts, and slots decide whether a viewer may see a value.
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
