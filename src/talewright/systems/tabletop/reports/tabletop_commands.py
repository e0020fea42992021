"""Tabletop commands: what the tabletop adds to the command line.

`talewright rules` and `talewright rolls` are reports; `talewright new --rules` writes one of the reference
rulebooks, with the files in the folder next to it. Only that command reads them.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from talewright.kernel.system import PastTurn, ReportContent, Sight, Starter
from talewright.systems.tabletop.author_files import faults_of, rules_of
from talewright.systems.tabletop.reports import ROLLS
from talewright.systems.tabletop.reports.roll_log import report_rolls
from talewright.systems.tabletop.reports.rulebook_report import PURE_NARRATIVE, report_json, report_lines
from talewright.systems.tabletop.rulebook import FILE


def make_report(name: str, sight: Sight, turns: Sequence[PastTurn], *, spoilers: bool) -> ReportContent:
    """One of the reports."""
    if name == ROLLS:
        return report_rolls(sight, turns, spoilers=spoilers)
    rules = rules_of(sight.files)
    if rules is None:
        return ReportContent((PURE_NARRATIVE,))
    understood = (rules.book, faults_of(sight.files), rules.ready_made)
    return ReportContent(tuple(report_lines(*understood)), report_json(*understood))


FOLDER = Path(__file__).parents[1] / "reference_rulebooks"

SUMMARIES: Mapping[str, str] = {
    "d20": "one d20 plus a modifier against a difficulty",
    "pbta": "2d6 and moves: 6 or less, 7 to 9, 10 or more",
    "fate": "four Fate dice and a skill against a ladder",
}
"""The reference rulebooks by name."""


def list_starters() -> tuple[Starter, ...]:
    """Every reference rulebook with its files."""
    return tuple(Starter(name, summary, _read_files(name)) for name, summary in SUMMARIES.items())


def _read_files(name: str) -> dict[str, str]:
    """The files of a starter, by their path in the folder of a game."""
    folder = FOLDER / name
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {path: file.read_text("utf-8") for path, file in {FILE: FOLDER / f"{name}.md", **files}.items()}
