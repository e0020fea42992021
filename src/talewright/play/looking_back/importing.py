"""Importing: a save game becomes a new campaign, once its state fits the game slot by slot.

Nothing is bent into shape: a value that does not fit is named by its path and refused.
"""

from collections.abc import Callable, Mapping
from typing import cast

from talewright.chronicle.store import CampaignBook, Store
from talewright.kernel.game import Game
from talewright.kernel.judging.moves_and_rulings import Refusal
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.slots.slot_types import Slot, SlotKind, default_of, describe_slot, member
from talewright.kernel.slots.value_validation import fit
from talewright.kernel.state.documents import ABSENT, Json, quote_value
from talewright.kernel.state.state import State, position_of
from talewright.kernel.state.state_paths import dotted
from talewright.play.looking_back.differences import differ
from talewright.play.looking_back.save_games import SaveGame, SaveGameError
from talewright.turn.game_editions import Edition
from talewright.turn.new_campaign import write_first_commit

FAULTS_TOLD_MAX = 20
"""Places that do not fit which are told at once."""


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
    """Begin a campaign where a save game stands; its dice are new, for the old secret is in no file."""
    if save.game_id != edition.game.id:
        raise SaveGameError(
            f"game_id is {save.game_id!r}; this is the game {edition.game.id!r}",
            "Import it with the game it was saved from.",
        )
    return await write_first_commit(
        store,
        edition,
        campaign=campaign,
        language=save.language if save.language in edition.game.languages else edition.game.language,
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
    """The state as a document of the game; a SaveGameError names every place that does not fit.

    What is left out takes its first value, and what is derived is computed again.
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
        raise SaveGameError(_tell(faults), "Change these places in the file, or import it with another game.")
    table = WorkingState(game, position_of(game, State(document, 0)))
    table.derive()
    return table.position().state.document


def _tell(faults: list[str]) -> str:
    lines = faults[:FAULTS_TOLD_MAX]
    more = len(faults) - len(lines)
    lines += [f"and {more} more"] if more > 0 else []
    return "the state does not fit the game:\n" + "\n".join(f"  {line}" for line in lines)


def _without_derived(slot: Slot, value: Json) -> Json:
    """A value without what is computed anyway."""
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
    """Places where fitting had to alter a value: a number out of range, a minute that runs over."""
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
    """Whether what the engine remembers means something in this game."""
    memory = dict(cast(Mapping[str, Json], document[ENGINE_ROOT]))
    endings = {ending.id for ending in game.endings}
    endings |= {route.ending for ending in game.endings for route in ending.finale}
    finales = {ending.id for ending in game.endings if ending.finale}
    faults = [
        f"{ENGINE_ROOT}.{name}: the game has no {name} {quote_value(memory[name])}"
        for name, known in (("scene", set(game.scenes)), ("finale", finales), ("ending", endings))
        if memory[name] and memory[name] not in known
    ]
    # A question that lay open cannot be asked again: what it was about lives in the old campaign's turns.
    memory["decisions"] = {}
    memory["summary"] = memory["summary"] or summary
    try:
        document[ENGINE_ROOT] = fit(game.layout.roots[ENGINE_ROOT], memory, ENGINE_ROOT).value
    except Refusal as refusal:
        faults.append(f"memory_summary: {refusal.reason}")
    return faults
