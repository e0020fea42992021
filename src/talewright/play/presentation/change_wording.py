"""Wording of changes: the changes, refusals and events of one finished turn, and what caused them.

What a viewer may not see is left out whole; it leaves no gap behind that could be counted.
The names of scenes and triggers stay inside: they may tell what is yet to come.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from talewright.common.json_values import Json, equal, write_number
from talewright.common.safe_text import clean_line
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import REJECTED_UPDATE
from talewright.kernel.judging.moves_and_rulings import ENGINE, MODEL, PLAYER, Grade
from talewright.kernel.slots.slot_types import Slot, SlotKind
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT, Absent
from talewright.kernel.state.state_migration import MIGRATION_REASON as REFITTED
from talewright.kernel.state.state_paths import Path, PathError, dotted, parse_path, parse_pointer, pointer
from talewright.kernel.story.cast_and_cards import CardFormat
from talewright.kernel.story.ending_rules import FINALE, GAME_OVER
from talewright.kernel.story.triggers import Event
from talewright.play.campaign_view import ChangeView, Viewer
from talewright.play.presentation.privacy import (
    SEES_HIDDEN,
    SEES_SECRET,
    is_list_element,
    prune_change,
    visible_path,
)
from talewright.play.presentation.value_wording import HOUR, MINUTE, Wording, is_clock_slot, is_number
from talewright.play.presentation.words.phrases import Phrase

TRIGGER = "trigger:"
"""How the cause of what a trigger did begins."""

Ways: TypeAlias = tuple[Phrase, Phrase]

_OF_PLACES: Ways = (Phrase.SET, Phrase.GONE)
_OF_ELEMENTS: Ways = (Phrase.GAINED, Phrase.LOST)

_UNITS: Mapping[str, Ways] = {
    HOUR: (Phrase.HOUR_ONE, Phrase.HOURS),
    MINUTE: (Phrase.MINUTE_ONE, Phrase.MINUTES),
}

MARKS = frozenset({CardFormat.LIST, CardFormat.CHIPS})
"""On cards of these formats an object shows only those of its truth values that are true."""

_ENGINE_EVENTS = frozenset({GAME_OVER, FINALE, REJECTED_UPDATE})
_MECHANICS = "mechanics"
"""How the types of events begin that correct a storyteller; they are no news for a player."""


def visible_changes(game: Game, changes: Iterable[Change], viewer: Viewer) -> tuple[Change, ...]:
    """The changes a viewer may ask about, pruned of what is private."""
    # Systems keep their own books in slots without a card; their panels show players what matters of it.
    shown = {(card.variable,) for card in game.cards} | {parse_path(bar.variable) for bar in game.status_bar}
    told = []
    for change in changes:
        if change.reason == REFITTED or not (viewer in SEES_SECRET or _is_beneath(change.path, shown)):
            continue
        pruned = prune_change(game, change, viewer)
        if pruned is not None:
            told.append(pruned)
    return tuple(told)


def tell_changes(
    game: Game, changes: Iterable[Change], wording: Wording, viewer: Viewer
) -> tuple[ChangeView, ...]:
    """What a turn changed, one line each; of what has no card, and of what comes twice, nothing."""
    seen = visible_changes(game, changes, viewer)
    if viewer not in SEES_HIDDEN:
        shown = [change for change in seen if is_shown(game, parse_pointer(change.path), viewer)]
        seen = _leave_out_computed(game, shown)
    return tuple(tell_change(game, change, wording) for change in join_clocks(game, _merge(seen)))


def is_shown(game: Game, path: Path, viewer: Viewer) -> bool:
    """Whether a place is on a card or in the status bar, or the viewer is shown everything."""
    if viewer in SEES_HIDDEN:
        return True
    cards = ((card.variable,) for card in game.cards if card.visible)
    return any(
        touches(path, place) for place in (*cards, *(parse_path(bar.variable) for bar in game.status_bar))
    )


def _leave_out_computed(game: Game, changes: Sequence[Change]) -> tuple[Change, ...]:
    """Without what is computed from something that is told as well: it would say the same twice."""
    paths = [parse_pointer(change.path) for change in changes]
    reads = {derived.path: derived.expression.reads for derived in game.derived}

    def is_told_already(path: Path) -> bool:
        return any(other != path and touches(other, read) for read in reads.get(path, ()) for other in paths)

    return tuple(change for change, path in zip(changes, paths, strict=True) if not is_told_already(path))


def _merge(changes: Iterable[Change]) -> tuple[Change, ...]:
    """One change for each place that moved several times for the same reason; none where it is back."""
    merged: list[Change] = []
    newest: dict[str, int] = {}
    for change in changes:
        # What caused them is not told with them.
        change = replace(change, cause="")
        at = newest.get(change.path)
        if at is not None and _goes_on(merged[at], change):
            merged[at] = replace(change, was=merged[at].was)
        else:
            newest[change.path] = len(merged)
            merged.append(change)
    return tuple(change for change in merged if change.op != "replace" or not _is_back(change))


def _goes_on(first: Change, second: Change) -> bool:
    return (first.op, first.reason) == (second.op, second.reason) == ("replace", first.reason)


def _is_back(change: Change) -> bool:
    was, value = change.was, change.value
    assert was is not ABSENT
    assert value is not ABSENT
    # Older engines kept numbers with more places than are shown.
    return (
        write_number(was) == write_number(value) if is_number(was) and is_number(value) else equal(was, value)
    )


def touches(one: Path, other: Path) -> bool:
    """Whether two paths name the same place, or one a place within the other."""
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def tell_change(game: Game, change: Change, wording: Wording, *, with_reason: bool = True) -> ChangeView:
    """One change that may be seen, such as `Suspicion 20 -> 30 (seen at the plant)`."""
    path = parse_pointer(change.path)
    slot = game.layout.find(path)
    ways = _OF_PLACES
    if is_list_element(game, path):
        path, ways = path[:-1], _OF_ELEMENTS
    told = _tell_mark(game, path, change, wording) or _tell_span(game, path, change, wording)
    text = told or _tell_value(path, slot, change, wording, ways)
    reason = wording.line(change.reason) if with_reason else ""
    if reason:
        text = wording.say(Phrase.WITH_REASON, text=text, reason=reason)
    return ChangeView(dotted(path), text)


def tell_refusals(game: Game, rulings: Sequence[Json], wording: Wording, viewer: Viewer) -> tuple[str, ...]:
    """What the storyteller wanted to change and the rules did not let it, where the viewer knows the place.

    The reason is left out: it is written for the model, and may name places and values that are private.
    """
    told: dict[str, None] = {}
    for ruling in rulings:
        path = _refused_path(ruling)
        if path and visible_path(game, path, viewer):
            told[wording.say(Phrase.REFUSED_CHANGE, label=wording.full_label(_named(game, path)))] = None
    return tuple(told)


def tell_events(events: Iterable[Event], wording: Wording, viewer: Viewer) -> tuple[str, ...]:
    """What triggers and the teller reported."""
    told = (wording.text(event.text) for event in events if is_told(event, viewer))
    return tuple(text for text in told if text)


def is_told(event: Event, viewer: Viewer) -> bool:
    """Whether a viewer is told of an event: not of what only corrects a storyteller."""
    if viewer in SEES_SECRET:
        return True
    return event.type not in _ENGINE_EVENTS and not event.type.startswith(_MECHANICS)


def fired(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events that triggers told."""
    return tuple(event for event in events if event.cause.startswith(TRIGGER))


def join_clocks(game: Game, changes: Sequence[Change]) -> tuple[Change, ...]:
    """Hour and minute that moved together, as one change of the clock they belong to."""
    joined: list[Change] = []
    for change in changes:
        clocks = ((at, _join(game, other, change)) for at, other in enumerate(joined))
        at, clock = next(((at, clock) for at, clock in clocks if clock is not None), (0, None))
        if clock is None:
            joined.append(change)
        else:
            joined[at] = clock
    return tuple(joined)


def _join(game: Game, first: Change, second: Change) -> Change | None:
    one, other = parse_pointer(first.path), parse_pointer(second.path)
    together = one[:-1] == other[:-1] and {one[-1], other[-1]} == {HOUR, MINUTE}
    same = (first.op, first.reason, first.cause) == (second.op, second.reason, second.cause)
    if not together or not same or first.op != "replace" or not is_clock_slot(game.layout.find(one[:-1])):
        return None
    return replace(
        first,
        path=pointer(one[:-1]),
        value={one[-1]: _json(first.value), other[-1]: _json(second.value)},
        was={one[-1]: _json(first.was), other[-1]: _json(second.was)},
    )


def _is_beneath(text: str, places: Collection[Path]) -> bool:
    path = parse_pointer(text)
    return any(path[:depth] in places for depth in range(1, len(path) + 1))


def _json(value: object) -> Json:
    assert value is None or isinstance(value, bool | int | float | str | Sequence | Mapping)
    return value


def _tell_value(path: Path, slot: Slot | None, change: Change, wording: Wording, ways: Ways) -> str:
    """A change in words; `ways` are the phrases for what is there now and for what is not any more."""
    came, went = ways
    label = wording.full_label(path)
    was = "" if change.was is ABSENT else wording.value(path, slot, change.was)
    if change.value is ABSENT:
        return wording.say(went, label=label, value=was)
    value = wording.value(path, slot, change.value)
    if change.was is ABSENT:
        return wording.say(came, label=label, value=value)
    numeric = is_number(change.was) and is_number(change.value)
    phrase = Phrase.CHANGED if numeric else Phrase.CHANGED_WORDS
    return wording.say(phrase, label=label, was=was, value=value)


def _tell_mark(game: Game, path: Path, change: Change, wording: Wording) -> str:
    """A truth value in words: among the marks of a card it comes or goes, elsewhere it is what it is now."""
    if not isinstance(change.was, bool) or not isinstance(change.value, bool):
        return ""
    if is_mark(game, path):
        phrase = Phrase.GAINED if change.value else Phrase.LOST
        return wording.say(phrase, label=wording.full_label(path[:-1]), value=wording.label(path))
    value = wording.value(path, game.layout.find(path), change.value)
    return wording.say(Phrase.SET, label=wording.full_label(path), value=value)


def is_mark(game: Game, path: Path) -> bool:
    """Whether a place is a truth value on a card that lists what is true, and not what is false."""
    slot = game.layout.find(path)
    card = next((card for card in game.cards if card.variable == path[0]), None)
    return (
        card is not None
        and card.format in MARKS
        and len(path) == 2
        and slot is not None
        and slot.kind is SlotKind.BOOLEAN
    )


def _tell_span(game: Game, path: Path, change: Change, wording: Wording) -> str:
    """One member of a clock: of hours or minutes how much later it is, of a day by its number."""
    label = wording.full_label(path[:-1]) if is_clock_slot(game.layout.find(path[:-1])) else ""
    if span := tell_span(game, path, change.was, change.value, wording):
        return wording.say(Phrase.SET, label=label, value=span)
    if not label or not is_number(change.was) or not is_number(change.value):
        return ""
    was, value = (wording.counted(path, number) for number in (change.was, change.value))
    return wording.say(Phrase.CHANGED_WORDS, label=label, was=was, value=value)


def tell_span(game: Game, path: Path, was: Json | Absent, value: Json | Absent, wording: Wording) -> str:
    """How much later or earlier it is after one hand of a clock has moved; empty of anything else."""
    if path[-1] not in _UNITS or not is_clock_slot(game.layout.find(path[:-1])):
        return ""
    if not is_number(was) or not is_number(value):
        return ""
    one, many = _UNITS[path[-1]]
    count = abs(value - was)
    span = wording.say(one if count == 1 else many, count=write_number(count))
    return wording.say(Phrase.LATER if value > was else Phrase.EARLIER, span=span)


def _refused_path(ruling: Json) -> Path:
    """The place of an update that was refused; empty where the ruling is of another kind."""
    # What was to be mended has been asked for again since; only what was dropped stands refused.
    if not isinstance(ruling, Mapping) or ruling.get("grade") != Grade.DROP.value:
        return ()
    move = ruling.get("move")
    text = move.get("path") if isinstance(move, Mapping) else None
    try:
        return parse_path(text) if isinstance(text, str) else ()
    except PathError:
        return ()


def _named(game: Game, path: Path) -> Path:
    """A path without the index of a list at its end."""
    return path[:-1] if is_list_element(game, path) else path


_WHOLE: Mapping[str, Phrase] = {
    MODEL: Phrase.BY_MODEL,
    PLAYER: Phrase.BY_PLAYER,
    ENGINE: Phrase.BY_ENGINE,
    "import": Phrase.BY_IMPORT,
}
_KINDS: Mapping[str, Phrase] = {
    PLAYER: Phrase.BY_EDIT,
    "scene": Phrase.BY_SCENE,
    "finale": Phrase.BY_FINALE,
    "trigger": Phrase.BY_TRIGGER,
    "system": Phrase.BY_SYSTEM,
    "aside": Phrase.BY_ASIDE,
}


def tell_cause(cause: str, wording: Wording) -> str:
    """A cause such as `trigger:<id>`; what is not known is the game itself."""
    kind, _, name = cause.partition(":")
    phrase = _WHOLE.get(cause) or _KINDS.get(kind) or Phrase.BY_ENGINE
    return wording.say(phrase, name=clean_line(name))
