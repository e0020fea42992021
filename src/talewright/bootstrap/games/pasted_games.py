"""Pasted games: makes a game in the user's folder of a premise or a rulebook that was pasted into a chat.

Only servers of the user's own machine offer this. An existing game is never overwritten, and the same texts
make the same game, however often they are pasted.
"""

import asyncio
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path

from talewright.bootstrap.games.scenario_games import find_id, find_scenario_reader
from talewright.common.frozen_values import frozen
from talewright.common.safe_text import clean_line
from talewright.errors import Fault, Severity, TalewrightError
from talewright.kernel.system import ImportedScenario, System
from talewright.kernel.system.system_parts import file_patterns
from talewright.pack.cache.game_cache import load_folder
from talewright.pack.game_folders import compose_scenario_game, write_texts
from talewright.play.lobby import GameInfo
from talewright.play.playable_games import MadeGame, PastedGame, UnplayableGameError

RULES_FILE = "System.md"
NO_NAME = "pasted_game"
"""The id of a game whose title has no letters allowed in an id."""

STEM_LENGTH_MAX = 35
"""Characters of an id before the number that tells it apart from others."""

TITLE_LENGTH_MAX = 100
WARNINGS_TOLD_MAX = 10
FOLDER_MODE = 0o755
PART_PREFIX = ".part-"
"""Of a folder that is not complete yet; hidden folders are not listed."""


@frozen
class PastedGameMaker:
    """Makes games of what a user pastes; a `GameMaker`."""

    games: Path
    """The folder in which the games are made."""

    cache: Path
    systems: Callable[[], Mapping[str, System]]
    list_games: Callable[[], tuple[GameInfo, ...]]
    """The games that are listed already, in this folder or another; called in another thread."""

    async def __call__(self, pasted: PastedGame) -> MadeGame:
        """Make a game, or find the one that was made of the same texts."""
        return await asyncio.to_thread(self._make, pasted)

    def _make(self, pasted: PastedGame) -> MadeGame:
        title = clean_line(pasted.title).strip()
        if not 0 < len(title) <= TITLE_LENGTH_MAX:
            raise UnplayableGameError(
                "the title of a game is one line", f"Give it 1 to {TITLE_LENGTH_MAX} characters."
            )
        premise, rules = _clean(pasted.premise), _clean(pasted.rules)
        if not premise and not rules:
            raise UnplayableGameError("there is neither a premise nor rules", "Paste one of them, or both.")
        pasted = replace(pasted, title=title, premise=premise, rules=rules)
        systems, scenario = _read(pasted, self.systems())
        listed = {info.id for info in self.list_games()}
        try:
            for name in _number_ids(find_id(title, NO_NAME)):
                texts = compose_scenario_game(name, title, systems, scenario)
                folder = self.games / name
                if name not in listed and not os.path.lexists(folder):
                    self._write(folder, texts)
                # It may be an earlier one, or another process may have written it just now.
                if _holds(folder, texts):
                    return MadeGame(name, str(folder), self._check(folder))
        except OSError as error:
            raise TalewrightError(
                f"the game could not be written: {error.strerror or error}", f"Check the folder {self.games}."
            ) from error
        raise AssertionError("there is always another number")

    def _write(self, folder: Path, texts: Mapping[str, str]) -> None:
        """Write a game whole or not at all: nobody sees a part of it, nor one with faults.

        If another process has made a game there meanwhile, that one stays.
        """
        self.games.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=PART_PREFIX, dir=self.games))
        try:
            write_texts(part, texts)
            self._check(part)
            part.chmod(FOLDER_MODE)
            part.rename(folder)
        except OSError:
            if not folder.is_dir():
                raise
        finally:
            shutil.rmtree(part, ignore_errors=True)

    def _check(self, folder: Path) -> tuple[str, ...]:
        """Compile a game; returns the warnings. Raises UnplayableGameError if it has errors."""
        compiled = load_folder(folder, self.systems(), self.cache)
        errors = [_word(one) for one in compiled.faults if one.severity is Severity.ERROR]
        if errors:
            raise UnplayableGameError(
                f"no game can be made of this: {errors[0]}", "Change it, and try again."
            )
        return tuple(_word(one) for one in compiled.faults[:WARNINGS_TOLD_MAX])


def _read(pasted: PastedGame, systems: Mapping[str, System]) -> tuple[tuple[str, ...], ImportedScenario]:
    """The systems of a game, and its files."""
    used: list[str] = []
    scenario = ImportedScenario(pasted.title, "", pasted.language, {})
    if pasted.premise:
        reader = find_scenario_reader(systems)
        used.append(reader.name)
        place = clean_line(pasted.place).strip() or pasted.title
        wanted = {"title": pasted.title, "description": pasted.premise, "locations": [{"name": place}]}
        read = reader.read_scenario(json.dumps(wanted).encode())
        scenario = replace(read, language=pasted.language)
    if pasted.rules:
        used.append(_find_rules_reader(systems))
        scenario = replace(scenario, files={**scenario.files, RULES_FILE: f"{pasted.rules}\n"})
    return tuple(used), scenario


def _clean(text: str) -> str:
    """A text as files have it."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _find_rules_reader(systems: Mapping[str, System]) -> str:
    """The first system that reads rulebooks."""
    for name in systems:
        with suppress(TalewrightError):
            if RULES_FILE in file_patterns([systems[name]]):
                return name
    raise TalewrightError("no installed system reads rulebooks", "Reinstall Talewright.")


def _number_ids(stem: str) -> Iterator[str]:
    yield stem
    yield from (f"{stem[:STEM_LENGTH_MAX]}_{number}" for number in count(2))


def _holds(folder: Path, texts: Mapping[str, str]) -> bool:
    """Whether a folder has just these files, or more; one that its user has changed since is another game."""
    try:
        return all((folder / path).read_text("utf-8") == text for path, text in texts.items())
    except (OSError, UnicodeDecodeError):
        return False


def _word(fault: Fault) -> str:
    return clean_line(f"{fault.place}: {fault.message}. {fault.suggestion}".rstrip(" ."))
