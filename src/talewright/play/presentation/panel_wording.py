"""Wording of panels: what systems show about a state, in parts for a face to draw and as lines of text.

The systems define the panels, and drawing is up to the faces. An index that does not exist is left out.
"""

from collections.abc import Iterable, Mapping
from typing import assert_never

from talewright.common.json_values import Json, write_number
from talewright.kernel.game import Game
from talewright.kernel.panel_parts import (
    Chips,
    Graph,
    Lines,
    Meter,
    Panel,
    PanelPart,
    PlaceMap,
    Rolled,
    Table,
    TurnOrder,
)
from talewright.kernel.system import Sight
from talewright.play.campaign_view import PanelView, PartKind, PartView, StatusView
from talewright.play.presentation.value_wording import Wording
from talewright.play.presentation.words.phrases import Phrase
from talewright.turn.background.background_troubles import BackgroundTroubles, BackgroundWork

INDENT = "  "
"""Indents lines below their label."""

CELL_GAP = " | "
"""Between two cells of a table in text."""

CURRENT = "> "
"""Marks whose turn it is, and where the player is."""

ARROW = " -> "


def show_panels(
    game: Game,
    document: Mapping[str, Json],
    turn: int,
    wording: Wording,
    troubles: BackgroundTroubles,
) -> tuple[tuple[PanelView, tuple[StatusView, ...]], ...]:
    """The panels of all systems of a game, each with what it adds to the status bar.

    If a system fails, only its panels are left out.
    """
    shown = []
    for system in game.parts.panels:
        files = game.files_of(system)
        sight = Sight(document, turn, files, game.chance.dice, wording.language, wording.texts)
        with troubles.catch(BackgroundWork.PANELS, system.name):
            shown += [
                (show_panel(panel, wording), _show_status(panel, wording)) for panel in system.panels(sight)
            ]
    return tuple(shown)


def _show_status(panel: Panel, wording: Wording) -> tuple[StatusView, ...]:
    return tuple(StatusView(wording.line(name), wording.line(value)) for name, value in panel.status)


def show_panel(panel: Panel, wording: Wording) -> PanelView:
    """One panel."""
    parts = tuple(_show(part, wording) for part in panel.parts)
    lines = tuple(line for part in parts for line in _write(part, wording))
    return PanelView(panel.id, wording.line(panel.title), lines, parts)


def _show(part: PanelPart, wording: Wording) -> PartView:
    label = wording.line(part.label)
    match part:
        case Meter(_, value, maximum):
            words = (f"{write_number(value)}/{write_number(maximum)}",)
            return PartView(PartKind.METER, label, words, value, maximum)
        case Chips(_, chips):
            return PartView(PartKind.CHIPS, label, tuple(wording.line(word) for word in chips))
        case Lines(_, lines):
            return PartView(PartKind.LINES, label, tuple(wording.line(line) for line in lines))
        case Rolled(_, faces, total):
            thrown = " + ".join(map(write_number, faces))
            words = (f"{thrown} = {write_number(total)}" if len(faces) > 1 else write_number(total),)
            return PartView(PartKind.ROLLED, label, words, total, faces=faces)
        case Table() | TurnOrder() | PlaceMap() | Graph():
            return _show_shape(part, wording)
        case _:
            assert_never(part)


def _write(part: PartView, wording: Wording) -> tuple[str, ...]:
    """A part in words: on one line with its label, or on several lines below it; chips are on one line."""
    words = part.words
    if part.kind is PartKind.CHIPS:
        words = (wording.say(Phrase.AND).join(words),)
    nothing = wording.say(Phrase.NOTHING)
    told = tuple(word or nothing for word in words or ("",))
    if not part.label:
        return told
    if len(told) == 1:
        return (wording.say(Phrase.PAIR, name=part.label, value=told[0]),)
    return (part.label, *(INDENT + word for word in told))


def _show_shape(part: Table | TurnOrder | PlaceMap | Graph, wording: Wording) -> PartView:
    """One part, with its text."""
    label = wording.line(part.label)
    match part:
        case Table(_, head, rows):
            cells = tuple(_clean(row, wording) for row in ((head, *rows) if head else rows))
            text = tuple(map(CELL_GAP.join, cells))
            return PartView(PartKind.TABLE, label, text, rows=cells, has_head=bool(head))
        case TurnOrder():
            return _show_order(part, label, wording)
        case PlaceMap():
            return _show_map(part, label, wording)
        case Graph(_, nodes, edges):
            told = _clean(nodes, wording)
            known = [edge for edge in edges if _exist(told, edge.start, edge.end)]
            lines = tuple(
                _name(f"{told[edge.start]}{ARROW}{told[edge.end]}", wording.line(edge.label), wording)
                for edge in known
            )
            links = tuple((edge.start, edge.end) for edge in known)
            return PartView(PartKind.GRAPH, label, lines, rows=_single(told), links=links)
        case _:
            assert_never(part)


def _show_order(part: TurnOrder, label: str, wording: Wording) -> PartView:
    """A turn order in text: each name with its level and its note."""
    names = _clean(part.names, wording)
    levels = (*part.levels, *[None] * len(names))[: len(names)]
    notes = (*_clean(part.notes, wording), *[""] * len(names))[: len(names)]
    lines = []
    for name, level, note in zip(names, levels, notes, strict=True):
        told = [f"{level[0]}/{level[1]}"] if level is not None else []
        facts = wording.say(Phrase.AND).join([*told, *([note] if note else [])])
        lines.append(_name(name, facts, wording))
    rows = tuple(zip(names, notes, strict=True))
    text = _mark(tuple(lines), part.current)
    return PartView(
        PartKind.TURN_ORDER,
        label,
        text,
        rows=rows,
        current=part.current,
        levels=levels,
        player=part.player,
    )


def _show_map(part: PlaceMap, label: str, wording: Wording) -> PartView:
    """A map in text: each place with the places one can go to from it."""
    told = _clean((place.name for place in part.places), wording)
    ways = tuple(way for way in part.ways if _exist(told, *way))
    lines = []
    for at, name in enumerate(told):
        near = [told[one if other == at else other] for one, other in ways if at in (one, other)]
        lines.append(_name(name, wording.say(Phrase.AND).join(near), wording))
    spots = tuple((place.column, place.row) for place in part.places)
    text = _mark(tuple(lines), part.here)
    return PartView(PartKind.MAP, label, text, rows=_single(told), current=part.here, spots=spots, links=ways)


def _clean(words: Iterable[str], wording: Wording) -> tuple[str, ...]:
    return tuple(wording.line(word) for word in words)


def _single(words: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple((word,) for word in words)


def _mark(lines: tuple[str, ...], current: int | None) -> tuple[str, ...]:
    return tuple(CURRENT + line if at == current else line for at, line in enumerate(lines))


def _exist(names: tuple[str, ...], *indexes: int) -> bool:
    return all(0 <= index < len(names) for index in indexes)


def _name(name: str, value: str, wording: Wording) -> str:
    return wording.say(Phrase.PAIR, name=name, value=value) if value else name
