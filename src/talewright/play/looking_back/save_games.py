"""Save games: a campaign as one JSON file in the shape that seed 001 gave it, the owner's to keep and carry.

Everything is in it but the secret of chance. What is read from one is fitted to the game before it is used.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook
from talewright.errors import TalewrightError
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.state.documents import Json
from talewright.play.home.pinned_games import PinnedGames
from talewright.play.looking_back.histories import History, imported_of
from talewright.turn.game_editions import Edition
from talewright.turn.steps.recalling import fold

T = TypeVar("T")

SAVE_VERSION = 1
"""The number of this shape; a file with a higher one is not read."""

SAVE_BYTES_MAX = 32 * 1024 * 1024
"""Bytes of a file that is read."""


class SaveGameError(TalewrightError):
    """The file is no save game, or not one of this game."""


@dataclass(frozen=True, slots=True)
class SaveGame:
    """A save game that was read; its state is not held against any game yet."""

    game_id: str
    game_content_version: str
    timestamp: str
    turn_index: int
    state: Mapping[str, Json]
    history: tuple[Mapping[str, Json], ...] = ()
    memory_summary: str = ""
    language: str = ""
    """Ours beside the seed's members; empty in a file that another program wrote."""


async def export_save(book: CampaignBook, games: PinnedGames, history: History) -> dict[str, Json]:
    """The campaign as it stands on the branch it is played on."""
    head = history.head
    line = history.lineage(head)
    state, _ = await fold(book, head.id)
    earlier = imported_of(line[0])
    turns: list[Json] = list(cast(Sequence[Json], earlier.get("history", ())))
    turns += [_write_turn(turn, await games.of(turn)) for turn in line[1:]]
    edition = await games.of(head)
    memory = cast(Mapping[str, Json], state.document.get(ENGINE_ROOT, {}))
    return {
        "save_version": SAVE_VERSION,
        "game_id": edition.game.id,
        "game_content_version": edition.game.version,
        "timestamp": head.at,
        "turn_index": cast(int, earlier.get("turn_index", 0)) + head.version,
        "state": state.document,
        "history": turns,
        "memory_summary": memory.get("summary", ""),
        "language": next((t.body["language"] for t in reversed(line) if t.body.get("language")), ""),
    }


def parse_save(data: bytes) -> SaveGame:
    """Read a file; a SaveGameError says which member is not what it should be."""
    if len(data) > SAVE_BYTES_MAX:
        raise SaveGameError(f"the file has more than {SAVE_BYTES_MAX // 1024 // 1024} MB", _NOT_OURS)
    try:
        raw: Json = json.loads(data.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise SaveGameError(f"the file is no JSON in UTF-8: {error}", _NOT_OURS) from None
    _refuse_unkeepable(raw)
    if not isinstance(raw, Mapping):
        raise SaveGameError("the file is no save game: it holds no JSON object", _NOT_OURS)
    version = _member(raw, "save_version", int)
    if version > SAVE_VERSION:
        raise SaveGameError(
            f"save_version is {version}; this program reads up to {SAVE_VERSION}",
            "Update Talewright, then import it again.",
        )
    return SaveGame(
        game_id=_member(raw, "game_id", str),
        game_content_version=_member(raw, "game_content_version", str, ""),
        timestamp=_member(raw, "timestamp", str, ""),
        turn_index=_member(raw, "turn_index", int, 0),
        state=cast(Mapping[str, Json], _member(raw, "state", dict)),
        history=_read_history(_member(raw, "history", list, [])),
        memory_summary=_member(raw, "memory_summary", str, ""),
        language=_member(raw, "language", str, ""),
    )


_NOT_OURS = "Take a file that `talewright saves export` wrote, or one with the same members."
_KINDS: Mapping[type, str] = {int: "a whole number", str: "a text", dict: "an object", list: "a list"}


def _member(raw: Mapping[str, Json], name: str, kind: type[T], default: T | None = None) -> T:
    value: object = raw.get(name, default)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise SaveGameError(f"{name} must be {_KINDS[kind]}", _NOT_OURS)
    return value


def _read_history(turns: Sequence[Json]) -> tuple[Mapping[str, Json], ...]:
    for number, turn in enumerate(turns):
        if not isinstance(turn, Mapping):
            raise SaveGameError(f"history.{number} must be an object", _NOT_OURS)
        for name in ("player_input", "narrative"):
            if not isinstance(turn.get(name, ""), str):
                raise SaveGameError(f"history.{number}.{name} must be a text", _NOT_OURS)
    return tuple(cast(Sequence[Mapping[str, Json]], turns))


def _refuse_unkeepable(raw: Json) -> None:
    """What JSON can spell and no campaign can keep: numbers without end, halves of characters."""
    try:
        json.dumps(raw, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise SaveGameError(f"the file holds what cannot be kept: {error}", _NOT_OURS) from None


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is no JSON")


def _write_turn(turn: Commit, edition: Edition) -> dict[str, Json]:
    texts = edition.words(str(turn.body.get("language", "")))

    def spoken(raw: Json, member: str) -> dict[str, Json]:
        values = dict(cast(Mapping[str, Json], raw))
        return {**values, member: texts.get(cast(str, values[member]))}

    return {
        "player_input": turn.body.get("said", ""),
        "narrative": turn.body.get("narration", ""),
        "choices": turn.body.get("choices", []),
        "applied_updates": [spoken(c, "reason") for c in cast(Sequence[Json], turn.body.get("changes", ()))],
        "events": [spoken(e, "text") for e in cast(Sequence[Json], turn.body.get("events", ()))],
    }
