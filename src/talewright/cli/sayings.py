"""Sayings: what several commands that look back print alike.

Words for a terminal only; nothing is looked up here.
"""

import argparse
from collections.abc import Mapping

from talewright.cli.quotes import printable, width
from talewright.kernel.state.documents import Json
from talewright.play.campaign_view import Viewer

LINE_CELLS = 100
"""Cells of a line that tells a turn."""

_CUT = "..."

FORCE_HINT = "Choose another name, or write --force."
"""What to do about a file that is there already."""


def add_viewer(parser: argparse.ArgumentParser, default: Viewer) -> None:
    """The option that says for whom something is shown."""
    parser.add_argument(
        "--viewer",
        type=Viewer,
        choices=list(Viewer),
        default=default,
        metavar="WHO",
        help=f"for whom: {', '.join(Viewer)} ({default}); all but player spoil the game",
    )


def tell_story_line(version: int, body: Mapping[str, Json]) -> str:
    """One turn on one line: what was said and how the telling begins."""
    said, told = str(body.get("said", "")), str(body.get("narration", ""))
    text = f"{said}: {told}" if said else told
    return shorten(f"{version:>4}  {text}", LINE_CELLS)


def shorten(text: str, cells: int) -> str:
    """A text on one line, cut where it would be too long."""
    line = (text[:6] + " ".join(printable(text[6:]).split())).rstrip()
    if width(line) <= cells:
        return line
    while width(line) > cells - len(_CUT):
        line = line[:-1]
    return line.rstrip() + _CUT
