"""The workbench of an author: game folders that are compiled and linted again when their files change.

It checks only on request, and an open page requests it regularly. It never writes to a game.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from time import monotonic

from talewright.common.safe_text import clean_line
from talewright.errors import Fault
from talewright.kernel.system import System
from talewright.pack.cache.cover_cache import take_mark
from talewright.pack.compiler import check_folder
from talewright.pack.fault_excerpts import cut_excerpt, split_lines
from talewright.pack.faults import FaultList
from talewright.pack.files.folder_reader import read_folder
from talewright.pack.game_folders import list_games
from talewright.play.serving.game_workbench import FaultView, WorkedGame

GAMES_MAX = 50
"""How many games are on the workbench; further folders are ignored."""

LOOK_SECONDS = 0.5
"""How long findings are reused, however many pages ask."""


class FolderWorkbench:
    """The games in some folders."""

    def __init__(
        self,
        folders: Sequence[Path],
        systems: Callable[[], Mapping[str, System]],
        now: Callable[[], str],
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        self._folders = tuple(folders)
        self._systems = systems
        self._now = now
        """The time as ISO 8601 in UTC."""

        self._seconds = seconds
        self._known: dict[str, WorkedGame] = {}
        """The latest findings, by folder."""

        self._looked: float | None = None
        self._looking = asyncio.Lock()

    async def games(self, *, at_once: bool = False) -> tuple[WorkedGame, ...]:
        """The games being worked on; changed files are compiled again."""
        # One check at a time: two pages must not compile the same change twice.
        async with self._looking:
            if at_once or self._looked is None or self._seconds() - self._looked >= LOOK_SECONDS:
                self._known = await asyncio.to_thread(self._look)
                self._looked = self._seconds()
            return tuple(self._known.values())

    def _look(self) -> dict[str, WorkedGame]:
        found = {}
        for folder in islice(list_games(self._folders), GAMES_MAX):
            known = self._known.get(str(folder))
            mark = _mark(folder)
            if known is None or not mark or known.mark != mark:
                known = self._check(folder, mark, known)
            found[str(folder)] = known
        return found

    def _check(self, folder: Path, mark: str, before: WorkedGame | None) -> WorkedGame:
        compiled = check_folder(folder, self._systems())
        at, faults = self._now(), tuple(_quote(folder, compiled.faults))
        game = compiled.game
        if game is not None:
            spoken = (game.language, *(tag for tag in game.languages if tag != game.language))
            titles = {tag: clean_line(compiled.texts[tag].find("title")) for tag in spoken}
            return WorkedGame(folder.name, str(folder), mark, at, True, faults, game.id, titles, at)
        if before is None:
            return WorkedGame(folder.name, str(folder), mark, at, False, faults, folder.name)
        # The title and the id are those of the last version that compiled: campaigns continue with it.
        return replace(before, mark=mark, checked_at=at, is_playable=False, faults=faults)


def _quote(folder: Path, faults: Sequence[Fault]) -> Iterator[FaultView]:
    """Every fault with its line, in the order of the compiler."""
    found = read_folder(folder, FaultList()) if faults else None
    files = found.files if found is not None else {}
    lines: dict[str, list[str]] = {}
    for fault in faults:
        file = fault.place.file
        if file not in lines:
            lines[file] = split_lines(files, file)
        yield FaultView(fault, *cut_excerpt(fault, lines[file]))


def _mark(folder: Path) -> str:
    """The mark of a folder; empty if it cannot be read, so that it is checked again."""
    try:
        return take_mark(folder)
    except (OSError, RecursionError):
        return ""
