"""Campaign reports: gives a system what it needs for a report about a game or a campaign.

Reports are made from the record and change nothing.
"""

from collections.abc import Sequence

from talewright.common.work_meter import WORK_MAX, limit_work
from talewright.errors import TalewrightError
from talewright.kernel.game import Game
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.state import Position, State, position_of
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.system import PastTurn, ReportContent, ReportSubject
from talewright.play.history.campaign_history import ArchivedCampaign
from talewright.turn.memory.past_turns import list_past
from talewright.turn.steps.recalling import fold

REPORT_WORK_MAX = 4 * WORK_MAX
"""Steps of work for one report, about two seconds: a game or a save may come from a stranger."""


def report_on_game(game: Game, texts: Texts, system: str, report: str) -> ReportContent:
    """A report about a game nobody has played yet; it may contain spoilers."""
    start = position_of(game, State(game.initial, version=0), texts.language, texts)
    return _report(game, start, (), system, report, spoilers=True)


def list_rules(game: Game, texts: Texts) -> tuple[str, ...]:
    """Everything that the systems of a game report about it; empty if none does."""
    named = [
        (one.name, report.name)
        for one in game.parts.reports
        for report in one.reports()
        if report.subject is ReportSubject.GAME
    ]
    return tuple(line for name, report in named for line in report_on_game(game, texts, name, report).lines)


async def report_on_campaign(
    past: ArchivedCampaign, system: str, report: str, *, spoilers: bool, at: str = ""
) -> ReportContent:
    """A report about a campaign as it was after a turn; without one, about the current branch."""
    history = past.history
    commit = past.find(at) if at else history.head
    edition, wording = await past.read_with(commit)
    state, _ = await fold(past.book, commit.id)
    position = position_of(edition.game, state, wording.language, wording.texts)
    turns = list_past(history.lineage(commit)[::-1])
    return _report(edition.game, position, turns, system, report, spoilers=spoilers)


def _report(
    game: Game, position: Position, turns: Sequence[PastTurn], system: str, report: str, *, spoilers: bool
) -> ReportContent:
    """Make a report; raises TooMuchWorkError if that takes too long."""
    for one in game.parts.reports:
        if one.name == system:
            with limit_work(REPORT_WORK_MAX):
                return one.report(report, WorkingState(game, position).sight(one), turns, spoilers=spoilers)
    raise TalewrightError(
        f"the game {game.id!r} does not use the system {system!r}, which makes this report",
        f"Choose a game that has {system!r} under `systems` in its game.yaml.",
    )
