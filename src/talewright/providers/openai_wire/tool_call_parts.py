"""Tool call parts: pieces of calls as servers of this wire send them, brought to one numbering.

Some repeat the name in every part, some give every call the same index, some give none, some send the
arguments as an object. What a call means is not read here.
"""

import json
from collections.abc import Mapping

from talewright.llm.reply_chunks import CallPart
from talewright.providers.wire_text import CALLS_MAX, SurrogateJoiner, join_surrogates


class ToolCallAssembler:
    """The calls of one reply, as their parts arrive."""

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._given: list[str] = []
        """The ids as they are passed on."""

        self._names: list[str] = []
        self._menders: list[SurrogateJoiner] = []
        self._arguments: list[list[str]] = []
        self._places: dict[object, int] = {}
        """Our number of a call by the server's."""

    def __len__(self) -> int:
        return len(self._ids)

    def take(self, raw: Mapping[str, object]) -> CallPart:
        """One part. Raises ValueError or TypeError where it has no form."""
        function = raw.get("function") or {}
        if not isinstance(function, Mapping):
            raise TypeError("a call without a function")
        index, named = raw.get("index"), _read_text(raw.get("id"))
        name, arguments = _read_text(function.get("name")), function.get("arguments")
        place = self._places.get(index)
        if place is None or self._is_other(place, index, named, name):
            place = self._begin(index)
        if named and not self._ids[place]:
            self._ids[place] = named
            self._given[place] = named if self._ids.count(named) == 1 else f"{named}-{place + 1}"
        # A name that comes again as a whole is a repetition, else it is the rest of the name.
        name = "" if name == self._names[place] else name
        self._names[place] += name
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False) if arguments else ""
        self._arguments[place].append(arguments)
        # A result is found by its id: no two calls may bear the same.
        shown = self._given[place] if named else ""
        return CallPart(place, shown, name, self._menders[place].mend(arguments))

    def _begin(self, index: object) -> int:
        if len(self._ids) >= CALLS_MAX:
            raise ValueError("too many calls")
        self._places[index] = len(self._ids)
        self._ids.append("")
        self._given.append("")
        self._names.append("")
        self._menders.append(SurrogateJoiner())
        self._arguments.append([])
        return len(self._ids) - 1

    def _is_other(self, place: int, index: object, named: str, name: str) -> bool:
        """Whether a part with a known index begins another call all the same."""
        if named and self._ids[place]:
            return named != self._ids[place]
        if not name or not self._names[place]:
            return False
        # With neither an index of its own nor an id, only the end of the arguments tells calls apart.
        return index is None or _is_whole("".join(self._arguments[place]))


def _is_whole(arguments: str) -> bool:
    try:
        json.loads(arguments)
    except (ValueError, RecursionError):
        return False
    return True


def _read_text(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError("a name that is no text")
    return join_surrogates(value)
