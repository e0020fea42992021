"""Wording of cards, status bar and cover: variables, their ranges and changes, and where dials stand.

Its input contains only changes that the viewer may see. Panels are in `panel_wording`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from talewright.common.json_values import Json, equal, write_number
from talewright.common.safe_text import clean_line
from talewright.kernel.game import Game
from talewright.kernel.slots.slot_types import Slot, member
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT, Absent, find
from talewright.kernel.state.state_paths import Path, dotted, parse_path, parse_pointer
from talewright.kernel.story.cards import Card, CardFormat, StatusItem, StatusStyle
from talewright.kernel.story.game_cover import read_cover_rules, turn_dial
from talewright.play.campaign_view import CardView, CoverView, DialView, StatusView, Viewer
from talewright.play.presentation.change_wording import MARKS, is_mark, join_clocks, tell_span
from talewright.play.presentation.critical_values import is_within
from talewright.play.presentation.privacy import is_list_element, prune, visible_slot
from talewright.play.presentation.value_wording import (
    HOUR,
    MINUTE,
    Wording,
    clock_text,
    is_clock,
    is_clock_slot,
    is_number,
)
from talewright.play.presentation.words.phrases import Phrase


@dataclass(slots=True)
class _Net:
    """The net effect of all changes of one value."""

    was: Json | Absent
    value: Json | Absent
    gained: list[Json] = field(default_factory=list)
    """Elements of a list."""

    lost: list[Json] = field(default_factory=list)


def tell_delta(game: Game, changes: Iterable[Change], path: Path, wording: Wording) -> str:
    """How the variable at a path has changed; empty if it has not."""
    nets: dict[Path, _Net] = {}
    if is_clock_slot(game.layout.find(path)):
        changes = join_clocks(game, tuple(changes))
    for change in changes:
        where = parse_pointer(change.path)
        if where[: len(path)] == path:
            _add(nets, game, where, change)
    told = (_tell_place(game, path, where, net, wording) for where, net in nets.items())
    return wording.say(Phrase.AND).join(text for text in told if text)


def _tell_place(game: Game, path: Path, where: Path, net: _Net, wording: Wording) -> str:
    """The change of one value; marks appear and disappear, and a clock shows how much time has passed."""
    if not _is_nothing(net):
        if isinstance(net.was, bool) and isinstance(net.value, bool) and is_mark(game, where):
            return f"{'+' if net.value else '-'}{wording.label(where)}"
        if len(where) > len(path) and (span := tell_span(game, where, net.was, net.value, wording)):
            return span
    return _tell(path, where, game.layout.find(where), net, wording)


def _add(nets: dict[Path, _Net], game: Game, where: Path, change: Change) -> None:
    if is_list_element(game, where):
        net = nets.setdefault(where[:-1], _Net(ABSENT, ABSENT))
        _count(net, change.was, change.value)
        return
    slot = game.layout.find(where)
    if slot is not None and slot.element is not None:
        net = nets.setdefault(where, _Net(ABSENT, ABSENT))
        for inner in _elements(change.was):
            _count(net, inner, ABSENT)
        for inner in _elements(change.value):
            _count(net, ABSENT, inner)
    elif where in nets:
        nets[where].value = change.value
    else:
        nets[where] = _Net(change.was, change.value)


def _elements(value: Json | Absent) -> Sequence[Json]:
    return value if isinstance(value, list) else ()


def _count(net: _Net, was: Json | Absent, value: Json | Absent) -> None:
    """Note an element that was removed or added; one that was removed and added again does not count."""
    for element, here, there in ((was, net.lost, net.gained), (value, net.gained, net.lost)):
        if element is ABSENT:
            continue
        known = next((at for at, other in enumerate(there) if equal(other, element)), None)
        if known is None:
            here.append(element)
        else:
            del there[known]


def _tell(path: Path, where: Path, slot: Slot | None, net: _Net, wording: Wording) -> str:
    if net.gained or net.lost:
        element = None if slot is None else slot.element
        parts = [f"+{wording.value(where, element, each)}" for each in net.gained]
        parts += [f"-{wording.value(where, element, each)}" for each in net.lost]
        return _named(path, where, wording.say(Phrase.AND).join(parts), wording)
    if _is_nothing(net):
        return ""
    if is_number(net.was) and is_number(net.value):
        shift = _signed(net.value - net.was)
        return _named(path, where, shift, wording) if shift else ""
    if isinstance(net.was, bool) and isinstance(net.value, bool) and len(where) > len(path):
        name = _named(path, where, "", wording)
        return wording.say(Phrase.PAIR, name=name, value=wording.value(where, slot, net.value))
    if isinstance(net.was, Mapping) and isinstance(net.value, Mapping) and not is_clock_slot(slot):
        keys = dict.fromkeys((*net.was, *net.value))
        inner = {key: _Net(net.was.get(key, ABSENT), net.value.get(key, ABSENT)) for key in keys}
        told = (
            _tell(path, (*where, key), None if slot is None else member(slot, key), each, wording)
            for key, each in inner.items()
        )
        return wording.say(Phrase.AND).join(text for text in told if text)
    shown = (wording.value(where, slot, None if each is ABSENT else each) for each in (net.was, net.value))
    return _named(path, where, " -> ".join(shown), wording)


def _is_nothing(net: _Net) -> bool:
    """Whether the value is the same as before."""
    if net.was is ABSENT or net.value is ABSENT:
        return net.was is net.value
    return equal(net.was, net.value)


def _signed(shift: int | float) -> str:
    """A difference with its sign; empty if it is too small to be shown."""
    text = write_number(shift)
    return "" if text == "0" else text if text.startswith("-") else f"+{text}"


def _named(path: Path, where: Path, text: str, wording: Wording) -> str:
    """The text with the name of the member it is about."""
    names = [wording.label(where[:depth]) for depth in range(len(path) + 1, len(where) + 1)]
    return f"{wording.say(Phrase.PART_OF).join(names)} {text}".rstrip() if names else text


def show_status(
    game: Game,
    document: Mapping[str, Json],
    changes: Sequence[Change],
    wording: Wording,
    viewer: Viewer,
    critical: Sequence[Path] = (),
) -> tuple[StatusView, ...]:
    """The status bar, followed by every critical card that is not in it.

    `changes` are those of the newest turn that the viewer may see.
    """
    shown = []
    added = tuple(_add_warnings(game, critical))
    for item in (*game.status_bar, *added):
        path = parse_path(item.variable)
        slot, value = _read(game, document, path, viewer)
        if slot is not None:
            delta = tell_delta(game, changes, path, wording) if item.show_delta else ""
            told = _show_item(item, path, slot, value, delta, wording)
            label = wording.full_label(path) if item in added else told.label
            marked = _is_marked(path, critical)
            shown.append(
                replace(told, label=label, critical=marked, variable=item.variable, hour=_hour(value))
            )
    return tuple(shown)


def _is_marked(path: Path, critical: Sequence[Path]) -> bool:
    return any(is_within(place, path) for place in critical)


def _add_warnings(game: Game, critical: Sequence[Path]) -> Iterable[StatusItem]:
    """Status bar entries for critical values that are on a card and not in the bar."""
    cards = {card.variable for card in game.cards if card.visible}
    taken = [parse_path(item.variable) for item in game.status_bar]
    for place in critical:
        # An hour alone says little: show the whole clock.
        path = place[:-1] if is_clock_slot(game.layout.find(place[:-1])) else place
        if path[0] in cards and not any(is_within(place, each) for each in taken):
            taken.append(path)
            yield StatusItem(dotted(path), StatusStyle.METER)


def show_cards(
    game: Game,
    document: Mapping[str, Json],
    changes: Sequence[Change],
    wording: Wording,
    viewer: Viewer,
    critical: Sequence[Path] = (),
) -> tuple[CardView, ...]:
    """The visible cards, in the author's order."""
    shown = []
    for card in sorted((card for card in game.cards if card.visible), key=lambda card: card.order):
        path = (card.variable,)
        slot, value = _read(game, document, path, viewer)
        if slot is not None:
            delta = tell_delta(game, changes, path, wording)
            told = _show_card(card, path, slot, value, delta, wording)
            empty = told.lines == (wording.say(Phrase.NOTHING),)
            marked = _is_marked(path, critical)
            members = _members(card, path, value)
            shown.append(replace(told, critical=marked, members=members, is_empty=empty, hour=_hour(value)))
    return tuple(shown)


def _members(card: Card, path: Path, value: Json) -> tuple[str, ...]:
    """The variables that the lines of a card show, one each; empty if lines show something else."""
    whole = card.format in (CardFormat.CHIPS, CardFormat.PLAIN)
    if whole or not isinstance(value, Mapping) or is_clock(value) or _has_marks(value):
        return ()
    return tuple(dotted((*path, key)) for key in value)


def _hour(value: Json) -> float | None:
    """The hour of a clock, with its minutes as a fraction; None for anything else."""
    if not isinstance(value, Mapping) or not is_clock(value):
        return None
    hour, minute = value[HOUR], value[MINUTE]
    assert is_number(hour)
    assert is_number(minute)
    return hour + minute / 60


def show_cover(game: Game, document: Mapping[str, Json], wording: Wording, viewer: Viewer) -> CoverView:
    """The cover as it looks now; a dial whose value the viewer may not see is left out."""
    rules = read_cover_rules(wording.texts)
    dials = []
    for dial in rules.dials:
        slot, value = _read(game, document, dial.path, viewer)
        if slot is not None:
            dials.append(DialView(dial.name, turn_dial(dial, slot, value)))
    slot, value = _read(game, document, rules.place, viewer) if rules.place else (None, None)
    place = wording.value(rules.place, slot, value) if slot is not None and value else ""
    return CoverView(rules.motif, rules.colors, rules.light_theme, rules.dark_theme, tuple(dials), place)


def _read(game: Game, document: Mapping[str, Json], path: Path, viewer: Viewer) -> tuple[Slot | None, Json]:
    """The slot and the visible part of its value; no slot if nothing is visible."""
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
        return StatusView(label, text, delta, False, value, slot.lowest, slot.highest)
    return StatusView(label, _on_one_line(path, slot, value, wording), delta)


def _on_one_line(path: Path, slot: Slot, value: Json, wording: Wording) -> str:
    """A value for the status bar: a clock reads `Day 1 22:30`."""
    if isinstance(value, Mapping) and is_clock(value):
        others = [(*path, key) for key in value if key not in (HOUR, MINUTE)]
        return " ".join([*(wording.counted(where, value[where[-1]]) for where in others), clock_text(value)])
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
    if card.format in MARKS and isinstance(value, Mapping) and _has_marks(value):
        lines = _list_marks(path, slot, value, wording) or nothing
        return lines if card.format is CardFormat.LIST else (wording.say(Phrase.AND).join(lines),)
    if card.format in (CardFormat.CHIPS, CardFormat.PLAIN):
        return (wording.measured(path, slot, value),)
    if isinstance(value, Mapping):
        return wording.members(path, slot, value) or nothing
    if isinstance(value, list):
        return wording.elements(path, slot, value) or nothing
    return (wording.measured(path, slot, value),)


def _has_marks(value: Mapping[str, Json]) -> bool:
    return any(isinstance(inner, bool) for inner in value.values())


def _list_marks(path: Path, slot: Slot, value: Mapping[str, Json], wording: Wording) -> tuple[str, ...]:
    """The members of an object: true ones by name only, false ones left out."""
    true = tuple(wording.label((*path, key)) for key, inner in value.items() if inner is True)
    others = {key: inner for key, inner in value.items() if not isinstance(inner, bool)}
    return (*true, *wording.members(path, slot, others))
