"""`talewright undo` and `talewright fork`: go back some turns, or continue from one on a new branch.

Nothing is deleted. They print the new position as a player may see it.
"""

import argparse
import json

from talewright.cli.campaign.campaign_access import ProgressTicker, open_archive, open_session, run_async
from talewright.cli.command_options import (
    TURN_HELP,
    add_campaign_command,
    add_campaign_option,
    add_json,
    add_no_git,
)
from talewright.cli.help.help_texts import Commands
from talewright.cli.terminal_text import LINE_CELLS, printable, shorten
from talewright.play.campaign_view import View
from talewright.play.history.recent_turn_cache import HISTORY_COMMITS_MAX


def tell_standing(view: View, *, as_json: bool) -> None:
    """Print the current position of a campaign."""
    if as_json:
        facts = {"campaign": view.campaign, "branch": view.branch, "version": view.version, "head": view.head}
        print(json.dumps(facts, indent=2, ensure_ascii=False))
        return
    print(f"{view.campaign} is now at turn {view.version} on the branch {view.branch}.")
    if view.turn is not None and view.turn.narration:
        print(shorten(f"      {view.turn.narration}", LINE_CELLS))
    for choice in view.choices:
        print(f"  - {printable(choice.label)}")
    print(f"Continue: talewright play --campaign {view.campaign}")


TURNS_MAX = HISTORY_COMMITS_MAX
"""How many turns can be undone at once: those a session keeps. `fork` can go back further."""


def add_undo(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_campaign_command(
        commands,
        "undo",
        "Go back one turn, or N turns. Nothing is deleted: `talewright tree` still shows the undone turns, "
        "and `talewright fork` can continue from them.",
        "talewright undo",
        "talewright undo 2 --campaign mist_harbor-1",
    )
    parser.add_argument(
        "turns",
        nargs="?",
        type=_read_turns,
        default=1,
        metavar="N",
        help="how many turns to go back (default: 1)",
    )
    add_campaign_option(parser)
    add_no_git(parser)
    add_json(parser)
    parser.set_defaults(run=run_undo)


def run_undo(arguments: argparse.Namespace) -> int:
    """Go back."""
    return run_async(_run_undo(arguments))


async def _run_undo(arguments: argparse.Namespace) -> int:
    async with open_session(arguments) as session:
        view = await session.undo(arguments.turns)
    tell_standing(view, as_json=arguments.json)
    return 0


def _read_turns(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= TURNS_MAX):
        raise argparse.ArgumentTypeError(f"expected a number from 1 to {TURNS_MAX}, not {text!r}")
    return int(text)


def add_fork(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_campaign_command(
        commands,
        "fork",
        "Start a new branch at a turn, and continue the campaign from there. Nothing is deleted.",
        "talewright fork 7 --name what-if",
    )
    parser.add_argument("turn", metavar="TURN", help=TURN_HELP)
    parser.add_argument("--name", default="", help="the name of the new branch (default: generated)")
    add_campaign_option(parser)
    add_no_git(parser)
    add_json(parser)
    parser.set_defaults(run=run_fork)


def run_fork(arguments: argparse.Namespace) -> int:
    """Start a branch."""
    return run_async(_run_fork(arguments))


async def _run_fork(arguments: argparse.Namespace) -> int:
    async with open_archive(arguments).past(arguments.campaign, ProgressTicker("reading")) as past:
        commit = past.find(arguments.turn).id
    async with open_session(arguments) as session:
        view = await session.fork(commit, arguments.name)
    tell_standing(view, as_json=arguments.json)
    return 0
