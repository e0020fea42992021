"""Sayings: what several commands that look back print alike.

Words for a terminal only; nothing is looked up here.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path

from talewright.cli.quotes import printable, width
from talewright.errors import TalewrightError
from talewright.kernel.documents import Json
from talewright.play.viewers import Viewer

LINE_CELLS = 100
"""Cells of a line that tells a turn."""

_CUT = "..."


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


def write_new(file: Path, data: bytes, *, force: bool) -> None:
    """Write a file, over an old one only where that is asked for."""
    try:
        with file.open("wb" if force else "xb") as stream:
            stream.write(data)
    except FileExistsError:
        raise TalewrightError(f"{file} exists already", "Choose another name, or write --force.") from None
    except OSError as error:
        raise TalewrightError(
            f"{file} cannot be written: {error.strerror}", "Choose a place where you may write."
        ) from error
