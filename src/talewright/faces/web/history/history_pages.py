"""The tree and comparison pages, and the forms that move to another turn or branch.

Only one page of the tree and some turns of a comparison are shown at once.
"""

from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from talewright.common.frozen_values import frozen
from talewright.faces.http.api_services import services_of
from talewright.faces.http.request_bodies import NAME_LENGTH_MAX
from talewright.faces.web.history.tree_drawing import draw_tree
from talewright.faces.web.page_requests import display_of, read_form, redirect
from talewright.faces.web.page_templates import render_page
from talewright.faces.web.table_page import table_path
from talewright.faces.web.web_words import web_words
from talewright.play.campaign_past import ComparisonView, TreePage, TreeRow
from talewright.play.campaign_view import TurnView, View, Viewer
from talewright.play.session_inputs import Fork, Navigation, Switch, Undo, navigate

ROWS_SHOWN = 60
"""Rows of the tree on one page."""

COMPARED_SHOWN = 6
"""Turns of each side of a comparison on one page."""

BRANCHES_LISTED_MAX = 200
"""Branches among which a comparison can be chosen."""

UNDONE_MAX = 1_000
"""Turns that one form goes back, at most."""


def read_number(text: str, usual: int) -> int:
    """A whole number of an address or a form, or the usual one."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else usual


def show_page(request: Request, template: str, view: View, **values: Any) -> Response:
    """A page about a campaign, in the language of its story."""
    display = display_of(request)
    table = table_path(view.campaign)
    return render_page(template, web_words(view.language), display, table, view=view, table=table, **values)


@frozen
class ChosenTurn:
    """The turn that a page of the tree shows, and what can be done with it."""

    row: TreeRow
    turn: TurnView | None
    turns_back: int
    """How many turns an undo to this turn takes back; 0 if it is not behind the player."""


UNFOLDED_TURNS_MAX = 50
"""Up to this turn, the history shows every turn; later, stretches without forks are folded."""


@frozen
class HistoryPages:
    """The tree, comparisons, and moves to other turns."""

    async def show_tree(self, request: Request) -> Response:
        """A page of the tree, with the selected turn."""
        query = request.query_params
        commit, first = query.get("turn", "")[:NAME_LENGTH_MAX], read_number(query.get("from", ""), -1)
        async with services_of(request).pool.use(request.path_params["campaign"], Viewer.PLAYER) as session:
            view = await session.view()
            every = query.get("every", "1" if view.version <= UNFOLDED_TURNS_MAX else "") == "1"
            page = await session.past.tree_page(ROWS_SHOWN, first, commit, every=every)
            wanted = commit or (view.head if first < 0 else "")
            row = next((row for row in page.rows if row.commit and row.commit == wanted), None)
            turn = await session.past.turn(wanted) if wanted else None
        chosen = None if row is None else ChosenTurn(row, turn, _count_back(row, page, view))
        return show_page(
            request, "history/tree.html", view, tree=page, drawn=draw_tree(page), every=every, chosen=chosen
        )

    async def show_comparison(self, request: Request) -> Response:
        """Two branches or turns side by side."""
        query = request.query_params
        one, other = (query.get(name, "")[:NAME_LENGTH_MAX] for name in ("one", "other"))
        first = read_number(query.get("from", ""), 0)
        compared: ComparisonView | None = None
        async with services_of(request).pool.use(request.path_params["campaign"], Viewer.PLAYER) as session:
            view = await session.view()
            if one and other:
                compared = await session.past.compare(one, other)
        sides = () if compared is None else ((one, compared.one), (other, compared.other))
        return show_page(
            request,
            "history/compare.html",
            view,
            one=one,
            other=other,
            branches=view.branches[:BRANCHES_LISTED_MAX],
            compared=compared,
            sides=[(name, _version_of(turns, compared), turns) for name, turns in sides],
            first=first,
            count=COMPARED_SHOWN,
            pair=urlencode({"one": one, "other": other}),
        )

    async def fork(self, request: Request) -> Response:
        """Start a branch at a turn, and continue there."""
        fields = await read_form(request, "turn", "name", "base", "on")
        return await self._go(request, fields, Fork(fields.get("turn", ""), fields.get("name", "").strip()))

    async def switch(self, request: Request) -> Response:
        """Continue on another branch."""
        fields = await read_form(request, "branch", "base", "on")
        return await self._go(request, fields, Switch(fields.get("branch", "")))

    async def go_back(self, request: Request) -> Response:
        """Go back to a turn on this branch."""
        fields = await read_form(request, "turns", "base", "on")
        turns = min(read_number(fields.get("turns", ""), 0), UNDONE_MAX)
        return await self._go(request, fields, Undo(turns))

    async def mark(self, request: Request) -> Response:
        """Name the turn where the player is."""
        fields = await read_form(request, "name", "base", "on")
        campaign = request.path_params["campaign"]
        async with services_of(request).pool.use(campaign, Viewer.PLAYER) as session:
            if _has_stayed(await session.view(), fields):
                await session.mark(fields.get("name", "").strip())
        return redirect(f"{table_path(campaign)}/history")

    async def _go(self, request: Request, fields: dict[str, str], where: Navigation) -> Response:
        """Move, if the campaign is still where the page was made; a form sent twice counts once."""
        campaign = request.path_params["campaign"]
        async with services_of(request).pool.use(campaign, Viewer.PLAYER) as session:
            if _has_stayed(await session.view(), fields):
                await navigate(session, where)
        return redirect(f"{table_path(campaign)}#now")


def _has_stayed(view: View, fields: dict[str, str]) -> bool:
    return (view.head, view.branch) == (fields.get("base"), fields.get("on"))


def _count_back(row: TreeRow, page: TreePage, view: View) -> int:
    # The current line runs straight down at depth 0; what comes after the player's turn is not behind it.
    behind = row.depth == 0 and 0 < row.version < view.version
    return view.version - row.version if behind and page.here == view.version else 0


def _version_of(turns: tuple[TurnView, ...], compared: ComparisonView | None) -> int:
    """The number of the turn at the end of a side."""
    if turns:
        return turns[-1].version
    return 0 if compared is None else compared.parted
