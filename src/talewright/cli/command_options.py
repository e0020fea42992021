"""Command options: arguments that several commands share, such as --saves, --json and --viewer.

It imports little, because every command waits for it. Each command implements its own options.
"""

import argparse
import importlib
import json
from pathlib import Path
from typing import Any, TypeAlias

from talewright.errors import TalewrightError
from talewright.play.campaign_view import Viewer
from talewright.play.error_codes import write_error

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""Where a command registers its parser; argparse has no public name for this type."""

HOSTED_PACKAGES = frozenset({"asyncpg", "cryptography", "dbos", "prometheus_client", "redis", "uvicorn"})
"""What the extra `hosted` brings."""

TURN_HELP = "a turn: its number, the start of its id, a mark or a branch"
"""The help text for an argument that identifies a turn."""


def add_command(
    commands: Commands, name: str, help_text: str, description: str, example: str
) -> argparse.ArgumentParser:
    """Add a parser for a command that works on a campaign."""
    parser = commands.add_parser(
        name,
        help=help_text,
        description=description,
        epilog=f"example: {example}",
    )
    add_saves_option(parser)
    return parser


def add_saves_option(parser: argparse.ArgumentParser) -> None:
    """Add --saves, the folder of campaigns."""
    # Suppressed if absent, so that a subcommand does not override a value given before its name.
    parser.add_argument(
        "--saves",
        type=Path,
        metavar="FOLDER",
        default=argparse.SUPPRESS,
        help="the folder of saved campaigns",
    )


def add_campaign_option(parser: argparse.ArgumentParser) -> None:
    """Add --campaign, the name of a campaign."""
    parser.add_argument(
        "-c", "--campaign", default="", metavar="NAME", help="the campaign (default: the last one played)"
    )


def add_campaign_argument(parser: argparse.ArgumentParser) -> None:
    """Add the argument for a campaign's name, with --campaign as an alternative."""
    # Suppressed if absent, so that it does not override the option.
    parser.add_argument(
        "campaign",
        nargs="?",
        default=argparse.SUPPRESS,
        metavar="CAMPAIGN",
        help="the campaign (default: the last one played)",
    )
    add_campaign_option(parser)


STDOUT = "-"
"""The file name that means standard output."""


def print_error(error: TalewrightError) -> None:
    """Print an error as JSON, with its code, in place of the result."""
    print(json.dumps({"error": write_error(error)}, indent=2, ensure_ascii=False))


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add --json, for programs that read the output."""
    parser.add_argument("--json", action="store_true", help="print as JSON")


def add_no_git(parser: argparse.ArgumentParser) -> None:
    """Add --no-git."""
    parser.add_argument(
        "--no-git", action="store_true", help="do not keep a git history of the campaign's pages"
    )


def saves_folder(arguments: argparse.Namespace) -> Path | None:
    """The folder of campaigns; None for the default."""
    folder: Path | None = getattr(arguments, "saves", None)
    return folder


FORCE_HINT = "Choose another name, or use --force."
"""What to do if the file already exists."""


def add_viewer(parser: argparse.ArgumentParser, default: Viewer) -> None:
    """Add --viewer, which decides what may be shown."""
    parser.add_argument(
        "--viewer",
        type=Viewer,
        choices=list(Viewer),
        default=default,
        metavar="WHO",
        help=f"who is looking: {', '.join(Viewer)} (default: {default}); all but player show spoilers",
    )


def read_hex(text: str) -> bytes:
    """The bytes of an option that is given in hexadecimal digits, for argparse."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"expected pairs of hexadecimal digits, such as 0f3a, not {text!r}"
        ) from None


def load_hosted(module: str) -> Any:
    """Import a module of `bootstrap.hosting`; raises TalewrightError if the extra is not installed.

    Only commands for a host call it, so that a player's machine needs no driver of a database.
    """
    try:
        return importlib.import_module(f"talewright.bootstrap.hosting.{module}")
    except ModuleNotFoundError as error:
        if error.name not in HOSTED_PACKAGES:
            raise
        raise TalewrightError(
            f"the package {error.name!r} is not installed", 'Run `pip install "talewright[hosted]"`.'
        ) from None
