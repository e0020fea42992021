"""`talewright blame`: shows which turn, move, cause and roll set a variable.

By default, it shows what a player may see.
"""

import argparse
import json
from collections.abc import Iterator
from itertools import islice

from talewright.cli.campaign.campaign_access import ProgressTicker, open_archive, run_async
from talewright.cli.command_options import (
    TURN_HELP,
    add_campaign_command,
    add_campaign_option,
    add_json,
    add_viewer,
)
from talewright.cli.help.help_texts import Commands
from talewright.errors import TalewrightError
from talewright.kernel.state.state_paths import Path, dotted
from talewright.play.campaign_view import Viewer
from talewright.play.history.campaign_history import ArchivedCampaign
from talewright.play.history.state_blame import Origin, find_place, trace

LINES = 1
"""The default number of turns."""


def add_blame(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_campaign_command(
        commands,
        "blame",
        "Show which turn last set a variable, with which move and roll, and why. -n goes further back.",
        "talewright blame suspicion",
        "talewright blame suspicion -n 5",
    )
    parser.add_argument(
        "path",
        metavar="VARIABLE",
        help="the variable: its name, such as player.coin, or its label on the card",
    )
    parser.add_argument(
        "--at", default="", metavar="TURN", help=f"start from {TURN_HELP} (default: the current turn)"
    )
    parser.add_argument(
        "-n",
        "--times",
        type=_read_times,
        default=LINES,
        metavar="N",
        help=f"show the last N turns that set it (default: {LINES})",
    )
    parser.add_argument("--all", action="store_true", help="show every turn that set it")
    add_campaign_option(parser)
    add_viewer(parser, Viewer.PLAYER)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Trace one variable."""
    return run_async(_run(arguments))


async def _run(arguments: argparse.Namespace) -> int:
    async with open_archive(arguments).past(arguments.campaign, ProgressTicker("reading")) as past:
        turn = past.find(arguments.at) if arguments.at else past.history.head
        path = await _find_path(past, arguments.path, arguments.viewer)
        origins = islice(
            await trace(past, turn, path, arguments.viewer), None if arguments.all else arguments.times
        )
        if arguments.json:
            rows = [origin.to_json() for origin in origins]
            print(json.dumps({"path": dotted(path), "set_by": rows}, indent=2, ensure_ascii=False))
            return 0
        for line in _tell(origins):
            print(line)
    return 0


async def _find_path(past: ArchivedCampaign, text: str, viewer: Viewer) -> Path:
    edition, wording = await past.read_with(past.history.head)
    path = find_place(edition.game, wording, text, viewer)
    if path is None:
        names = ", ".join(name for name in edition.game.layout.roots if not name.startswith("_"))
        raise TalewrightError(f"there is no visible variable {text!r}", f"Known: {names}.")
    return path


def _tell(origins: Iterator[Origin]) -> Iterator[str]:
    for origin in origins:
        yield f"turn {origin.version} ({origin.commit}): {origin.text}"
        for name, words in (
            ("by", origin.cause),
            ("why", origin.reason),
            ("move", origin.move),
            ("said", origin.said),
        ):
            if words:
                yield f"  {name:<5}{words}"
        for roll in origin.rolls:
            yield f"  roll {roll}"


def _read_times(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:9]) >= 1):
        raise argparse.ArgumentTypeError(f"expected a number of 1 or more, not {text!r}")
    return int(text)
