"""Arguments of the world's tools, read one by one, with refusals that say what would be accepted.

Only their form and the people they name are checked here.
"""

from collections.abc import Mapping, Sequence

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, quote_value
from talewright.common.name_suggestions import listed
from talewright.kernel.judging.moves_and_rulings import mend
from talewright.systems.world.authored.authored_world import AuthoredPerson
from talewright.systems.world.people.discovery import find_named
from talewright.systems.world.text_likeness import normalize, to_one_line
from talewright.systems.world.tools import COMPANIONS_MAX, TICKS_STEP_MAX


@frozen
class WorldArguments:
    """The arguments of one call."""

    tool: str
    members: Mapping[str, Json]

    def line(self, name: str, length_max: int) -> str:
        """A text on one line; empty if it is missing."""
        value = self.members.get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise mend(f"{self.tool}: `{name}` is a text, not {quote_value(value)}")
        line = to_one_line(value)
        if len(line) > length_max:
            raise mend(f"{self.tool}: `{name}` has at most {length_max} characters; this one has {len(line)}")
        return line

    def needed(self, name: str, length_max: int) -> str:
        """A text on one line that must not be empty."""
        line = self.line(name, length_max)
        if not line:
            raise mend(f"{self.tool} needs `{name}`: a text of at most {length_max} characters")
        return line

    def ticks(self) -> int:
        """How many ticks pass."""
        value = self.members.get("ticks")
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= TICKS_STEP_MAX:
            wanted = f"a whole number from 1 to {TICKS_STEP_MAX}"
            raise mend(f"{self.tool}: `ticks` is {wanted}, not {quote_value(value)}")
        return value

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
