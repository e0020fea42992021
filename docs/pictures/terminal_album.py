"""The album: screens that were seen, the pictures they make, and the command that records them.

What is played and which screens are kept is the business of whoever records.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from terminal_drawing import Screen, draw_picture
from terminal_stage import NO_TMUX, UnseenError

FOLDER = Path(__file__).parent


@dataclass(slots=True)
class Album:
    """The screens that were seen, by the name of their picture."""

    prefix: str
    """With which the name of every file begins."""

    labels: Mapping[str, str]
    """What each picture shows."""

    screens: dict[str, list[Screen]] = field(default_factory=dict)

    def keep(self, name: str, *screens: Screen) -> None:
        """Put screens into a picture."""
        self.screens.setdefault(name, []).extend(screens)

    def write(self, folder: Path) -> list[Path]:
        """Write every picture, and beside it nothing else."""
        files = []
        for name, screens in self.screens.items():
            drawn = draw_picture(screens, self.labels[name], 2 if len(screens) > 1 else 1)
            files.append(folder / f"{self.prefix}-{name}.svg")
            files[-1].write_text(drawn, "utf-8")
        return files


Record: TypeAlias = Callable[[Path, Album, bool], Coroutine[None, None, None]]
"""Plays in an empty folder and puts what it sees into an album; in the short form, if so wished."""


def run_recorder(about: str, album: Album, record: Record) -> int:
    """The command of a script that records; its exit code."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--into", type=Path, default=FOLDER, metavar="FOLDER", help="where to write them")
    parser.add_argument("--short", action="store_true", help="fewer turns, and fewer pictures")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        try:
            asyncio.run(record(Path(name), album, arguments.short))
        except UnseenError as error:
            print(error, file=sys.stderr)
            return 2 if str(error) == NO_TMUX else 1
    for file in album.write(arguments.into):
        print(f"{file.name}: {file.stat().st_size} bytes")
    return 0
