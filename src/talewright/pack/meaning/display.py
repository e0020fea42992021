"""Display checked: warnings that never or always show, and ranges that are only told in words.

Looks are the author's; here it is only asked whether they can do what they say.
"""

import re

from talewright.kernel.slots.slot_types import NUMERIC, Slot, default_of
from talewright.kernel.state.state_paths import Path, dotted, parse_path
from talewright.kernel.story.cast_and_cards import CriticalWhen
from talewright.pack.faults import Code
from talewright.pack.files.nodes import ScalarNode
from talewright.pack.meaning.inquiry import Inquiry, slot_sources
from talewright.pack.sources.game import StatusItemSource
from talewright.pack.sources.variables import SlotSource

_NUMBER = r"([+-]?\d+)"
_RANGE = re.compile(
    rf"{_NUMBER}\s*(?:\.\.\.?|…|~|～|–)\s*{_NUMBER}"
    rf"|(?:from|between|从|由|在)\s*{_NUMBER}\s*(?:to|and|到|至|和)\s*{_NUMBER}",
    re.IGNORECASE,
)
"""Two numbers that a description names as bounds."""


def check_display(inquiry: Inquiry) -> None:
    """Check the status bar and the descriptions of the cards."""
    bar = inquiry.source.status_bar
    for item in bar.items if bar else ():
        _check_threshold(inquiry, item)
    for path, source, _ in slot_sources(inquiry.source):
        if source.card is not None and source.card.description:
            _check_description(inquiry, path, source)


def _check_threshold(inquiry: Inquiry, item: StatusItemSource) -> None:
    slot = inquiry.game.layout.find(parse_path(item.var_id))
    threshold = item.critical_threshold
    if slot is None or threshold is None or slot.lowest is None or slot.highest is None:
        return
    below = item.critical_when is CriticalWhen.BELOW
    if threshold < slot.lowest if below else threshold > slot.highest:
        often = "never"
    elif threshold >= slot.highest if below else threshold <= slot.lowest:
        often = "always"
    else:
        return
    side = "below" if below else "above"
    message = f"`{item.var_id}` is {often} critical: it goes from {slot.lowest} to {slot.highest}"
    suggestion = f"Write a number from {slot.lowest} to {slot.highest} with the danger {side} it."
    if slot.lowest <= threshold <= slot.highest:
        suggestion = f"Write another number, or `critical_when: {'above' if below else 'below'}`."
    inquiry.desk.report(Code.THRESHOLD_OUT_OF_RANGE, item.place("critical_threshold"), message, suggestion)


def _check_description(inquiry: Inquiry, path: Path, source: SlotSource) -> None:
    """Tell where a description names a range and the numbers it speaks of have none."""
    assert source.card is not None
    slot = inquiry.game.layout.find(path)
    found = _RANGE.search(source.card.description)
    numbers = [] if slot is None else _free_numbers(path, slot)
    if found is None or not numbers:
        return
    low, high = (int(bound) for bound in found.groups() if bound is not None)
    first = [default_of(number) for _, number in numbers]
    if low >= high or not all(isinstance(value, int | float) and low <= value <= high for value in first):
        return
    node = source.card.node.entries.get("description")
    place = node.place_at(found.start()) if isinstance(node, ScalarNode) else source.card.place("description")
    whose = ", ".join(f"`{dotted(number)}`" for number, _ in numbers[:3])
    message = f"the range {low} to {high} is only told in words: nothing keeps {whose} within it"
    suggestion = f"Write `min: {low}` and `max: {high}`."
    if slot is not None and slot.fields:
        suggestion = f"Declare the members under `fields:`, each with `min: {low}` and `max: {high}`."
    inquiry.desk.report(Code.UNDECLARED_RANGE, place, message, suggestion)


def _free_numbers(path: Path, slot: Slot) -> list[tuple[Path, Slot]]:
    """The number itself, or the numbers of an object, that may go anywhere."""
    candidates = [((*path, key), inner) for key, inner in slot.fields.items()] or [(path, slot)]
    return [
        (name, number)
        for name, number in candidates
        if number.kind in NUMERIC and number.lowest is None and number.highest is None and not number.derived
    ]
