"""Panel shapes drawing: tables in columns, turn orders with bars, maps as a grid, graphs node by node.

Drawing only. Anything that does not fit the width is not drawn; the caller then shows its text.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from talewright.faces.tui.safe_content import safe_line
from talewright.faces.tui.widgets.meters import DRAWN_ARROW, WRITTEN_ARROW, draw_arrows, draw_bar
from talewright.faces.tui.widgets.text_wrap import wrap_content
from talewright.play.campaign_view import PartView

GAP: Final = "  "
HERE: Final = "▸"
PLACE_WIDTH_MIN: Final = 6
"""Columns of a place on a map; narrower maps are not drawn."""

PLACE_WIDTH_MAX: Final = 18
PLACES_MAX: Final = 64
"""Columns and rows of a map; larger ones are not drawn."""

CELL_WIDTH_MIN: Final = 8
"""Columns in which the text of a cell may be folded; in fewer, a table is not drawn."""

BLOCKS_MAX: Final = 3
"""How many parts of a table without a head are put side by side."""

BLOCK_ROWS_MIN: Final = 3
BLOCK_GAP: Final = "    "
BAR_WIDTH_MIN: Final = 5
BAR_WIDTH_MAX: Final = 16
LOW_SHARE: Final = 0.25
"""Up to this share a level is low."""

_NUMBER: Final = re.compile(r"[-+]?\d+(?:[./]\d+)?%?")


def draw_table(part: PartView, width: int) -> list[Content]:
    """Draw a table in aligned columns; empty if it does not fit."""
    rows = [[safe_line(cell) for cell in row] for row in part.rows]
    count = max(map(len, rows), default=0)
    rows = [[*row, *[""] * (count - len(row))] for row in rows]
    widths = [max(cell_len(row[at]) for row in rows) for at in range(count)]
    over = sum(widths) + len(GAP) * (count - 1) - width
    if not rows:
        return []
    if over > 0:
        widest = widths.index(max(widths))
        widths[widest] -= over
        if widths[widest] < CELL_WIDTH_MIN:
            return []
    body = rows[1:] if part.has_head else rows
    numbers = [_holds_numbers([row[at] for row in body]) for at in range(count)]
    if not part.has_head and (blocks := _split_blocks(rows, sum(widths) + len(GAP) * (count - 1), width)):
        drawn = [[_draw_row(row, widths, numbers)[0] for row in block] for block in blocks]
        size = max(line.cell_length for block in drawn for line in block)
        return [_join_blocks(lines, size) for lines in zip_longest(*drawn)]
    lines: list[Content] = []
    for at, row in enumerate(rows):
        head = part.has_head and at == 0
        lines += [line.stylize("bold") if head else line for line in _draw_row(row, widths, numbers)]
    return lines


def _holds_numbers(cells: Sequence[str]) -> bool:
    return all(not cell or _NUMBER.fullmatch(cell) for cell in cells)


def _split_blocks(rows: list[list[str]], size: int, width: int) -> list[list[list[str]]]:
    """Split short rows into blocks that fit side by side, filled from top to bottom; empty for one block."""
    fitting = min(BLOCKS_MAX, (width + len(BLOCK_GAP)) // (size + len(BLOCK_GAP)) if size else 1)
    count = min(fitting, len(rows) // BLOCK_ROWS_MIN)
    if count < 2:
        return []
    height = -(-len(rows) // count)
    return [rows[start : start + height] for start in range(0, len(rows), height)]


def _join_blocks(lines: Sequence[Content | None], size: int) -> Content:
    padded = (line.pad_right(size - line.cell_length) for line in lines if line is not None)
    return Content(BLOCK_GAP).join(padded).rstrip()


def _draw_row(row: Sequence[str], widths: Sequence[int], numbers: Sequence[bool]) -> list[Content]:
    """Draw one row; a cell that is too wide is folded."""
    folded = [
        wrap_content(Content(cell), width) or [Content("")] for cell, width in zip(row, widths, strict=True)
    ]
    lines = []
    for cells in zip_longest(*folded, fillvalue=Content("")):
        aligned = []
        for cell, width, number in zip(cells, widths, numbers, strict=True):
            room = max(0, width - cell.cell_length)
            aligned.append(cell.pad_left(room) if number else cell.pad_right(room))
        lines.append(Content(GAP).join(aligned).rstrip())
    return lines


def draw_turn_order(part: PartView, width: int) -> list[Content]:
    """Draw who acts after whom, with levels as bars and the current one marked; empty if it does not fit."""
    names = [safe_line(row[0]) if row else "" for row in part.rows]
    notes = [safe_line(row[1]) if len(row) > 1 else "" for row in part.rows]
    levels = [*part.levels, *[None] * len(names)][: len(names)]
    if any(cell_len(name) + 2 > width for name in names):
        return []
    texts = [f"{level[0]}/{level[1]}" if level else "" for level in levels]
    widest = max(map(cell_len, names), default=0)
    bar = min(BAR_WIDTH_MAX, width - 2 - widest - max(map(len, texts), default=0) - 2)
    lines: list[Content] = []
    for at, name in enumerate(names):
        level, text, note = levels[at], texts[at].rjust(max(map(len, texts))), notes[at]
        now, down = at == part.current, level is not None and level[0] <= 0
        style = "bold $primary" if now else "$text-muted" if down else ""
        drawn = Content.styled(f"{HERE} " if now else "  ", "bold $primary")
        if level is None:
            drawn = Content.assemble(drawn, (name, style))
        elif bar >= BAR_WIDTH_MIN:
            drawn = Content.assemble(
                drawn, (set_cell_size(name, widest), style), " ", draw_level(level, bar), " ", (text, style)
            )
        else:
            room = max(1, width - 2 - cell_len(name) - len(text))
            drawn = Content.assemble(drawn, (name, style), " " * room, (text, style))
        lines.append(drawn)
        if note:
            lines += [Content.assemble("  ", line) for line in _draw_note(note, width - 2)]
    return lines if all(line.cell_length <= width for line in lines) else []


def _draw_note(note: str, width: int) -> list[Content]:
    return wrap_content(Content.styled(note, "italic $warning"), width)


def draw_level(level: tuple[int, int], width: int) -> Content:
    """Draw a bar that shows whether a level is low."""
    value, maximum = level
    return draw_bar(value, 0, maximum, width, critical=value <= maximum * LOW_SHARE)


def draw_map(part: PartView, width: int) -> list[Content]:
    """Draw places in a grid, with the ways between neighbours; empty if it does not fit.

    Other ways are written below.
    """
    columns = max((column for column, _ in part.spots), default=-1) + 1
    rows = max((row for _, row in part.spots), default=-1) + 1
    small = 0 < columns <= PLACES_MAX and 0 < rows <= PLACES_MAX
    room = (width - (columns - 1)) // columns if small else 0
    if room < PLACE_WIDTH_MIN or any(min(spot) < 0 for spot in part.spots) or not _is_whole(part):
        return []
    names = [safe_line("".join(row)) for row in part.rows]
    room = min(room, max(PLACE_WIDTH_MIN, *(cell_len(name) + 3 for name in names)), PLACE_WIDTH_MAX)
    drawn = [line for line in _draw_grid(part, names, columns, rows, room) if line]
    far = [
        Content(f"{names[one]} ─ {names[other]}")
        for one, other in part.links
        if not _are_neighbours(part.spots[one], part.spots[other])
    ]
    return [*drawn, *(line for way in far for line in wrap_content(way, width))]


def _are_neighbours(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def _is_whole(part: PartView) -> bool:
    """Whether every place has a name, and every way its places."""
    count = len(part.spots)
    return len(part.rows) == count and all(0 <= end < count for way in part.links for end in way)


def _draw_grid(part: PartView, names: Sequence[str], columns: int, rows: int, room: int) -> Iterator[Content]:
    at = {spot: number for number, spot in enumerate(part.spots)}
    linked = {frozenset((part.spots[one], part.spots[other])) for one, other in part.links}
    for row in range(rows):
        cells: list[Content] = []
        for column in range(columns):
            number = at.get((column, row))
            cells.append(Content(" " * room) if number is None else _draw_place(part, names, number, room))
            way = frozenset(((column, row), (column + 1, row))) in linked
            cells.append(Content.styled("─" if way else " ", "$text-muted"))
        yield Content("").join(cells).rstrip()
        below = (frozenset(((column, row), (column, row + 1))) in linked for column in range(columns))
        ways = " ".join(("│" if way else " ").center(room) for way in below).rstrip()
        yield Content.styled(ways, "$text-muted")


def _draw_place(part: PartView, names: Sequence[str], number: int, room: int) -> Content:
    here = number == part.current
    name = f"{HERE}{names[number]}" if here else names[number]
    cells = min(cell_len(name), room - 2)
    left = (room - 2 - cells) // 2
    label = " " * left + set_cell_size(name, cells) + " " * (room - 2 - cells - left)
    return Content.assemble(
        ("[", "$text-muted"), (label, "bold $primary" if here else ""), ("]", "$text-muted")
    )


def draw_graph(part: PartView, width: int) -> list[Content]:
    """Draw every node with the arrows that start from it."""
    lines: list[Content] = []
    last = ""
    for word, link in zip(part.words, part.links, strict=False):
        start = safe_line("".join(part.rows[link[0]])) if 0 <= link[0] < len(part.rows) else ""
        text = safe_line(word)
        lead = start + WRITTEN_ARROW
        if not start or not text.startswith(lead):
            return []
        if start != last:
            lines += wrap_content(Content.styled(start, "bold"), width)
        last = start
        arrow = DRAWN_ARROW.lstrip()
        folded = wrap_content(Content(draw_arrows(text[len(lead) :])), width - 2 - len(arrow))
        lines += [
            Content.assemble("  ", (arrow if at == 0 else " " * len(arrow), "$text-muted"), line)
            for at, line in enumerate(folded)
        ]
    return lines
