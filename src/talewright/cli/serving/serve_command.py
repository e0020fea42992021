"""`talewright serve`: serves your campaigns to programs and browsers on this machine.

It only parses the options; `bootstrap` runs the server.
"""

import argparse
import os
import sys
from importlib.util import find_spec

from talewright.bootstrap import run_server, user_places
from talewright.bootstrap.serving.server_launcher import SERVER_PORT, ServerOptions, make_link
from talewright.cli.command_options import Commands, add_no_git, add_saves_option, saves_folder
from talewright.cli.serving.mcp_command import WRONG_USE, read_port

PACKAGES = ("fastapi", "uvicorn")
HOW_TO_SERVE = "This command needs other packages: pip install 'talewright[server]'"


def add_serve(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = commands.add_parser(
        "serve",
        help="serve your campaigns to programs on this machine",
        description="Serve your games and campaigns over HTTP, on this machine only. Prints the token that "
        "programs send, and a link that logs your browser in.",
        epilog="example: talewright serve --no-browser",
    )
    parser.add_argument(
        "--port",
        type=read_port,
        default=SERVER_PORT,
        metavar="N",
        help=f"the port (default: {SERVER_PORT}; 0: any)",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open the link in a browser")
    parser.add_argument(
        "--link", action="store_true", help="print a new login link for the server on this port, and stop"
    )
    parser.add_argument(
        "--new-token", action="store_true", help="replace the token that all servers of this machine share"
    )
    add_saves_option(parser)
    add_no_git(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until stopped."""
    if any(find_spec(package) is None for package in PACKAGES):
        print(HOW_TO_SERVE, file=sys.stderr)
        return WRONG_USE
    if arguments.link:
        print(make_link(arguments.port, os.environ))
        return 0
    places = user_places()
    asked = ServerOptions(
        saves=saves_folder(arguments) or places.saves,
        port=arguments.port,
        browser=not arguments.no_browser,
        git=not arguments.no_git,
        new_token=arguments.new_token,
    )
    return run_server(asked, places, os.environ)
