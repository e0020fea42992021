"""Arguments of the world's tools: ticks and people, besides what every tool may say.

Only their form and the people they name are checked here.
"""

from collections.abc import Sequence

from talewright.common.frozen_values import frozen
from talewright.common.json_values import quote_value
from talewright.common.name_suggestions import listed
from talewright.kernel.judging.call_arguments import CallArguments
from talewright.kernel.judging.rulings import mend
from talewright.systems.world.authored.authored_world import AuthoredPerson
from talewright.systems.world.people.discovery import find_named
from talewright.systems.world.text_likeness import normalize, to_one_line
from talewright.systems.world.tool_descriptions import COMPANIONS_MAX, TICKS_STEP_MAX


@frozen
class WorldArguments(CallArguments):
    """The arguments of one call."""

    def to_line(self, text: str) -> str:
        """A text with single spaces; the full-width marks of Chinese stay as they are."""
        return to_one_line(text)

    def needed(self, name: str, length_max: int) -> str:
        """A text on one line that must not be empty."""
        line = self.line(name, length_max)
        if not line:
            raise mend(f"{self.tool} needs `{name}`: a text of at most {length_max} characters")
        return line

    def ticks(self) -> int:
        """How many ticks pass."""
        return self.whole("ticks", 1, TICKS_STEP_MAX)

    def names(self, name: str) -> tuple[str, ...]:
        """A list of names, each once; empty if it is missing."""
        value = self.members.get(name)
        if value is None:
            return ()
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > COMPANIONS_MAX:
            raise mend(f"{self.tool}: `{name}` is a list of at most {COMPANIONS_MAX} names")
        lines = [normalize(one) if isinstance(one, str) else "" for one in value]
        return tuple(dict.fromkeys(filter(None, lines)))

    def people(self, name: str, among: Sequence[AuthoredPerson]) -> list[AuthoredPerson]:
        """The people of a list, who must be among those here."""
        return [self.person(name, said, among) for said in self.names(name)]

    def person(self, name: str, said: str, among: Sequence[AuthoredPerson]) -> AuthoredPerson:
        """A person who must be among those here."""
        found = find_named(said, among)
        if found is None:
            here = listed(person.name for person in among) or "nobody"
            raise mend(f"{self.tool}: `{name}`: {quote_value(said)} is not here; here is {here}")
        return found
