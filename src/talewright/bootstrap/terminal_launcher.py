"""The launcher of the terminal face: what it is handed, and what is loaded after the first paint.

Before the first paint nothing is loaded here that knows of models, stores or rules.
"""

import importlib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from talewright.bootstrap.splash import PlayCommandOptions
from talewright.common.frozen_values import frozen
from talewright.common.language_tags import locale_language
from talewright.common.plain_files import open_plain
from talewright.config.settings_file import TERMINAL, find_settings_file, fit_preferences, read_terminal
from talewright.faces.tui.launch_preferences import (
    Preferences,
    TerminalLaunch,
    TerminalServices,
    TerminalStartRequest,
)
from talewright.pack.cache.cover_cache import read_cover
from talewright.pack.game_folders import GAME_FILE, find_game
from talewright.pack.user_folders import UserFolders

if TYPE_CHECKING:
    from talewright.bootstrap.model_chooser import LocalModelChooser
    from talewright.bootstrap.provider_factory import ProviderFactory
    from talewright.bootstrap.settings_reload import ReloadingProviderFactory
    from talewright.play.lobby import Lobby
    from talewright.play.playable_games import GameLibrary

GAME_ID_BYTES = 4_096
"""Bytes of a game's file in which its id is looked for; it stands in the first lines."""

_GAME_ID = re.compile(r"(?m)^game_id:\s*[\"']?([A-Za-z0-9_-]+)")


@frozen
class TerminalOpeners:
    """How the rooms are opened; each loads what it needs when it is called."""

    shelf: "Callable[[UserFolders, str], GameLibrary]"
    lobby: "Callable[..., Lobby]"
    factory: "Callable[[Mapping[str, str], str], ProviderFactory]"


def open_terminal(
    asked: PlayCommandOptions, places: UserFolders, environment: Mapping[str, str], openers: TerminalOpeners
) -> int:
    """Let one player play; the exit code."""
    door = make_door(asked, places, environment, openers)
    run: Callable[[TerminalLaunch], int] = importlib.import_module("talewright.faces.tui.app").run_terminal
    return run(door)


def make_door(
    asked: PlayCommandOptions, places: UserFolders, environment: Mapping[str, str], openers: TerminalOpeners
) -> TerminalLaunch:
    """All that the face is handed; a TalewrightError where the game that was asked for is not there."""
    asked = replace(asked, locale=asked.locale or locale_language(environment))
    asked = _find_asked(asked, places, openers)
    house = TerminalAssembly(asked, places, environment, openers)
    return TerminalLaunch(
        enter=house.enter,
        preferences=house.preferences,
        keep=house.keep,
        wishes=TerminalStartRequest(
            game=_name_game(asked.game, places),
            campaign=asked.campaign,
            language=asked.language,
            # A language chosen in the face is a wish too, and nearer than that of the terminal.
            locale=house.preferences.language or asked.locale,
            new=asked.new,
            place=str(asked.saves),
        ),
        first_run=not house.file.is_file() and is_empty(asked.saves),
    )


class TerminalAssembly:
    """What is behind the door, and where the player's likings are kept."""

    def __init__(
        self,
        asked: PlayCommandOptions,
        places: UserFolders,
        environment: Mapping[str, str],
        openers: TerminalOpeners,
    ) -> None:
        self._asked = asked
        self._places = places
        self._environment = environment
        self._openers = openers
        self.file = find_settings_file(environment, Path.home())
        usual = asdict(Preferences())
        self.preferences = Preferences(**{**usual, **fit_preferences(usual, read_terminal(self.file))})

    @property
    def language(self) -> str:
        """The one in which the player is spoken to."""
        return self.preferences.language or self._asked.language or self._asked.locale

    def keep(self, preferences: Preferences) -> None:
        """Keep what the player prefers; what is as usual, and was never otherwise, is not written down."""
        known = read_terminal(self.file)
        usual = asdict(Preferences())
        wanted = asdict(preferences)
        changed = {
            name: value
            for name, value in wanted.items()
            if (name in known or value != usual[name]) and known.get(name) != value
        }
        self.preferences = preferences
        if changed:
            edit: Callable[..., None] = importlib.import_module("talewright.config.settings_file").edit_file
            edit(self.file, {(TERMINAL,): changed})

    def enter(self) -> TerminalServices:
        """Load everything else, and bring it together."""
        asked = self._asked
        rooms = importlib.import_module
        reloading_factory: ReloadingProviderFactory = rooms(
            "talewright.bootstrap.settings_reload"
        ).ReloadingProviderFactory(lambda: self._openers.factory(self._environment, asked.model))
        make_desk: type[LocalModelChooser] = rooms("talewright.bootstrap.model_chooser").LocalModelChooser
        shelf = self._openers.shelf(self._places, self.language)
        if asked.game:
            # A game in a folder of its own is known to the library only once it was opened.
            shelf.edition(asked.game)
        lobby = self._openers.lobby(
            asked.saves,
            shelf=shelf,
            git=asked.git,
            language=asked.language,
            reloading_factory=reloading_factory,
        )
        return TerminalServices(
            lobby, make_desk(reloading_factory, lambda: self.language), reloading_factory.close
        )


def is_empty(saves: Path) -> bool:
    """Whether no campaign is kept there yet."""
    try:
        return all(entry.name.startswith(".") for entry in saves.iterdir())
    except OSError:
        return True


def _find_asked(
    asked: PlayCommandOptions, places: UserFolders, openers: TerminalOpeners
) -> PlayCommandOptions:
    """What was asked for, also where it is the name of a campaign; a TalewrightError where it is nothing."""
    if not asked.game or find_game(asked.game, places.games) is not None:
        return asked
    if not asked.campaign and Path(asked.game).name == asked.game and (asked.saves / asked.game).is_dir():
        return replace(asked, game="", campaign=asked.game)
    # It may be the id of a game whose folder is called otherwise; if not, this says what there is.
    return replace(asked, game=openers.shelf(places, "").edition(asked.game).game.id)


def _name_game(asked: str, places: UserFolders) -> str:
    """The id of the game that was asked for by name or folder, without compiling it."""
    folder = find_game(asked, places.games) if asked else None
    if folder is None:
        return asked
    cover = read_cover(folder, places.cache)
    if cover is not None:
        return cover.id
    try:
        with os.fdopen(open_plain(folder / GAME_FILE, os.O_RDONLY), "rb") as stream:
            found = _GAME_ID.search(stream.read(GAME_ID_BYTES).decode("utf-8", "replace"))
    except OSError:
        found = None
    # A file that does not say it has a fault, which is told when the game is opened.
    return found[1] if found else folder.name
