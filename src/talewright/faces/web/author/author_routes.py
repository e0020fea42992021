"""Routes of the author pages: the desk, the table with live reload, the inspector, and why a value is so.

Only the owner can open them, and they show what players do not see. Without a workbench they do not exist.
"""

import json
from typing import Any
from urllib.parse import quote

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from talewright.common.frozen_values import frozen
from talewright.faces.http.api_services import services_of
from talewright.faces.http.campaign_beginnings import CampaignBeginning
from talewright.faces.http.problems import NotFoundError
from talewright.faces.http.request_bodies import BeginBody
from talewright.faces.web.author.author_words import author_words
from talewright.faces.web.page_requests import display_of, owner_page, read_form, redirect, unreadable
from talewright.faces.web.page_templates import render_page
from talewright.faces.web.table_page import TURNS_SHOWN, author_path, gather_table, table_path
from talewright.faces.web.web_words import web_words
from talewright.play.campaign_view import Viewer
from talewright.play.serving.game_workbench import GameWorkbench, WorkedGame, mark_games

DESK_PATH = "/author"
STATE_HEADERS = {"Cache-Control": "no-store"}


def make_author_routes(workbench: GameWorkbench | None) -> list[Route]:
    """The routes of all pages for authors; none without a workbench."""
    return [] if workbench is None else AuthorPages(workbench).make_routes()


@frozen
class AuthorPages:
    """The pages on the services of an API."""

    workbench: GameWorkbench

    def make_routes(self) -> list[Route]:
        """The routes of all pages."""
        table, inspector = "/play/{campaign}/author", "/play/{campaign}/inspect"
        return [
            Route(DESK_PATH, owner_page(self.show_desk), methods=["GET"]),
            Route(f"{DESK_PATH}/state", owner_page(self.tell_state), methods=["GET"]),
            Route(f"{DESK_PATH}/start", owner_page(self.start_campaign), methods=["POST"]),
            Route(f"{DESK_PATH}/reload", owner_page(self.reload), methods=["POST"]),
            Route(table, owner_page(self.show_table), methods=["GET"]),
            Route(inspector, owner_page(self.show_values), methods=["GET"]),
            Route(f"{inspector}/{{turn}}", owner_page(self.inspect_turn), methods=["GET"]),
            Route(f"{inspector}/values/{{variable:path}}", owner_page(self.explain_value), methods=["GET"]),
        ]

    async def show_desk(self, request: Request) -> Response:
        """The games being worked on, with their faults and campaigns."""
        games = await self.workbench.games()
        return self._render(
            request,
            "author/desk.html",
            "",
            DESK_PATH,
            games=games,
            mark=mark_games(games),
            campaigns=await services_of(request).lobby.campaigns(),
            operation_id=services_of(request).new_id(),
            author_path=author_path,
        )

    async def tell_state(self, _: Request) -> Response:
        """A mark that changes with the files of the games; pages poll it."""
        told = json.dumps({"mark": mark_games(await self.workbench.games())})
        return Response(told, headers=STATE_HEADERS, media_type="application/json")

    async def start_campaign(self, request: Request) -> Response:
        """Start a campaign of a game on the workbench, and go to the author's table."""
        fields = await read_form(request, "name", "language", "operation_id")
        name = fields.pop("name", "")
        found = next((one for one in await self.workbench.games() if one.name == name), None)
        if found is None:
            raise NotFoundError
        try:
            body = BeginBody(game=found.name, **fields)
        except ValidationError as error:
            raise unreadable() from error
        campaign = await services_of(request).beginnings.begin(
            CampaignBeginning(found.game, body.language, "", Viewer.PLAYER, body.operation_id)
        )
        return redirect(author_path(campaign))

    async def reload(self, request: Request) -> Response:
        """Check the files now, and return to the page."""
        fields = await read_form(request, "campaign")
        await self.workbench.games(at_once=True)
        campaign = fields.get("campaign", "")
        return redirect(f"{author_path(campaign)}#now" if campaign else DESK_PATH)

    async def show_table(self, request: Request) -> Response:
        """The table as its player sees it, with what its author needs below."""
        campaign = request.path_params["campaign"]
        # First, so that the table never shows less than what the bar says was reloaded.
        games = await self.workbench.games()
        content = await gather_table(
            services_of(request),
            campaign,
            before=request.query_params.get("before", ""),
            operation=request.query_params.get("operation", ""),
        )
        async with services_of(request).pool.use(campaign, Viewer.AUTHOR) as session:
            notices = (await session.view()).notices
        return self._render(
            request,
            "author/table.html",
            content.view.language,
            author_path(campaign),
            table=content,
            view=content.view,
            worked=_find_game(games, content.view.game),
            mark=mark_games(games),
            notices=notices,
        )

    async def show_values(self, request: Request) -> Response:
        """Every card, including what players do not see, and the turns to inspect."""
        campaign = request.path_params["campaign"]
        sought = request.query_params.get("variable", "").strip()
        if sought:
            place = f"{table_path(campaign)}/inspect/values/"
            return redirect(place + quote(sought, safe="", errors="replace"))
        before = request.query_params.get("before", "")
        async with services_of(request).pool.use(campaign, Viewer.AUTHOR) as session:
            view = await session.view()
            turns = await session.past.turns(TURNS_SHOWN, before)
        path = f"{table_path(campaign)}/inspect"
        table = author_path(campaign)
        return self._render(
            request, "author/values.html", view.language, path, view=view, turns=turns, table=table
        )

    async def inspect_turn(self, request: Request) -> Response:
        """Everything recorded about one turn."""
        campaign, turn = request.path_params["campaign"], request.path_params["turn"]
        async with services_of(request).pool.use(campaign, Viewer.AUTHOR) as session:
            view = await session.view()
            found = await session.past.inspect(turn)
        path, table = f"{table_path(campaign)}/inspect", author_path(campaign)
        return self._render(
            request, "author/inspection.html", view.language, path, view=view, inspected=found, table=table
        )

    async def explain_value(self, request: Request) -> Response:
        """Where a value comes from, even one that players do not see."""
        campaign = request.path_params["campaign"]
        async with services_of(request).pool.use(campaign, Viewer.AUTHOR) as session:
            view = await session.view()
            trail = await session.past.trail(request.path_params["variable"])
        if trail is None:
            raise NotFoundError
        path, table = f"{table_path(campaign)}/inspect", author_path(campaign)
        return self._render(
            request, "author/card.html", view.language, path, view=view, trail=trail, table=table
        )

    def _render(self, request: Request, template: str, language: str, path: str, **values: Any) -> Response:
        """A page in the language of its story or, without one, of the pages."""
        display = display_of(request)
        spoken = language or display.language
        return render_page(
            template, web_words(spoken), display, path, author=author_words(spoken), desk=DESK_PATH, **values
        )


def _find_game(games: tuple[WorkedGame, ...], game: str) -> WorkedGame | None:
    """The campaign's game, if it is on the workbench."""
    return next((one for one in games if one.game == game), None)
