"""Seen draws check: whether the record agrees about what game masters saw in turns that were then abandoned.

A game master's turn must know all of it, and dice that were seen must have been those of the abandoned turn.
What was seen cannot be derived again, since an abandoned turn is not in the record as a whole.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from talewright.chronicle.records import Aside, Commit, Record
from talewright.common.json_values import Json
from talewright.turn.records.commit_body import OUTSIDE
from talewright.turn.steps.recalling import is_seen
from talewright.turn.turn_progress import NAMED_SINCE_ENGINE, SeenDraws, read_seen

_STREAM = re.compile(r"(?P<start>(?:[0-9a-f]+@)?(?P<turn>\d+):(?P<check>[0-9a-f]{32})):(?P<number>\d+)")
"""How the names of draws begin."""


class SeenDrawsCheck:
    """A check in progress."""

    def __init__(self) -> None:
        self._root = ""
        self._versions: dict[str, int] = {}
        self._count = 0
        """How many asides there are about abandoned turns."""

        self._streams: dict[str, int] = {}
        """How many streams were seen of each check in turns with each number."""

    def take(self, record: Record) -> Iterator[str]:
        """Check the next record; yield what is wrong with it."""
        if isinstance(record, Commit):
            self._root = self._root or record.id
            self._versions[record.id] = record.version
            if self._counts_wrong(record.body):
                yield "it does not know all the dice that were seen in abandoned turns before it"
        elif isinstance(record, Aside) and is_seen(record):
            self._count += 1
            if record.commit != self._root:
                yield "dice of an abandoned turn are listed where nobody looks for them"
            if not self._follows(record.body):
                yield "the abandoned turn cannot have had the dice that are listed"

    def _counts_wrong(self, body: Mapping[str, Json]) -> bool:
        engine, seen = body.get("engine"), body.get("seen")
        if body.get("told") != OUTSIDE or not isinstance(engine, int) or engine < NAMED_SINCE_ENGINE:
            return False
        return (seen.get("through") if isinstance(seen, Mapping) else 0) != self._count

    def _follows(self, body: Mapping[str, Json]) -> bool:
        """Whether all dice are new ones of a turn after the base, numbered in order, or were seen before."""
        checks = body.get("checks")
        if not isinstance(checks, Sequence) or isinstance(checks, str) or not checks:
            return False
        try:
            looks = [read_seen(raw) for raw in checks]
        except (KeyError, TypeError, ValueError, AttributeError):
            return False
        turn = self._versions.get(str(body.get("base")), -1) + 1
        fits = [self._take_look(look, turn) for look in looks]
        return all(fits)

    def _take_look(self, look: SeenDraws, turn: int) -> bool:
        parts = _STREAM.fullmatch(look.stream)
        if parts is None or parts["check"] != look.purpose.check or look.sides < 1:
            return False
        known, number = self._streams.get(parts["start"], 0), int(parts["number"])
        if number < known:
            return True
        self._streams[parts["start"]] = known + 1
        return number == known and int(parts["turn"]) == turn
