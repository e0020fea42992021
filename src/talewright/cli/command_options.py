"""Command options: words and flags that several commands share, such as --saves, --json and --viewer.

Only argparse is loaded here: every command waits for it. What an option does is each command's own business.
"""

import argparse
import json
from pathlib import Path
from typing import TypeAlias

from talewright.errors import TalewrightError
from talewright.play.campaign_view import Viewer
from talewright.play.error_codes import write_error

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""Where a command registers its parser; argparse gives this type no public name."""

TURN_HELP = "a turn: its number, the start of its id, a mark or a branch"
"""How every command explains what a turn may be called."""


def add_command(
    commands: Commands, name: str, help_text: str, description: str, example: str
) -> argparse.ArgumentParser:
    """A parser for a command that works on a campaign."""
    parser = commands.add_parser(
        name,
        help=help_text,
        description=description,
        epilog=f"example: {example}",
    )
    add_saves_option(parser)
    return parser


def add_saves_option(parser: argparse.ArgumentParser) -> None:
    """The option that says where campaigns are kept."""
    # Suppressed where it is not given, so that a subcommand does not undo what stood before its name.
    parser.add_argument(
        "--saves",
        type=Path,
        metavar="FOLDER",
        default=argparse.SUPPRESS,
        help="the folder in which campaigns are kept",
    )


def add_campaign_option(parser: argparse.ArgumentParser) -> None:
    """The option that names a campaign."""
    parser.add_argument(
        "-c", "--campaign", default="", metavar="NAME", help="which campaign (the one played last)"
    )


def add_campaign_argument(parser: argparse.ArgumentParser) -> None:
    """The word that names a campaign, which may also be named by the option that other commands have."""
    # Suppressed where it is not given, so that it does not undo the option.
    parser.add_argument(
        "campaign",
        nargs="?",
        default=argparse.SUPPRESS,
        metavar="CAMPAIGN",
        help="which campaign (the one played last)",
    )
    add_campaign_option(parser)


STDOUT = "-"
"""The file that means the output."""


def print_error(error: TalewrightError) -> None:
    """Print an error as JSON, with its code, where the answer would have stood."""
    print(json.dumps({"error": write_error(error)}, indent=2, ensure_ascii=False))


def add_json(parser: argparse.ArgumentParser) -> None:
    """The option for programs that read the answer."""
    parser.add_argument("--json", action="store_true", help="print it as JSON")


def add_no_git(parser: argparse.ArgumentParser) -> None:
    """The option of `play` by which a campaign goes without git."""
    parser.add_argument("--no-git", action="store_true", help="keep no git history of the campaign's pages")


def saves_folder(arguments: argparse.Namespace) -> Path | None:
    """Where campaigns are kept; None is the user's usual place."""
    folder: Path | None = getattr(arguments, "saves", None)
    return folder


FORCE_HINT = "Choose another name, or write --force."
"""What to do about a file that is there already."""


def add_viewer(parser: argparse.ArgumentParser, default: Viewer) -> None:
    """The option that says for whom something is shown."""
    parser.add_argument(
        "--viewer",
        type=Viewer,
        choices=list(Viewer),
        default=default,
        metavar="WHO",
        help=f"for whom: {', '.join(Viewer)} ({default}); all but player spoil the game",
    )
