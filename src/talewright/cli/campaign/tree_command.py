"""`talewright tree`: draws the turns of a campaign with its branches, marks and forks.

To go back to one of them, see `fork`.
"""

import argparse
import json
import sys

from talewright.cli.campaign.campaign_access import ProgressTicker, open_archive, run_async
from talewright.cli.command_options import add_campaign_argument, add_campaign_command, add_json
from talewright.cli.help.help_texts import Commands
from talewright.cli.terminal_text import printable
from talewright.play.history.campaign_history import read_history
from talewright.play.history.turn_tree import ASCII, UNICODE, Strokes, draw_tree_lines, tree_to_json


def add_tree(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_campaign_command(
        commands,
        "tree",
        "Draw the turns of a campaign, oldest first, with [branches], (marks) and where you are. Turns "
        "between forks share a line.",
        "talewright tree",
        "talewright tree mist_harbor-1 --all",
    )
    add_campaign_argument(parser)
    parser.add_argument("--all", action="store_true", help="draw every turn on its own line")
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII characters only")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Draw one campaign."""
    return run_async(_run(arguments))


async def _run(arguments: argparse.Namespace) -> int:
    async with open_archive(arguments).book(arguments.campaign) as book:
        # Show what can be read of a damaged campaign before reporting the damage.
        history = await read_history(book, ProgressTicker("reading"))
    if arguments.json:
        history.refuse_damage()
        print(json.dumps(tree_to_json(history), indent=2, ensure_ascii=False))
        return 0
    strokes = ASCII if arguments.ascii else choose_strokes(sys.stdout.encoding)
    for line in draw_tree_lines(history, strokes, every=arguments.all):
        print(printable(line))
    history.refuse_damage()
    return 0


def choose_strokes(encoding: str | None) -> Strokes:
    """The characters that the output can show."""
    signs = "".join((UNICODE.turn, UNICODE.here, UNICODE.along, UNICODE.fork, UNICODE.gap, UNICODE.cut))
    try:
        signs.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE
