"""Arguments of a tool call, read one by one, with a refusal that says what would be accepted.

Only their form is checked here; each tool interprets the words itself.
"""

from collections.abc import Mapping, Sequence

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, quote_value
from talewright.common.name_suggestions import listed, nearest
from talewright.kernel.judging.moves_and_rulings import mend
from talewright.systems.spiral.slots import TAG_LENGTH_MAX
from talewright.systems.spiral.tags import tidy, to_line

NOTE = "note"
"""The parameter of tools without arguments: some models cannot call a tool without any."""


@frozen
class SpiralArguments:
    """The arguments of one call."""

    tool: str
    members: Mapping[str, Json]

    def keep_to(self, known: Sequence[str]) -> None:
        """Refuse a member that the tool does not accept."""
        for name in self.members:
            if name in known or name == NOTE:
                continue
            near = nearest(name, known)
            meant = f"; did you mean {near}?" if near else ""
            raise mend(f"{self.tool} has no `{name[:40]}`; it takes {listed(known) or 'nothing'}{meant}")

    def has(self, name: str) -> bool:
        """Whether a member was given; null counts as missing."""
        return self.members.get(name) is not None

    def text(self, name: str, length_max: int, wanted: str) -> str:
        """A required text on one line; `wanted` says what it is."""
        value = self.members.get(name)
        line = to_line(value) if isinstance(value, str) else ""
        if not line:
            got = "" if value is None or isinstance(value, str) else f", not {quote_value(value)}"
            raise mend(f"{self.tool} needs `{name}`: {wanted}{got}")
        if len(line) > length_max:
            raise mend(f"{self.tool}: `{name}` has at most {length_max} characters; this one has {len(line)}")
        return line

    def choice(self, name: str, allowed: Sequence[str]) -> str:
        """One of a few words."""
        value = self.members.get(name)
        word = value.strip().casefold() if isinstance(value, str) else ""
        if word not in allowed:
            got = "" if value is None else f", not {quote_value(value)}"
            raise mend(f"{self.tool}: `{name}` is one of {', '.join(allowed)}{got}")
        return word

    def whole(self, name: str, low: int | None = None, high: int | None = None) -> int:
        """A whole number."""
        value = self.members.get(name)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        fits = isinstance(value, int) and not isinstance(value, bool)
        if not fits or (low is not None and value < low) or (high is not None and value > high):  # type: ignore[operator]  # it is a whole number here
            bounds = (
                "" if low is None else f" from {low} to {high}" if high is not None else f" of {low} or more"
            )
            raise mend(f"{self.tool}: `{name}` is a whole number{bounds}, not {quote_value(value)}")
        assert isinstance(value, int)
        return value

    def truth(self, name: str) -> bool:
        """True or false."""
        value = self.members.get(name)
        if not isinstance(value, bool):
            raise mend(f"{self.tool}: `{name}` is true or false, not {quote_value(value)}")
        return value

    def tags(self, name: str, length_max: int = TAG_LENGTH_MAX) -> tuple[str, ...]:
        """A list of tags; empty if none was given."""
        value = self.members.get(name)
        if value is None:
            return ()
        # Some models write a bare tag instead of a list of one.
        rows = [value] if isinstance(value, str) else value
        if not isinstance(rows, list | tuple):
            raise mend(f"{self.tool}: `{name}` is a list of tags, not {quote_value(value)}")
        return tuple(tidy(tag, f"{self.tool}: `{name}`", length_max) for tag in rows)
