"""The command line: one word a command, each in a file of its own.

It parses words and prints answers; what the answers are is decided in the rooms beneath.
"""

import argparse
import io
import os
import sys
from collections.abc import Sequence

from talewright import __version__
from talewright.cli import check, new, odds, roll, schema
from talewright.errors import TalewrightError

COMMANDS = (check, new, schema, roll, odds)

WRONG_USE = 2
"""The exit code of a command that cannot be carried out as it was written."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that does not know a character gets its number, not a traceback.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    arguments = make_parser().parse_args(argv)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except TalewrightError as error:
        print(f"talewright: {error.message}", file=sys.stderr)
        if error.hint:
            print(error.hint, file=sys.stderr)
        return WRONG_USE
    except BrokenPipeError:
        # Whoever reads our output has seen enough, as `head` does; what is left of it goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def make_parser() -> argparse.ArgumentParser:
    """The words this program understands."""
    parser = argparse.ArgumentParser(
        prog="talewright",
        description="Games told by a language model that never owns the truth.",
        epilog="example: talewright check games/mist_harbor",
    )
    parser.add_argument("--version", action="version", version=f"talewright {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(commands)
    return parser
