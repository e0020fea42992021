"""Wording of changes: the changes, refusals and events of one turn, and their causes.

Private things are left out completely, without a gap that could be counted. The names of scenes and triggers
are never shown: they may be spoilers.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from typing import TypeAlias

from talewright.common.json_values import Json, equal, write_number
from talewright.common.safe_text import clean_line
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import REJECTED_UPDATE
from talewright.kernel.judging.moves import ENGINE, MASTER, MODEL, PLAYER
from talewright.kernel.judging.rulings import Grade
from talewright.kernel.slots.slot_types import Slot, SlotKind
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT, Absent
from talewright.kernel.state.state_migration import MIGRATION_REASON as REFITTED
from talewright.kernel.state.state_paths import Path, PathError, dotted, parse_path, parse_pointer, pointer
from talewright.kernel.story.cards import CardFormat, CriticalWhen
from talewright.kernel.story.story_rules import FINALE, GAME_OVER
from talewright.kernel.story.triggers import Event
from talewright.kernel.system import EventAppraisal
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
"""The prefix of a trigger's cause."""

Ways: TypeAlias = tuple[Phrase, Phrase]

_OF_PLACES: Ways = (Phrase.SET, Phrase.GONE)
_OF_ELEMENTS: Ways = (Phrase.GAINED, Phrase.LOST)

_UNITS: Mapping[str, Phrase] = {HOUR: Phrase.HOURS, MINUTE: Phrase.MINUTES}

MARKS = frozenset({CardFormat.LIST, CardFormat.CHIPS})
"""On cards of these formats, an object shows only the truth values that are true."""

_ENGINE_EVENTS = frozenset({GAME_OVER, FINALE, REJECTED_UPDATE})
_MECHANICS = "mechanics"
"""The prefix of events that correct a storyteller; players do not see them."""


def visible_changes(game: Game, changes: Iterable[Change], viewer: Viewer) -> tuple[Change, ...]:
    """The changes a viewer may ask about, without private parts."""
    # Systems keep internal data in slots without a card; their panels show players what matters.
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
    game: Game, changes: Sequence[Change], wording: Wording, viewer: Viewer
) -> tuple[ChangeView, ...]:
    """The changes of a turn, one line each; those without a card, and duplicates, are left out.

    What a game master changed on its own authority is said to be so, with its reason.
    """
    seen = visible_changes(game, changes, viewer)
    if viewer not in SEES_HIDDEN:
        shown = [change for change in seen if is_shown(game, parse_pointer(change.path), viewer)]
        seen = _leave_out_computed(game, shown)
    joined = join_clocks(game, _merge(seen))
    told = add_notes(game, joined, [_tell_labelled(game, change, wording) for change in joined], wording)
    return (*told, *_tell_own(game, changes, joined, wording, viewer))


def is_by_master(cause: str) -> bool:
    """Whether a game master changed or reported something on its own authority."""
    return cause.partition(":")[0] == MASTER


def _tell_labelled(game: Game, change: Change, wording: Wording) -> ChangeView:
    """A change with a remark if a game master made it on its own authority."""
    if not is_by_master(change.cause):
        return tell_change(game, change, wording)
    told = tell_change(game, change, wording, with_reason=False)
    text = wording.say(Phrase.MASTER_CHANGE, text=told.text, reason=wording.line(change.reason))
    return replace(told, text=text)


def _tell_own(
    game: Game, changes: Sequence[Change], told: Sequence[Change], wording: Wording, viewer: Viewer
) -> Iterator[ChangeView]:
    """Why a game master changed what a system keeps; what it is now stands in the panels of the system."""
    known = {change.reason for change in told}
    for change in changes:
        reason = wording.line(change.reason)
        if not is_by_master(change.cause) or not reason or change.reason in known:
            continue
        if prune_change(game, change, viewer) is not None:
            known.add(change.reason)
            variable = parse_pointer(change.path)[0]
            yield ChangeView(variable, wording.say(Phrase.MASTER_REASON, reason=reason))


def is_shown(game: Game, path: Path, viewer: Viewer) -> bool:
    """Whether a value is on a card or in the status bar, or the viewer sees everything."""
    if viewer in SEES_HIDDEN:
        return True
    cards = ((card.variable,) for card in game.cards if card.visible)
    return any(
        touches(path, place) for place in (*cards, *(parse_path(bar.variable) for bar in game.status_bar))
    )


def _leave_out_computed(game: Game, changes: Sequence[Change]) -> tuple[Change, ...]:
    """Leave out values computed from others that are listed too: they would say the same twice."""
    paths = [parse_pointer(change.path) for change in changes]
    reads = {derived.path: derived.expression.reads for derived in game.derived}

    def is_told_already(path: Path) -> bool:
        return any(other != path and touches(other, read) for read in reads.get(path, ()) for other in paths)

    return tuple(change for change, path in zip(changes, paths, strict=True) if not is_told_already(path))


def _merge(changes: Iterable[Change]) -> tuple[Change, ...]:
    """One change per value that moved several times for the same reason; none if it is back."""
    merged: list[Change] = []
    newest: dict[str, int] = {}
    for change in changes:
        # No other cause is shown with a change.
        change = replace(change, cause=MASTER if is_by_master(change.cause) else "")
        at = newest.get(change.path)
        if at is not None and _goes_on(merged[at], change):
            merged[at] = replace(change, was=merged[at].was)
        else:
            newest[change.path] = len(merged)
            merged.append(change)
    return tuple(change for change in merged if change.op != "replace" or not _is_back(change))


def _goes_on(first: Change, second: Change) -> bool:
    same = (first.op, first.reason, first.cause) == (second.op, second.reason, second.cause)
    return same and first.op == "replace"


def _is_back(change: Change) -> bool:
    was, value = change.was, change.value
    assert was is not ABSENT
    assert value is not ABSENT
    # Older engines stored numbers with more decimal places than are shown.
    return (
        write_number(was) == write_number(value) if is_number(was) and is_number(value) else equal(was, value)
    )


def touches(one: Path, other: Path) -> bool:
    """Whether two paths are equal, or one is inside the other."""
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def tell_change(game: Game, change: Change, wording: Wording, *, with_reason: bool = True) -> ChangeView:
    """One visible change, such as `Suspicion 20 -> 30 (seen at the plant)`."""
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
    """What the storyteller proposed and the rules refused, if the viewer knows the value.

    The reason is left out: it is written for the model, and may name private things.
    """
    told: dict[str, None] = {}
    for ruling in rulings:
        path = _refused_path(ruling)
        if path and visible_path(game, path, viewer):
            told[wording.say(Phrase.REFUSED_CHANGE, label=wording.full_label(_named(game, path)))] = None
    return tuple(told)


def tell_events(
    events: Sequence[Event], wording: Wording, viewer: Viewer, meant: Sequence[EventAppraisal] = ()
) -> tuple[tuple[str, str], ...]:
    """What triggers and the storyteller reported, each with what it means for the player."""
    told = (
        (wording.text(meaning.text or event.text), event.cause, meaning.favor.value)
        for event, meaning in zip(events, meant or repeat(EventAppraisal()), strict=False)
        if is_told(event, viewer)
    )
    return tuple(
        (wording.say(Phrase.MASTER_EVENT, text=text) if is_by_master(cause) else text, favor)
        for text, cause, favor in told
        if text
    )


def is_told(event: Event, viewer: Viewer) -> bool:
    """Whether a viewer sees an event: not if it only corrects a storyteller."""
    if viewer in SEES_SECRET:
        return True
    return event.type not in _ENGINE_EVENTS and not event.type.startswith(_MECHANICS)


def fired(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events of triggers."""
    return tuple(event for event in events if event.cause.startswith(TRIGGER))


def join_clocks(game: Game, changes: Sequence[Change]) -> tuple[Change, ...]:
    """Combine changes of hour and minute into one change of their clock."""
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
    """A change in words; `ways` are the phrases for a new value and for a removed one."""
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
    """A truth value in words: as a mark on a card it appears or disappears, elsewhere it is its new value."""
    if not isinstance(change.was, bool) or not isinstance(change.value, bool):
        return ""
    if is_mark(game, path):
        phrase = Phrase.GAINED if change.value else Phrase.LOST
        return wording.say(phrase, label=wording.full_label(path[:-1]), value=wording.label(path))
    value = wording.value(path, game.layout.find(path), change.value)
    return wording.say(Phrase.SET, label=wording.full_label(path), value=value)


def is_mark(game: Game, path: Path) -> bool:
    """Whether a value is a truth value on a card that lists only what is true."""
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
    """One member of a clock: for hours or minutes the time passed, for a day its number."""
    label = wording.full_label(path[:-1]) if is_clock_slot(game.layout.find(path[:-1])) else ""
    if span := tell_span(game, path, change.was, change.value, wording):
        return wording.say(Phrase.SET, label=label, value=span)
    if not label or not is_number(change.was) or not is_number(change.value):
        return ""
    was, value = (wording.counted(path, number) for number in (change.was, change.value))
    return wording.say(Phrase.CHANGED_WORDS, label=label, was=was, value=value)


def tell_span(game: Game, path: Path, was: Json | Absent, value: Json | Absent, wording: Wording) -> str:
    """The time passed when one hand of a clock has moved; empty for anything else."""
    if path[-1] not in _UNITS or not is_clock_slot(game.layout.find(path[:-1])):
        return ""
    if not is_number(was) or not is_number(value):
        return ""
    span = wording.say_counted(_UNITS[path[-1]], abs(value - was))
    return wording.say(Phrase.LATER if value > was else Phrase.EARLIER, span=span)


def _refused_path(ruling: Json) -> Path:
    """The path of a refused update; empty for other rulings."""
    # A `mend` was requested again since then; only a `drop` is a final refusal.
    if not isinstance(ruling, Mapping) or ruling.get("grade") != Grade.DROP.value:
        return ()
    move = ruling.get("move")
    text = move.get("path") if isinstance(move, Mapping) else None
    try:
        return parse_path(text) if isinstance(text, str) else ()
    except PathError:
        return ()


def _named(game: Game, path: Path) -> Path:
    """A path without a list index at its end."""
    return path[:-1] if is_list_element(game, path) else path


_WHOLE: Mapping[str, Phrase] = {
    MODEL: Phrase.BY_MODEL,
    MASTER: Phrase.BY_MASTER,
    PLAYER: Phrase.BY_PLAYER,
    ENGINE: Phrase.BY_ENGINE,
    "import": Phrase.BY_IMPORT,
}
_KINDS: Mapping[str, Phrase] = {
    MASTER: Phrase.BY_MASTER,
    PLAYER: Phrase.BY_EDIT,
    "scene": Phrase.BY_SCENE,
    "finale": Phrase.BY_FINALE,
    "trigger": Phrase.BY_TRIGGER,
    "system": Phrase.BY_SYSTEM,
    "aside": Phrase.BY_ASIDE,
}


def tell_cause(cause: str, wording: Wording) -> str:
    """A cause such as `trigger:<id>` in words; an unknown one is the game itself."""
    kind, _, name = cause.partition(":")
    phrase = _WHOLE.get(cause) or _KINDS.get(kind) or Phrase.BY_ENGINE
    return wording.say(phrase, name=clean_line(name))


NAME_LENGTH_MAX = 36
"""Longer names do not fit a margin; then the card they are on is named."""

RESOURCE = "resource"
"""The tag of a card whose value one would rather have more of."""

MINUS = "\N{MINUS SIGN}"
GOOD, BAD = "good", "bad"


def add_notes(
    game: Game, changes: Sequence[Change], told: Sequence[ChangeView], wording: Wording
) -> tuple[ChangeView, ...]:
    """The changes with their notes: one note for each value, at its first change."""
    shifts: dict[Path, int | float] = {}
    for change in changes:
        if is_number(change.was) and is_number(change.value):
            path = parse_pointer(change.path)
            shifts[path] = shifts.get(path, 0) + change.value - change.was
    noted = []
    for change, view in zip(changes, told, strict=True):
        path = parse_pointer(change.path)
        shift = shifts.pop(path, None)
        if shift is not None:
            note, favor = _note_shift(game, path, shift, wording), _favor(game, path, shift)
        elif is_number(change.was) and is_number(change.value):
            note, favor = "", ""
        else:
            note, favor = _note_element(game, path, change, wording), ""
        noted.append(replace(view, note=note, favor=favor if note else ""))
    return tuple(noted)


def _note_shift(game: Game, path: Path, shift: int | float, wording: Wording) -> str:
    """`Candle -1`, with a real minus; the time that passes is shown by its clock."""
    if is_clock_slot(game.layout.find(path[:-1])):
        return ""
    size = write_number(abs(shift))
    if size == "0":
        return ""
    return f"{_short_name(game, path, wording)} {'+' if shift > 0 else MINUS}{size}"


def _note_element(game: Game, path: Path, change: Change, wording: Wording) -> str:
    """What was gained or lost, by its name."""
    if is_list_element(game, path):
        gained = change.was is ABSENT
        if gained is (change.value is ABSENT):
            return ""
        slot = game.layout.find(path[:-1])
        element = None if slot is None else slot.element
        value = change.value if gained else change.was
        assert value is not ABSENT
        name = wording.value(path[:-1], element, value)
        return _note_name(name, path[:-1], game, wording, gained=gained)
    if isinstance(change.was, bool) and isinstance(change.value, bool) and is_mark(game, path):
        return _note_name(wording.label(path), path[:-1], game, wording, gained=change.value)
    return ""


def _note_name(name: str, card: Path, game: Game, wording: Wording, *, gained: bool) -> str:
    sign = "+" if gained else MINUS
    return f"{sign} {name}" if len(name) <= NAME_LENGTH_MAX else f"{_short_name(game, card, wording)} {sign}1"


def _short_name(game: Game, path: Path, wording: Wording) -> str:
    """The name in the status bar if it has one, which is shorter."""
    named = next((item.variable for item in game.status_bar if parse_path(item.variable) == path), "")
    return clean_line(wording.texts.find(f"status.{named}")) if named else wording.full_label(path)


def _favor(game: Game, path: Path, shift: int | float) -> str:
    """The author says it by the side on which a value is critical, or by calling it a resource."""
    rises = shift > 0
    for item in game.status_bar:
        if parse_path(item.variable) == path and item.critical_threshold is not None:
            return GOOD if rises is (item.critical_when is CriticalWhen.BELOW) else BAD
    card = next((card for card in game.cards if card.variable == dotted(path)), None)
    if card is not None and RESOURCE in card.tags:
        return GOOD if rises else BAD
    return ""
