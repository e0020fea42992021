"""`talewright inspect`: everything that is recorded of one turn, or what a player saw of it.

It reads one turn; what came of it later is `blame`'s and `diff`'s business.
"""

import argparse
import json

from talewright.cli.campaigns import (
    TURN_HELP,
    add_campaign_option,
    add_command,
    add_json,
    open_archive,
    wait_for,
)
from talewright.cli.parsers import Commands
from talewright.cli.progress import Ticker
from talewright.cli.sayings import add_viewer
from talewright.play.looking_back.inspecting import inspect_turn, tell_turn
from talewright.play.viewers import Viewer


def add(commands: Commands) -> None:
    """Teach the parser this command."""
    parser = add_command(
        commands,
        "inspect",
        "show everything of one turn",
        "Show what is recorded of one turn: input, raw replies, flaws, repairs, rulings, changes, draws, "
        "usage and times. It spoils the game; --viewer player shows what the player saw.",
        "talewright inspect 12 --json",
    )
    parser.add_argument("turn", metavar="TURN", help=TURN_HELP)
    add_campaign_option(parser)
    add_viewer(parser, Viewer.AUTHOR)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Show one turn."""
    return wait_for(_run(arguments))


async def _run(arguments: argparse.Namespace) -> int:
    async with open_archive(arguments).past(arguments.campaign, Ticker("reading")) as past:
        commit = past.find(arguments.turn)
        facts = inspect_turn(past.history, commit, await past.games.of(commit), arguments.viewer)
    if arguments.json:
        print(json.dumps(facts, indent=2, ensure_ascii=False))
        return 0
    for line in tell_turn(facts):
        print(line)
    return 0
