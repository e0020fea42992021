"""Trigger sources: what happens by itself, as triggers.yaml writes it.

Whether a condition can hold is not known here.
"""

from talewright.pack.files.nodes import ScalarNode
from talewright.pack.forms.containers import ListOf, Shapes
from talewright.pack.forms.records import Record, Source, needs, source, takes
from talewright.pack.forms.scalars import Flag, Whole
from talewright.pack.sources.updates import UPDATES, UpdateSource
from talewright.pack.sources.words import CONDITION, LINE, NAME

TRIGGERS_MAX = 20_000
"""Triggers of one game."""


@source
class EventSource(Source):
    """One line that a trigger tells."""

    type: str = needs(NAME, "A word to sort it by, such as danger or info.")
    message: str = needs(LINE, "What the player reads.")


@source
class TriggerSource(Source):
    """One rule of the world."""

    id: str = needs(NAME, "Its name, once in the game.")
    when: ScalarNode = needs(CONDITION, "It fires while this holds, at most once a turn.")
    effects: tuple[UpdateSource, ...] = takes(UPDATES, (), "What it changes.")
    events: tuple[EventSource, ...] = takes(
        ListOf(Record(EventSource, "type and message", called="event"), 20, noun="events"),
        (),
        "What it tells.",
    )
    once: bool = takes(Flag(), False, "Whether it fires only once in a campaign.")
    priority: int = takes(Whole(), 100, "Lower fires first; ties go by id.")


_TRIGGERS = ListOf(
    Record(TriggerSource, "id, when and effects", called="trigger"), TRIGGERS_MAX, noun="triggers"
)


@source
class TriggerFileSource(Source):
    """triggers.yaml with its list under a name."""

    triggers: tuple[TriggerSource, ...] = needs(_TRIGGERS, "All triggers of the game.")


TRIGGER_FILE = Shapes(_TRIGGERS, Record(TriggerFileSource, "triggers"))
