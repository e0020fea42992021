"""Slots: the part of the state that belongs to the world.

It holds only changes made in play: what the author wrote stays in the game. Players see where they are and
what time it is; notes and panels show everything else.
"""

from collections.abc import Mapping
from dataclasses import replace

from talewright.kernel.slots.slot_types import Slot, SlotKind
from talewright.systems.world.authored.authored_world import WorldRules
from talewright.systems.world.authored.world_files import RELATION_MAX

ROOT = "world"

TICKS_MAX = 100_000_000
"""The last tick of a world, 950 years of five minutes."""

PEOPLE_MAX = 5_000
"""People and places that play may change or add."""

FACTS_MAX = 2_000
"""Facts that play may add."""

EVENTS_MAX = 40
"""The most events witnessed by the player that are stored."""

NAME_LENGTH_MAX = 80
"""Characters of a name or of a time in words."""

FACT_LENGTH_MAX = 400
"""Characters of a fact that play adds."""

DESCRIPTION_LENGTH_MAX = 600
"""Characters of the description of an improvised person."""

SOURCES = ("witnessed", "told", "inferred")
WITNESSED, TOLD, INFERRED = SOURCES
"""How a person learned a fact."""


def _whole(low: int = 0, high: int = TICKS_MAX, default: int = 0) -> Slot:
    return Slot(kind=SlotKind.INTEGER, default=default, minimum=low, maximum=high)


def _words(length: int = NAME_LENGTH_MAX, default: str = "") -> Slot:
    return Slot(kind=SlotKind.STRING, default=default, max_length=length)


def _flag() -> Slot:
    return Slot(kind=SlotKind.BOOLEAN, default=False)


def _record(**fields: Slot) -> Slot:
    return Slot(kind=SlotKind.OBJECT, fields=fields)


def _by_id(values: Slot, items_max: int = PEOPLE_MAX) -> Slot:
    return Slot(kind=SlotKind.OBJECT, default={}, values=values, max_items=items_max)


_KNOWLEDGE = _record(
    source=Slot(kind=SlotKind.ENUM, default=WITNESSED, enum_values=SOURCES),
    by=_words(),
    at=_whole(),
    twist=_whole(high=100),
)

WITHIN: Mapping[str, Slot] = {
    "time_tick": _whole(),
    "lived": _whole(),
    "turn_start": _whole(),
    "turn_tick": _whole(),
    "seed": _whole(high=2**32),
    "said": _record(by=_words(), fact=_words(), twist=_whole(), turn=_whole()),
    "met": _by_id(_whole()),
    "visited": _by_id(_whole()),
    "left": _by_id(_whole()),
    "simulated": _whole(),
    "seen": _by_id(_record(at=_words(), tick=_whole())),
    "places": _by_id(_record(name=_words(), way=_words())),
    "people": _by_id(
        _record(
            name=_words(),
            description=_words(DESCRIPTION_LENGTH_MAX),
            goals=_words(DESCRIPTION_LENGTH_MAX),
            at=_words(),
        )
    ),
    "stays": _by_id(_record(at=_words(), until=_whole())),
    "knowledge": _by_id(_by_id(_KNOWLEDGE, FACTS_MAX)),
    "facts": _by_id(_record(text=_words(FACT_LENGTH_MAX), tick=_whole()), FACTS_MAX),
    "relations": _by_id(_by_id(_whole(-RELATION_MAX, RELATION_MAX))),
    "agendas": _by_id(
        _record(started=_whole(-1, default=-1), done=_whole(-1, default=-1), stopped=_flag(), due=_flag()),
    ),
    "events": Slot(
        kind=SlotKind.LIST,
        default=[],
        element=_record(tick=_whole(), fact=_words()),
        max_items=EVENTS_MAX,
    ),
}
"""What nobody reads but the rules:

- `time_tick` is when `time` was said, `lived` up to when life off-screen was simulated, `turn_start` and
  `turn_tick` when the last turn began and ended. `seed` decides how long agendas take. `said` is what
  someone told the player last.
- `met` and `visited` are the people and places the player knows, with the tick. `seen` is where and when
  the player saw someone last, `left` when the player left a place last.
- `simulated` is up to when a model has narrated life off-screen.
- `places` and `people` were improvised; `facts` are those that play added.
- `stays` are people who are not where their schedule says, until a tick (0: until something else happens).
- `knowledge` is what people learned in play; `relations` are those that play changed.
- `agendas` are those that did not start with the game, or have ended (-1: not).
"""


def slots_of(rules: WorldRules) -> Mapping[str, Slot]:
    """The slots of a game with these rules."""
    seen = {
        "tick": _whole(),
        "time": _words(),
        "at": _words(default=rules.start_at),
    }
    hidden = {name: replace(slot, secret=True) for name, slot in WITHIN.items()}
    return {ROOT: Slot(kind=SlotKind.OBJECT, readonly=True, fields={**seen, **hidden})}
