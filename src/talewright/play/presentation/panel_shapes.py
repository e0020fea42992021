"""Panel shapes: tables, turn orders, maps and graphs of systems, for faces and as lines of text.

Drawing is up to the faces. An index that does not exist is left out.
"""

from collections.abc import Iterable
from typing import assert_never

from talewright.kernel.panel_parts import Graph, PlaceMap, Table, TurnOrder
from talewright.play.campaign_view import PartKind, PartView
from talewright.play.presentation.value_wording import Wording
from talewright.play.presentation.words.phrases import Phrase

CELL_GAP = " | "
"""Between two cells of a table in text."""

CURRENT = "> "
"""Marks whose turn it is, and where the player is."""

ARROW = " -> "


def show_shape(part: Table | TurnOrder | PlaceMap | Graph, wording: Wording) -> PartView:
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
    return PartView(PartKind.TURN_ORDER, label, text, rows=rows, current=part.current, levels=levels)


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
