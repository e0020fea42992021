"""`talewright mcp`: serves games to an assistant, which runs them as game master or plays them.

It only parses the options; `bootstrap` runs the server.
"""

import argparse
import os
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from talewright.bootstrap import run_mcp, user_places
from talewright.bootstrap.mcp_launcher import McpCommandOptions
from talewright.cli.command_options import add_no_git, add_saves_option, saves_folder
from talewright.cli.help.help_texts import Commands, add_command
from talewright.cli.serving.client_configs import (
    MCP_CLIENTS,
    SERVER_NAME,
    ServerCommand,
    find_program,
    make_arguments,
)
from talewright.config.settings_file import HOME_VARIABLE
from talewright.play.campaign_view import Viewer

PACKAGE = "mcp"
HOW_TO_SERVE = "This command needs the `mcp` extra: pip install 'talewright[mcp]'"
PORT = 8733
"""Where --http listens if no port is given."""

PORT_MAX = 65535
WRONG_USE = 2


def add_mcp(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_command(
        commands,
        "mcp",
        "Serve your games to Claude or another assistant over the Model Context Protocol (MCP). As `master`, "
        "the assistant is your game master and narrates the story; as `player`, it plays. It can start every "
        "game and make new ones of what you paste, unless you name one game or campaign.\n\n"
        "You rarely run this yourself: --print-config prints what to add to the settings of your assistant, "
        "which then starts this command. It talks over standard input and output, or with --http on a port "
        "of this machine.",
        "talewright mcp --print-config claude-desktop",
        "talewright mcp --game mist_harbor --http",
    )
    _add_options(parser)
    add_saves_option(parser)
    add_no_git(parser)
    parser.set_defaults(run=run)


def _add_options(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--game", default="", metavar="GAME", help="only this game, by id or by folder")
    which.add_argument(
        "--campaign",
        default="",
        metavar="CAMPAIGN",
        help="only this campaign, which you have started",
    )
    parser.add_argument(
        "--role",
        type=Viewer,
        choices=(Viewer.MASTER, Viewer.PLAYER),
        default=Viewer.MASTER,
        metavar="ROLE",
        help="the role of the assistant: master or player (default: master)",
    )
    parser.add_argument(
        "--language",
        default="",
        metavar="CODE",
        help="the language of the tools and of new campaigns, such as en",
    )
    parser.add_argument(
        "--http", action="store_true", help="listen on a port of this machine instead of standard input"
    )
    parser.add_argument(
        "--port",
        type=read_port,
        default=PORT,
        metavar="N",
        help=f"the port for --http (default: {PORT}; 0: any free port)",
    )
    parser.add_argument(
        "--new-token",
        action="store_true",
        help="create a new token; it replaces the one that all servers on this machine share",
    )
    parser.add_argument(
        "--print-config",
        choices=tuple(MCP_CLIENTS),
        metavar="CLIENT",
        help=f"print the configuration for an assistant, and stop: {', '.join(MCP_CLIENTS)}",
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until the client disconnects, or until stopped."""
    if arguments.print_config:
        return print_config(arguments, os.environ)
    if find_spec(PACKAGE) is None:
        print(HOW_TO_SERVE, file=sys.stderr)
        return WRONG_USE
    places = user_places()
    asked = McpCommandOptions(
        role=arguments.role,
        saves=saves_folder(arguments) or places.saves,
        game=arguments.game,
        campaign=arguments.campaign,
        language=arguments.language,
        port=arguments.port if arguments.http else None,
        new_token=arguments.new_token,
        git=not arguments.no_git,
    )
    return run_mcp(asked, places, os.environ)


def print_config(arguments: argparse.Namespace, environment: Mapping[str, str]) -> int:
    """Print the configuration of a client, and on the error output where to put it."""
    if arguments.http:
        print("--print-config is for assistants that start the server; leave out --http.", file=sys.stderr)
        return WRONG_USE
    client = MCP_CLIENTS[arguments.print_config]
    game = Path(arguments.game)
    options = {
        # A client starts the server in its own folder.
        "game": str(game.absolute()) if arguments.game and game.is_dir() else arguments.game,
        "campaign": arguments.campaign,
        "role": arguments.role.value,
        "language": arguments.language,
        "saves": str((saves_folder(arguments) or user_places().saves).absolute()),
    }
    start = find_program(sys.executable, windows=os.name == "nt")
    program, words = make_arguments(start, options, git=not arguments.no_git)
    name = SERVER_NAME if arguments.role is Viewer.MASTER else f"{SERVER_NAME}-{arguments.role}"
    home = environment.get(HOME_VARIABLE, "")
    variables = {HOME_VARIABLE: str(Path(home).absolute())} if home else {}
    print(client.write(ServerCommand(name, program, words, variables)))
    print(f"Add this to {client.place}, then restart {client.title}.", file=sys.stderr)
    return 0


def read_port(text: str) -> int:
    """The number of a port, for argparse."""
    if not text.isdecimal() or int(text) > PORT_MAX:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to {PORT_MAX}, not {text!r}")
    return int(text)
