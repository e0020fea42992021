"""`talewright inspect`: shows everything about one turn, including the prompt, or what a player saw.

For later effects of a turn, see `blame` and `diff`.
"""

import argparse
import json
import os
from collections.abc import Iterable, Iterator, Mapping

from talewright.bootstrap import open_provider_factory
from talewright.cli.campaign.campaign_access import ProgressTicker, open_archive, run_async
from talewright.cli.command_options import (
    TURN_HELP,
    add_campaign_command,
    add_campaign_option,
    add_json,
    add_viewer,
)
from talewright.cli.help.help_texts import Commands
from talewright.common.json_values import Json
from talewright.play.campaign_past import InspectionPart
from talewright.play.campaign_view import Viewer
from talewright.play.history.turn_inspection import take_apart
from talewright.play.history.turn_inspection_lines import view_inspected_turn
from talewright.play.history.turn_record import inspect_turn, tell_turn

TOLD_APART = frozenset({"lore", "cuts", "exchanges", "rulings", "usage"})
"""Parts of the record that are described in words elsewhere in the output."""


def add_inspect(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_campaign_command(
        commands,
        "inspect",
        "Show everything about one turn: the input; the parts of the prompt, with their tokens and weights; "
        "which lore was used and why, and what was cut; where the prompt first differs from the previous "
        "one; the model's raw replies and repairs; rulings, changes, dice, cost and times.\n\n"
        "It contains spoilers; `--viewer player` shows only what the player saw.",
        "talewright inspect 12",
        "talewright inspect 12 --prompt",
    )
    parser.add_argument("turn", metavar="TURN", help=TURN_HELP)
    add_campaign_option(parser)
    add_viewer(parser, Viewer.AUTHOR)
    parser.add_argument("--prompt", action="store_true", help="also show the text of the prompt")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Show one turn."""
    return run_async(_run(arguments))


async def _run(arguments: argparse.Namespace) -> int:
    archive, viewer = open_archive(arguments), arguments.viewer
    factory = open_provider_factory(os.environ)
    async with archive.past(arguments.campaign, ProgressTicker("reading")) as past:
        commit = past.find(arguments.turn)
        facts = inspect_turn(past.history, commit, await past.games.of(commit), viewer)
        anatomy = await take_apart(
            past.book, archive.shelf, commit, viewer, factory.loaded.profile_of, factory.limits
        )
    parts = () if anatomy is None else view_inspected_turn(anatomy, words=arguments.prompt).parts
    if arguments.json:
        taken: Mapping[str, Json] = {part.name: part.raw for part in parts}
        print(json.dumps({**facts, **taken}, indent=2, ensure_ascii=False))
        return 0
    for line in (*tell_turn(facts, TOLD_APART if parts else ()), *_tell_parts(parts)):
        print(line)
    return 0


def _tell_parts(parts: Iterable[InspectionPart]) -> Iterator[str]:
    for part in parts:
        if part.lines:
            yield ""
            yield part.name
            yield from (f"  {line}" for line in part.lines)
