"""Findings: the values of an answer taken out one by one, and what was wrong with them.

A value that does not fit leaves a flaw and something harmless in its place; nothing is raised.
"""

from collections.abc import Mapping, Sequence

from talewright.contract.text.plain_text import strip_controls
from talewright.kernel.judging.moves_and_rulings import Flaw
from talewright.kernel.state.documents import Json, quote_value

FLAWS_MAX = 20
"""Flaws that are told of one answer; a model that made more starts again anyway."""


class Findings:
    """The flaws found so far, and the ways to take a value."""

    def __init__(self) -> None:
        self._flaws: list[Flaw] = []

    @property
    def flaws(self) -> tuple[Flaw, ...]:
        """What was wrong, in the order of the answer."""
        return tuple(self._flaws)

    def add(self, message: str, *, soft: bool = False) -> None:
        """Note a flaw."""
        if len(self._flaws) < FLAWS_MAX:
            self._flaws.append(Flaw(message, soft))

    def take_text(self, value: Json, where: str, length_max: int, *, needed: bool = False) -> str:
        """A text without controls and outer blanks; null is the empty one."""
        if value is not None and not isinstance(value, str):
            self.add(f"`{where}` must be a text in quotes, not {quote_value(value)}")
            return ""
        text = strip_controls(value or "").strip()
        if needed and not text:
            self.add(f"`{where}` is missing or empty; it must be a text")
        if len(text) > length_max:
            self.add(f"`{where}` has {len(text)} characters; write at most {length_max}")
        return text[:length_max]

    def take_list(self, value: Json, where: str, count_max: int) -> Sequence[Json]:
        """A list; null is the empty one, and of too long a one the beginning is taken."""
        if value is None:
            return ()
        if not isinstance(value, Sequence) or isinstance(value, str):
            self.add(f"`{where}` must be a list in brackets [], not {quote_value(value)}")
            return ()
        if len(value) > count_max:
            self.add(f"`{where}` has {len(value)} elements; give at most {count_max}")
        return value[:count_max]

    def take_object(self, value: Json, where: str, example: str) -> Mapping[str, Json] | None:
        """An object, or None where it is something else."""
        if isinstance(value, Mapping):
            return value
        self.add(f"`{where}` must be an object such as {example}, not {quote_value(value)}")
        return None
