"""`talewright diff`: shows what changed between two turns, in the state and in the story.

By default, it shows what a player may see.
"""

import argparse
import json
from collections.abc import Mapping

from talewright.cli.campaign.campaign_access import ProgressTicker, open_archive, run_async
from talewright.cli.command_options import (
    TURN_HELP,
    add_campaign_command,
    add_campaign_option,
    add_json,
    add_viewer,
)
from talewright.cli.help.help_texts import Commands
from talewright.cli.terminal_text import LINE_CELLS, shorten
from talewright.common.json_values import Json
from talewright.play.campaign_view import Viewer
from talewright.play.history.campaign_history import ArchivedCampaign
from talewright.play.history.state_diff import (
    TurnComparison,
    compare,
    seen_differences,
    tell_differences,
    to_operations,
)


def tell_story_line(version: int, body: Mapping[str, Json]) -> str:
    """One turn on one line: the player's words and the start of the narration."""
    said, told = str(body.get("said", "")), str(body.get("narration", ""))
    text = f"{said}: {told}" if said else told
    return shorten(f"{version:>4}  {text}", LINE_CELLS)


def add_diff(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_campaign_command(
        commands,
        "diff",
        "Show what changed from one turn to another: the variables, and for turns on different branches, "
        "what happened on each since the branches parted. With --json, the changes are a JSON Patch.",
        "talewright diff 3 12",
    )
    parser.add_argument("before", metavar="FROM", help=TURN_HELP)
    parser.add_argument("after", metavar="TO", help="the turn to compare it with")
    add_campaign_option(parser)
    add_viewer(parser, Viewer.PLAYER)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Compare two turns."""
    return run_async(_run(arguments))


async def _run(arguments: argparse.Namespace) -> int:
    async with open_archive(arguments).past(arguments.campaign, ProgressTicker("reading")) as past:
        before, after = past.find(arguments.before), past.find(arguments.after)
        found = await compare(past.book, past.history, before, after)
        await _show(past, found, arguments.viewer, arguments.json)
    return 0


async def _show(past: ArchivedCampaign, found: TurnComparison, viewer: Viewer, as_json: bool) -> None:
    edition, wording = await past.read_with(found.after)
    seen = seen_differences(edition.game, found.differences, viewer)
    sides = (("before", found.before, found.before_alone), ("after", found.after, found.after_alone))
    if as_json:
        report = {
            name: {
                "commit": commit.id,
                "version": commit.version,
                "turns": [
                    {"commit": t.id, "version": t.version, "said": t.body.get("said", "")} for t in alone
                ],
            }
            for name, commit, alone in sides
        }
        patch = to_operations(seen)
        print(
            json.dumps(
                {"ancestor": found.ancestor.id, **report, "patch": patch}, indent=2, ensure_ascii=False
            )
        )
        return
    (_, before, _), (_, after, _) = sides
    print(f"from turn {before.version} ({before.id}) to turn {after.version} ({after.id})")
    for line in tell_differences(edition.game, seen, wording) or ("no change in the state",):
        print(f"  {line}")
    for name, _, alone in sides:
        if alone:
            print(f"\nonly {name}, since turn {found.ancestor.version}:")
        for turn in alone:
            print(f"  {tell_story_line(turn.version, turn.body)}")
