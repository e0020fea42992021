"""The splash screen: a game's title and first words, shown before the engine behind them is loaded.

It shows only what a new campaign will tell first, and only where it is certain that one begins.
What was asked for on the command line stands here too, because nothing is loaded before it.
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
    """What was asked for on the command line."""

    game: str = ""
    campaign: str = ""
    language: str = ""
    locale: str = ""
    """The language of the terminal, taken where none is asked for and the game has it."""

    new: bool = False
    saves: Path
    elsewhere: bool = False
    """Whether campaigns are kept in a folder that the player named."""

    git: bool = True
    debug: bool = False
    model: str = ""
    """The model that is to tell; empty where the settings decide, `none` where the scenes do."""


def show_splash(asked: PlayCommandOptions, places: UserFolders, sheet: PlainOutput) -> str:
    """Show the beginning of a new campaign; the words of the story that were shown, if any."""
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
    """Whether no campaign is kept yet."""
    try:
        with os.scandir(saves) as listing:
            return all(entry.name.startswith(".") for entry in listing)
    except OSError:
        return True
