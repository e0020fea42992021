"""`talewright undo`: go back some turns; nothing is deleted, and the tree keeps what was undone.

What going back means is the Session's business.
"""

import argparse

from talewright.cli.campaigns import (
    add_campaign_option,
    add_command,
    add_json,
    add_no_git,
    open_session,
    wait_for,
)
from talewright.cli.parsers import Commands
from talewright.cli.standing import tell_standing
from talewright.play.history.campaign_history import HISTORY_COMMITS_MAX

TURNS_MAX = HISTORY_COMMITS_MAX
"""Turns that can be undone at once, as many as a session looks back; `fork` goes back any number."""


def add(commands: Commands) -> None:
    """Teach the parser this command."""
    parser = add_command(
        commands,
        "undo",
        "go back one turn or more",
        "Go back one turn, or N. Nothing is deleted: `talewright tree` shows what was undone, and "
        "`talewright fork` goes on from there.",
        "talewright undo 2",
    )
    parser.add_argument(
        "turns", nargs="?", type=_read_turns, default=1, metavar="N", help="how many turns (1)"
    )
    add_campaign_option(parser)
    add_no_git(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Go back."""
    return wait_for(_run(arguments))


async def _run(arguments: argparse.Namespace) -> int:
    async with open_session(arguments) as session:
        view = await session.undo(arguments.turns)
    tell_standing(view, as_json=arguments.json)
    return 0


def _read_turns(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= TURNS_MAX):
        raise argparse.ArgumentTypeError(f"a number from 1 to {TURNS_MAX} is expected, not {text!r}")
    return int(text)
