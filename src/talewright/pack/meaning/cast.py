"""The cast checked: people nobody speaks of and places they cannot be found at.

What they say and want is the storyteller's business.
"""

from collections.abc import Iterator

from talewright.kernel.conditions.expression_tree import Literal, nodes_of
from talewright.kernel.slots.slot_types import Slot, SlotKind
from talewright.pack.faults import Code
from talewright.pack.meaning.inquiry import Inquiry


def known_words(inquiry: Inquiry) -> Iterator[str]:
    """Every word of the state and the rules: members, enum values, values and texts in conditions."""
    for path, slot in inquiry.game.layout.walk():
        yield path[-1]
        yield from slot.enum_values
        if slot.element is not None:
            yield from slot.element.enum_values
    yield from _texts_in(inquiry.game.initial)
    for writing in inquiry.deeds.writings:
        yield from _texts_in(writing.update.value)
    for condition in set(inquiry.conditions.values()):
        for node in nodes_of(condition.tree):
            if isinstance(node, Literal) and isinstance(node.value, str):
                yield node.value


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts_in(inner)


def check_people(inquiry: Inquiry) -> None:
    """Tell which people have no part in the game."""
    if not inquiry.library.people:
        return
    _check_places(inquiry)
    known = set(known_words(inquiry))
    for person in inquiry.library.people:
        # One who is found somewhere can be met, where a storyteller makes the scenes.
        if person.id in known or (person.where and not inquiry.library.scenes):
            continue
        names = [person.id, person.name, *person.also]
        if inquiry.mentions.has(names, f"npc.{person.id}"):
            continue
        message = (
            f"nothing mentions `{person.id}`: no text speaks of {person.name}, no variable is about them"
        )
        suggestion = "Mention them in a scene, in world.md or in the lore, or delete them."
        inquiry.desk.report(Code.UNUSED_NPC, person.place("id"), message, suggestion)


def _check_places(inquiry: Inquiry) -> None:
    """Tell who is at a place that is none of those where the others are."""
    enums = [set(slot.enum_values) for slot in _enums(inquiry)]
    known = set().union(*enums)
    people = [person for person in inquiry.library.people if person.where]
    lost = [person for person in people if person.where not in known]
    if len(lost) * 2 > len(people):
        # Most people are at places that are told in words; then nobody is lost.
        return
    wheres = {person.where for person in people}
    places = sorted(set().union(*(values for values in enums if values & wheres)))
    for person in lost:
        message = f"`{person.where}` is no place: the others are at values of a variable"
        suggestion = inquiry.desk.suggest(person.where, places, "places")
        inquiry.desk.report(Code.UNKNOWN_WHERE, person.place("where"), message, suggestion)


def _enums(inquiry: Inquiry) -> Iterator[Slot]:
    for _, slot in inquiry.game.layout.walk():
        if slot.kind is SlotKind.ENUM:
            yield slot
        elif slot.element is not None and slot.element.kind is SlotKind.ENUM:
            yield slot.element
