"""Triggers read: what an author lets happen by itself, into the rules' own triggers.

One with a fault is left out; the others are read all the same.
"""

from collections.abc import Iterable
from itertools import count

from talewright.kernel.story.triggers import Event, Trigger
from talewright.pack.compilation import Compilation
from talewright.pack.rules.updates import read_updates
from talewright.pack.sources.triggers import TriggerSource


def read_triggers(sources: Iterable[TriggerSource], work: Compilation) -> tuple[Trigger, ...]:
    """Read all triggers of a game."""
    read = (_read_trigger(source, work) for source in sources)
    return tuple(trigger for trigger in read if trigger is not None)


def _read_trigger(source: TriggerSource, work: Compilation) -> Trigger | None:
    prefix = f"trigger.{source.id}"
    condition = work.condition(source.when)
    effects = read_updates(source.effects, prefix, count(1), work)
    say = work.catalogue.say
    cause = f"trigger:{source.id}"
    events = tuple(
        Event(event.type, say(f"{prefix}.event.{number}", event.message, event.place("message")), cause)
        for number, event in enumerate(source.events, 1)
    )
    if condition is None:
        return None
    return Trigger(source.id, condition, effects, events, source.once, source.priority)
