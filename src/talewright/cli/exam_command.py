"""`talewright exam`: has one or more models narrate games to a scripted player, and reports how they did.

It plays real campaigns in a separate folder. The figures come from their records.
"""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from talewright.bootstrap.exam_lobby import open_exam_lobby
from talewright.cli.campaign.campaign_access import ProgressTicker
from talewright.cli.command_options import MODEL_HELP, add_json
from talewright.cli.help.help_texts import Commands, add_command
from talewright.config.environment import NO_MODEL
from talewright.config.model_settings import money
from talewright.errors import TalewrightError
from talewright.workshop.exam_plot import draw_plot
from talewright.workshop.exam_report import ExamReport, tell_report, write_report
from talewright.workshop.examination import ExamPlan, ExamResult, examine

GAME = "lantern_road"
"""The default game: short prompts, one request per turn."""

TURNS = 20
TURNS_MAX = 1_000
NOT_TOLD = 1
"""The exit code if a model narrated too few turns."""

STOPPED = 130
"""The exit code after ctrl+c."""


def add_exam(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_command(
        commands,
        "exam",
        "Have a model narrate a game for a scripted player. The report shows how many turns the model "
        "narrated at the first try, after a repair, or not at all; what was refused and why; and what it "
        "took in tokens, time and money.\n\n"
        "Exit code 0: each model narrated enough turns; 1: one did not; 2: the exam could not run.",
        "talewright exam ollama/llama3.2",
        "talewright exam ollama/llama3.2 lantern_road --turns 5 --svg models.svg",
    )
    parser.add_argument("first", metavar="MODEL", help=MODEL_HELP)
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help=f"games, by id or by folder (default: {GAME})"
    )
    parser.add_argument(
        "--model",
        dest="others",
        action="append",
        default=[],
        metavar="MODEL",
        help="also examine this model and compare; may be repeated",
    )
    parser.add_argument(
        "--turns", type=read_turns, default=TURNS, metavar="N", help=f"turns per game (default: {TURNS})"
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="the seed of the dice and of what the player does (default: 1)",
    )
    parser.add_argument("--language", default="", metavar="CODE", help="the language to play in, such as en")
    parser.add_argument(
        "--at-least",
        type=read_percent,
        default=None,
        metavar="PERCENT",
        help="end with exit code 1 unless each model narrated this share of the turns (default: any turn)",
    )
    parser.add_argument("--saves", type=Path, metavar="FOLDER", help="keep the campaigns, in this folder")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw a plot of the results as SVG")
    parser.add_argument("--no-times", action="store_true", help="leave out how long the turns took")
    add_json(parser)
    parser.set_defaults(run=run)


def read_turns(text: str) -> int:
    """The number of turns, for argparse."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= TURNS_MAX):
        raise argparse.ArgumentTypeError(f"expected a number from 1 to {TURNS_MAX}, not {text!r}")
    return int(text)


def read_percent(text: str) -> float:
    """A share of the turns, for argparse."""
    number = text.removesuffix("%")
    if not (number.isascii() and number.isdigit() and int(number) <= 100):
        raise argparse.ArgumentTypeError(f"expected a percentage from 0 to 100, not {text!r}")
    return int(number) / 100


def run(arguments: argparse.Namespace) -> int:
    """Examine the models and print the report."""
    models = list(dict.fromkeys([arguments.first, *arguments.others]))
    if NO_MODEL in models:
        raise TalewrightError("only a model can be examined", "`talewright models` lists yours.")
    results: list[ExamResult] = []
    code = 0
    try:
        with _open_saves(arguments.saves) as saves:
            asyncio.run(_examine(arguments, models, saves, results))
    except KeyboardInterrupt:
        # Report what has been examined so far.
        print("\ntalewright: stopped", file=sys.stderr)
        code = STOPPED
    if results:
        _show(arguments, ExamReport(arguments.seed, arguments.turns, tuple(results), not arguments.no_times))
    return code or (0 if all(_has_passed(one, arguments.at_least) for one in results) else NOT_TOLD)


def _show(arguments: argparse.Namespace, report: ExamReport) -> None:
    if arguments.svg is not None:
        _write(arguments.svg, draw_plot(report))
    if arguments.json:
        print(json.dumps(write_report(report), indent=2, ensure_ascii=False))
    else:
        print("\n".join(tell_report(report)))


async def _examine(
    arguments: argparse.Namespace, models: list[str], saves: Path, results: list[ExamResult]
) -> None:
    """Add the result of each model in each game."""
    for model in models:
        for game in arguments.games or [GAME]:
            async with open_exam_lobby(os.environ, model, game, saves, arguments.seed) as hall:
                plan = ExamPlan(model, hall.game, arguments.turns, arguments.seed, arguments.language)
                if hall.dollars_a_turn:
                    price = money(hall.dollars_a_turn * arguments.turns)
                    print(f"{model}, {game}: this may cost about {price}", file=sys.stderr)
                result = await examine(hall.lobby, plan, ProgressTicker(f"{model}, {game}"))
            results.append(result)
            if arguments.saves is not None:
                print(f"{model}, {game}: saved as {', '.join(result.campaigns)}", file=sys.stderr)


@contextmanager
def _open_saves(folder: Path | None) -> Iterator[Path]:
    """The folder of the campaigns: a temporary one that is removed afterwards, if none is given."""
    if folder is not None:
        yield folder
        return
    with TemporaryDirectory(prefix="talewright-exam-") as temporary:
        yield Path(temporary)


def _has_passed(result: ExamResult, at_least: float | None) -> bool:
    figures = result.figures
    return figures.told > 0 if at_least is None else figures.share(figures.told) >= at_least


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise TalewrightError(
            f"the plot could not be written: {error.strerror} ({file})", "Name another file with --svg."
        ) from error
