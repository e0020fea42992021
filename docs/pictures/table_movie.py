"""Records a moving picture of the terminal: `python docs/pictures/table_movie.py` draws `table-movie.svg`.

The program runs in tmux with a scripted model that streams its answers over HTTP. Screens are taken several
times a second and drawn as one animated SVG, in which a line is drawn once for as long as it stays the same.
Pauses are cut short; nothing else is touched up.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from terminal_drawing import Drawer, Screen, draw_style
from terminal_stage import Stage, begin_campaign, open_model, open_stage
from terminal_tale import read_tale

FILE = Path(__file__).with_name("table-movie.svg")
LABEL = "A turn of Mist Harbor in the terminal: the story is written, dice fall, cards change"

FRAME_SECONDS = 0.2
PAUSE_SECONDS_MAX = 2.0
"""How long a screen that does not change is shown."""

LAST_SECONDS = 4.0
"""How long the last screen stays before it begins again."""

KEY_SECONDS = 0.06
"""Between two keys, so that typing is seen."""

TURNS = 2


@dataclass(slots=True)
class Movie:
    """Screens, and for how long each was seen."""

    screens: list[Screen] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def show(self, screen: Screen, seconds: float) -> None:
        """Show a screen; the same one as before is shown for longer, up to a limit."""
        if self.screens and self.screens[-1] == screen:
            self.seconds[-1] = min(self.seconds[-1] + seconds, PAUSE_SECONDS_MAX)
        else:
            self.screens.append(screen)
            self.seconds.append(seconds)

    def draw(self) -> str:
        """All screens as one animated picture."""
        times = [0.0]
        for seconds in (*self.seconds[:-1], LAST_SECONDS):
            times.append(times[-1] + seconds)
        drawer = Drawer()
        first = self.screens[0]
        ground = drawer.find_ground(first)
        lines, shown = [], {}
        for (row, start, end), body in draw_runs(drawer, self.screens, ground).items():
            name = shown.setdefault((start, end), f"k{len(shown)}")
            last = " last" if end == len(self.screens) else ""
            lines.append(f'<g class="{name}{last}" data-row="{row}">{body}</g>')
        moves = "".join(
            draw_move(name, times[start] / times[-1], times[end] / times[-1])
            for (start, end), name in shown.items()
        )
        still = "@media (prefers-reduced-motion){g[data-row]{animation:none}g.last{visibility:visible}}"
        style = f"g[data-row]{{visibility:hidden;animation:{times[-1]:.1f}s step-end infinite}}{moves}{still}"
        body = drawer.frame(first, ground, "\n".join(lines))
        size = f'viewBox="0 0 {first.width:g} {first.height:g}" width="{first.width:g}"'
        return f"""\
<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">
<title>{escape(LABEL, quote=False)}</title>
<style>
{draw_style(drawer)}
{style}
</style>
{body}
</svg>
"""


def draw_runs(drawer: Drawer, screens: Sequence[Screen], ground: str) -> dict[tuple[int, int, int], str]:
    """Each line with its row and the screens it is on, from the first until before the second number."""
    runs: dict[tuple[int, int, int], str] = {}
    read = [screen.read() for screen in screens]
    for row in range(screens[0].rows):
        start = 0
        lines = [screen[row] if row < len(screen) else [] for screen in read]
        for at in range(1, len(lines) + 1):
            if at == len(lines) or lines[at] != lines[start]:
                body = "".join(drawer.draw_line(row, lines[start], ground))
                if body:
                    runs[row, start, at] = body
                start = at
    return runs


def draw_move(name: str, start: float, end: float) -> str:
    """The rule by which something is seen from one share of the time to another."""
    steps = ([] if start == 0 else ["0%{visibility:hidden}"]) + [f"{start:.3%}{{visibility:visible}}"]
    if end < 1:
        steps.append(f"{end:.3%}{{visibility:hidden}}")
    steps.append(f"to{{visibility:{'visible' if end == 1 else 'hidden'}}}")
    return f".{name}{{animation-name:{name}!important}}@keyframes {name}{{{''.join(steps)}}}\n"


async def film(stage: Stage, movie: Movie, until: asyncio.Event) -> None:
    """Take screens until the end."""
    while not until.is_set():
        began = time.monotonic()
        screen = await stage.look()
        await asyncio.sleep(max(FRAME_SECONDS - (time.monotonic() - began), 0))
        movie.show(screen, FRAME_SECONDS)


async def act(stage: Stage, turns: int) -> None:
    """Play some turns as a person would."""
    for number, turn in enumerate(read_tale().harbor[:turns], 2):
        if turn.is_choice:
            await stage.type(turn.typed)
        else:
            for sign in turn.typed:
                await stage.type(sign)
                await asyncio.sleep(KEY_SECONDS)
            await stage.press("Enter")
        await stage.rest(
            lambda text, at=f"turn {number}": at in text.partition("\n")[0] and "What do you do?" in text
        )
        await asyncio.sleep(PAUSE_SECONDS_MAX)


async def record(home: Path, turns: int = TURNS) -> Movie:
    """Play, and film it."""
    movie, over = Movie(), asyncio.Event()
    await begin_campaign(home, "mist_harbor", "en")
    async with open_model(home, read_tale()), open_stage(home) as stage:
        await stage.start("play", "mist_harbor")
        await stage.rest("What do you do?")
        filming = asyncio.create_task(film(stage, movie, over))
        await asyncio.sleep(PAUSE_SECONDS_MAX)
        await act(stage, turns)
        over.set()
        await filming
        await stage.leave()
    return movie


def main() -> int:
    """Record and write; the exit code."""
    with tempfile.TemporaryDirectory() as name:
        movie = asyncio.run(record(Path(name)))
    FILE.write_text(movie.draw(), "utf-8")
    size = FILE.stat().st_size
    print(f"{FILE.name}: {len(movie.screens)} screens, {sum(movie.seconds):.0f} s, {size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
