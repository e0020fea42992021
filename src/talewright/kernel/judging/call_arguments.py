"""Call arguments: the one reader for arguments of a tool call; a refusal says what would be accepted.

Only their form is checked here. A system adds what it calls its own (items, people, tags) in a subclass.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Self

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, quote_value
from talewright.common.name_suggestions import listed, nearest
from talewright.common.safe_text import clean_line
from talewright.kernel.judging.rulings import mend


@frozen
class CallArguments:
    """The arguments of one call, or of an object in it."""

    tool: str
    members: Mapping[str, Json]

    def to_line(self, text: str) -> str:
        """A text as this system stores it, on one line."""
        return clean_line(text).strip()

    def keep_to(self, known: Sequence[str], ignored: Sequence[str] = ()) -> None:
        """Refuse a member that the tool does not accept."""
        for name in self.members:
            if name in known or name in ignored:
                continue
            near = nearest(name, known)
            meant = f"; did you mean {near}?" if near else ""
            raise mend(f"{self.tool} has no `{name[:40]}`; it takes {listed(known) or 'nothing'}{meant}")

    def has(self, name: str) -> bool:
        """Whether a member was given; null counts as missing."""
        return self.members.get(name) is not None

    def within(self, name: str) -> Self:
        """The members of an object in a call."""
        value = self.members.get(name)
        if not isinstance(value, Mapping):
            raise mend(f"{self.tool}: `{name}` is an object, not {quote_value(value)}")
        return replace(self, members=value)

    def line(self, name: str, length_max: int | Callable[[str], int]) -> str:
        """A text on one line; empty if there is none. The limit may depend on the line."""
        value = self.members.get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise mend(f"{self.tool}: `{name}` is a text, not {quote_value(value)}")
        return self._limit(name, self.to_line(value), length_max)

    def text(self, name: str, length_max: int, wanted: str) -> str:
        """A required text on one line; `wanted` says what it is."""
        value = self.members.get(name)
        line = self.to_line(value) if isinstance(value, str) else ""
        if not line:
            got = "" if value is None or isinstance(value, str) else f", not {quote_value(value)}"
            raise mend(f"{self.tool} needs `{name}`: {wanted}{got}")
        return self._limit(name, line, length_max)

    def choice(self, name: str, allowed: Sequence[str], default: str = "") -> str:
        """One of a few words; ` Easy ` is the word easy."""
        value = self.members.get(name)
        if value is None and default:
            return default
        word = value.strip().casefold() if isinstance(value, str) else ""
        if word not in allowed:
            got = "" if value is None else f", not {quote_value(value)}"
            raise mend(f"{self.tool}: `{name}` is one of {', '.join(allowed)}{got}")
        return word

    def whole(self, name: str, low: int | None = None, high: int | None = None) -> int:
        """A whole number such as `2` or `2.0`, in a range if there are bounds; an upper bound needs a lower
        one.
        """
        value = self.members.get(name)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if (
            not isinstance(value, int)
            or isinstance(value, bool)
            or (low is not None and value < low)
            or (high is not None and value > high)
        ):
            bounds = "" if low is None else f" of {low} or more" if high is None else f" from {low} to {high}"
            raise mend(f"{self.tool}: `{name}` is a whole number{bounds}, not {quote_value(value)}")
        return value

    def truth(self, name: str, default: bool | None = None) -> bool:
        """True or false; without a default, it must be given."""
        value = self.members.get(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, bool):
            raise mend(f"{self.tool}: `{name}` is true or false, not {quote_value(value)}")
        return value

    def _limit(self, name: str, line: str, length_max: int | Callable[[str], int]) -> str:
        most = length_max if isinstance(length_max, int) else length_max(line)
        if len(line) > most:
            raise mend(f"{self.tool}: `{name}` has at most {most} characters; this one has {len(line)}")
        return line
