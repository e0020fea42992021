"""The command line: one word a command, each in a file of its own.

It parses words and prints answers; what the answers are is decided in the rooms beneath.
"""

import argparse
import importlib
import io
import os
import sys
from collections.abc import Iterable, Sequence

from talewright import __version__
from talewright.errors import TalewrightError

COMMANDS = {
    name: f"talewright.cli.{name}"
    for name in (
        *("play", "check", "new", "schema", "roll", "odds"),
        *("saves", "undo", "fork", "tree", "diff", "blame", "replay", "verify", "inspect", "export"),
    )
}
"""The module of each command. Only the one that is asked for is loaded: a game's first words wait for it."""

# The standard library has a module of the plain name.
COMMANDS["inspect"] = "talewright.cli.inspect_turn"

WRONG_USE = 2
"""The exit code of a command that cannot be carried out as it was written."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that does not know a character gets its number, not a traceback.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    words = sys.argv[1:] if argv is None else argv
    asked = [name for name in words[:1] if name in COMMANDS]
    arguments = make_parser(asked or COMMANDS).parse_args(words)
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


def make_parser(names: Iterable[str] = COMMANDS) -> argparse.ArgumentParser:
    """The words this program understands, with these commands among them."""
    parser = argparse.ArgumentParser(
        prog="talewright",
        description="Games told by a language model that never owns the truth.",
        epilog="example: talewright check games/mist_harbor",
    )
    parser.add_argument("--version", action="version", version=f"talewright {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in names:
        importlib.import_module(COMMANDS[name]).add(commands)
    return parser
