"""Editions of a game: what a campaign pins, the port that finds it, the upgrade to a newer one.

Who compiles games, and from where, is not known here. Compatible changes are one set of changes to record;
anything else leaves the campaign with its pinned game.
"""

from collections.abc import Mapping
from dataclasses import field
from typing import Protocol, cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.language_tags import pick_language
from talewright.errors import Fault
from talewright.kernel.game import Game
from talewright.kernel.judging.moves_and_rulings import Refusal
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.state.changes import Change
from talewright.kernel.state.state import State
from talewright.kernel.state.state_migration import migrate_state
from talewright.kernel.story.game_texts import Texts


@frozen
class Edition:
    """One state of a game's folder, compiled."""

    game: Game
    texts: Mapping[str, Texts]
    digest: str
    """SHA-256 of its form: the same game has the same digest."""

    form: Json
    """The compiled game as JSON, as a campaign keeps it."""

    def words(self, language: str) -> Texts:
        """The texts in a language, or in the game's own."""
        return self.texts[pick_language(language, self.texts, self.game.language)]


class Editions(Protocol):
    """Where editions come from."""

    def unpack(self, form: Json) -> Edition:
        """The edition that a campaign has kept; a TalewrightError where it cannot be read any more."""

    def latest(self, game: str) -> Edition | None:
        """What the game's folder holds today; None where it cannot be found or does not compile."""

    def find_faults(self, game: str) -> tuple[Fault, ...]:
        """Why the game's folder does not compile; nothing where it does, or cannot be found."""


@frozen
class OpenedEditions:
    """Editions that were unpacked already: a campaign plays many turns with the same one."""

    by_digest: dict[str, Edition] = field(default_factory=dict)


@frozen
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
