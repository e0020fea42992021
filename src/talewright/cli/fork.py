"""`talewright fork`: begin a branch at an old turn and go on there; the old one stays as it is.

What a branch is called and how it is made is the Session's business.
"""

import argparse

from talewright.cli.campaigns import (
    TURN_HELP,
    add_campaign_option,
    add_command,
    add_json,
    add_no_git,
    open_archive,
    open_session,
    wait_for,
)
from talewright.cli.parsers import Commands
from talewright.cli.progress import Ticker
from talewright.cli.standing import tell_standing


def add(commands: Commands) -> None:
    """Teach the parser this command."""
    parser = add_command(
        commands,
        "fork",
        "go on from an old turn on a branch of its own",
        "Begin a branch at a turn; the campaign is played on there from now on. Nothing is deleted.",
        "talewright fork 7 --name what-if",
    )
    parser.add_argument("turn", metavar="TURN", help=TURN_HELP)
    parser.add_argument("--name", default="", help="what the branch is called; made up where it is not given")
    add_campaign_option(parser)
    add_no_git(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Begin a branch."""
    return wait_for(_run(arguments))


async def _run(arguments: argparse.Namespace) -> int:
    async with open_archive(arguments).past(arguments.campaign, Ticker("reading")) as past:
        commit = past.find(arguments.turn).id
    async with open_session(arguments) as session:
        view = await session.fork(commit, arguments.name)
    tell_standing(view, as_json=arguments.json)
    return 0
