"""The command line: its entry point, and the parsers of the commands that were asked for.

Only the module of the requested command is imported.
"""

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence

from talewright import __version__
from talewright.cli.face_choice import HOW_TO_DRAW, FaceChoice, can_draw, pick_face
from talewright.cli.help.command_table import COMMAND_GROUPS, COMMANDS
from talewright.cli.help.help_texts import Commands, OverviewParser
from talewright.errors import TalewrightError

DESCRIPTION = (
    "Play and write games where a language model narrates and the rules decide what happens. The games that "
    "come with Talewright also work without a model."
)

EXAMPLES = """examples:
  talewright play mist_harbor    play in this terminal
  talewright serve               play in your browser
  talewright new salt_road       write your own game
  talewright check --help        show the options of one command"""

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
            from talewright.cli.command_options import print_error

            print_error(error)
        print(f"talewright: {error.message}", file=sys.stderr)
        if error.hint:
            print(error.hint, file=sys.stderr)
        return WRONG_USE
    except BrokenPipeError:
        # The reader of our output has closed it, as `head` does; discard the rest.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def make_parser(names: Sequence[str] = tuple(COMMANDS)) -> argparse.ArgumentParser:
    """The parser with these commands; with all of them, also the reports of systems."""
    parser, commands = _begin_parser()
    for name in names:
        getattr(importlib.import_module(COMMANDS[name].module), f"add_{name}")(commands)
    if len(names) == len(COMMANDS):
        _add_reports(parser, commands)
    return parser


def make_overview() -> argparse.ArgumentParser:
    """A parser that knows the names and summaries of all commands, but only the options of reports."""
    parser, commands = _begin_parser()
    for name in COMMANDS:
        commands.add_parser(name)
    _add_reports(parser, commands)
    return parser


def _add_reports(parser: OverviewParser, commands: Commands) -> None:
    """Add the commands of systems, which are loaded only if no command of the engine was asked for."""
    from talewright.cli.report_commands import add_reports

    for group, reports in add_reports(commands).items():
        parser.groups[group].update(reports)


def _begin_parser() -> tuple[OverviewParser, Commands]:
    groups = {
        title: {name: command.summary for name, command in commands.items()}
        for title, commands in COMMAND_GROUPS.items()
    }
    parser = OverviewParser(groups, prog="talewright", description=DESCRIPTION, epilog=EXAMPLES)
    parser.add_argument("--version", action="version", version=f"talewright {__version__}")
    return parser, parser.add_subparsers(
        metavar="COMMAND", required=True, parser_class=argparse.ArgumentParser
    )
