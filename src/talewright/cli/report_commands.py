"""Report commands: one command for each report that an installed system offers.

It knows no system by name. A system that cannot be loaded has no commands here; `talewright check` says why.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from talewright.bootstrap import installed_systems
from talewright.cli.campaign.campaign_access import ProgressTicker, open_archive, run_async
from talewright.cli.command_options import (
    TURN_HELP,
    Commands,
    add_campaign_argument,
    add_json,
    add_saves_option,
    add_viewer,
)
from talewright.cli.terminal_text import printable
from talewright.errors import TalewrightError
from talewright.kernel.system import HasReports, Report, ReportContent, ReportSubject
from talewright.pack.compiler import compile_folder
from talewright.play.campaign_view import Viewer
from talewright.play.history.campaign_reports import report_on_campaign, report_on_game

EXAMPLES = {ReportSubject.GAME: "games/salt_road", ReportSubject.CAMPAIGN: "salt_road-1 --at 12"}
"""What the help of a command names as its folder or campaign."""


def list_reports() -> Iterator[tuple[str, Report]]:
    """Every report of the installed systems, with the name of its system."""
    systems = installed_systems()
    for name in systems:
        with suppress(TalewrightError):
            system = systems[name]
            if isinstance(system, HasReports):
                yield from ((name, report) for report in system.reports())


def add_reports(commands: Commands) -> None:
    """Add a command for each report; commands that exist already stay as they are."""
    for system, report in list_reports():
        if report.name not in commands.choices:
            _add_report(commands, system, report)


def _add_report(commands: Commands, system: str, report: Report) -> None:
    summary = report.summary.replace("%", "%%")
    description = f"{summary[:1].upper()}{summary[1:]}. A report of the system {system!r}."
    example = f"example: talewright {report.name} {EXAMPLES[report.subject]}"
    example += " --svg pictures" if report.pictures else ""
    parser = commands.add_parser(report.name, help=summary, description=description, epilog=example)
    if report.subject is ReportSubject.GAME:
        parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder that contains game.yaml")
        parser.set_defaults(run=_report_game)
    else:
        add_saves_option(parser)
        add_campaign_argument(parser)
        add_viewer(parser, Viewer.AUTHOR if report.for_author else Viewer.PLAYER)
        parser.add_argument("--at", default="", metavar="TURN", help=f"{TURN_HELP} (default: the newest)")
        parser.set_defaults(run=_report_campaign)
    add_json(parser)
    if report.pictures:
        files = ", ".join(map(_name_file, report.pictures))
        parser.add_argument(
            "--svg", type=Path, metavar="FOLDER", help=f"draw pictures into this folder: {files}"
        )
    parser.set_defaults(system=system, report=report.name)


def _report_game(arguments: argparse.Namespace) -> int:
    folder: Path = arguments.folder
    compiled = compile_folder(folder, installed_systems())
    if compiled.game is None:
        raise TalewrightError(
            f"the game in {folder} has errors", f"Find them with: talewright check {folder}"
        )
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
                "Name another folder with --svg.",
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
