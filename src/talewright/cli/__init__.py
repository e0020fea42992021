"""The command line: the entry point, and the table of commands and their modules.

Only the module of the requested command is imported.
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
    "new": "create a small, commented, playable game",
    "schema": "print the JSON Schemas of a game's files, for editors",
    "roll": "roll dice",
    "odds": "show the exact odds of a roll",
    "models": "show the models you can play with",
    "setup": "set up a model as your storyteller",
    "doctor": "check that everything works",
    "exam": "examine how well a model tells a game",
    "mcp": "let an assistant run or play a game",
    "serve": "serve your campaigns to programs on this machine",
    "worker": "take the turns of a host",
    "admin": "run a host: owners, budgets, stuck turns, verification",
    "cost": "show what a campaign has cost",
    "saves": "list, recover, export, import and move campaigns",
    "undo": "go back one turn or more",
    "fork": "continue from an earlier turn on a new branch",
    "tree": "draw the branches of a campaign",
    "diff": "compare two turns",
    "blame": "find what set a variable",
    "replay": "rebuild a campaign from its changes and compare every state",
    "verify": "replay every turn and compare it with the record",
    "receipt": "print a line that later proves that nothing was changed",
    "inspect": "show everything about one turn",
    "export": "write the story as Markdown, HTML or EPUB, or the world as a scenario",
}
"""What each command does, so that --help works without importing them."""

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
    "exam": "talewright.cli.exam_command",
    "mcp": "talewright.cli.serving.mcp_command",
    "serve": "talewright.cli.serving.serve_command",
    "worker": "talewright.cli.hosting.worker_command",
    "admin": "talewright.cli.hosting.admin_command",
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
"""The module of each command. Only the requested one is imported, to start fast."""

HOW_TO_BEGIN = """talewright: no command was given
To play a game as text: talewright play
All commands: talewright --help"""
"""Shown if no command is given and the terminal face is not available."""

WRONG_USE = 2
"""The exit code for wrong usage."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # Characters that the terminal cannot show are escaped instead of raising an error.
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
    # The version needs no command, and an overview loads every system.
    few = asked or words[0] == "--version"
    arguments = (make_parser(asked) if few else make_overview()).parse_args(words)
    if not hasattr(arguments, "run"):
        # The command is not the first word: newer versions of argparse accept `--` before it.
        arguments = make_parser().parse_args(words)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except TalewrightError as error:
        if getattr(arguments, "json", False):
            # Imported late, because few commands fail.
            importlib.import_module("talewright.cli.command_options").print_error(error)
        print(f"talewright: {error.message}", file=sys.stderr)
        if error.hint:
            print(error.hint, file=sys.stderr)
        return WRONG_USE
    except BrokenPipeError:
        # The reader of our output has closed it, as `head` does; discard the rest.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def make_parser(names: Iterable[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser with these commands; with all of them, also the reports of systems."""
    parser, commands = _begin_parser()
    for name in names:
        getattr(importlib.import_module(COMMANDS[name]), f"add_{name}")(commands)
    if names is COMMANDS:
        _add_reports(commands)
    return parser


def make_overview() -> argparse.ArgumentParser:
    """A parser that knows the names and help of all commands, but only the options of reports."""
    parser, commands = _begin_parser()
    for name, summary in SUMMARIES.items():
        commands.add_parser(name, help=summary)
    _add_reports(commands)
    return parser


def _add_reports(commands: "Commands") -> None:
    """Add the commands of systems, which are loaded only if no command of the engine was asked for."""
    importlib.import_module("talewright.cli.report_commands").add_reports(commands)


def _begin_parser() -> "tuple[argparse.ArgumentParser, Commands]":
    parser = argparse.ArgumentParser(
        prog="talewright",
        description="Games told by a language model that never owns the truth.",
        epilog="example: talewright check games/mist_harbor",
    )
    parser.add_argument("--version", action="version", version=f"talewright {__version__}")
    return parser, parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
