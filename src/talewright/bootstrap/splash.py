"""The splash screen: shows a game's title and intro before the engine is loaded.

It shows only the start of a new campaign, and only if it is certain that one will start. The options of
the command line are here too, because nothing is loaded earlier.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from talewright.common.language_tags import pick_language, pick_told_language
from talewright.faces.plain.plain_output import PlainOutput
from talewright.pack.cache.cover_cache import read_cover
from talewright.pack.game_folders import find_game
from talewright.pack.user_folders import UserFolders


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayCommandOptions:
    """The options of the command line."""

    game: str = ""
    campaign: str = ""
    language: str = ""
    locale: str = ""
    """The language of the terminal, used if none is requested and the game has it."""

    new: bool = False
    saves: Path
    elsewhere: bool = False
    """Whether campaigns are saved in a folder that the player chose."""

    git: bool = True
    debug: bool = False
    model: str = ""
    """The model to play with; empty leaves it to the settings, `none` plays scenes only."""

    server: str = ""
    """The address of the server that has the campaigns; empty to play on this machine."""


def show_splash(asked: PlayCommandOptions, places: UserFolders, sheet: PlainOutput) -> str:
    """Show the start of a new campaign; return the text that was shown, if any."""
    if not asked.game or not (asked.new or _is_empty(asked.saves)):
        return ""
    folder = find_game(asked.game, places.games)
    cover = read_cover(folder, places.cache) if folder is not None else None
    if cover is None:
        return ""
    language = pick_language(asked.language, cover.languages)
    if asked.language and not language:
        return ""
    language = language or pick_told_language(asked.locale, cover.languages)
    intro = cover.intros.get(language, "")
    if intro:
        sheet.block([cover.titles[language]])
        sheet.text(intro)
    return intro


def _is_empty(saves: Path) -> bool:
    """Whether there are no campaigns yet."""
    try:
        with os.scandir(saves) as listing:
            return all(entry.name.startswith(".") for entry in listing)
    except OSError:
        return True
