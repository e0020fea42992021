"""Scenario members: reads the members of a JSON object one by one, and collects what is wrong with them.

It checks form, not meaning. Whatever the file contains, it collects problems instead of failing.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from talewright.common.json_values import Json, quote_value
from talewright.common.name_suggestions import listed, nearest
from talewright.common.safe_text import ANSWER_TEXT, make_safe

NAME_SHOWN_MAX = 40
"""Characters of a member's name in a message."""

SUGGESTIONS_MAX = 20
"""Up to how many problems similar names are suggested, which takes a while."""

_NONCHARACTERS = re.compile("[\ufffe\uffff]")


@dataclass(slots=True)
class ScenarioNotes:
    """Findings about a file."""

    problems: list[str] = field(default_factory=list)
    left_out: dict[str, None] = field(default_factory=dict)
    """Unknown members, without the numbers of list elements."""


@dataclass(slots=True)
class ScenarioMembers:
    """One JSON object of a scenario."""

    raw: Mapping[str, Json]
    notes: ScenarioNotes
    path: str = ""
    """Such as `characters[2].`; empty for the file itself."""

    read: set[str] = field(default_factory=set)

    def blame(self, name: str, message: str) -> None:
        """Report a problem with a member."""
        self.notes.problems.append(f"{self.path}{name} {message}")

    def blame_name(self, name: str, noun: str, said: str, known: Mapping[str, object]) -> None:
        """Report a member that names something unknown. Only the first problems get a suggestion."""
        remedy = ""
        if len(self.notes.problems) < SUGGESTIONS_MAX:
            near = nearest(said, known)
            remedy = f"; do you mean {near}?" if near else f"; there are: {listed(known)}"
        self.blame(name, f"names no {noun}: {said}{remedy}")

    def text(self, name: str, length_max: int, *, line: bool = False, needed: bool = False) -> str:
        """A text without control characters; empty if there is none."""
        value = self._value(name)
        if value is not None and not isinstance(value, str):
            self.blame(name, f"must be a text, not {quote_value(value)}")
            return ""
        text = clean_text(value or "")
        text = " ".join(text.split()) if line else text
        if len(text) > length_max:
            self.blame(name, f"has {len(text)} characters; at most {length_max} are allowed")
            return ""
        if needed and not text:
            self.blame(name, "is missing")
        return text

    def texts(self, name: str, length_max: int, items_max: int) -> tuple[str, ...]:
        """A list of short texts."""
        items = self._list(name, items_max)
        if not all(isinstance(one, str) and len(one) <= length_max for one in items):
            self.blame(name, f"must be a list of texts of at most {length_max} characters")
            return ()
        lines = (" ".join(clean_text(str(one)).split()) for one in items)
        return tuple(dict.fromkeys(filter(None, lines)))

    def number(self, name: str, low: float, high: float) -> float | None:
        """A number in a range; None if there is none."""
        value = self._value(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            self.blame(name, f"must be a number from {low:g} to {high:g}, not {quote_value(value)}")
            return None
        return value

    def flag(self, name: str) -> bool | None:
        """True, false, or None if there is none."""
        value = self._value(name)
        if value is not None and not isinstance(value, bool):
            self.blame(name, f"must be true or false, not {quote_value(value)}")
            return None
        return value

    def objects(self, name: str, items_max: int) -> "list[ScenarioMembers]":
        """A list of objects."""
        found = []
        for number, one in enumerate(self._list(name, items_max)):
            if isinstance(one, Mapping):
                found.append(ScenarioMembers(one, self.notes, f"{self.path}{name}[{number}]."))
            else:
                self.blame(f"{name}[{number}]", f"must be an object, not {quote_value(one)}")
        return found

    def has(self, name: str) -> bool:
        """Whether there is such a member."""
        return self._value(name) is not None

    def close(self) -> None:
        """Note the members that were not read."""
        for name, value in self.raw.items():
            if name not in self.read and value not in (None, "", [], {}):
                shown = clean_text(name)[:NAME_SHOWN_MAX]
                self.notes.left_out[re.sub(r"\[\d+\]", "", self.path) + shown] = None

    def _value(self, name: str) -> Json:
        self.read.add(name)
        return self.raw.get(name)

    def _list(self, name: str, items_max: int) -> list[Json]:
        value = self._value(name)
        if value is None:
            return []
        if not isinstance(value, list):
            self.blame(name, f"must be a list, not {quote_value(value)}")
            return []
        if len(value) > items_max:
            self.blame(name, f"has {len(value)} entries; at most {items_max} are allowed")
            return []
        return value


def clean_text(text: str) -> str:
    """A text without characters that no file of a game may contain."""
    return _NONCHARACTERS.sub("", make_safe(text, ANSWER_TEXT)).strip()
