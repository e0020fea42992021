"""Wording of values: a value of the state in words: labels, numbers, clocks, lists, ranges.

Its input contains only what a viewer may see; `privacy` decides that.
"""

from collections.abc import Mapping, Sequence
from typing import TypeGuard

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, write_number
from talewright.common.safe_text import clean, clean_line
from talewright.kernel.slots.slot_types import NUMERIC, Slot, SlotKind, member
from talewright.kernel.state.state_paths import Path, dotted
from talewright.kernel.story.game_texts import Texts
from talewright.play.presentation.words.phrases import Phrase
from talewright.play.presentation.words.player_messages import say, say_counted

HOUR, MINUTE = "hour", "minute"
"""The members that make an object a clock."""

ID, QUANTITY = "id", "qty"
THING = frozenset({ID, QUANTITY})
"""The members of an object that is a quantity of a thing."""


@frozen
class Wording:
    """The texts of one game in one language."""

    texts: Texts
    language: str
    """The viewer's, for the engine's own words."""

    def say(self, phrase: Phrase, **parts: str) -> str:
        """The engine's own words."""
        return say(self.language, phrase, **parts)

    def say_counted(self, phrase: Phrase, count: float) -> str:
        """The engine's own words for a number of something."""
        return say_counted(self.language, phrase, count)

    def text(self, key: str) -> str:
        """The text of a key, or the text itself."""
        return clean(self.texts.get(key))

    def line(self, key: str) -> str:
        """The same on one line."""
        return clean_line(self.texts.get(key))

    def label(self, path: Path) -> str:
        """The label of a path; its last key if the author gave it no name."""
        found = self.texts.find(f"variable.{dotted(path)}")
        # The members of an object may be things, with names for their ids.
        item = self.item(path[-1]) if not found and len(path) > 1 else ""
        return clean_line(found or item or path[-1].replace("_", " "))

    def item(self, name: str) -> str:
        """The name of a thing by its id; empty if there is none."""
        return clean_line(self.texts.find(f"item.{name}.name"))

    def counted(self, path: Path, value: Json) -> str:
        """A number named by its label: `Day 1`."""
        label = self.label(path)
        phrase = Phrase.COUNTED_SHORT if len(label) == 1 else Phrase.COUNTED
        return self.say(phrase, label=label, value=self.value(path, None, value))

    def full_label(self, path: Path) -> str:
        """The label of a path, with that of its parent."""
        return self.say(Phrase.PART_OF).join(self.label(path[:depth]) for depth in range(1, len(path) + 1))

    def value(self, path: Path, slot: Slot | None, value: Json) -> str:
        """A value on one line."""
        if isinstance(value, bool):
            return self._truth(path, value)
        if isinstance(value, int | float):
            return write_number(value)
        if isinstance(value, str):
            return self._text(path, value) or self.say(Phrase.NOTHING)
        if isinstance(value, Mapping):
            if isinstance(value.get(ID), str) and (set(value) == THING or self.item(str(value[ID]))):
                return self._thing(path, slot, value)
            parts = self.members(path, slot, value, within=True)
        else:
            parts = self.elements(path, slot, value or ())
        return self.say(Phrase.AND).join(parts) or self.say(Phrase.NOTHING)

    def members(
        self, path: Path, slot: Slot | None, value: Mapping[str, Json], *, within: bool = False
    ) -> tuple[str, ...]:
        """The members of an object, each as `name: value`; hour and minute together as a clock.

        Those of an object `within` another are on its line: `skills: stealth 14, perception 30`.
        """
        clock = is_clock(value)
        parts = []
        for key, inner in value.items():
            if clock and key == MINUTE:
                continue
            if clock and key == HOUR:
                parts.append(clock_text(value))
                continue
            if clock and is_number(inner):
                parts.append(self.counted((*path, key), inner))
                continue
            words = self.value((*path, key), None if slot is None else member(slot, key), inner)
            label = self.label((*path, key))
            if within and is_number(inner):
                parts.append(self.say(Phrase.MEASURED, label=label, value=words))
                continue
            parts.append(self.say(Phrase.PAIR, name=label, value=words))
        return tuple(parts)

    def elements(self, path: Path, slot: Slot | None, value: Sequence[Json]) -> tuple[str, ...]:
        """The elements of a list."""
        element = None if slot is None else slot.element
        return tuple(self.value(path, element, inner) for inner in value)

    def measured(self, path: Path, slot: Slot, value: Json) -> str:
        """A value with its range, if it has one."""
        words = self.value(path, slot, value)
        low, high = slot.lowest, slot.highest
        if slot.kind not in NUMERIC or value is None or high is None or low is None:
            return words
        if low == 0:
            return f"{words}/{write_number(high)}"
        return self.say(Phrase.WITHIN, value=words, low=write_number(low), high=write_number(high))

    def _text(self, path: Path, value: str) -> str:
        """A text by its label; without one, the thing that it names, or the text itself."""
        return clean_line(self.texts.find(f"value.{dotted(path)}.{value}") or self.item(value) or value)

    def _thing(self, path: Path, slot: Slot | None, value: Mapping[str, Json]) -> str:
        """A thing by its name, with its quantity if it is not 1."""
        name, count = str(value[ID]), value.get(QUANTITY, 1)
        called = self.item(name) or clean_line(name.replace("_", " "))
        if count != 1 and is_number(count):
            called = f"{called} × {write_number(count)}"
        others = {key: inner for key, inner in value.items() if key not in THING}
        more = self.say(Phrase.AND).join(self.members(path, slot, others))
        return self.say(Phrase.WITH_REASON, text=called, reason=more) if more else called

    def _truth(self, path: Path, value: bool) -> str:
        word = "true" if value else "false"
        label = self.texts.value(dotted(path), word)
        if label != word:
            return clean_line(label)
        return self.say(Phrase.YES if value else Phrase.NO)


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a value is a number; `true` is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_clock(value: Json) -> bool:
    """Whether an object is a time of day."""
    return isinstance(value, Mapping) and all(_is_whole(value.get(part)) for part in (HOUR, MINUTE))


def clock_text(value: Mapping[str, Json]) -> str:
    """A time of day as a clock shows it."""
    return f"{value[HOUR]:02d}:{value[MINUTE]:02d}"


def is_clock_slot(slot: Slot | None) -> bool:
    """Whether a slot holds times of day."""
    if slot is None or slot.kind is not SlotKind.OBJECT:
        return False
    return all(part in slot.fields and slot.fields[part].kind is SlotKind.INTEGER for part in (HOUR, MINUTE))


def _is_whole(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
