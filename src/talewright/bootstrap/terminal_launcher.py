"""The launcher of the terminal face: what it starts with, and what is loaded after the first paint.

Code for models, stores and rules is loaded only after the first paint.
"""

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
from talewright.config.settings_file import (
    TERMINAL,
    edit_file,
    find_settings_file,
    fit_preferences,
    read_terminal,
)
from talewright.faces.tui.launch_preferences import (
    Preferences,
    TerminalLaunch,
    TerminalServices,
    TerminalStartRequest,
)
from talewright.pack.cache.cover_cache import read_cover
from talewright.pack.game_folders import GAME_FILE, find_game, name_bare_game
from talewright.pack.user_folders import UserFolders

if TYPE_CHECKING:
    from talewright.bootstrap.provider_factory import ProviderFactory
    from talewright.play.lobby import Lobby
    from talewright.play.playable_games import OwnGameLibrary

GAME_ID_BYTES = 4_096
"""Bytes of game.yaml that are searched for the game's id, which is in the first lines."""

_GAME_ID = re.compile(r"(?m)^game_id:\s*[\"']?([A-Za-z0-9_-]+)")


@frozen
class TerminalOpeners:
    """Functions that open the components; each imports what it needs when it is called."""

    shelf: "Callable[[UserFolders, str], OwnGameLibrary]"
    lobby: "Callable[..., Lobby]"
    factory: "Callable[[Mapping[str, str], str], ProviderFactory]"


def open_terminal(
    asked: PlayCommandOptions, places: UserFolders, environment: Mapping[str, str], openers: TerminalOpeners
) -> int:
    """Run the face for one player; return the exit code."""
    door = make_door(asked, places, environment, openers)
    from talewright.faces.tui.app import run_terminal

    return run_terminal(door)


def make_door(
    asked: PlayCommandOptions, places: UserFolders, environment: Mapping[str, str], openers: TerminalOpeners
) -> TerminalLaunch:
    """What the face starts with. Raises TalewrightError if the requested game does not exist."""
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
            # A language chosen in the face takes precedence over that of the terminal.
            locale=house.preferences.language or asked.locale,
            new=asked.new,
            place=str(asked.saves),
        ),
        first_run=not house.file.is_file() and is_empty(asked.saves),
    )


class TerminalAssembly:
    """Loads the services behind the face, and saves the player's preferences."""

    def __init__(
        self,
        asked: PlayCommandOptions,
        places: UserFolders,
        environment: Mapping[str, str],
        openers: TerminalOpeners | None,
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
        """The language of the interface."""
        return self.preferences.language or self._asked.language or self._asked.locale

    def keep(self, preferences: Preferences) -> None:
        """Save the player's preferences; defaults that were never changed are not written."""
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
            edit_file(self.file, {(TERMINAL,): changed})

    def enter(self) -> TerminalServices:
        """Load everything else and connect it."""
        from talewright.bootstrap.model_chooser import LocalModelChooser
        from talewright.bootstrap.settings_reload import ReloadingProviderFactory

        asked, openers = self._asked, self._openers
        assert openers is not None, "who plays on a server enters through its lobby"
        reloading_factory = ReloadingProviderFactory(lambda: openers.factory(self._environment, asked.model))
        shelf = openers.shelf(self._places, self.language)
        if asked.game:
            # The library knows a game requested by path only after opening it.
            shelf.admit(asked.game)
        lobby = openers.lobby(
            asked.saves,
            shelf=shelf,
            git=asked.git,
            language=asked.language,
            reloading_factory=reloading_factory,
        )
        return TerminalServices(
            lobby, LocalModelChooser(reloading_factory, lambda: self.language), reloading_factory.close
        )


def is_empty(saves: Path) -> bool:
    """Whether the folder contains no campaigns yet."""
    try:
        return all(entry.name.startswith(".") for entry in saves.iterdir())
    except OSError:
        return True


def _find_asked(
    asked: PlayCommandOptions, places: UserFolders, openers: TerminalOpeners
) -> PlayCommandOptions:
    """Resolve a requested name, which may be a campaign's. Raises TalewrightError if it is unknown."""
    if not asked.game or find_game(asked.game, places.games) is not None:
        return asked
    if not asked.campaign and Path(asked.game).name == asked.game and (asked.saves / asked.game).is_dir():
        return replace(asked, game="", campaign=asked.game)
    # It may be the id of a game in a folder with another name; if not, this raises a helpful error.
    return replace(asked, game=openers.shelf(places, "").admit(asked.game).game.id)


def _name_game(asked: str, places: UserFolders) -> str:
    """The id of a game requested by name or folder, without compiling it."""
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
    # A file without an id has a fault, which is reported when the game is opened.
    return found[1] if found else name_bare_game(folder.resolve().name)
