"""The command line: its entry point, and the parsers of the commands that were asked for.

Only the module of the requested command is imported, and for the overview none.
"""

import argparse
import importlib
import io
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from talewright.cli.help.command_table import COMMAND_GROUPS, COMMANDS, LOOK_BACK, WRITE_GAMES
from talewright.cli.help.help_texts import Commands, OverviewParser
from talewright.version import __version__

if TYPE_CHECKING:
    from talewright.kernel.report_declarations import Report

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
        if not _can_start_alone():
            return WRONG_USE
        words = ["play"]
    arguments = _parse(words)
    # Imported here: the overview of all commands, which ends above, should not wait for it.
    from talewright.errors import TalewrightError

    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except TalewrightError as error:
        if getattr(arguments, "json", False):
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


def _can_start_alone() -> bool:
    """Whether the terminal face opens if no command is given; if not, say how to begin."""
    from talewright.cli.face_choice import HOW_TO_DRAW, FaceChoice, can_draw, pick_face

    if pick_face(os.environ, sys.stdin, sys.stdout) is FaceChoice.TERMINAL:
        return True
    print(HOW_TO_BEGIN, file=sys.stderr)
    if not can_draw():
        print(HOW_TO_DRAW, file=sys.stderr)
    return False


def _parse(words: Sequence[str]) -> argparse.Namespace:
    """Parse a command, with the parser of the requested one only."""
    first = words[0]
    if first in COMMANDS or first == "--version":
        return make_parser([first] if first in COMMANDS else []).parse_args(words)
    reports = find_reports()
    if first in reports:
        return make_parser([first], reports).parse_args(words)
    # This shows the help, or refuses an unknown command. Newer versions of argparse accept `--` before one.
    make_overview(reports).parse_args(words)
    return make_parser().parse_args(words)


def find_reports() -> "dict[str, tuple[str, Report]]":
    """The reports of systems by name, each with its system; a command of the engine stays what it is."""
    from talewright.bootstrap.reports.installed_reports import list_reports

    reports: dict[str, tuple[str, Report]] = {}
    for system, report in list_reports():
        if report.name not in COMMANDS:
            reports.setdefault(report.name, (system, report))
    return reports


def make_parser(
    names: Sequence[str] | None = None, reports: "Mapping[str, tuple[str, Report]] | None" = None
) -> argparse.ArgumentParser:
    """The parser with these commands and reports, or with all of them."""
    if names is None:
        reports = find_reports()
        names = [*COMMANDS, *reports]
    parser, commands = _begin_parser(reports or {})
    for name in names:
        if name in COMMANDS:
            getattr(importlib.import_module(COMMANDS[name].module), f"add_{name}")(commands)
        else:
            from talewright.cli.report_commands import add_report

            add_report(commands, *(reports or {})[name])
    return parser


def make_overview(reports: "Mapping[str, tuple[str, Report]]") -> argparse.ArgumentParser:
    """A parser that knows the names and summaries of all commands and reports, but no options."""
    parser, commands = _begin_parser(reports)
    for name in (*COMMANDS, *reports):
        commands.add_parser(name)
    return parser


def _begin_parser(reports: "Mapping[str, tuple[str, Report]]") -> tuple[OverviewParser, Commands]:
    groups = {
        title: {name: command.summary for name, command in commands.items()}
        for title, commands in COMMAND_GROUPS.items()
    }
    for name, (_, report) in reports.items():
        group = WRITE_GAMES if report.subject == "game" else LOOK_BACK
        groups[group][name] = report.summary.replace("%", "%%")
    parser = OverviewParser(groups, prog="talewright", description=DESCRIPTION, epilog=EXAMPLES)
    parser.add_argument("--version", action="version", version=f"talewright {__version__}")
    return parser, parser.add_subparsers(
        metavar="COMMAND", required=True, parser_class=argparse.ArgumentParser
    )
