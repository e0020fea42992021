"""The command line: one word a command, and the table of which file each of them is in.

It parses words and prints answers; what the answers are is decided in the rooms beneath.
"""

import argparse
import importlib
import io
import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from talewright import __version__
from talewright.cli.face_choice import HOW_TO_DRAW, FaceChoice, can_draw, pick_face
from talewright.errors import TalewrightError

if TYPE_CHECKING:
    from talewright.cli.command_options import Commands

SUMMARIES = {
    "play": "play a game in this terminal",
    "check": "find the mistakes in a game folder",
    "new": "start a game: a small, commented, playable folder",
    "schema": "JSON Schemas of a game's files, for editors",
    "roll": "roll dice",
    "odds": "the exact odds of a roll",
    "models": "show the models you can play with",
    "setup": "set up a model that tells your games",
    "doctor": "look whether everything works",
    "cost": "show what a campaign has cost",
    "saves": "list, recover, export and import campaigns",
    "undo": "go back one turn or more",
    "fork": "go on from an old turn on a branch of its own",
    "tree": "draw the branches of a campaign",
    "diff": "compare two turns",
    "blame": "find what set a variable",
    "replay": "make a campaign again and compare every state",
    "verify": "play every turn again and compare it with the record",
    "receipt": "print a line that shows later that nothing was altered",
    "inspect": "show everything of one turn",
    "export": "write the story as Markdown, HTML or EPUB",
}
"""What each command does, on one line: so much can be told without loading any of them."""

_CAMPAIGN = "talewright.cli.campaign"
COMMANDS = {
    "play": "talewright.cli.play_command",
    "check": "talewright.cli.check_command",
    "new": "talewright.cli.new_schema_commands",
    "schema": "talewright.cli.new_schema_commands",
    "roll": "talewright.cli.roll_command",
    "odds": "talewright.cli.odds_command",
    "models": "talewright.cli.models_command",
    "setup": "talewright.cli.setup_command",
    "doctor": "talewright.cli.doctor_command",
    "cost": f"{_CAMPAIGN}.cost_command",
    "saves": f"{_CAMPAIGN}.saves_command",
    "undo": f"{_CAMPAIGN}.undo_fork_commands",
    "fork": f"{_CAMPAIGN}.undo_fork_commands",
    "tree": f"{_CAMPAIGN}.tree_command",
    "diff": f"{_CAMPAIGN}.diff_command",
    "blame": f"{_CAMPAIGN}.blame_command",
    "replay": f"{_CAMPAIGN}.replay_command",
    "verify": f"{_CAMPAIGN}.verify_command",
    "receipt": f"{_CAMPAIGN}.receipt_command",
    "inspect": f"{_CAMPAIGN}.inspect_command",
    "export": f"{_CAMPAIGN}.export_command",
}
"""The module of each command. Only the one that is asked for is loaded: a game's first words wait for it."""

HOW_TO_BEGIN = """talewright: no command was given
To play a game as text: talewright play
All commands: talewright --help"""
"""What whoever types nothing more is told where no lobby can be drawn."""

WRONG_USE = 2
"""The exit code of a command that cannot be carried out as it was written."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that does not know a character gets its number, not a traceback.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    words = sys.argv[1:] if argv is None else argv
    if not words:
        face = pick_face(os.environ, sys.stdin, sys.stdout)
        if face is not FaceChoice.TERMINAL:
            print(HOW_TO_BEGIN, file=sys.stderr)
            if not can_draw():
                print(HOW_TO_DRAW, file=sys.stderr)
            return WRONG_USE
        words = ["play"]
    asked = [name for name in words[:1] if name in COMMANDS]
    arguments = (make_parser(asked) if asked else make_overview()).parse_args(words)
    if not hasattr(arguments, "run"):
        # The command stands behind something else; newer versions of argparse take `--` before it.
        arguments = make_parser().parse_args(words)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except TalewrightError as error:
        if getattr(arguments, "json", False):
            # Few commands fail, so what is needed to say so in JSON is loaded then.
            importlib.import_module("talewright.cli.command_options").print_error(error)
        print(f"talewright: {error.message}", file=sys.stderr)
        if error.hint:
            print(error.hint, file=sys.stderr)
        return WRONG_USE
    except BrokenPipeError:
        # Whoever reads our output has seen enough, as `head` does; what is left of it goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def make_parser(names: Iterable[str] = COMMANDS) -> argparse.ArgumentParser:
    """The words this program understands, with these commands among them."""
    parser, commands = _begin_parser()
    for name in names:
        getattr(importlib.import_module(COMMANDS[name]), f"add_{name}")(commands)
    return parser


def make_overview() -> argparse.ArgumentParser:
    """A parser that knows the names of all commands and what they do, but none of their words."""
    parser, commands = _begin_parser()
    for name, summary in SUMMARIES.items():
        commands.add_parser(name, help=summary)
    return parser


def _begin_parser() -> "tuple[argparse.ArgumentParser, Commands]":
    parser = argparse.ArgumentParser(
        prog="talewright",
        description="Games told by a language model that never owns the truth.",
        epilog="example: talewright check games/mist_harbor",
    )
    parser.add_argument("--version", action="version", version=f"talewright {__version__}")
    return parser, parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
