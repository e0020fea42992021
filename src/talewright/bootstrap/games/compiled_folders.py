"""Compiled folders: opens game folders, each once while its files stay the same, as editions and covers.

It never writes to a game. Which folders may be opened is decided in `game_library`.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

from talewright.common.json_values import Json
from talewright.errors import Fault, Severity, TalewrightError
from talewright.kernel.game import Game
from talewright.kernel.state.state import canonical
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.system import System
from talewright.pack.cache.compiled_game import pack_game
from talewright.pack.cache.cover_cache import (
    COLORS,
    DESCRIPTION,
    LENGTH_TURNS,
    MOTIF,
    TONE,
    GameCover,
    read_cover,
    take_mark,
    write_cover,
)
from talewright.pack.cache.game_cache import load_folder
from talewright.play.playable_games import UnplayableGameError
from talewright.turn.game_editions import Edition

FAULTS_TOLD_MAX = 3
"""Faults to show if a game cannot be played."""


class CompiledFolders:
    """The folders that were opened."""

    def __init__(self, cache: Path, systems: Callable[[], Mapping[str, System]]) -> None:
        self._cache = cache
        self._systems = systems
        self._opened: dict[Path, tuple[str, Edition]] = {}
        """Editions by folder, with the folder's mark at the time."""

        self._faulty: dict[Path, tuple[str, tuple[Fault, ...]]] = {}
        """Faults of folders that cannot be played, with the folder's mark at the time."""

    def editions(self) -> Iterator[Edition]:
        """The editions that are loaded."""
        return (edition for _, edition in self._opened.values())

    def open(self, folder: Path) -> Edition:
        """The game in a folder. Raises UnplayableGameError if it has faults."""
        mark = _mark(folder)
        known = self._opened.get(folder)
        if known is not None and mark and known[0] == mark:
            return known[1]
        faulty = self._faulty.get(folder)
        if faulty is not None and mark and faulty[0] == mark:
            raise _unplayable(folder, faulty[1])
        compiled = load_folder(folder, self._systems(), self._cache)
        if compiled.game is None:
            errors = [fault for fault in compiled.faults if fault.severity is Severity.ERROR]
            self._faulty[folder] = mark, tuple(errors)
            raise _unplayable(folder, errors)
        game, texts = compiled.game, compiled.texts
        # Derived data is computed once, for the next caller that opens the game.
        if mark and mark == _mark(folder) and read_cover(folder, self._cache) is None:
            write_cover(folder, self._cache, mark, _make_cover(game, texts))
        edition = bind_edition(game, texts, cast(Json, pack_game(game, texts, ())))
        self._opened[folder] = mark, edition
        return edition

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


def bind_edition(game: Game, texts: Mapping[str, Texts], form: Json) -> Edition:
    """An edition with its digest."""
    return Edition(game, texts, digest_form(form), form)


def digest_form(form: Json) -> str:
    """The digest of a compiled game."""
    return hashlib.sha256(canonical(form)).hexdigest()


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
    return GameCover(
        game.id,
        (game.language, *others),
        {language: words.find("title") or game.id for language, words in texts.items()},
        {language: words.find("intro") for language, words in texts.items()},
        {language: _tell_tone(words.find(TONE)) for language, words in texts.items()},
        int(length) if length.isdecimal() else 0,
        game.plays_alone,
        {language: words.find(DESCRIPTION) for language, words in texts.items()},
        texts[game.language].find(MOTIF),
        tuple(filter(None, map(texts[game.language].find, COLORS))),
    )


def _tell_tone(tone: str) -> str:
    """Format a tone: authors may write `noir_mystery`."""
    return " ".join(tone.replace("_", " ").split())
