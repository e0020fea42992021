"""Cards and status bar in words: each variable a viewer may see, with its range and how it just changed.

How it is drawn is the face's business.
"""

from collections.abc import Mapping, Sequence

from talewright.kernel.game import Game
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT, Json, find
from talewright.kernel.state.state_paths import Path, dotted, parse_path
from talewright.kernel.story.cast_and_cards import Card, CardFormat, CriticalWhen, StatusItem, StatusStyle
from talewright.play.showing.deltas import tell_delta
from talewright.play.showing.messages import Phrase
from talewright.play.showing.privacy import prune, visible_slot
from talewright.play.showing.wording import HOUR, MINUTE, Wording, clean_line, clock_text, is_clock, is_number
from talewright.play.viewers import Viewer
from talewright.play.views import CardView, StatusView


def show_status(
    game: Game, document: Mapping[str, Json], changes: Sequence[Change], wording: Wording, viewer: Viewer
) -> tuple[StatusView, ...]:
    """The status bar; `changes` are those of the newest turn that the viewer may see."""
    shown = []
    for item in game.status_bar:
        path = parse_path(item.variable)
        slot, value = _read(game, document, path, viewer)
        if slot is not None:
            delta = tell_delta(game, changes, path, wording) if item.show_delta else ""
            shown.append(_show_item(item, path, slot, value, delta, wording))
    return tuple(shown)


def show_cards(
    game: Game, document: Mapping[str, Json], changes: Sequence[Change], wording: Wording, viewer: Viewer
) -> tuple[CardView, ...]:
    """The visible cards, in the author's order."""
    shown = []
    for card in sorted((card for card in game.cards if card.visible), key=lambda card: card.order):
        path = (card.variable,)
        slot, value = _read(game, document, path, viewer)
        if slot is not None:
            delta = tell_delta(game, changes, path, wording)
            shown.append(_show_card(card, path, slot, value, delta, wording))
    return tuple(shown)


def _read(game: Game, document: Mapping[str, Json], path: Path, viewer: Viewer) -> tuple[Slot | None, Json]:
    """The slot and what of its value may be seen; no slot where nothing may."""
    slot = visible_slot(game, path, viewer)
    value = find(document, path)
    if slot is None or value is ABSENT:
        return None, None
    pruned = prune(slot, value, viewer)
    return (None, None) if pruned is ABSENT else (slot, pruned)


def _show_item(
    item: StatusItem, path: Path, slot: Slot, value: Json, delta: str, wording: Wording
) -> StatusView:
    label = clean_line(wording.texts.find(f"status.{item.variable}")) or wording.label(path)
    if item.style is StatusStyle.METER and is_number(value):
        text = wording.measured(path, slot, value)
        return StatusView(label, text, delta, _is_critical(item, value), value, slot.lowest, slot.highest)
    return StatusView(label, _on_one_line(path, slot, value, wording), delta, _is_critical(item, value))


def _is_critical(item: StatusItem, value: Json) -> bool:
    if item.critical_threshold is None or not is_number(value):
        return False
    if item.critical_when is CriticalWhen.ABOVE:
        return value >= item.critical_threshold
    return value <= item.critical_threshold


def _on_one_line(path: Path, slot: Slot, value: Json, wording: Wording) -> str:
    """A value for the bar: a clock reads `Day 1 22:30`."""
    if isinstance(value, Mapping) and is_clock(value):
        others = [(*path, key) for key in value if key not in (HOUR, MINUTE)]
        words = [f"{wording.label(where)} {wording.value(where, None, value[where[-1]])}" for where in others]
        return " ".join([*words, clock_text(value)])
    return wording.value(path, slot, value)


def _show_card(card: Card, path: Path, slot: Slot, value: Json, delta: str, wording: Wording) -> CardView:
    bounded = is_number(value) and slot.lowest is not None and slot.highest is not None
    return CardView(
        card.variable,
        wording.label(path),
        card.format.value,
        _lines(card, path, slot, value, wording),
        clean_line(wording.texts.find(f"variable.{dotted(path)}.description")),
        delta,
        value if bounded and is_number(value) else None,
        slot.lowest if bounded else None,
        slot.highest if bounded else None,
    )


def _lines(card: Card, path: Path, slot: Slot, value: Json, wording: Wording) -> tuple[str, ...]:
    nothing = (wording.say(Phrase.NOTHING),)
    if card.format in (CardFormat.CHIPS, CardFormat.PLAIN):
        return (wording.measured(path, slot, value),)
    if isinstance(value, Mapping):
        return wording.members(path, slot, value) or nothing
    if isinstance(value, list):
        return wording.elements(path, slot, value) or nothing
    return (wording.measured(path, slot, value),)
