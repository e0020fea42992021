"""The story as a book, chapter by chapter, and the page of its ending.

They show what the player has read, and load no more than one page holds.
"""

from starlette.requests import Request
from starlette.responses import Response

from talewright.common.frozen_values import frozen
from talewright.faces.http.api_services import services_of
from talewright.faces.web.history.history_pages import read_number, show_page
from talewright.faces.web.page_requests import redirect
from talewright.faces.web.table_page import table_path
from talewright.play.campaign_view import Viewer

CHAPTER_TURNS = 25
"""Turns of a chapter, as in an exported book."""

CHAPTERS_AROUND = 3
"""Chapters listed before and after the current one, besides the first and the last."""


def list_chapters(number: int, total: int) -> tuple[int, ...]:
    """The chapters that a page lists: the first, those around the current one, and the last."""
    near = range(max(number - CHAPTERS_AROUND, 1), min(number + CHAPTERS_AROUND, total) + 1)
    return tuple(sorted({1, *near, total})) if total else ()


@frozen
class BookPages:
    """The book and the ending."""

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
        """How the story ended; before its end, the table."""
        campaign = request.path_params["campaign"]
        async with services_of(request).pool.use(campaign, Viewer.PLAYER) as session:
            view = await session.view()
            if view.end is None:
                return redirect(f"{table_path(campaign)}#now")
            figures = await session.past.statistics()
        return show_page(
            request,
            "history/ending.html",
            view,
            figures=figures,
            operation_id=services_of(request).new_id(),
        )
