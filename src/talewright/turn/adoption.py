"""Adoption: whether a campaign can go on with what its game's folder has become.

Compatible changes are one set of changes to record; anything else leaves the campaign with its pinned game.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from talewright.kernel.game import Game
from talewright.kernel.judging.moves_and_rulings import Refusal
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import Json
from talewright.kernel.state.state import State
from talewright.kernel.state.state_migration import migrate_state
from talewright.turn.editions import Edition


@dataclass(frozen=True, slots=True)
class Adoption:
    """What became of a newer edition."""

    edition: Edition | None
    """The newer edition where the campaign goes on with it; None where it does not."""

    state: State
    """The state under the edition that is played."""

    changes: tuple[Change, ...] = ()
    refused: str = ""
    """Why the newer edition is not taken up."""


def adopt(pinned: Edition, latest: Edition | None, state: State) -> Adoption | None:
    """Weigh the newest edition of a game; None where there is nothing new."""
    if latest is None or latest.digest == pinned.digest:
        return None
    refused = _find_obstacle(pinned.game, latest.game, state)
    if refused:
        return Adoption(None, state, refused=refused)
    try:
        fitted = migrate_state(latest.game, state)
    except Refusal as refusal:
        return Adoption(None, state, refused=refusal.reason)
    return Adoption(latest, fitted.state, fitted.changes)


def _find_obstacle(old: Game, new: Game, state: State) -> str:
    """Why play cannot go on in the newer game, whatever its slots are."""
    if new.contract != old.contract:
        return f"the contract is now {new.contract!r}, the campaign began with {old.contract!r}"
    before, after = ([system.name for system in game.systems] for game in (old, new))
    if before != after:
        return f"the systems are now {after}, the campaign began with {before}"
    memory = cast(Mapping[str, Json], state.document[ENGINE_ROOT])
    if memory["scene"] and memory["scene"] not in new.scenes:
        return f"the scene {memory['scene']!r}, in which the campaign stands, is gone"
    if memory["finale"] and memory["finale"] not in {ending.id for ending in new.endings}:
        return f"the finale {memory['finale']!r}, in which the campaign stands, is gone"
    return ""
