"""`talewright new`: a small game to start from, commented and playable.

It writes only into a folder that does not exist yet.
"""

import argparse
import os
import re
from pathlib import Path

from talewright.cli.parsers import Commands
from talewright.errors import TalewrightError
from talewright.pack.game_folders import write_starter

TITLE_LENGTH_MAX = 100
"""Characters of a title given on the command line."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


def add(commands: Commands) -> None:
    """Teach the parser this command."""
    parser = commands.add_parser(
        "new",
        help="start a game: a small, commented, playable folder",
        description="Write a small game into a new folder: a start to change, not a frame to fill.",
        epilog="example: talewright new salt_road",
    )
    parser.add_argument("name", metavar="NAME", help="the folder; its last part becomes the game's id")
    parser.add_argument("--title", help="the game's title; made from the name where it is not given")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the folder and say what to do with it."""
    folder = Path(arguments.name)
    name = folder.name
    title: str = name.replace("_", " ").title() if arguments.title is None else arguments.title
    if not _NAME.fullmatch(name):
        raise TalewrightError(
            f"{name!r} cannot be the id of a game",
            "Use at most 40 small letters, digits and underscores, a letter first: talewright new salt_road",
        )
    if not title.strip() or not title.isprintable() or len(title) > TITLE_LENGTH_MAX:
        raise TalewrightError(
            f"{title!r} cannot be a title", f"Write one line of 1 to {TITLE_LENGTH_MAX} characters."
        )
    # A link that leads nowhere does not exist for `exists`, and yet nothing can be made in its place.
    if os.path.lexists(folder):
        raise TalewrightError(f"{folder} exists already", "Choose another name, or remove it first.")
    try:
        files = write_starter(folder, name, title)
    except OSError as error:
        raise TalewrightError(
            f"{folder} cannot be written: {error.strerror}", "Choose a place where you may write."
        ) from error
    print(f"{folder} holds a small game in {len(files)} files:")
    for file in files:
        print(f"  {file}")
    print(f"Look into {folder / 'game.yaml'} first, then run: talewright check {folder}")
    return 0
