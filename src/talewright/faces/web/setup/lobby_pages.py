"""Lobby pages: games to start and campaigns to continue, import, cost and removal.

Every change is a form that works without scripts. Removing a campaign asks first.
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from talewright.common.frozen_values import frozen
from talewright.common.language_tags import normalize_tag
from talewright.errors import TalewrightError
from talewright.faces.http.api_services import ApiServices, run_while_connected, services_of
from talewright.faces.http.problems import NotFoundError
from talewright.faces.web.author.author_routes import DESK_PATH
from talewright.faces.web.display_choices import DisplayChoices
from talewright.faces.web.page_requests import KeptByOwner, display_of, owner_page, redirect, unreadable
from talewright.faces.web.page_templates import render_page
from talewright.faces.web.setup.campaign_list import (
    CAMPAIGNS_SHOWN,
    CampaignCosts,
    ListGames,
    describe_campaign,
    tell_money,
)
from talewright.faces.web.setup.lobby_page_words import lobby_page_words
from talewright.faces.web.setup.uploaded_files import read_upload
from talewright.faces.web.table_page import table_path
from talewright.faces.web.web_words import web_words
from talewright.play.campaign_view import View, Viewer
from talewright.play.error_codes import code_of
from talewright.play.export.import_limits import WHOLE_SAVE_BYTES_MAX, count_megabytes
from talewright.play.lobby import CampaignInfo, GameInfo

IMPORT_PATH = "/import"
GAMES_PATH = "/games"
"""The lobby, on the first visit too."""

PAGES_MAX = 100_000
SPINES_MAX = 40
"""Finished stories on the shelf; the newest ones."""

INVITATION_PARTS = ("sentence", "button")
TURNS_UNKNOWN = 1_000_000

SAVE_MARKS = (b'"save_version"', b'"whole_save"')
"""What only save games contain; a file without either may be a scenario."""


@frozen
class LobbyPages:
    """The lobby on the services of an API."""

    list_games: ListGames
    costs: KeptByOwner[CampaignCosts]

    def make_routes(self) -> list[Route]:
        """Their routes."""
        table = "/play/{campaign}"
        return [
            Route("/", owner_page(self.show_lobby), methods=["GET"]),
            Route(GAMES_PATH, owner_page(self.show_lobby), methods=["GET"]),
            Route(IMPORT_PATH, owner_page(self.import_file), methods=["POST"]),
            Route(f"{table}/cost", owner_page(self.show_cost), methods=["GET"]),
            Route(f"{table}/remove", owner_page(self.ask_removal), methods=["GET"]),
            Route(f"{table}/remove", owner_page(self.remove), methods=["POST"]),
        ]

    async def show_lobby(self, request: Request) -> Response:
        """The games to start and the campaigns to continue; on the first visit, one game alone."""
        display, services = display_of(request), services_of(request)
        campaigns = await services.lobby.campaigns()
        games = await asyncio.to_thread(self.list_games, display.language)
        first = None if campaigns or request.url.path == GAMES_PATH else find_first_game(games)
        if first is not None:
            operation = services.new_id()
            return _render("setup/first.html", display, "/", game=first, operation_id=operation)
        return await self._show_games(request, games, campaigns)

    async def _show_games(
        self, request: Request, games: tuple[GameInfo, ...], campaigns: Sequence[CampaignInfo]
    ) -> Response:
        display, services = display_of(request), services_of(request)
        costs = self.costs.find(services)
        told_in = sorted(
            {one.language for one in campaigns} | {tag for one in games for tag in one.languages}
        )
        wanted = request.query_params.get("language", "")
        wanted = wanted if wanted in told_in else ""
        total = await costs.count(services.lobby, campaigns)
        listed = [one for one in campaigns if not wanted or is_told_in(wanted, (one.language,))]
        page = read_page(request.query_params.get("page", ""))
        for one in listed[: page * CAMPAIGNS_SHOWN + SPINES_MAX]:
            # However long that takes: what is shown must not depend on how busy the machine is.
            if not one.damaged:
                await costs.read(services.lobby, one)
        say = lobby_page_words(display.language)
        now = datetime.now().astimezone()
        rows = [describe_campaign(one, costs.find(one), say, now) for one in listed]
        begun = [row for row in rows if not row.is_finished]
        at = (page - 1) * CAMPAIGNS_SHOWN
        hero = next((row for row in begun if not row.info.damaged), None)
        return _render(
            "lobby.html",
            display,
            "/",
            hero=hero,
            view=None if hero is None else await _look_at(services, hero.info.name),
            games=tuple(one for one in games if not wanted or is_told_in(wanted, one.languages)),
            newest={row.info.game: row for row in reversed(begun) if not row.info.damaged},
            found={one.id: len(costs.find_endings(one.id, campaigns)) for one in games},
            rows=begun[at : at + CAMPAIGNS_SHOWN],
            count=len(begun),
            shelf=[row for row in rows if row.is_finished][:SPINES_MAX],
            pulled=request.query_params.get("book", ""),
            page=page,
            is_last=at + CAMPAIGNS_SHOWN >= len(begun),
            told_in=told_in if len(told_in) > 1 else [],
            wanted=wanted,
            total=total,
            total_money=tell_money(total.dollars, say) if total.dollars else "",
            has_models=services.models is not None,
            bytes_max=WHOLE_SAVE_BYTES_MAX,
            megabytes_max=count_megabytes(WHOLE_SAVE_BYTES_MAX),
            operation_id=services.new_id(),
            table_path=table_path,
            desk="" if services.workbench is None else DESK_PATH,
        )

    async def import_file(self, request: Request) -> Response:
        """Start a campaign from a save game, or make a game from a scenario."""
        services = services_of(request)
        body = await services.counts.receive_file(request.body)
        upload = read_upload(request.headers.get("content-type", ""), body)
        if not upload.data:
            raise unreadable("no file was chosen, or it is empty", "Go back and choose a file.")
        try:
            importing = services.lobby.bring_in(upload.data, "", upload.file_name)
            campaign = await run_while_connected(request, importing)
        except TalewrightError as error:
            is_save = any(mark in upload.data for mark in SAVE_MARKS)
            if services.import_scenario is None or is_save or code_of(error) != "save_unreadable":
                raise
            game = await run_while_connected(request, services.import_scenario(upload.data, ""))
            return redirect(f"/#game-{quote(game, safe='')}")
        return redirect(f"{table_path(campaign)}#now")

    async def show_cost(self, request: Request) -> Response:
        """What a campaign has cost, by purpose and by model."""
        info, display = await self._find(request), display_of(request)
        audit = services_of(request).audit
        if audit is None:
            raise NotFoundError
        report = await audit.read_cost(info.name)
        return _render(
            "setup/cost.html",
            display,
            table_path(info.name),
            campaign=info,
            report=report,
            models=cast(Mapping[str, Mapping[str, object]], report["models"]),
            table=table_path(info.name),
            tell_money=lambda dollars: tell_money(dollars, lobby_page_words(display.language)),
        )

    async def ask_removal(self, request: Request) -> Response:
        """Ask whether to remove a campaign."""
        info = await self._find(request)
        return _render("setup/remove.html", display_of(request), "/", campaign=info, place="")

    async def remove(self, request: Request) -> Response:
        """Move a campaign to the bin, and say where it is."""
        info, services = await self._find(request), services_of(request)
        await services.pool.drop(info.name)
        services.beginnings.forget(info.name)
        place = await services.lobby.remove(info.name)
        return _render("setup/remove.html", display_of(request), "/", campaign=info, place=place)

    async def _find(self, request: Request) -> CampaignInfo:
        wanted = request.path_params["campaign"]
        for one in await services_of(request).lobby.campaigns():
            if one.name == wanted:
                return one
        raise NotFoundError


async def _look_at(services: ApiServices, campaign: str) -> View | None:
    """What the lobby shows of a campaign; None if it cannot be opened. No turn starts, no model is asked."""
    try:
        async with services.pool.use(campaign, Viewer.MASTER) as session:
            return await session.view()
    except TalewrightError:
        return None


def find_first_game(games: Sequence[GameInfo]) -> GameInfo | None:
    """The game that a new player is offered: the shortest with an invitation that needs no model."""
    fit = [one for one in games if len(one.invitation) == len(INVITATION_PARTS) and not one.needs_model]
    return min(fit, key=lambda one: (one.turns or TURNS_UNKNOWN, one.id), default=None)


def is_told_in(wanted: str, languages: tuple[str, ...]) -> bool:
    """Whether a language is among others."""
    return normalize_tag(wanted) in {normalize_tag(tag) for tag in languages}


def read_page(given: str) -> int:
    """The number of a page, from 1."""
    return min(max(int(given), 1), PAGES_MAX) if given.isdecimal() and len(given) <= 6 else 1


def _render(template: str, display: DisplayChoices, path: str, **values: Any) -> Response:
    say = lobby_page_words(display.language)
    return render_page(template, web_words(display.language), display, path, say=say, **values)
