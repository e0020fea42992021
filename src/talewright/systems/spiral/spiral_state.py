"""The spiral's state: typed access to the state of a solo campaign.

It only reads; changes are returned by the rules as updates.
"""

from collections.abc import Iterator, Mapping
from typing import cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.story.game_texts import NO_TEXTS, Texts
from talewright.kernel.system import Sight
from talewright.systems.spiral.slots import CHECK, COMPANION, META, NPCS, OWN, PLAYER, SCENE
from talewright.systems.spiral.tags import read_list

Member = Mapping[str, Json]


@frozen
class SpiralState:
    """One moment of a campaign."""

    document: Mapping[str, Json]
    turn: int
    texts: Texts = NO_TEXTS
    """The author's labels for values of the state."""

    @property
    def meta(self) -> Member:
        """Day, segment and whether setup is done."""
        return self._root(META)

    @property
    def player(self) -> Member:
        """The player's character."""
        return self._root(PLAYER)

    @property
    def scene(self) -> Member:
        """The current scene."""
        return self._root(SCENE)

    @property
    def companion(self) -> Member | None:
        """The companion; None if there is none."""
        return self._root(COMPANION) or None

    @property
    def people(self) -> Mapping[str, Member]:
        """Everyone in the world, by id."""
        return cast(Mapping[str, Member], self._root(NPCS))

    @property
    def own(self) -> Member:
        """The system's private data."""
        return self._root(OWN)

    @property
    def check(self) -> Member:
        """The last check."""
        return self._root(CHECK)

    @property
    def glitches(self) -> tuple[str, ...]:
        """What is starting to go wrong."""
        return read_list(self.player["glitch_tags"])

    @property
    def conditions(self) -> tuple[str, ...]:
        """What has gone wrong for good."""
        return read_list(self.player["conditions"])

    @property
    def resist(self) -> tuple[int, int]:
        """Points left today, and points per day."""
        resist = cast(Mapping[str, int], self.player["resist"])
        return resist["current"], resist["max"]

    @property
    def day(self) -> int:
        """Counted from one."""
        return cast(int, self.meta["day"])

    @property
    def segment(self) -> int:
        """Counted from one."""
        return cast(int, self.meta["segment"])

    @property
    def is_set_up(self) -> bool:
        """Whether play has started."""
        return self.meta["setup_complete"] is True

    @property
    def checks_waiting(self) -> bool:
        """Whether the player has a card to answer."""
        decisions = self._root(ENGINE_ROOT).get("decisions")
        return bool(decisions)

    def _root(self, name: str) -> Member:
        """A root of the state; empty if it does not exist."""
        value = self.document.get(name)
        return value if isinstance(value, Mapping) else {}


def read_spiral_state(sight: Sight) -> SpiralState:
    """The campaign state from what a system is shown."""
    return SpiralState(sight.document, sight.turn, sight.texts)


def present(standing: SpiralState) -> Iterator[tuple[str, Member]]:
    """The people in the scene."""
    return ((name, person) for name, person in standing.people.items() if person["active"] is True)


def helping(standing: SpiralState, *, companion: bool) -> Iterator[str]:
    """Every tag that can be an action die; a companion's only if the rules count them."""
    yield from read_list(standing.player["inherent_tags"])
    yield from read_list(standing.scene["positive_tags"])
    if companion and standing.companion is not None:
        yield from read_list(standing.companion["inherent_tags"])
    for _, person in present(standing):
        yield from read_list(person["negative_tags"])


def hindering(standing: SpiralState) -> Iterator[str]:
    """Every tag that can be a danger die, except glitches."""
    yield from read_list(standing.scene["negative_tags"])
    yield from standing.conditions
    for _, person in present(standing):
        yield from read_list(person["positive_tags"])


def owed_effects(standing: SpiralState) -> tuple[str, ...]:
    """The effects that the dice of this very turn demand and that have not happened yet."""
    return read_list(standing.check["owed"]) if standing.check["turn"] == standing.turn else ()
