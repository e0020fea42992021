"""`talewright play`: plays a game in a terminal, as plain text, or through a pipe.

It only parses the options; `bootstrap` runs the game.
"""

import argparse
import io
import os
import sys
from pathlib import Path

from talewright.bootstrap import run_plain, run_terminal, user_places
from talewright.bootstrap.splash import PlayCommandOptions
from talewright.cli.command_options import MODEL_HELP, add_no_git, add_saves_option, saves_folder
from talewright.cli.face_choice import HOW_TO_DRAW, FaceChoice, pick_face
from talewright.cli.help.help_texts import Commands, add_command
from talewright.config.environment import BASE_URL, NO_MODEL, gather_variables
from talewright.errors import TalewrightError

DEBUG_VARIABLE = "TALEWRIGHT_DEBUG"
"""If set, unexpected errors show a traceback."""


def add_play(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_command(
        commands,
        "play",
        "Play a game in this terminal: with cards and colours if the `tui` extra is installed, otherwise as "
        "plain text (type /help there). Without GAME, choose from a list. If you have played a game before, "
        "you pick up where you left off.",
        "talewright play mist_harbor",
        "talewright play mist_harbor --new --language en",
    )
    parser.add_argument("game", nargs="?", default="", metavar="GAME", help="the game, by id or by folder")
    parser.add_argument(
        "--campaign",
        default="",
        metavar="CAMPAIGN",
        help="continue this campaign, or start one with this name",
    )
    parser.add_argument("--language", default="", metavar="CODE", help="the language to play in, such as en")
    parser.add_argument(
        "--new", action="store_true", help="start a new campaign instead of continuing the last one"
    )
    add_saves_option(parser)
    models = parser.add_mutually_exclusive_group()
    models.add_argument(
        "--model",
        default="",
        metavar="MODEL",
        help=MODEL_HELP,
    )
    models.add_argument(
        "--no-model",
        dest="model",
        action="store_const",
        const=NO_MODEL,
        help="play without a model; the written scenes tell the story",
    )
    parser.add_argument(
        "--server",
        default="",
        metavar="URL",
        help="play on a Talewright server, such as http://127.0.0.1:8734",
    )
    parser.add_argument(
        "--plain", action="store_true", help="play as plain text, even if the `tui` extra is installed"
    )
    add_no_git(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play until the player quits."""
    saves = saves_folder(arguments)
    if arguments.server and (saves or arguments.model or arguments.no_git):
        raise TalewrightError(
            "--saves, --model, --no-model and --no-git cannot be used with --server",
            "Leave them out: a server has its own saves and models.",
        )
    places = user_places()
    asked = PlayCommandOptions(
        game=arguments.game,
        campaign=arguments.campaign,
        language=arguments.language,
        new=arguments.new,
        saves=saves or places.saves,
        elsewhere=saves is not None,
        git=not arguments.no_git,
        debug=bool(os.environ.get(DEBUG_VARIABLE)),
        model="" if arguments.server else _settle_model(arguments.model),
        server=arguments.server,
    )
    face = FaceChoice.PLAIN if arguments.plain else pick_face(os.environ, sys.stdin, sys.stdout)
    if face is FaceChoice.TERMINAL:
        return run_terminal(asked, places, os.environ)
    if face is FaceChoice.MISSING:
        print(HOW_TO_DRAW, file=sys.stderr)
    if isinstance(sys.stdin, io.TextIOWrapper):
        # Invalid bytes in the input are replaced instead of raising an error.
        sys.stdin.reconfigure(errors="replace")
    return run_plain(asked, places, sys.stdin, sys.stdout, os.environ)


def _settle_model(model: str) -> str:
    """The model to play with; asks the player first if a `.env` file sets a server address."""
    if not gather_variables(os.environ, Path.cwd()).in_dotenv(BASE_URL):
        return model
    from talewright.cli.foreign_address import settle_address

    return settle_address(model)
