"""Examinations: a model narrates a game to a scripted player, and its campaigns are analysed afterwards.

The campaigns are played like any other. The session is closed after each turn, so that background work is
done before the next turn starts, however fast the player is.
"""

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from talewright.common.frozen_values import frozen
from talewright.play.history.campaign_cost import count_costs
from talewright.play.history.campaign_history import CampaignArchive
from talewright.play.session import wait_for_opening
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.workshop.exam_figures import ExamFigures
from talewright.workshop.exam_player import ExamPlayer

TRIES_PER_TURN = 2
"""Inputs allowed per wanted turn; some are not understood and take no turn."""

SILENT_TURNS_MAX = 3
"""After how many initial turns without any answer an examination is given up."""

NAME_LENGTH_MAX = 24
"""How many characters of a model's or a game's name are used in the name of a campaign."""

_UNFIT = re.compile("[^a-z0-9]+")

ExamProgress: TypeAlias = Callable[[int, int], None]
"""Called after each turn with the number of turns so far and of those wanted."""


@frozen
class ExamPlan:
    """What to examine."""

    model: str
    """Its name in the report."""

    game: str
    """The id of a game."""

    turns: int = 20
    seed: int = 1
    language: str = ""
    """Empty for the game's own."""


@frozen
class ExamResult:
    """How one model narrated one game."""

    model: str
    game: str
    language: str
    figures: ExamFigures
    campaigns: tuple[str, ...] = ()
    """The names of the campaigns that were played."""

    given_up: bool = False
    """Whether it was ended early because the model did not answer at all."""


async def examine(lobby: StoreLobby, plan: ExamPlan, progress: ExamProgress) -> ExamResult:
    """Examine the model of this lobby. When a campaign ends, another one starts."""
    game = lobby.shelf.edition(plan.game).game.id
    player = ExamPlayer(f"{plan.seed}/{game}")
    names: list[str] = []
    language, over, before = "", True, 0
    now = ExamFigures()
    for _ in range(TRIES_PER_TURN * plan.turns):
        if over:
            before += now.turns
            names.append(await _name_campaign(lobby, plan.model, game))
            session = await lobby.begin(plan.game, plan.language, names[-1])
        else:
            session = await lobby.open(names[-1])
        try:
            await wait_for_opening(session)
            view = await session.view()
            language = view.language
            if view.end is None:
                await player.act(session, view)
                view = await session.view()
            over = view.end is not None
        finally:
            await session.close()
        now = await read_figures(lobby, names[-1:])
        progress(min(before + now.turns, plan.turns), plan.turns)
        if before + now.turns >= plan.turns or (not before and _is_silent(now)):
            break
    figures = await read_figures(lobby, names)
    return ExamResult(plan.model, game, language, figures, tuple(names), given_up=_is_silent(figures))


def _is_silent(figures: ExamFigures) -> bool:
    """Whether no answer came in any of the first turns."""
    silent = figures.unanswered > 0 and not figures.told and not figures.repairs
    return silent and figures.turns >= SILENT_TURNS_MAX


async def read_figures(lobby: StoreLobby, campaigns: Sequence[str]) -> ExamFigures:
    """The figures of campaigns, from their records."""
    figures = ExamFigures()
    archive = CampaignArchive(lobby.store, lobby.shelf)
    for name in campaigns:
        async with archive.past(name) as past:
            figures.add(past.history, count_costs(past.history, lobby.lookup))
    return figures


async def _name_campaign(lobby: StoreLobby, model: str, game: str) -> str:
    """A free name that contains the model and the game."""
    parts = [_UNFIT.sub("-", part.lower()).strip("-")[:NAME_LENGTH_MAX] for part in (model, game)]
    stem = "-".join(filter(None, parts)) or "exam"
    taken = {info.name for info in await lobby.campaigns()}
    number = 1
    while f"{stem}-{number}" in taken:
        number += 1
    return f"{stem}-{number}"
