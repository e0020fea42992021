"""`talewright export`: writes the story of a campaign as Markdown, HTML or EPUB, or its world as a scenario.

It includes only what the player wrote and saw, unless an author asks for everything in a scenario.
"""

import argparse
import sys
from pathlib import Path

from talewright.cli.campaign.campaign_access import ProgressTicker, open_archive, run_async
from talewright.cli.command_options import (
    FORCE_HINT,
    STDOUT,
    TURN_HELP,
    add_campaign_argument,
    add_campaign_command,
    add_viewer,
)
from talewright.cli.help.help_texts import Commands
from talewright.errors import TalewrightError
from talewright.play.campaign_view import Viewer
from talewright.play.export.campaign_files import STORIES, spell_story
from talewright.play.export.campaign_story import tell_story
from talewright.play.export.local_files import write_new
from talewright.play.export.scenario_file import SCENARIO, export_scenario
from talewright.play.lobby import ExportForm


def add_export(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_campaign_command(
        commands,
        "export",
        "Write the story of a campaign for readers: the player's words and the narration, the dice and "
        "events, and the ending. Hidden values are never included.\n\n"
        "A scenario is the world as it is now, as JSON, from which `talewright new FOLDER --scenario FILE` "
        "makes a game. It contains only what the player knows; add `--viewer author` for everything.",
        "talewright export mist_harbor-1 -o harbor.epub",
        "talewright export dusty_tankard-1 --format scenario -o tankard.json",
    )
    add_campaign_argument(parser)
    parser.add_argument(
        "--format",
        choices=[*(form.value for form in STORIES), SCENARIO],
        default=None,
        help="md, html, epub or scenario (default: from the extension of FILE; .json means scenario)",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        required=True,
        help=f"the file to write; {STDOUT} for standard output",
    )
    parser.add_argument(
        "--to", default="", metavar="TURN", help=f"end with {TURN_HELP} (default: the current turn)"
    )
    add_viewer(parser, Viewer.PLAYER)
    parser.add_argument("--force", action="store_true", help="overwrite an existing file")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write one story or scenario."""
    return run_async(_run(arguments))


async def _run(arguments: argparse.Namespace) -> int:
    file: Path = arguments.output
    kind = choose_format(file, arguments.format)
    async with open_archive(arguments).past(arguments.campaign, ProgressTicker("reading")) as past:
        last = past.find(arguments.to) if arguments.to else None
        if kind == SCENARIO:
            spoilers = arguments.viewer is not Viewer.PLAYER
            data, told = await export_scenario(past, last, spoilers=spoilers), "the scenario"
        else:
            story = await tell_story(past.games, past.history, last)
            data, told = spell_story(story, ExportForm(kind)), story.title
            passages = len(story.passages)
    if str(file) == STDOUT:
        _print_story(data, kind)
        return 0
    write_new(file, data, force=arguments.force, hint=FORCE_HINT)
    size = "" if kind == SCENARIO else f" ({passages} {'passage' if passages == 1 else 'passages'})"
    print(f"Wrote {told} to {file}{size}.")
    return 0


def _print_story(data: bytes, kind: str) -> None:
    """Write a story to standard output: a book as bytes, other formats as text."""
    if kind != ExportForm.EPUB:
        sys.stdout.write(data.decode())
    elif sys.stdout.isatty():
        raise TalewrightError(
            "an EPUB book cannot be shown in a terminal",
            "Name a file, or redirect the output: -o - > story.epub",
        )
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)


def choose_format(file: Path, asked: str | None) -> str:
    """The requested format, or that of the file's extension, or Markdown."""
    ending = file.suffix.lower().lstrip(".")
    known = {"htm": ExportForm.HTML, "json": SCENARIO, **{form.value: form for form in STORIES}}
    return asked or known.get(ending, ExportForm.MARKDOWN)
