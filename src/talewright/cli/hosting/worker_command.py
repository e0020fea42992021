"""`talewright worker`: runs the turns of a host until you stop it.

It only parses the options; `bootstrap` runs the worker.
"""

import argparse
import os
import sys
from importlib.util import find_spec

from talewright.bootstrap import user_places
from talewright.cli.help.help_texts import Commands, add_command
from talewright.cli.serving.mcp_command import WRONG_USE

PACKAGES = ("asyncpg", "dbos", "redis")
HOW_TO_HOST = "This command needs the `hosted` extra: pip install 'talewright[hosted]'"
TURNS_MAX = 64
BACKGROUND_MAX = 16
DRAIN_SECONDS = 30.0


def add_worker(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_command(
        commands,
        "worker",
        "Run the turns that the API nodes of a host (`talewright serve --hosted`) have accepted. Set "
        "DATABASE_URL, REDIS_URL and TALEWRIGHT_SEALING_KEYS. To stop the worker, send SIGTERM: it finishes "
        "its turns first.",
        "talewright worker",
        "talewright worker --turns 100",
    )
    parser.add_argument(
        "--turns",
        type=int,
        default=TURNS_MAX,
        metavar="N",
        help=f"how many turns to run at once (default: {TURNS_MAX})",
    )
    parser.add_argument(
        "--background",
        type=int,
        default=BACKGROUND_MAX,
        metavar="N",
        help=f"how many summaries and background questions to run at once (default: {BACKGROUND_MAX})",
    )
    parser.add_argument(
        "--drain-seconds",
        type=float,
        default=DRAIN_SECONDS,
        metavar="SECONDS",
        help=f"how long running turns may take after SIGTERM (default: {DRAIN_SECONDS:.0f})",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Work until stopped."""
    if any(find_spec(package) is None for package in PACKAGES):
        print(HOW_TO_HOST, file=sys.stderr)
        return WRONG_USE
    from talewright.bootstrap.hosting.worker_launcher import launch_worker

    return launch_worker(
        user_places(),
        os.environ,
        turns_max=arguments.turns,
        background_max=arguments.background,
        drain_seconds=arguments.drain_seconds,
    )
