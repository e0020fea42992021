"""Compiled folders: opens game folders, each once while its files stay the same, as editions and covers.

It never writes to a game. Which folders may be opened is decided in `game_library`.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from talewright.errors import Fault, Severity, SourcePlace, TalewrightError
from talewright.kernel.game import Game
from talewright.kernel.story.endings import UNCOUNTED_ENDINGS, list_endings
from talewright.kernel.story.game_cover import read_cover_rules
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.system import System
from talewright.pack.cache.compiled_game import pack_with_digest, unpack_faults
from talewright.pack.cache.cover_cache import (
    DESCRIPTION,
    INVITATION,
    LENGTH_TURNS,
    TONE,
    GameCover,
    read_cover,
    take_mark,
    write_cover,
)
from talewright.pack.cache.game_cache import load_folder
from talewright.pack.game_folders import GAME_FILE, list_games
from talewright.play.playable_games import UnplayableGameError
from talewright.turn.game_editions import Edition

if TYPE_CHECKING:
    from talewright.play.serving.served_jobs import JobRunner

FAULTS_TOLD_MAX = 3
"""Faults to show if a game cannot be played."""


class CompiledFolders:
    """The folders that were opened."""

    def __init__(self, cache: Path, systems: Callable[[], Mapping[str, System]]) -> None:
        self._cache = cache
        self._preparing: set[Path] = set()
        """Folders that another process is compiling."""

        self._systems = systems
        self._opened: dict[Path, tuple[str, Edition]] = {}
        """Editions by folder, with the folder's mark at the time."""

        self._faulty: dict[Path, tuple[str, tuple[Fault, ...]]] = {}
        """Faults of folders that cannot be played, with the folder's mark at the time."""

    def editions(self) -> Iterator[Edition]:
        """The editions that are loaded."""
        # A large stored game is restored in a thread, which must not see the mapping change.
        return (edition for _, edition in list(self._opened.values()))

    def open(self, folder: Path) -> Edition:
        """The game in a folder. Raises UnplayableGameError if it has faults."""
        mark = _mark(folder)
        known = self._opened.get(folder)
        if known is not None and mark and known[0] == mark:
            return known[1]
        faulty = self._faulty.get(folder)
        if faulty is not None and mark and faulty[0] == mark:
            raise _unplayable(folder, faulty[1])
        if folder in self._preparing:
            if known is not None:
                return known[1]
            # Only servers have jobs.
            from talewright.play.serving.served_jobs import ServerBusyError

            raise ServerBusyError("the game is still being compiled", "Try again in a few seconds.")
        compiled = load_folder(folder, self._systems(), self._cache)
        if compiled.game is None:
            errors = [fault for fault in compiled.faults if fault.severity is Severity.ERROR]
            self._faulty[folder] = mark, tuple(errors)
            raise _unplayable(folder, errors)
        game, texts = compiled.game, compiled.texts
        # Derived data is computed once, for the next caller that opens the game.
        if mark and mark == _mark(folder) and read_cover(folder, self._cache) is None:
            write_cover(folder, self._cache, mark, _make_cover(game, texts))
        packed = compiled.packed or pack_with_digest(game, texts)
        edition = Edition(game, texts, packed.digest, packed.form)
        self._opened[folder] = mark, edition
        return edition

    async def prepare(self, folders: Sequence[Path], jobs: "JobRunner") -> None:
        """Compile every changed game in some folders in another process, so that it is not compiled here.

        Meanwhile, its last edition is in use.
        """
        for folder in await asyncio.to_thread(lambda: tuple(list_games(folders))):
            await self._prepare(folder, jobs)

    async def _prepare(self, folder: Path, jobs: "JobRunner") -> None:
        from talewright.play.error_codes import RemoteError
        from talewright.play.serving.served_jobs import JobCrashedError, JobKind, JobStoppedError

        mark = await asyncio.to_thread(self._find_change, folder)
        if not mark or folder in self._preparing:
            return
        self._preparing.add(folder)
        try:
            done = await jobs.run(JobKind.COMPILE, {"folder": str(folder)})
            faults = unpack_faults(done.value)
        except (JobStoppedError, JobCrashedError, RemoteError) as error:
            faults = (stopped_fault(error),)
        finally:
            self._preparing.discard(folder)
        if faults:
            self._faulty[folder] = mark, faults
            return
        # It is in the cache now; if the files have faults by now, whoever asks for the game is told.
        with suppress(TalewrightError):
            await asyncio.to_thread(self.open, folder)

    def _find_change(self, folder: Path) -> str:
        """The mark of a folder that has to be compiled; empty if that is not needed or not possible."""
        mark = _mark(folder)
        seen = {kept[folder][0] for kept in (self._opened, self._faulty) if folder in kept}
        return "" if mark in seen or read_cover(folder, self._cache) is not None else mark

    def find_cover(self, folder: Path) -> GameCover | None:
        """What lists show of the game in a folder; None if it has faults."""
        cover = read_cover(folder, self._cache)
        if cover is not None:
            return cover
        try:
            edition = self.open(folder)
        except TalewrightError:
            return None
        return _make_cover(edition.game, edition.texts)

    def find_faults(self, folder: Path) -> tuple[Fault, ...]:
        """Why a folder could not be opened; empty if it could."""
        return self._faulty[folder][1] if folder in self._faulty else ()


def stopped_fault(error: TalewrightError) -> Fault:
    """The fault of a game that could not be compiled within the limits of a server."""
    # Only servers have jobs.
    from talewright.pack.faults import FaultCode

    return FaultCode.FOLDER_TOO_LARGE.fault(SourcePlace(GAME_FILE), error.message, error.hint)


def _unplayable(folder: Path, errors: Sequence[Fault]) -> UnplayableGameError:
    told = "; ".join(f"{fault.place}: {fault.message}" for fault in errors[:FAULTS_TOLD_MAX])
    return UnplayableGameError(
        f"the game in {folder} cannot be played: {told}", f"Run: talewright check {folder}"
    )


def _mark(folder: Path) -> str:
    try:
        return take_mark(folder)
    except (OSError, RecursionError):
        return ""


def _make_cover(game: Game, texts: Mapping[str, Texts]) -> GameCover:
    others = [language for language in game.languages if language != game.language]
    length = texts[game.language].find(LENGTH_TURNS)
    picture = read_cover_rules(texts[game.language])
    return GameCover(
        game.id,
        (game.language, *others),
        {language: words.find("title") or game.id for language, words in texts.items()},
        {language: words.find("intro") for language, words in texts.items()},
        {language: _tell_tone(words.find(TONE)) for language, words in texts.items()},
        int(length) if length.isdecimal() else 0,
        game.plays_alone,
        {language: words.find(DESCRIPTION) for language, words in texts.items()},
        picture.motif,
        picture.colors,
        picture.light_theme,
        picture.dark_theme,
        {language: tuple(filter(None, map(words.find, INVITATION))) for language, words in texts.items()},
        0 if texts[game.language].find(UNCOUNTED_ENDINGS) else len(list_endings(game.endings)),
    )


def _tell_tone(tone: str) -> str:
    """Format a tone: authors may write `noir_mystery`."""
    return " ".join(tone.replace("_", " ").split())
