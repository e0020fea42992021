"""The cast of a game: its people, its things and its lore, as the author listed them.

Only ids, tags and conditions stand here; names and descriptions are texts.
"""

from dataclasses import dataclass
from enum import StrEnum

from talewright.kernel.language.conditions import Condition


@dataclass(frozen=True, slots=True)
class Person:
    """A character the game knows by id."""

    id: str
    where: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """A thing the game knows by id."""

    id: str
    tags: tuple[str, ...] = ()
    stack: bool = False


class Logic(StrEnum):
    """How secondary keys narrow the primary ones."""

    ANY_AND_ANY = "any_and_any"
    ANY_AND_ALL = "any_and_all"
    ANY_AND_NONE = "any_and_none"


@dataclass(frozen=True, slots=True)
class Lore:
    """A piece of knowledge that is brought up when its keys are mentioned or its condition holds."""

    id: str
    logic: Logic = Logic.ANY_AND_ANY
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
    """Turns before it may come up again."""

    group: str = ""
    weight: int = 100
    recurse: bool = False
    """Whether its own text may bring up further entries."""

    budget: int = 0
    """Tokens it may take; 0 leaves that to the prompt."""
