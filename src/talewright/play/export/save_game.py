"""Save games: writes a campaign as one JSON file, parses it, and fits it to a game on import.

The content of a save game is checked against the game's slots. No campaign is started while parsing.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar, cast

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook, Store
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, quote_value
from talewright.common.language_tags import pick_language
from talewright.errors import TalewrightError
from talewright.kernel.game import Game
from talewright.kernel.judging.rulings import Refusal
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.slots.slot_types import Slot, SlotKind, default_of, describe_slot, member
from talewright.kernel.slots.value_validation import fit
from talewright.kernel.state.documents import ABSENT
from talewright.kernel.state.state import State, position_of
from talewright.kernel.state.state_paths import dotted
from talewright.play.export.import_limits import SAVE_BYTES_MAX, TURN_INDEX_MAX, count_megabytes
from talewright.play.history.campaign_history import CampaignHistory, imported_of
from talewright.play.history.state_diff import differ
from talewright.play.playable_games import PinnedGames
from talewright.turn.game_editions import Edition
from talewright.turn.new_campaign import write_first_commit
from talewright.turn.steps.recalling import fold

T = TypeVar("T")

SAVE_VERSION = 1
"""The format version; a file with a higher one is not read."""


class SaveGameError(TalewrightError):
    """The file is not a save game, or belongs to another game."""


@frozen
class SaveGame:
    """A parsed save game; its state has not been checked against a game yet."""

    game_id: str
    game_content_version: str
    timestamp: str
    turn_index: int
    state: Mapping[str, Json]
    history: tuple[Mapping[str, Json], ...] = ()
    memory_summary: str = ""
    language: str = ""
    """Our addition to the original format; empty in a file from another program."""


async def export_save(book: CampaignBook, games: PinnedGames, history: CampaignHistory) -> dict[str, Json]:
    """The campaign at the head of its current branch."""
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
    """Parse a file. Raises SaveGameError naming the member that is wrong."""
    if len(data) > SAVE_BYTES_MAX:
        raise SaveGameError(f"the file is larger than {count_megabytes(SAVE_BYTES_MAX)} MB", _NOT_OURS)
    try:
        raw: Json = json.loads(data.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise SaveGameError(f"the file is not JSON in UTF-8: {error}", _NOT_OURS) from None
    _refuse_unkeepable(raw)
    if not isinstance(raw, Mapping):
        raise SaveGameError("the file is not a save game: it is not a JSON object", _NOT_OURS)
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
        turn_index=_read_turn_index(raw),
        state=cast(Mapping[str, Json], _member(raw, "state", dict)),
        history=_read_history(_member(raw, "history", list, [])),
        memory_summary=_member(raw, "memory_summary", str, ""),
        language=_member(raw, "language", str, ""),
    )


_NOT_OURS = "Use a file from `talewright saves export`, or one with the same members."
_KINDS: Mapping[type, str] = {int: "a whole number", str: "a text", dict: "an object", list: "a list"}


def _member(raw: Mapping[str, Json], name: str, kind: type[T], default: T | None = None) -> T:
    value: object = raw.get(name, default)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise SaveGameError(f"{name} must be {_KINDS[kind]}", _NOT_OURS)
    return value


def _read_turn_index(raw: Mapping[str, Json]) -> int:
    turn = _member(raw, "turn_index", int, 0)
    if not 0 <= turn <= TURN_INDEX_MAX:
        raise SaveGameError(f"turn_index must be a whole number from 0 to {TURN_INDEX_MAX}", _NOT_OURS)
    return turn


def _read_history(turns: Sequence[Json]) -> tuple[Mapping[str, Json], ...]:
    for number, turn in enumerate(turns):
        if not isinstance(turn, Mapping):
            raise SaveGameError(f"history.{number} must be an object", _NOT_OURS)
        for name in ("player_input", "narrative"):
            if not isinstance(turn.get(name, ""), str):
                raise SaveGameError(f"history.{number}.{name} must be a text", _NOT_OURS)
    return tuple(cast(Sequence[Mapping[str, Json]], turns))


def _refuse_unkeepable(raw: Json) -> None:
    """Refuse what JSON can express and no campaign can store: infinite numbers, lone surrogates."""
    try:
        json.dumps(raw, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise SaveGameError(f"the file contains a value that cannot be stored: {error}", _NOT_OURS) from None


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is not valid JSON")


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
        "rolls": turn.body.get("rolls", []),
    }


FAULTS_TOLD_MAX = 20
"""The maximum number of faults in a message."""


async def import_save(
    store: Store,
    edition: Edition,
    save: SaveGame,
    *,
    campaign: str,
    secret: bytes,
    now: Callable[[], str],
    new_id: Callable[[], str],
) -> CampaignBook:
    """Start a campaign from a save game. Its dice are new, since no file contains the old secret."""
    if save.game_id != edition.game.id:
        raise SaveGameError(
            f"the save game belongs to {save.game_id!r}, not to {edition.game.id!r}",
            "Import it with the game it was saved from.",
        )
    return await write_first_commit(
        store,
        edition,
        campaign=campaign,
        language=pick_language(save.language, edition.game.languages, edition.game.language),
        secret=secret,
        now=now,
        new_id=new_id,
        document=fit_state(edition.game, save.state, save.memory_summary),
        imported={
            "cause": "import",
            "game_content_version": save.game_content_version,
            "timestamp": save.timestamp,
            "turn_index": save.turn_index,
            "history": list(save.history),
        },
    )


def fit_state(game: Game, state: Mapping[str, Json], summary: str = "") -> Mapping[str, Json]:
    """The state as a document of the game. Raises SaveGameError naming every value that does not fit.

    Missing values get their defaults, and derived values are recomputed.
    """
    faults = [f"{name}: the game has no such variable" for name in state if name not in game.layout.roots]
    document: dict[str, Json] = {}
    for name, slot in game.layout.roots.items():
        if name not in state:
            document[name] = game.initial.get(name, default_of(slot))
            continue
        value = _without_derived(slot, state[name])
        try:
            document[name] = fit(slot, value, name).value
        except Refusal as refusal:
            faults.append(f"{name}: {refusal.reason}")
            continue
        faults += _find_bent(game, name, value, document[name])
    if not faults:
        faults += _check_memory(game, document, summary)
    if faults:
        raise SaveGameError(
            tell_faults("the state does not fit the game", faults),
            "Change these places in the file, or import it with another game.",
        )
    table = WorkingState(game, position_of(game, State(document, 0)))
    table.derive()
    return table.position().state.document


def tell_faults(what: str, faults: Sequence[str]) -> str:
    """Faults under a heading, up to a limit."""
    lines = list(faults[:FAULTS_TOLD_MAX])
    more = len(faults) - len(lines)
    lines += [f"and {more} more"] if more > 0 else []
    return f"{what}:\n" + "\n".join(f"  {line}" for line in lines)


def find_value_faults(game: Game, name: str, value: Json) -> list[str]:
    """What is not valid as the value of a variable in this game; derived values are skipped."""
    slot = game.layout.roots.get(name)
    if slot is None:
        return [f"{name}: the game has no such variable"]
    bare = _without_derived(slot, value)
    try:
        fitted = fit(slot, bare, name).value
    except Refusal as refusal:
        return [f"{name}: {refusal.reason}"]
    unknown = find_unknown_memory(game, cast(Mapping[str, Json], fitted)) if name == ENGINE_ROOT else []
    return _find_bent(game, name, bare, fitted) + unknown


def _without_derived(slot: Slot, value: Json) -> Json:
    """A value without its derived parts."""
    if slot.derived:
        return default_of(slot)
    if slot.kind is SlotKind.OBJECT and isinstance(value, Mapping):
        inner = {key: (member(slot, key), part) for key, part in value.items()}
        return {
            key: part if beneath is None else _without_derived(beneath, part)
            for key, (beneath, part) in inner.items()
            if beneath is None or not beneath.derived
        }
    return value


def _find_bent(game: Game, name: str, given: Json, fitted: Json) -> list[str]:
    """Values that had to be altered to fit: a number out of range, a minute that overflows."""
    faults = []
    for difference in differ(given, fitted):
        if difference.was is ABSENT:
            continue
        path = (name, *difference.path)
        slot = game.layout.find(path)
        wanted = f"; it is {describe_slot(slot)}" if slot is not None else ""
        faults.append(f"{dotted(path)}: {quote_value(difference.was)} does not fit{wanted}")
    return faults


def _check_memory(game: Game, document: dict[str, Json], summary: str) -> list[str]:
    """Check that what the engine remembers exists in this game."""
    memory = dict(cast(Mapping[str, Json], document[ENGINE_ROOT]))
    faults = find_unknown_memory(game, memory)
    # An open decision cannot be asked again: its context is in the old campaign's turns.
    memory["decisions"] = {}
    memory["summary"] = memory["summary"] or summary
    try:
        document[ENGINE_ROOT] = fit(game.layout.roots[ENGINE_ROOT], memory, ENGINE_ROOT).value
    except Refusal as refusal:
        faults.append(f"memory_summary: {refusal.reason}")
    return faults


def find_unknown_memory(game: Game, memory: Mapping[str, Json]) -> list[str]:
    """Remembered scenes and endings that the game does not have, or not with that outcome."""
    endings = {ending.id for ending in game.endings}
    endings |= {route.ending for ending in game.endings for route in ending.finale}
    finales = {ending.id for ending in game.endings if ending.finale}
    faults = [
        f"{ENGINE_ROOT}.{name}: the game has no {name} {quote_value(memory[name])}"
        for name, known in (("scene", set(game.scenes)), ("finale", finales), ("ending", endings))
        if memory[name] and memory[name] not in known
    ]
    kinds = {(ending.id, ending.kind.value) for ending in game.endings}
    kinds |= {(route.ending, route.kind.value) for ending in game.endings for route in ending.finale}
    if not faults and (memory["ending"], memory["outcome"]) not in kinds | {("", "")}:
        outcome, ending = quote_value(memory["outcome"]), quote_value(memory["ending"])
        faults.append(f"{ENGINE_ROOT}.outcome: {outcome} is not how the ending {ending} comes out")
    return faults
