"""`talewright serve`: serves your campaigns to programs and browsers on this machine.

It only parses the options; `bootstrap` runs the server.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Callable
from importlib.util import find_spec

from talewright.bootstrap import run_server, user_places
from talewright.bootstrap.serving.server_launcher import SERVER_PORT, ServerOptions, make_link
from talewright.cli.command_options import Commands, add_no_git, add_saves_option, saves_folder
from talewright.cli.hosting.worker_command import HOW_TO_HOST
from talewright.cli.hosting.worker_command import PACKAGES as HOSTED_PACKAGES
from talewright.cli.serving.mcp_command import WRONG_USE, read_port

PACKAGES = ("fastapi", "uvicorn")
BIND = "127.0.0.1:8734"
HOW_TO_SERVE = "This command needs other packages: pip install 'talewright[server]'"


def add_serve(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = commands.add_parser(
        "serve",
        # `--host` is not short for `--hosted`.
        allow_abbrev=False,
        help="serve your campaigns to programs on this machine",
        description="Serve your games and campaigns over HTTP, on this machine only. Prints the token that "
        "programs send, and a link that logs your browser in. If you start it in the folder of a game, or in "
        "one that contains games, the pages for authors check them again whenever you save a file.",
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
    hosted = parser.add_argument_group("on a host")
    hosted.add_argument(
        "--hosted", action="store_true", help="be an API node of a host: DATABASE_URL, REDIS_URL"
    )
    hosted.add_argument(
        "--bind", default=BIND, metavar="HOST:PORT", help=f"where the node listens (default: {BIND})"
    )
    hosted.add_argument(
        "--public-url", default="", metavar="URL", help="the address under which players reach the host"
    )
    hosted.add_argument(
        "--owner",
        default="",
        metavar="ID",
        help="serve only this owner, to whoever sends TALEWRIGHT_TOKEN (default: all owners, with their own "
        "tokens)",
    )
    add_saves_option(parser)
    add_no_git(parser)
    parser.set_defaults(run=run)


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
    return run_server(asked, places, os.environ)


def _run_hosted(arguments: argparse.Namespace) -> int:
    if any(find_spec(package) is None for package in HOSTED_PACKAGES):
        print(HOW_TO_HOST, file=sys.stderr)
        return WRONG_USE
    launch: Callable[..., int] = importlib.import_module(
        "talewright.bootstrap.hosting.node_launcher"
    ).launch_node
    return launch(
        user_places(),
        os.environ,
        bind=arguments.bind,
        public_url=arguments.public_url,
        owner=arguments.owner,
    )
