"""Blame: which turns set a value in the state, newest first, and why; in words for one viewer.

It follows the recorded changes back to the first turn, and list elements as they move. A viewer who may not
see a value learns nothing about it, not even that it was set.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import cast

from talewright.chronicle.records import Commit
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.safe_text import clean_line
from talewright.kernel.game import Game
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT, Absent, find
from talewright.kernel.state.state_paths import Path, PathError, index_of, is_index, parse_path, parse_pointer
from talewright.play.campaign_view import Viewer
from talewright.play.history.campaign_history import ArchivedCampaign, imported_of, read_changes
from talewright.play.history.variable_history import find_variable
from talewright.play.presentation.change_wording import tell_cause, tell_change
from talewright.play.presentation.privacy import SEES_SECRET, prune, prune_change, visible_path, visible_slot
from talewright.play.presentation.roll_wording import tell_rolls
from talewright.play.presentation.value_wording import Wording
from talewright.play.presentation.words.phrases import Phrase
from talewright.turn.steps.recalling import fold

INDICES = 10**9
"""More elements than any list has."""


@frozen
class Blamed:
    """One time that a value was set."""

    commit: Commit
    value: Json | Absent
    """The value afterwards."""

    change: Change | None
    """None: it has been so since the campaign started."""

    move: Json = None
    """The ruling on the move that did it, if recorded; triggers and the engine have none."""

    rolls: tuple[Json, ...] = ()
    """What was rolled in that turn."""


def blame(line: Sequence[Commit], document: Mapping[str, Json], path: Path) -> Iterator[Blamed]:
    """Everything that set a value, newest first.

    `line` holds the turns from the first; `document` is the state after the last of them.
    """
    place = path
    lists = _lists_above(document, path)
    for commit in reversed(line):
        for number, change in reversed(list(enumerate(read_changes(commit)))):
            where = parse_pointer(change.path)
            if _touches(where, place):
                yield _blame_change(commit, number, change, where, place)
                if change.was is ABSENT and place[: len(where)] == where:
                    # Before this it did not exist.
                    return
            place = _move_back(place, change, where, lists)
        if commit.parent == "":
            root = cast(Mapping[str, Json], commit.body["root"])
            yield Blamed(commit, find(root["document"], place), None)


def _touches(where: Path, place: Path) -> bool:
    """Whether a change at one path affects another: the same path, a parent or a child."""
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
    """Whether a change, by its index, belongs to a recorded ruling."""
    changes = ruling.get("changes") if isinstance(ruling, Mapping) else None
    return isinstance(changes, Sequence) and change in changes


def _lists_above(document: Mapping[str, Json], path: Path) -> frozenset[int]:
    """The positions in a path whose keys are list indices."""
    return frozenset(
        number
        for number in range(1, len(path))
        if is_index(path[number]) and isinstance(find(document, path[:number]), list)
    )


def _move_back(place: Path, change: Change, where: Path, lists: frozenset[int]) -> Path:
    """The path of a value before an element was inserted into or removed from a list above it."""
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


def tell_blamed(game: Game, change: Change, wording: Wording, viewer: Viewer) -> str:
    """A past change in words; empty if the viewer may not see it."""
    pruned = prune_change(game, change, viewer)
    return "" if pruned is None else tell_change(game, pruned, wording).text


def tell_move(ruling: Json) -> str:
    """The move of a ruling in one line; empty if none is recorded."""
    move = ruling.get("move") if isinstance(ruling, Mapping) else None
    if not isinstance(move, Mapping):
        return ""
    if "call" in move:
        return f"call {move['call']}"
    if "end" in move:
        return f"end {move['end']}"
    return f"{move.get('op')} {move.get('path')} {move.get('value')!r}"


@frozen
class Origin:
    """One time that a value was set, in words."""

    version: int
    commit: str
    at: str
    text: str
    cause: str
    reason: str = ""
    move: str = ""
    said: str = ""
    rolls: tuple[str, ...] = ()
    raw: Json = None
    """The recorded change and its ruling, for those who see everything."""

    def to_json(self) -> dict[str, Json]:
        """The same as data."""
        facts = {
            name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()
        }
        return cast(
            dict[str, Json], {name: value for name, value in facts.items() if value not in (None, "", [])}
        )


def find_place(game: Game, wording: Wording, text: str, viewer: Viewer) -> Path | None:
    """The place with this path or card name."""
    try:
        path = parse_path(text.strip())
    except PathError:
        return None
    if visible_path(game, path, viewer):
        return path
    return find_variable(game, wording, text, viewer)


async def trace(past: ArchivedCampaign, turn: Commit, path: Path, viewer: Viewer) -> Iterator[Origin]:
    """Everything that set a value, newest first, limited to what a viewer may see."""
    state, _ = await fold(past.book, turn.id)
    edition, wording = await past.read_with(turn)
    found = blame(past.history.lineage(turn), state.document, path)
    told = (_tell(edition.game, wording, each, path, viewer) for each in found)
    return (origin for origin in told if origin is not None)


def _tell(game: Game, wording: Wording, blamed: Blamed, path: Path, viewer: Viewer) -> Origin | None:
    commit, change = blamed.commit, blamed.change
    if change is None:
        return _tell_beginning(game, wording, blamed, path, viewer)
    text = tell_blamed(game, change, wording, viewer)
    if not text:
        return None
    knows = viewer in SEES_SECRET
    return Origin(
        commit.version,
        commit.id,
        commit.at,
        text,
        tell_cause(change.cause, wording) + (f" ({change.cause})" if knows and ":" in change.cause else ""),
        wording.line(change.reason),
        tell_move(blamed.move) if knows else "",
        clean_line(str(commit.body.get("said", ""))),
        tuple(roll.text for roll in tell_rolls(blamed.rolls, game, wording, viewer)),
        blamed.move if knows else None,
    )


def _tell_beginning(
    game: Game, wording: Wording, blamed: Blamed, path: Path, viewer: Viewer
) -> Origin | None:
    slot = visible_slot(game, path, viewer)
    if slot is None or blamed.value is ABSENT:
        return None
    value = prune(slot, blamed.value, viewer)
    assert value is not ABSENT
    text = wording.say(Phrase.SET, label=wording.full_label(path), value=wording.value(path, slot, value))
    cause = wording.say(Phrase.BY_IMPORT if imported_of(blamed.commit) else Phrase.BY_FOUNDING)
    return Origin(blamed.commit.version, blamed.commit.id, blamed.commit.at, text, cause)
