"""`talewright mcp`: serves a game to an assistant that is its game master or its player's companion.

It only parses the options; `bootstrap` runs the server.
"""

import argparse
import os

from talewright.bootstrap import run_mcp
from talewright.cli.command_options import Commands, add_no_git, add_saves_option, saves_folder
from talewright.play.campaign_view import Viewer

ROLES = (Viewer.MASTER, Viewer.PLAYER)


def add_mcp(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = commands.add_parser(
        "mcp",
        help="let an assistant run or play a game",
        description="Serve a game to an assistant over the Model Context Protocol: as its game master, or as "
        "a companion who plays it. Without --http it talks over standard input and output.",
        epilog="example: talewright mcp --game mist_harbor --role master",
    )
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--game", default="", metavar="GAME", help="a game's name or folder")
    which.add_argument("--campaign", default="", metavar="NAME", help="one campaign that has been started")
    parser.add_argument(
        "--role", type=Viewer, choices=ROLES, default=Viewer.MASTER, help="master or player (default: master)"
    )
    parser.add_argument("--language", default="", metavar="CODE", help="the language of tools and new campaigns")
    add_saves_option(parser)
    add_no_git(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until the client goes away."""
    return run_mcp(
        os.environ,
        role=arguments.role,
        game=arguments.game,
        campaign=arguments.campaign,
        language=arguments.language,
        saves=saves_folder(arguments),
        git=not arguments.no_git,
    )
