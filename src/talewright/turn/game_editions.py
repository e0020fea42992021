"""Editions of a game: what a campaign pins, the port that finds editions, and upgrades to a newer one.

How and from where games are compiled is not known here. A compatible upgrade is one set of changes to record;
with an incompatible one the campaign keeps its pinned game.
"""

from collections.abc import Mapping
from dataclasses import field
from typing import Protocol, cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.language_tags import pick_language
from talewright.errors import Fault
from talewright.kernel.game import Game
from talewright.kernel.judging.rulings import Refusal
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.state.changes import Change
from talewright.kernel.state.state import State
from talewright.kernel.state.state_migration import migrate_state
from talewright.kernel.story.game_texts import Texts


@frozen
class Edition:
    """One version of a game's folder, compiled."""

    game: Game
    texts: Mapping[str, Texts]
    digest: str
    """SHA-256 of its form: the same game has the same digest."""

    form: Json
    """The compiled game as JSON, as stored in a campaign."""

    def words(self, language: str) -> Texts:
        """Return the texts in a language, or in the game's own."""
        return self.texts[pick_language(language, self.texts, self.game.language)]


class Editions(Protocol):
    """Finds editions."""

    def unpack(self, form: Json) -> Edition:
        """Load the edition stored in a campaign; raises TalewrightError if it can no longer be read."""

    def latest(self, game: str) -> Edition | None:
        """Compile the game's folder as it is today; None if it is missing or does not compile."""

    def find_faults(self, game: str) -> tuple[Fault, ...]:
        """Return why the game's folder does not compile; empty if it does or is missing."""


@frozen
class OpenedEditions:
    """Loaded editions: a campaign plays many turns with the same one."""

    by_digest: dict[str, Edition] = field(default_factory=dict)


@frozen
class Adoption:
    """The result of checking a newer edition."""

    edition: Edition | None
    """The newer edition if the campaign continues with it, else None."""

    state: State
    """The state under the edition that is played."""

    changes: tuple[Change, ...] = ()
    refused: str = ""
    """Why the newer edition is not used."""


def adopt(pinned: Edition, latest: Edition | None, state: State) -> Adoption | None:
    """Check the newest edition of a game; None if there is nothing new."""
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
    """Return why the newer game cannot continue this state, apart from its slots."""
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
