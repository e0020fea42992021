"""`talewright serve`: serves your games and campaigns to your browser and other programs.

It only parses the options; `bootstrap` runs the server.
"""

import argparse
import os
import sys
from importlib.util import find_spec

from talewright.bootstrap import user_places
from talewright.bootstrap.serving.server_launcher import SERVER_PORT, ServerOptions, make_link
from talewright.cli.command_options import add_no_git, add_saves_option, saves_folder
from talewright.cli.help.help_texts import Commands, add_command
from talewright.cli.hosting.worker_command import HOW_TO_HOST
from talewright.cli.hosting.worker_command import PACKAGES as HOSTED_PACKAGES
from talewright.cli.serving.mcp_command import WRONG_USE, read_port

PACKAGES = ("fastapi", "uvicorn")
BIND = "127.0.0.1:8734"
HOW_TO_SERVE = "This command needs the `server` extra: pip install 'talewright[server]'"


def add_serve(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_command(
        commands,
        "serve",
        "Start a server on this machine and open your browser, where you can play every game and campaign. "
        "Only programs on this machine can connect. The server prints a login link for your browser, and a "
        "token for other programs.\n\n"
        "If you are writing a game, start the server in the folder of your game, or in one that contains "
        "games: the pages for authors check them again whenever you save a file.",
        "talewright serve",
        "talewright serve --no-browser --port 8800",
        # `--host` is not short for `--hosted`.
        allow_abbrev=False,
    )
    parser.add_argument(
        "--port",
        type=read_port,
        default=SERVER_PORT,
        metavar="N",
        help=f"the port to listen on (default: {SERVER_PORT}; 0: any free port)",
    )
    parser.add_argument("--no-browser", action="store_true", help="print the login link, but do not open it")
    parser.add_argument(
        "--link",
        action="store_true",
        help="print a new login link for the server that runs on this port, and stop",
    )
    parser.add_argument(
        "--new-token",
        action="store_true",
        help="create a new token; it replaces the one that all servers on this machine share",
    )
    add_saves_option(parser)
    add_no_git(parser)
    _add_hosted_options(parser)
    parser.set_defaults(run=run)


def _add_hosted_options(parser: argparse.ArgumentParser) -> None:
    hosted = parser.add_argument_group("options for a host")
    hosted.add_argument(
        "--hosted",
        action="store_true",
        help="run as an API node of a host; needs DATABASE_URL, REDIS_URL and TALEWRIGHT_SEALING_KEYS",
    )
    hosted.add_argument(
        "--bind", default=BIND, metavar="HOST:PORT", help=f"the address to listen on (default: {BIND})"
    )
    hosted.add_argument(
        "--public-url", default="", metavar="URL", help="the address at which players reach the host"
    )
    hosted.add_argument(
        "--owner",
        default="",
        metavar="ID",
        help="serve only this owner, whose token is in TALEWRIGHT_TOKEN (default: all owners)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until stopped."""
    if any(find_spec(package) is None for package in PACKAGES):
        print(HOW_TO_SERVE, file=sys.stderr)
        return WRONG_USE
    if arguments.hosted:
        return _run_hosted(arguments)
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
    from talewright.bootstrap.serving.personal_server import run_server

    return run_server(asked, places, os.environ)


def _run_hosted(arguments: argparse.Namespace) -> int:
    if any(find_spec(package) is None for package in HOSTED_PACKAGES):
        print(HOW_TO_HOST, file=sys.stderr)
        return WRONG_USE
    from talewright.bootstrap.hosting.node_launcher import launch_node

    return launch_node(
        user_places(),
        os.environ,
        bind=arguments.bind,
        public_url=arguments.public_url,
        owner=arguments.owner,
    )
