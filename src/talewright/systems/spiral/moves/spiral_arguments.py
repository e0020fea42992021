"""Arguments of the spiral's tools: what they may say besides what every tool may.

Only their form is checked here; each tool interprets the words itself.
"""

from talewright.common.frozen_values import frozen
from talewright.common.json_values import quote_value
from talewright.kernel.judging.call_arguments import CallArguments
from talewright.kernel.judging.moves import REASON
from talewright.kernel.judging.rulings import mend
from talewright.systems.spiral.slots import TAG_LENGTH_MAX
from talewright.systems.spiral.tags import tidy, to_line

NOTE = "note"
"""The parameter of tools without arguments: some models cannot call a tool without any."""

UNREAD = (NOTE, REASON)
"""What every call may say; why a game master makes it stands in the record."""


@frozen
class SpiralArguments(CallArguments):
    """The arguments of one call.

    Each is a text, a choice, a whole number, true or false, or a list of tags.
    """

    def to_line(self, text: str) -> str:
        """A text on one line, without control characters and bidi marks."""
        return to_line(text)

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
