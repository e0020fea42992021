"""Seen draws check: whether the record agrees about what game masters saw in turns that were then abandoned.

A game master's turn must know all of it, and every name of seen dice must be the one that the engine gives
them in the abandoned turn: nobody can choose dice by choosing a name. Whether they were seen at all cannot be
derived again, since an abandoned turn is not in the record as a whole.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from talewright.chronicle.records import Accepted, Aside, Commit, Record
from talewright.common.json_values import Json, equal
from talewright.kernel.game import FateKind
from talewright.turn.records.commit_body import OUTSIDE
from talewright.turn.steps.recalling import is_seen
from talewright.turn.turn_progress import (
    NAMED_SINCE_ENGINE,
    SeenDraws,
    make_purpose,
    name_stream,
    nonce_of_stream,
    read_seen,
    write_seen,
)

_NONCE = re.compile(r"(?:[0-9a-f]{2})+")
_NAME = 5
"""Where the name is in a recorded draw."""


class SeenDrawsCheck:
    """A check in progress."""

    def __init__(self) -> None:
        self._root = ""
        self._versions: dict[str, int] = {}
        self._inputs: set[tuple[str, str]] = set()
        """The operation and the base of every input."""

        self._count = 0
        """How many asides there are about abandoned turns."""

        self._streams: defaultdict[tuple[str, int, str], set[str]] = defaultdict(set)
        """The streams that were seen, by the nonce, the number of the turn, and the check."""

        self._unfit: set[str] = set()
        """Streams of turns that cannot have had them."""

        self._games: set[str] = set()
        """The digests of the games that turns were played with."""

        self._nonces: list[tuple[str, bool]] = []
        """The id of every aside about an abandoned turn, and whether its dice had a nonce."""

    def take(self, record: Record) -> Iterator[str]:
        """Check the next record; yield what is wrong with it."""
        if isinstance(record, Commit):
            self._root = self._root or record.id
            self._versions[record.id] = record.version
            self._games.add(record.game_digest)
            if self._counts_wrong(record.body):
                yield "it does not know all the dice that were seen in abandoned turns before it"
            if self._unfit and not self._unfit.isdisjoint(list_streams(record.body)):
                yield "its dice are listed for an abandoned turn that cannot have had them"
        elif isinstance(record, Accepted):
            self._inputs.add((record.operation_id, record.base))
        elif isinstance(record, Aside) and is_seen(record):
            self._count += 1
            if record.commit != self._root:
                yield "dice of an abandoned turn are listed where nobody looks for them"
            if not self._follows(record):
                yield "the abandoned turn cannot have had the dice that are listed"

    def find_odd_nonces(self, fates: Mapping[str, FateKind]) -> Iterator[tuple[str, str]]:
        """Yield every aside whose dice have a nonce in games of fixed fate, or lack one, and what is wrong.

        `fates` are those of the games, by their digests; nothing is found before all of them are known. An
        abandoned turn may have been the first of a newer edition, so this is asked last.
        """
        if not self._games <= fates.keys():
            return
        for aside, nonce in self._nonces:
            if nonce and FateKind.FRESH not in fates.values():
                yield (
                    aside,
                    "the dice listed for an abandoned turn have a nonce, but the game's fate is fixed",
                )
            elif not nonce and FateKind.FIXED not in fates.values():
                yield aside, "the dice listed for an abandoned turn lack the nonce that a fresh fate requires"

    def _counts_wrong(self, body: Mapping[str, Json]) -> bool:
        engine, seen = body.get("engine"), body.get("seen")
        if body.get("told") != OUTSIDE or not isinstance(engine, int) or engine < NAMED_SINCE_ENGINE:
            return False
        return (seen.get("through") if isinstance(seen, Mapping) else 0) != self._count

    def _follows(self, aside: Aside) -> bool:
        """Whether all dice are those of a turn after the base, named as the engine names them."""
        checks = aside.body.get("checks")
        if not isinstance(checks, Sequence) or isinstance(checks, str) or not checks:
            return False
        try:
            looks = [read_seen(raw) for raw in checks]
        except (KeyError, TypeError, ValueError, AttributeError):
            return False
        if self._fits(aside, checks, looks):
            return True
        self._unfit.update(look.stream for look in looks)
        return False

    def _fits(self, aside: Aside, checks: Sequence[Json], looks: Sequence[SeenDraws]) -> bool:
        try:
            exact = all(equal(raw, write_seen(look)) for raw, look in zip(checks, looks, strict=True))
            fits = exact and all(map(_is_derived, looks))
        except (KeyError, TypeError, ValueError, AttributeError):
            return False
        nonce, base = nonce_of_stream(looks[0].stream), str(aside.body.get("base"))
        self._nonces.append((aside.id, bool(nonce)))
        if not fits or (nonce and not _NONCE.fullmatch(nonce)) or base not in self._versions:
            return False
        if (str(aside.body.get("operation_id")), base) not in self._inputs:
            return False
        turn = self._versions[base] + 1
        return all(self._take_look(look, nonce, turn) for look in looks)

    def _take_look(self, look: SeenDraws, nonce: str, turn: int) -> bool:
        """Whether a stream is the next one of its check, or one that was seen before in such a turn."""
        check = look.purpose.check
        streams = self._streams[nonce, turn, check]
        if look.stream not in streams and look.stream != name_stream(nonce, turn, check, len(streams)):
            return False
        streams.add(look.stream)
        return True


def list_streams(body: Mapping[str, Json]) -> Iterator[str]:
    """The streams of a turn's draws."""
    draws = body.get("draws")
    for draw in draws if isinstance(draws, Sequence) else ():
        if isinstance(draw, Sequence) and len(draw) > _NAME:
            yield str(draw[_NAME]).rpartition(":d")[0]


def _is_derived(look: SeenDraws) -> bool:
    """Whether the hashes are those of what the dice were for."""
    what = look.purpose.what
    if not isinstance(what, Mapping) or set(what) != {"check", "terms"} or what["check"] is None:
        return False
    return make_purpose(what["check"], what["terms"]) == look.purpose
