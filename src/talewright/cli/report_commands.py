"""Report commands: one command for each report that an installed system offers.

It knows no system by name, and loads a system only to make its report.
"""

import argparse
import json
import sys
from pathlib import Path

from talewright.bootstrap import find_game_folder, installed_systems
from talewright.cli.campaign.campaign_access import ProgressTicker, open_archive, run_async
from talewright.cli.command_options import (
    TURN_HELP,
    add_campaign_argument,
    add_game_argument,
    add_json,
    add_saves_option,
    add_viewer,
)
from talewright.cli.help.help_texts import Commands, add_command
from talewright.cli.terminal_text import printable
from talewright.errors import TalewrightError
from talewright.kernel.report_declarations import Report, ReportSubject
from talewright.kernel.system import ReportContent
from talewright.pack.compiler import compile_folder, compile_rules
from talewright.play.campaign_view import Viewer
from talewright.play.history.campaign_reports import report_on_campaign, report_on_game

EXAMPLES = {ReportSubject.GAME: "my_game", ReportSubject.CAMPAIGN: "my_game-1"}
"""The game or campaign in the help of a command, unless the system names one."""


def add_report(commands: Commands, system: str, report: Report) -> None:
    """Add the command of a report to the parser."""
    summary = report.summary
    description = f"{summary[:1].upper()}{summary[1:]}. For games that use the `{system}` system."
    example = f"talewright {report.name} {report.example or EXAMPLES[report.subject]}"
    pictures = (f"{example} --svg pictures",) if report.pictures else ()
    parser = add_command(commands, report.name, description, example, *pictures)
    if report.subject is ReportSubject.GAME:
        add_game_argument(parser)
        parser.set_defaults(run=_report_game)
    else:
        add_saves_option(parser)
        add_campaign_argument(parser)
        add_viewer(parser, Viewer.AUTHOR if report.for_author else Viewer.PLAYER)
        parser.add_argument(
            "--at", default="", metavar="TURN", help=f"as of {TURN_HELP} (default: the current turn)"
        )
        parser.set_defaults(run=_report_campaign)
    add_json(parser)
    if report.pictures:
        files = ", ".join(map(_name_file, report.pictures))
        parser.add_argument(
            "--svg", type=Path, metavar="FOLDER", help=f"also draw pictures in this folder: {files}"
        )
    parser.set_defaults(system=system, report=report.name)


def _report_game(arguments: argparse.Namespace) -> int:
    folder = find_game_folder(arguments.game)
    compiled = compile_folder(folder, installed_systems())
    if compiled.game is None:
        # Scenes with errors need not keep an author from reading the rules.
        compiled = compile_rules(folder, installed_systems())
        look = f"Find them with: talewright check {folder}"
        if compiled.game is None:
            raise TalewrightError(f"the game in {folder} has errors", look)
        print(f"The game in {folder} has errors, but its rules can be read. {look}", file=sys.stderr)
    texts = compiled.texts[compiled.game.language]
    return _print(arguments, report_on_game(compiled.game, texts, arguments.system, arguments.report))


def _report_campaign(arguments: argparse.Namespace) -> int:
    return _print(arguments, run_async(_make_report(arguments)))


async def _make_report(arguments: argparse.Namespace) -> ReportContent:
    spoilers = arguments.viewer is not Viewer.PLAYER
    async with open_archive(arguments).past(arguments.campaign, ProgressTicker("reading")) as past:
        return await report_on_campaign(
            past, arguments.system, arguments.report, spoilers=spoilers, at=arguments.at
        )


def _name_file(picture: str) -> str:
    return f"{picture}.svg"


def _draw(folder: Path, content: ReportContent) -> None:
    """Write the pictures of a report."""
    if not content.pictures:
        raise TalewrightError(
            "this report has no pictures for this viewer", "Add --viewer author, which shows spoilers."
        )
    for name, picture in content.pictures.items():
        file = folder / _name_file(name)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file.write_text(picture, encoding="utf-8", newline="\n")
        except OSError as error:
            raise TalewrightError(
                f"the picture could not be written: {error.strerror} ({file})",
                "Choose another folder with --svg.",
            ) from error
        print(f"drawn: {file}", file=sys.stderr)


def _print(arguments: argparse.Namespace, content: ReportContent) -> int:
    if getattr(arguments, "svg", None) is not None:
        _draw(arguments.svg, content)
    if arguments.json:
        print(json.dumps(content.data, indent=2, ensure_ascii=False))
    for line in () if arguments.json else content.lines:
        print(printable(line))
    return 0
