"""Blame: which turns set a place of the state, newest first, and by what.

It follows the recorded changes back to the first turn; elements of lists are followed as they move.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from talewright.chronicle.records import Commit
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT, Absent, Json, find
from talewright.kernel.state.state_paths import Path, index_of, is_index, parse_pointer
from talewright.play.looking_back.folding import read_changes

INDICES = 10**9
"""More elements than any list has."""


@dataclass(frozen=True, slots=True)
class Blamed:
    """One time that a place was set."""

    commit: Commit
    value: Json | Absent
    """What stood there afterwards."""

    change: Change | None
    """None: it has been so since the campaign began."""

    move: Json = None
    """The ruling on the move that did it, where one is recorded; triggers and engine have none."""

    rolls: tuple[Json, ...] = ()
    """What was rolled in that turn."""


def blame(line: Sequence[Commit], document: Mapping[str, Json], path: Path) -> Iterator[Blamed]:
    """Everything that set a place, newest first.

    `line` holds the turns from the first on; `document` is the state after the last of them.
    """
    place = path
    lists = _lists_above(document, path)
    for commit in reversed(line):
        for number, change in reversed(list(enumerate(read_changes(commit)))):
            where = parse_pointer(change.path)
            if _touches(where, place):
                yield _blame_change(commit, number, change, where, place)
                if change.was is ABSENT and place[: len(where)] == where:
                    # Before this it was not there at all.
                    return
            place = _move_back(place, change, where, lists)
        if commit.parent == "":
            root = cast(Mapping[str, Json], commit.body["root"])
            yield Blamed(commit, find(root["document"], place), None)


def _touches(where: Path, place: Path) -> bool:
    """Whether a change at one path says something of another: it is the same, above it or beneath it."""
    shorter = min(len(where), len(place))
    return where[:shorter] == place[:shorter]


def _blame_change(commit: Commit, number: int, change: Change, where: Path, place: Path) -> Blamed:
    value: Json | Absent = ABSENT
    if change.value is not ABSENT:
        value = find(change.value, place[len(where) :]) if len(where) <= len(place) else change.value
    rulings = cast(Sequence[Json], commit.body.get("rulings", ()))
    rolls = cast(Sequence[Json], commit.body.get("rolls", ()))
    move = next((ruling for ruling in rulings if _made(ruling, number)), None)
    return Blamed(commit, value, change, move, tuple(rolls))


def _made(ruling: Json, change: int) -> bool:
    """Whether a recorded ruling has a change, by its number, among its own."""
    changes = ruling.get("changes") if isinstance(ruling, Mapping) else None
    return isinstance(changes, Sequence) and change in changes


def _lists_above(document: Mapping[str, Json], path: Path) -> frozenset[int]:
    """Which keys of a path are indices of lists, by their number."""
    return frozenset(
        number
        for number in range(1, len(path))
        if is_index(path[number]) and isinstance(find(document, path[:number]), list)
    )


def _move_back(place: Path, change: Change, where: Path, lists: frozenset[int]) -> Path:
    """Where a place was before an element came into a list above it, or went out of one."""
    depth = len(where) - 1
    if change.op == "replace" or depth not in lists or where[:depth] != place[:depth]:
        return place
    index, other = index_of(place[depth], INDICES), index_of(where[depth], INDICES)
    if index is None or other is None:
        return place
    if change.op == "add" and other < index:
        index -= 1
    elif change.op == "remove" and other <= index:
        index += 1
    return (*place[:depth], str(index), *place[depth + 1 :])
