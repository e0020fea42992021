"""The workbench of an author: game folders that are compiled and linted again when their files change.

It checks only on request, and an open page requests it regularly. It never writes to a game.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import cast

from talewright.bootstrap.games.compiled_folders import stopped_fault
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.safe_text import clean_line
from talewright.errors import Fault
from talewright.kernel.system import System
from talewright.pack.cache.compiled_game import pack_faults, unpack_faults
from talewright.pack.cache.cover_cache import take_mark
from talewright.pack.compiler import check_folder
from talewright.pack.fault_excerpts import cut_excerpt, split_lines
from talewright.pack.faults import FaultList
from talewright.pack.files.folder_reader import read_folder
from talewright.pack.game_folders import list_games
from talewright.play.serving.game_workbench import FaultView, WorkedGame
from talewright.play.serving.served_jobs import JobCrashedError, JobKind, JobRunner, JobStoppedError

GAMES_MAX = 50
"""How many games are on the workbench; further folders are ignored."""

LOOK_SECONDS = 0.5
"""How long findings are reused, however many pages ask."""


@frozen
class GameCheck:
    """What compiling and linting a folder has found."""

    faults: tuple[FaultView, ...]
    game: str = ""
    """The id of the game; empty if it cannot be played."""

    titles: Mapping[str, str] = field(default_factory=dict)
    """By language; the language the game is written in comes first."""

    def to_json(self) -> Json:
        """As the result of a job."""
        return {
            "game": self.game,
            "titles": dict(self.titles),
            "faults": pack_faults(tuple(view.fault for view in self.faults)),
            "lines": [[view.before, view.at, view.after] for view in self.faults],
        }

    @classmethod
    def from_json(cls, form: Json) -> "GameCheck":
        """From the result of a job."""
        members = cast(Mapping[str, Json], form)
        lines = cast(Sequence[tuple[str, str, str]], members["lines"])
        faults = unpack_faults(members["faults"])
        return cls(
            tuple(FaultView(fault, *line) for fault, line in zip(faults, lines, strict=True)),
            cast(str, members["game"]),
            cast(Mapping[str, str], members["titles"]),
        )


def check_game(folder: Path, systems: Mapping[str, System]) -> GameCheck:
    """Compile and lint a folder."""
    compiled = check_folder(folder, systems)
    faults, game = tuple(_quote(folder, compiled.faults)), compiled.game
    if game is None:
        return GameCheck(faults)
    spoken = (game.language, *(tag for tag in game.languages if tag != game.language))
    return GameCheck(faults, game.id, {tag: clean_line(compiled.texts[tag].find("title")) for tag in spoken})


class FolderWorkbench:
    """The games in some folders."""

    def __init__(
        self,
        folders: Sequence[Path],
        systems: Callable[[], Mapping[str, System]],
        now: Callable[[], str],
        seconds: Callable[[], float] = monotonic,
        jobs: JobRunner | None = None,
    ) -> None:
        """On a server, `jobs` checks the games in another process."""
        self._folders = tuple(folders)
        self._systems = systems
        self._now = now
        """The time as ISO 8601 in UTC."""

        self._seconds = seconds
        self._jobs = jobs
        self._known: dict[str, WorkedGame] = {}
        """The latest findings, by folder."""

        self._looked: float | None = None
        self._looking = asyncio.Lock()

    async def games(self, *, at_once: bool = False) -> tuple[WorkedGame, ...]:
        """The games being worked on; changed files are compiled again."""
        # One check at a time: two pages must not compile the same change twice.
        async with self._looking:
            if at_once or self._looked is None or self._seconds() - self._looked >= LOOK_SECONDS:
                self._known = await self._look()
                self._looked = self._seconds()
            return tuple(self._known.values())

    async def _look(self) -> dict[str, WorkedGame]:
        found = {}
        for folder, mark in await asyncio.to_thread(self._take_marks):
            known = self._known.get(str(folder))
            if known is None or not mark or known.mark != mark:
                known = self._note(folder, mark, await self._check(folder), known)
            found[str(folder)] = known
        return found

    def _take_marks(self) -> list[tuple[Path, str]]:
        return [(folder, _mark(folder)) for folder in islice(list_games(self._folders), GAMES_MAX)]

    async def _check(self, folder: Path) -> GameCheck:
        if self._jobs is None:
            return await asyncio.to_thread(check_game, folder, self._systems())
        try:
            done = await self._jobs.run(JobKind.CHECK, {"folder": str(folder)})
        except (JobStoppedError, JobCrashedError) as error:
            return GameCheck((FaultView(stopped_fault(error)),))
        return GameCheck.from_json(done.value)

    def _note(self, folder: Path, mark: str, check: GameCheck, before: WorkedGame | None) -> WorkedGame:
        at = self._now()
        if check.game:
            return WorkedGame(
                folder.name, str(folder), mark, at, True, check.faults, check.game, check.titles, at
            )
        if before is None:
            return WorkedGame(folder.name, str(folder), mark, at, False, check.faults, folder.name)
        # The title and the id are those of the last version that compiled: campaigns continue with it.
        return replace(before, mark=mark, checked_at=at, is_playable=False, faults=check.faults)


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
