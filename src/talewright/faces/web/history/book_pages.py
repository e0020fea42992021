"""The story as a book, chapter by chapter, and the page of its ending.

They show what the player has read, and load no more than one page holds.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import cast

from starlette.requests import Request
from starlette.responses import Response

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.faces.http.api_services import services_of
from talewright.faces.web.history.history_pages import read_number, show_page
from talewright.faces.web.page_requests import KeptByOwner, display_of, read_form, redirect
from talewright.faces.web.setup.campaign_list import CampaignCosts, ListGames
from talewright.faces.web.table_page import table_path
from talewright.play.campaign_past import CampaignPast
from talewright.play.campaign_view import View, Viewer
from talewright.play.input_results import Stamp
from talewright.play.session_inputs import Choose, Fork, navigate

CHAPTER_TURNS = 25
"""Turns of a chapter, as in an exported book."""

CHAPTERS_AROUND = 3
"""Chapters listed before and after the current one, besides the first and the last."""


def list_chapters(number: int, total: int) -> tuple[int, ...]:
    """The chapters that a page lists: the first, those around the current one, and the last."""
    near = range(max(number - CHAPTERS_AROUND, 1), min(number + CHAPTERS_AROUND, total) + 1)
    return tuple(sorted({1, *near, total})) if total else ()


TREE_ROWS = 3
"""Rows of the tree that are read around the turn before the end."""


@frozen
class WayNotTaken:
    """Another choice before the end."""

    id: str
    label: str
    hint: str = ""
    is_tried: bool = False
    """Whether it was taken on another branch."""


@frozen
class BookPages:
    """The book and the ending."""

    list_games: ListGames
    costs: KeptByOwner[CampaignCosts]

    async def show_book(self, request: Request) -> Response:
        """One chapter of the story, from the beginning."""
        async with services_of(request).pool.use(request.path_params["campaign"], Viewer.PLAYER) as session:
            view = await session.view()
            total = -(-view.version // CHAPTER_TURNS)
            number = max(1, min(read_number(request.query_params.get("chapter", ""), 1), total))
            first = (number - 1) * CHAPTER_TURNS + 1
            turns = await session.past.turns(CHAPTER_TURNS, first=first) if total else ()
        return show_page(
            request,
            "history/book.html",
            view,
            turns=turns,
            number=number,
            total=total,
            listed=list_chapters(number, total),
            exports=f"/api/campaigns{table_path(view.campaign).removeprefix('/play')}/export",
        )

    async def show_ending(self, request: Request) -> Response:
        """How the story ended, and the ways not taken; before its end, the table."""
        services, campaign = services_of(request), request.path_params["campaign"]
        async with services.pool.use(campaign, Viewer.PLAYER) as session:
            view = await session.view()
            if view.end is None:
                return redirect(f"{table_path(campaign)}#now")
            figures = await session.past.statistics()
            parted, ways = await find_ways(session.past, view)
        endings, found = await self._count_endings(request, view)
        return show_page(
            request,
            "history/ending.html",
            view,
            figures=figures,
            operation_id=services.new_id(),
            parted=parted,
            ways=ways,
            endings=endings,
            found=found,
        )

    async def try_way(self, request: Request) -> Response:
        """Go back to before the end, on a branch of its own, and take another choice there."""
        services, campaign = services_of(request), request.path_params["campaign"]
        fields = await read_form(request, "turn", "choice", "base", "on", "operation_id")
        table = f"{table_path(campaign)}#now"
        async with services.pool.use(campaign, Viewer.PLAYER) as session:
            view = await session.view()
            if view.end is None or (view.head, view.branch) != (fields.get("base"), fields.get("on")):
                return redirect(table)
            await navigate(session, Fork(fields.get("turn", "")))
            base = (await session.view()).head
            stamp = Stamp(fields.get("operation_id", ""), base)
            running = services.turns.start(campaign, Viewer.PLAYER, Choose(fields.get("choice", "")), stamp)
        await running.wait_accepted()
        return redirect(f"{table_path(campaign)}?operation={running.operation_id}#now")

    async def _count_endings(self, request: Request, view: View) -> tuple[int, int]:
        """How many endings the game has, and how many the owner has found; 0 if the author does not say."""
        services, language = services_of(request), display_of(request).language
        games = await asyncio.to_thread(self.list_games, language)
        endings = next((one.endings for one in games if one.id == view.game), 0)
        if not endings:
            return 0, 0
        campaigns = [one for one in await services.lobby.campaigns() if one.game == view.game]
        costs = self.costs.find(services)
        await costs.count(services.lobby, campaigns)
        found = {*costs.find_endings(view.game, campaigns), view.end.ending if view.end else ""}
        return endings, min(len(found - {""}), endings)


async def find_ways(past: CampaignPast, view: View) -> tuple[str, tuple[WayNotTaken, ...]]:
    """The turn before the end, and what else could have been chosen there."""
    turns = await past.turns(2)
    if len(turns) < 2 or view.turn is None:
        return "", ()
    before = turns[0].commit
    parts = {part.name: part.raw for part in (await past.inspect(before)).parts}
    page = await past.tree_page(TREE_ROWS, -1, before)
    untaken = next((row.untaken for row in page.rows if row.commit == before), ())
    said = view.turn.said
    return before, tuple(
        WayNotTaken(str(one["id"]), str(one["label"]), str(one["hint"]), one["label"] not in untaken)
        for one in cast(Sequence[Mapping[str, Json]], parts.get("choices") or ())
        if one["label"] != said
    )
