"""Campaigns on the command line: which one is meant, where they are kept, and how one is opened.

What is done with a campaign is each command's own business.
"""

import argparse
import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from talewright.bootstrap import open_lobby
from talewright.cli.parsers import Commands
from talewright.errors import TalewrightError
from talewright.play.history.campaign_history import CampaignArchive
from talewright.play.local.local_lobby import LocalLobby
from talewright.play.session import Session

T = TypeVar("T")

TURN_HELP = "a turn: its number, the start of its id, a mark or a branch"
"""How every command explains what a turn may be called."""


def add_command(
    commands: Commands, name: str, help_text: str, description: str, example: str
) -> argparse.ArgumentParser:
    """A parser for a command that works on a campaign."""
    parser = commands.add_parser(
        name,
        help=help_text,
        description=description,
        epilog=f"example: {example}",
    )
    add_saves(parser)
    return parser


def add_saves(parser: argparse.ArgumentParser) -> None:
    """The option that says where campaigns are kept."""
    # Suppressed where it is not given, so that a subcommand does not undo what stood before its name.
    parser.add_argument(
        "--saves",
        type=Path,
        metavar="FOLDER",
        default=argparse.SUPPRESS,
        help="the folder in which campaigns are kept",
    )


def add_campaign_option(parser: argparse.ArgumentParser) -> None:
    """The option that names a campaign."""
    parser.add_argument(
        "-c", "--campaign", default="", metavar="NAME", help="which campaign (the one played last)"
    )


def add_campaign_argument(parser: argparse.ArgumentParser) -> None:
    """The word that names a campaign."""
    parser.add_argument(
        "campaign", nargs="?", default="", metavar="CAMPAIGN", help="which campaign (the one played last)"
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """The option for programs that read the answer."""
    parser.add_argument("--json", action="store_true", help="print it as JSON")


def add_no_git(parser: argparse.ArgumentParser) -> None:
    """The option of `play` by which a campaign goes without git."""
    parser.add_argument("--no-git", action="store_true", help="keep no git history of the campaign's pages")


def saves_folder(arguments: argparse.Namespace) -> Path | None:
    """Where campaigns are kept; None is the user's usual place."""
    folder: Path | None = getattr(arguments, "saves", None)
    return folder


def enter_lobby(arguments: argparse.Namespace) -> LocalLobby:
    """The campaigns and games of this user."""
    git = not getattr(arguments, "no_git", False)
    return open_lobby(saves_folder(arguments), git=git)


def open_archive(arguments: argparse.Namespace) -> CampaignArchive:
    """The same campaigns, to be looked back on."""
    lobby = enter_lobby(arguments)
    return CampaignArchive(lobby.store, lobby.shelf)


@asynccontextmanager
async def open_session(arguments: argparse.Namespace) -> AsyncIterator[Session]:
    """A seat at the campaign that is meant, left again afterwards."""
    lobby = enter_lobby(arguments)
    name: str = arguments.campaign
    if not name:
        listed = await lobby.campaigns()
        if not listed:
            raise TalewrightError("there is no campaign yet", "Begin one: talewright play mist_harbor")
        name = listed[0].name
    session = await lobby.open(name)
    try:
        yield session
    finally:
        await session.close()


def wait_for(work: Coroutine[Any, Any, T]) -> T:
    """Run what waits for a disk."""
    return asyncio.run(work)
