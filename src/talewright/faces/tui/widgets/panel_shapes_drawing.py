"""Panel shapes drawing: tables in columns, the order of turns, and maps as a grid with ways.

Drawing only. What does not fit the width is not drawn; the caller then shows its text.
"""

from collections.abc import Iterator
from typing import Final

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from talewright.faces.tui.safe_content import safe_line
from talewright.play.campaign_view import PartView

GAP: Final = "  "
HERE: Final = "▸"
PLACE_WIDTH_MIN: Final = 6
"""Columns of a place on a map; narrower maps are not drawn."""

PLACES_MAX: Final = 64
"""Columns and rows of a map; larger ones are not drawn."""


def draw_table(part: PartView, width: int) -> list[Content]:
    """Draw a table in aligned columns; empty if it does not fit."""
    rows = [[safe_line(cell) for cell in row] for row in part.rows]
    count = max(map(len, rows), default=0)
    widths = [max(cell_len(row[at]) for row in rows if at < len(row)) for at in range(count)]
    if not rows or sum(widths) + len(GAP) * (count - 1) > width:
        return []
    lines = (GAP.join(map(set_cell_size, row, widths)).rstrip() for row in rows)
    return [Content.styled(line, "bold" if at == 0 else "") for at, line in enumerate(lines)]


def draw_turn_order(part: PartView, width: int) -> list[Content]:
    """Draw who acts after whom, with the current one marked; empty if it does not fit."""
    names = [safe_line("".join(row)) for row in part.rows]
    if any(cell_len(name) + 2 > width for name in names):
        return []
    return [
        Content.styled(f"{HERE} {name}", "bold $primary") if at == part.current else Content(f"  {name}")
        for at, name in enumerate(names)
    ]


def draw_map(part: PartView, width: int) -> list[Content]:
    """Draw places in a grid, with the ways between neighbours; empty if it does not fit."""
    columns = max((column for column, _ in part.spots), default=-1) + 1
    rows = max((row for _, row in part.spots), default=-1) + 1
    small = 0 < columns <= PLACES_MAX and 0 < rows <= PLACES_MAX
    room = (width - (columns - 1)) // columns if small else 0
    if room < PLACE_WIDTH_MIN or any(min(spot) < 0 for spot in part.spots) or not _is_whole(part):
        return []
    return [Content(line) for line in _draw_grid(part, columns, rows, room) if line]


def _is_whole(part: PartView) -> bool:
    """Whether every place has a name, and every way its places."""
    count = len(part.spots)
    return len(part.rows) == count and all(0 <= end < count for way in part.links for end in way)


def _draw_grid(part: PartView, columns: int, rows: int, room: int) -> Iterator[str]:
    at = {spot: number for number, spot in enumerate(part.spots)}
    linked = {frozenset((part.spots[one], part.spots[other])) for one, other in part.links}
    for row in range(rows):
        line = ""
        for column in range(columns):
            number = at.get((column, row))
            line += _draw_place(part, number, room)
            line += "─" if frozenset(((column, row), (column + 1, row))) in linked else " "
        yield line.rstrip()
        below = (frozenset(((column, row), (column, row + 1))) in linked for column in range(columns))
        yield " ".join(("│" if way else " ").center(room) for way in below).rstrip()


def _draw_place(part: PartView, number: int | None, room: int) -> str:
    if number is None:
        return " " * room
    sign = HERE if number == part.current else ""
    name = safe_line("".join(part.rows[number]))
    return f"[{sign}{set_cell_size(name, room - 2 - len(sign))}]"
