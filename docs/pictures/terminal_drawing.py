"""Drawing: what a terminal shows, read from its escape sequences and drawn as SVG, cell by cell.

Nothing is touched up. Lines and blocks are drawn as shapes, so that they meet in every font; no font and no
other address is asked for.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby

from rich.ansi import AnsiDecoder
from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import DIMMED_MONOKAI

CELL_WIDTH = 8.4
LINE_HEIGHT = 18
FONT_SIZE = 14
BASELINE = 13.5
"""How far below the top of a line its letters stand."""

MARGIN = 12
BAR = 30
"""Height of the bar above the screen."""

GAP = 18
"""Between two screens of one picture."""

FRAME_PAPER = "#0d0f13"
FRAME_EDGE = "#3a404b"
FRAME_INK = "#8b93a1"
FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Noto Sans Mono CJK SC',monospace"

THIN, THICK = 1.1, 2.6
"""How wide a line is drawn."""

LINES = {
    "─": "lr",
    "│": "ud",
    "╭": "rd",
    "╮": "ld",
    "╰": "ru",
    "╯": "lu",
    "┌": "rd",
    "┐": "ld",
    "└": "ru",
    "┘": "lu",
    "├": "udr",
    "┤": "udl",
    "┬": "lrd",
    "┴": "lru",
    "┼": "lrud",
    "━": "LR",
    "╸": "L",
    "╺": "R",
    "┃": "UD",
}
"""Where the lines of a character lead: left, right, up and down; capitals are thick."""

BLOCKS = {
    **{sign: (0.0, 1 - n / 8, 1.0, n / 8) for n, sign in enumerate("▁▂▃▄▅▆▇█", 1)},
    **{sign: (0.0, 0.0, n / 8, 1.0) for n, sign in enumerate("▏▎▍▌▋▊▉", 1)},
    "▐": (0.5, 0.0, 0.5, 1.0),
    "▔": (0.0, 0.0, 1.0, 0.125),
    "▀": (0.0, 0.0, 1.0, 0.5),
}
"""The part of its cell that a block fills: left, top, width and height."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One character on the screen."""

    sign: str
    column: int
    width: int
    ink: str
    paper: str
    kind: str
    """Letters for bold, italic and the like."""


@dataclass(frozen=True, slots=True)
class Screen:
    """What a terminal showed."""

    columns: int
    rows: int
    captured: str
    """Lines with escape sequences for colours."""

    title: str

    @property
    def text(self) -> str:
        """The words alone."""
        return "\n".join("".join(cell.sign for cell in line) for line in self.read())

    def read(self) -> list[list[Cell]]:
        """Its lines, cell by cell."""
        console = Console(
            color_system="truecolor", force_terminal=True, width=self.columns, legacy_windows=False
        )
        decoder = AnsiDecoder()
        lines = [decoder.decode_line(line) for line in self.captured.split("\n")[: self.rows]]
        return [
            list(_place((piece.text, piece.style or Style()) for piece in line.render(console)))
            for line in lines
        ]

    @property
    def width(self) -> float:
        """In units of the picture, with its frame."""
        return self.columns * CELL_WIDTH + 2 * MARGIN

    @property
    def height(self) -> float:
        """In units of the picture, with its frame."""
        return self.rows * LINE_HEIGHT + BAR + MARGIN


def _place(pieces: Iterable[tuple[str, Style]]) -> Iterable[Cell]:
    column = 0
    for text, style in pieces:
        ink, paper = _colours(style)
        signs = {"b": style.bold, "i": style.italic, "u": style.underline, "s": style.strike, "d": style.dim}
        kind = "".join(letter for letter, is_on in signs.items() if is_on)
        for sign in text:
            width = cell_len(sign)
            if sign != "\n" and width:
                yield Cell(sign, column, width, ink, paper, kind)
                column += width


def _colours(style: Style) -> tuple[str, str]:
    theme = DIMMED_MONOKAI
    plain = [theme.foreground_color.hex, theme.background_color.hex]
    ink, paper = (
        usual if colour is None or colour.is_default else colour.get_truecolor(theme).hex
        for colour, usual in zip((style.color, style.bgcolor), plain, strict=True)
    )
    return (paper, ink) if style.reverse else (ink, paper)


@dataclass(slots=True)
class Drawer:
    """Draws screens, and keeps a short name for every colour it needs."""

    inks: dict[str, str] = field(default_factory=dict)

    def name(self, colour: str) -> str:
        """The class of a colour."""
        return self.inks.setdefault(colour, f"c{len(self.inks)}")

    def draw(self, screen: Screen, x: float, y: float) -> str:
        """One screen in its frame."""
        ground = self.find_ground(screen)
        drawn = [part for row, line in enumerate(screen.read()) for part in self.draw_line(row, line, ground)]
        framed = self.frame(screen, ground, "\n".join(drawn))
        return f'<g transform="translate({x:g} {y:g})">\n{framed}</g>'

    def find_ground(self, screen: Screen) -> str:
        """The colour most of a screen has."""
        papers = Counter(cell.paper for line in screen.read() for cell in line)
        return papers.most_common(1)[0][0] if papers else FRAME_PAPER

    def frame(self, screen: Screen, ground: str, body: str) -> str:
        """What was drawn of a screen, in its frame."""
        dots = "".join(f'<circle cx="{at}" cy="15" r="4.5"/>' for at in (20, 36, 52))
        return f"""\
<rect class="frame" x=".5" y=".5" width="{screen.width - 1:g}" height="{screen.height - 1:g}" rx="8"/>
<g class="dots">{dots}</g>
<text class="title" x="{screen.width / 2:g}" y="20">{escape(screen.title, quote=False)}</text>
<g transform="translate({MARGIN} {BAR})" shape-rendering="crispEdges">
{self._fill(ground, 0, 0, screen.columns * CELL_WIDTH, screen.rows * LINE_HEIGHT)}
{body}
</g>"""

    def _fill(self, colour: str, *shape: float) -> str:
        x, y, width, height = (f"{round(number, 2):g}" for number in shape)
        return f'<rect class="{self.name(colour)}" x="{x}" y="{y}" width="{width}" height="{height}"/>'

    def draw_line(self, row: int, line: Sequence[Cell], ground: str) -> Iterable[str]:
        """The parts of one line."""
        top = row * LINE_HEIGHT
        for paper, run in groupby(line, key=lambda cell: cell.paper):
            cells = list(run)
            if paper != ground:
                width = sum(cell.width for cell in cells) * CELL_WIDTH
                yield self._fill(paper, _left(cells[0]), top, width, LINE_HEIGHT)
        for _, pairs in groupby(_split(line), key=lambda pair: (pair[0].ink, pair[0].kind, pair[1])):
            signs = [cell for cell, _ in pairs]
            if signs[0].sign in BLOCKS:
                yield from (self._draw_block(cell, top) for cell in signs)
            elif signs[0].sign in LINES:
                yield from self._draw_lines(signs, top)
            else:
                yield from self._draw_words(signs, top)

    def _draw_words(self, cells: Sequence[Cell], top: float) -> Iterable[str]:
        said = [at for at, cell in enumerate(cells) if cell.sign != " "]
        if not said:
            return
        cells = cells[said[0] : said[-1] + 1]
        # A wide sign is as wide as its font is high, and stands in two cells.
        kinds = "".join(f" {letter}" for letter in cells[0].kind + "w" * (cells[0].width - 1))
        length = sum(cell.width for cell in cells) * CELL_WIDTH
        words = escape("".join(cell.sign for cell in cells), quote=False)
        place = f'x="{_left(cells[0]):g}" y="{top + BASELINE:g}" textLength="{length:g}"'
        yield f'<text class="{self.name(cells[0].ink)}{kinds}" {place}>{words}</text>'

    def _draw_block(self, cell: Cell, top: float) -> str:
        left, down, width, height = BLOCKS[cell.sign]
        x, y = _left(cell) + left * CELL_WIDTH, top + down * LINE_HEIGHT
        return self._fill(cell.ink, x, y, width * CELL_WIDTH, height * LINE_HEIGHT)

    def _draw_lines(self, cells: Sequence[Cell], top: float) -> Iterable[str]:
        """One character, or a run of them that lead across and make one line."""
        ways, ink, x = LINES[cells[0].sign], cells[0].ink, _left(cells[0])
        wide = THICK if ways.isupper() else THIN
        middle_x, middle_y = x + CELL_WIDTH / 2 - wide / 2, top + LINE_HEIGHT / 2 - wide / 2
        half_width, half_height = CELL_WIDTH / 2 + wide / 2, LINE_HEIGHT / 2 + wide / 2
        if set(ways.lower()) == {"l", "r"}:
            yield self._fill(ink, x, middle_y, len(cells) * CELL_WIDTH, wide)
            return
        for way in ways.lower():
            match way:
                case "l":
                    yield self._fill(ink, x, middle_y, half_width, wide)
                case "r":
                    yield self._fill(ink, middle_x, middle_y, half_width, wide)
                case "u":
                    yield self._fill(ink, middle_x, top, wide, half_height)
                case _:
                    yield self._fill(ink, middle_x, middle_y, wide, half_height)


def _left(cell: Cell) -> float:
    return round(cell.column * CELL_WIDTH, 2)


def _split(line: Sequence[Cell]) -> Iterable[tuple[Cell, tuple[object, ...]]]:
    """Each cell with what keeps it together with its neighbours: words, lines of one kind, or nothing."""
    kept: tuple[object, ...] = ()
    for at, cell in enumerate(line):
        if cell.sign in LINES or cell.sign in BLOCKS:
            across = set(LINES.get(cell.sign, "").lower()) == {"l", "r"}
            kept = ("shape", cell.sign, "" if across else at)
        elif cell.sign == " ":
            # One space parts words of one line; several part what stands at places of its own.
            if at + 1 == len(line) or line[at + 1].sign == " " or kept[:1] != ("words",):
                kept = ("space", at)
        elif not cell.sign.isascii() and cell.width == 1 and not cell.sign.isalpha():
            kept = ("sign", at)
        else:
            # A wide sign is never in step with narrow ones.
            kept = ("words", cell.width)
        yield cell, kept


def draw_picture(screens: Sequence[Screen], label: str, across: int = 1) -> str:
    """Screens as one picture, so many beside each other."""
    drawer = Drawer()
    rows = [screens[at : at + across] for at in range(0, len(screens), across)]
    drawn, y, width = [], 0.0, 0.0
    for row in rows:
        x = 0.0
        for screen in row:
            drawn.append(drawer.draw(screen, x, y))
            x += screen.width + GAP
        width = max(width, x - GAP)
        y += max(screen.height for screen in row) + GAP
    height = y - GAP
    body = "\n".join(drawn)
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img">
<title>{escape(label, quote=False)}</title>
<style>
{draw_style(drawer)}
</style>
{body}
</svg>
"""


def draw_style(drawer: Drawer) -> str:
    """The rules for fonts and for the colours that were needed."""
    colours = "".join(f".{name}{{fill:{colour}}}" for colour, name in drawer.inks.items())
    return f"""\
text{{font:{FONT_SIZE}px {FONT};white-space:pre}}
.frame{{fill:{FRAME_PAPER};stroke:{FRAME_EDGE}}}.dots{{fill:{FRAME_EDGE}}}
.title{{fill:{FRAME_INK};text-anchor:middle;font-size:12px}}
.w{{font-size:{2 * CELL_WIDTH:g}px}}.b{{font-weight:bold}}.i{{font-style:italic}}.d{{opacity:.6}}
.u{{text-decoration:underline}}.s{{text-decoration:line-through}}
{colours}"""
