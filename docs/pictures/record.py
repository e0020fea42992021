"""Records the first two turns of a game in the plain face: `python docs/pictures/record.py` draws `play.svg`.

The text is what the program wrote, at 80 columns, without the dice receipt. A test compares the picture.
"""

import io
import re
import sys
import tempfile
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[2]
PICTURE = Path(__file__).with_name("play.svg")

GAME = "mist_harbor"
LANGUAGE = "en"
TYPED = ("1",)
COLUMNS = 80
ROWS = 26
"""Lines that are seen at once."""

SECRET = bytes(range(32))
"""So that the dice fall the same in every recording."""

CELL_WIDTH = 8.6
LINE_HEIGHT = 20
FONT_SIZE = 14
MARGIN = 20
BAR = 34
"""Height of the bar above the text."""

OVERLAP = 2
"""Lines of a page that stand on the next one too."""

PAGE_SECONDS = 7.0
"""How long a page stands before the next."""


RECEIPT = re.compile(
    r"^Dice receipt [^\n]*\n(?:[^\n]+\n)*?talewright-receipt-1:[^\n]*\n(?:\n)?", re.MULTILINE
)
"""The receipt is another one in every recording."""


class Terminal(io.StringIO):
    """A screen in memory; what is typed shows on it as on any terminal."""

    def isatty(self) -> bool:
        return True


class Typist(io.StringIO):
    """A keyboard whose keys are heard on a screen."""

    def __init__(self, typed: tuple[str, ...], screen: Terminal) -> None:
        super().__init__("".join(f"{line}\n" for line in typed))
        self._screen = screen

    def readline(self, size: int | None = -1, /) -> str:
        line = super().readline(-1)
        self._screen.write(line)
        return line


def record() -> list[str]:
    """The lines on the screen, up to the prompt after the last thing typed."""
    from talewright import bootstrap
    from talewright.bootstrap.splash import PlayCommandOptions as Asked
    from talewright.pack.user_folders import UserFolders as Places

    screen = Terminal()
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        places = Places(home / "saves", home / "cache", (ROOT / "games",))
        asked = Asked(game=GAME, language=LANGUAGE, saves=places.saves, git=False)
        environment = {"COLUMNS": str(COLUMNS)}
        bootstrap.run_plain(asked, places, Typist(TYPED, screen), screen, environment, SECRET)
    told = screen.getvalue()
    shown = told[: told.rindex("\n> ") + len("\n> ")]
    shown = RECEIPT.sub("", shown)
    return [f"$ talewright play {GAME} --language {LANGUAGE}", "", *shown.split("\n")]


def draw(lines: list[str]) -> str:
    """The lines as a picture that turns its pages; where motion is not wanted, the first stays."""
    last = max(len(lines) - ROWS, 0)
    pages = [*range(0, last, ROWS - OVERLAP), last]
    width, height = COLUMNS * CELL_WIDTH + 2 * MARGIN, ROWS * LINE_HEIGHT + BAR + MARGIN
    seconds = PAGE_SECONDS * len(pages)
    keys = []
    for number, first in enumerate(pages):
        start, end = 100 * number / len(pages), 100 * (number + 0.93) / len(pages)
        keys.append(f"{start:.2f}%,{end:.2f}%{{transform:translateY({-first * LINE_HEIGHT}px)}}")
    keys.append(f"100%{{transform:translateY({-pages[-1] * LINE_HEIGHT}px)}}")
    rows = "\n".join(
        f'<text y="{(number + 1) * LINE_HEIGHT - 5}"{_kind(line)}>{escape(line, quote=False)}</text>'
        for number, line in enumerate(lines)
        if line.strip()
    )
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" role="img">
<title>The first two turns of {GAME} in a terminal</title>
<style>
svg{{--paper:#fbfaf7;--ink:#24292f;--quiet:#6e7781;--edge:#d0d7de;--own:#0550ae}}
@media (prefers-color-scheme:dark){{
svg{{--paper:#14171c;--ink:#d6dbe1;--quiet:#8b949e;--edge:#30363d;--own:#79c0ff}}}}
.paper{{fill:var(--paper);stroke:var(--edge)}}
text{{font:{FONT_SIZE}px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}}
text{{fill:var(--ink);white-space:pre}}
.own{{fill:var(--own)}}.quiet,.dot{{fill:var(--quiet)}}
.roll{{animation:roll {seconds:.0f}s ease-in-out infinite}}
@keyframes roll{{{"".join(keys)}}}
@media (prefers-reduced-motion:reduce){{.roll{{animation:none}}}}
</style>
<rect class="paper" x=".5" y=".5" width="{width - 1:.0f}" height="{height - 1}" rx="8"/>
<g class="dot" opacity=".5"><circle cx="22" cy="18" r="5"/><circle cx="40" cy="18" r="5"/>
<circle cx="58" cy="18" r="5"/></g>
<svg x="{MARGIN}" y="{BAR}" width="{COLUMNS * CELL_WIDTH:.0f}" height="{ROWS * LINE_HEIGHT}">
<g class="roll" xml:space="preserve">
{rows}
</g></svg>
</svg>
"""


def _kind(line: str) -> str:
    if line.startswith(("> ", "$ ")):
        return ' class="own"'
    return ' class="quiet"' if line.startswith(("Now: ", "Changed: ")) else ""


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "src"))
    PICTURE.write_text(draw(record()), "utf-8")
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size} bytes")
