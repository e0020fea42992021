"""Command options: arguments that several commands share, such as --saves, --json and --viewer.

It imports little, because every command waits for it. Each command implements its own options.
"""

import argparse
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from talewright.cli.help.help_texts import Commands, add_command
from talewright.errors import TalewrightError
from talewright.play.campaign_view import Viewer
from talewright.play.error_codes import write_error

HOSTED_PACKAGES = frozenset({"asyncpg", "cryptography", "dbos", "prometheus_client", "redis", "uvicorn"})
"""The packages of the `hosted` extra."""

MODEL_HELP = "the model: one that you have set up, or service/model such as ollama/llama3.2"
"""The help text for an argument that names a model."""

TURN_HELP = "a turn: its number, the start of its id, a mark or a branch"
"""The help text for an argument that identifies a turn."""


CAMPAIGN_HELP = "the name of the campaign (default: the one you played last)"


def read_given(text: str) -> str:
    """An argument that names something, such as an owner; an unset variable in a script names nothing."""
    if not text.strip():
        raise argparse.ArgumentTypeError("it is empty; say which one you mean, or leave the option out")
    return text


def add_campaign_command(
    commands: Commands, name: str, description: str, *examples: str
) -> argparse.ArgumentParser:
    """Add a parser for a command that works on a campaign."""
    parser = add_command(commands, name, description, *examples)
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
        help="use the campaigns in this folder instead of your own",
    )


def add_campaign_option(parser: argparse.ArgumentParser, help_text: str = CAMPAIGN_HELP) -> None:
    """Add --campaign, the name of a campaign."""
    parser.add_argument("-c", "--campaign", default="", metavar="CAMPAIGN", help=help_text)


def add_campaign_argument(parser: argparse.ArgumentParser) -> None:
    """Add the argument for a campaign's name, with --campaign as an alternative."""
    # Suppressed if absent, so that it does not override the option.
    parser.add_argument(
        "campaign", nargs="?", default=argparse.SUPPRESS, metavar="CAMPAIGN", help=CAMPAIGN_HELP
    )
    add_campaign_option(parser, "another way to name the campaign")


def add_game_argument(parser: argparse.ArgumentParser) -> None:
    """Add the argument for a game, by id or by folder."""
    parser.add_argument(
        "game", metavar="GAME", help="the id of a game, or the path of a folder that contains game.yaml"
    )


STDOUT = "-"
"""The file name that means standard output."""


def print_error(error: TalewrightError) -> None:
    """Print an error as JSON, with its code, in place of the result."""
    print(json.dumps({"error": write_error(error)}, indent=2, ensure_ascii=False))


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add --json, for programs that read the output."""
    parser.add_argument("--json", action="store_true", help="print JSON for programs")


def add_no_git(parser: argparse.ArgumentParser) -> None:
    """Add --no-git."""
    parser.add_argument("--no-git", action="store_true", help="do not commit turns to git")


def saves_folder(arguments: argparse.Namespace) -> Path | None:
    """The folder of campaigns; None for the default."""
    folder: Path | None = getattr(arguments, "saves", None)
    return folder


FORCE_HINT = "Choose another name, or use --force."
"""The hint if the file already exists."""


def add_viewer(parser: argparse.ArgumentParser, default: Viewer) -> None:
    """Add --viewer, which decides what may be shown."""
    parser.add_argument(
        "--viewer",
        type=Viewer,
        choices=list(Viewer),
        default=default,
        metavar="WHO",
        help=f"show what this viewer may see: {', '.join(Viewer)} (default: {default}); "
        "all but player include spoilers",
    )


def read_hex(text: str) -> bytes:
    """The bytes of an option that is given in hexadecimal digits, for argparse."""
    try:
        found = bytes.fromhex(text)
    except ValueError:
        found = b""
    if not found:
        # An empty option, as of an unset variable in a script, must not pass for one that was left out.
        raise argparse.ArgumentTypeError(f"expected pairs of hexadecimal digits, such as 0f3a, not {text!r}")
    return found


@contextmanager
def needing_hosted() -> Iterator[None]:
    """Import something of `bootstrap.hosting`; raises TalewrightError if the extra is not installed.

    Only commands for a host do so, and players need no database driver.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in HOSTED_PACKAGES:
            raise
        raise TalewrightError(
            f"the package {error.name!r} is not installed", 'Run `pip install "talewright[hosted]"`.'
        ) from None
