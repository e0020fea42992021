"""`talewright export`: the story of a campaign for a reader, as Markdown, HTML or an EPUB book.

Only what the player said and was told is in it.
"""

import argparse
import sys
from pathlib import Path

from talewright.cli.campaign.campaign_access import ProgressTicker, open_archive, run_async
from talewright.cli.command_options import (
    FORCE_HINT,
    STDOUT,
    TURN_HELP,
    Commands,
    add_campaign_argument,
    add_command,
)
from talewright.errors import TalewrightError
from talewright.play.export.campaign_files import STORIES, spell_story
from talewright.play.export.campaign_story import tell_story
from talewright.play.export.local_files import write_new
from talewright.play.lobby import ExportForm


def add_export(commands: Commands) -> None:
    """Teach the parser this command."""
    parser = add_command(
        commands,
        "export",
        "write the story as Markdown, HTML or EPUB",
        "Write the story of a campaign for a reader: what was said and told, the dice and events, and how it "
        "ended. Hidden things are never in it.",
        "talewright export mist_harbor-1 --format epub -o harbor.epub",
    )
    add_campaign_argument(parser)
    parser.add_argument(
        "--format", choices=STORIES, default=None, help="md, html or epub (by the ending of FILE)"
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        required=True,
        help=f"where to write it; {STDOUT} for the output",
    )
    parser.add_argument("--to", default="", metavar="TURN", help=f"end it at {TURN_HELP}")
    parser.add_argument("--force", action="store_true", help="write over a file that is there")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write one story."""
    return run_async(_run(arguments))


async def _run(arguments: argparse.Namespace) -> int:
    file: Path = arguments.output
    kind = choose_format(file, arguments.format)
    async with open_archive(arguments).past(arguments.campaign, ProgressTicker("reading")) as past:
        last = past.find(arguments.to) if arguments.to else None
        story = await tell_story(past.games, past.history, last)
    data = spell_story(story, kind)
    if str(file) == STDOUT:
        _print_story(data, kind)
        return 0
    write_new(file, data, force=arguments.force, hint=FORCE_HINT)
    count = len(story.passages)
    print(f"{file} holds {story.title} in {count} {'passage' if count == 1 else 'passages'}.")
    return 0


def _print_story(data: bytes, kind: ExportForm) -> None:
    """Write a story to the output: a book as its bytes, the rest as text."""
    if kind is not ExportForm.EPUB:
        sys.stdout.write(data.decode())
    elif sys.stdout.isatty():
        raise TalewrightError(
            "a book is not for reading on the terminal",
            "Name a file, or send the output to one: -o - > a.epub",
        )
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)


def choose_format(file: Path, asked: str | None) -> ExportForm:
    """The format that was asked for, else that of the file's ending, else Markdown."""
    ending = file.suffix.lower().lstrip(".")
    known = {"htm": ExportForm.HTML, **{form.value: form for form in STORIES}}
    return known[asked] if asked else known.get(ending, ExportForm.MARKDOWN)
