"""Routes of the pages: the lobby, the table of a campaign, and the forms that play without a script.

Every page is the owner's and shows what a player sees. Whoever is not logged in learns how to.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias
from urllib.parse import parse_qsl

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError
from talewright.faces.http.access_grants import AccessDenied
from talewright.faces.http.api_services import ApiServices
from talewright.faces.http.campaign_beginnings import CampaignBeginning
from talewright.faces.http.guards.login_page import ask_for_login
from talewright.faces.http.problems import STATUSES, NotFoundError, answer_error
from talewright.faces.http.request_bodies import BeginBody, InputKind, PlayerTurnBody
from talewright.faces.web.display_choices import check_display, read_display
from talewright.faces.web.page_templates import render_page
from talewright.faces.web.static_files import send_page_file
from talewright.faces.web.table_page import TableContent, gather_table, table_path
from talewright.faces.web.web_words import web_words
from talewright.play.campaign_view import View, Viewer
from talewright.play.error_codes import code_of
from talewright.play.input_results import InputResult, ResultKind, Stamp
from talewright.play.lobby import GameInfo
from talewright.play.session_inputs import Undo, navigate
from talewright.play.wire.view_codec import WireError

FORM_FIELDS_MAX = 16
FORM_TYPE = "application/x-www-form-urlencoded"
FORM_WAIT_SECONDS = 20.0
"""How long a form waits for its turn; then the page looks again by itself."""

SEE_OTHER = 303
QUIT = "quit"
"""The result of the choice that leaves the table."""

ListGames: TypeAlias = Callable[[str], tuple[GameInfo, ...]]
"""The games, described in a language; reads files."""

PageHandler: TypeAlias = Callable[[Request], Awaitable[Response]]


@frozen
class WebPages:
    """The pages on the services of an API."""

    services: ApiServices
    list_games: ListGames

    def make_routes(self) -> list[Route]:
        """The routes of all pages."""
        table = "/play/{campaign}"
        return [
            Route("/static/{digest}/{name}", send_page_file, methods=["GET"]),
            Route("/", self._check(self.show_lobby), methods=["GET"]),
            Route("/start", self._check(self.start_campaign), methods=["POST"]),
            Route("/display", self._check(self.choose_display), methods=["POST"]),
            Route(table, self._check(self.show_table), methods=["GET"]),
            Route(table, self._check(self.take_turn), methods=["POST"]),
            Route(f"{table}/cards/{{variable:path}}", self._check(self.show_card), methods=["GET"]),
            Route(f"{table}/undo", self._check(self.undo), methods=["POST"]),
        ]

    async def show_lobby(self, request: Request) -> Response:
        """The games to start and the campaigns to continue."""
        display = read_display(request.cookies, request.headers.get("accept-language", ""))
        return render_page(
            "lobby.html",
            web_words(display.language),
            display,
            "/",
            games=await asyncio.to_thread(self.list_games, display.language),
            campaigns=await self.services.lobby.campaigns(),
            operation_id=self.services.new_id(),
            table_path=table_path,
        )

    async def start_campaign(self, request: Request) -> Response:
        """Start a campaign and go to its table."""
        fields = await read_form(request, "game", "language", "operation_id")
        try:
            body = BeginBody(**fields)
        except ValidationError as error:
            raise WireError("this form cannot be read; go back to the page and try again") from error
        campaign = await self.services.beginnings.begin(
            CampaignBeginning(body.game, body.language, "", Viewer.PLAYER, body.operation_id)
        )
        return RedirectResponse(table_path(campaign), SEE_OTHER)

    async def show_table(self, request: Request) -> Response:
        """The table of a campaign."""
        content = await gather_table(
            self.services,
            request.path_params["campaign"],
            before=request.query_params.get("before", ""),
            operation=request.query_params.get("operation", ""),
        )
        return self._show(request, content)

    async def show_card(self, request: Request) -> Response:
        """Where the value of one card comes from."""
        campaign = request.path_params["campaign"]
        async with self.services.pool.use(campaign, Viewer.PLAYER) as session:
            view = await session.view()
            trail = await session.past.trail(request.path_params["variable"])
        if trail is None:
            raise NotFoundError
        display = read_display(request.cookies, request.headers.get("accept-language", ""))
        table = table_path(campaign)
        return render_page(
            "card.html", web_words(view.language), display, table, view=view, trail=trail, table=table
        )

    async def take_turn(self, request: Request) -> Response:
        """Take a turn by a form, and show what became of it."""
        campaign = request.path_params["campaign"]
        body = read_turn(await read_form(request, *PlayerTurnBody.model_fields))
        turns = self.services.turns
        async with self.services.pool.use(campaign, Viewer.PLAYER) as session:
            given = fit_note(body, await session.view()).read_input()
            running = turns.start(campaign, Viewer.PLAYER, given, Stamp(body.operation_id, body.base))
        await running.wait_accepted()
        result = await running.wait_ended(FORM_WAIT_SECONDS)
        if result is None:
            place = f"{table_path(campaign)}?operation={running.operation_id}#now"
            return RedirectResponse(place, SEE_OTHER)
        if result.kind is ResultKind.COMMITTED:
            return RedirectResponse(f"{table_path(campaign)}#now", SEE_OTHER)
        if result.reason == QUIT:
            return RedirectResponse("/", SEE_OTHER)
        return await self._answer(request, campaign, result)

    async def undo(self, request: Request) -> Response:
        """Go back a turn, if the page shows the newest one."""
        campaign = request.path_params["campaign"]
        fields = await read_form(request, "base")
        async with self.services.pool.use(campaign, Viewer.PLAYER) as session:
            if (await session.view()).head == fields.get("base"):
                await navigate(session, Undo(1))
        return RedirectResponse(f"{table_path(campaign)}#now", SEE_OTHER)

    async def choose_display(self, request: Request) -> Response:
        """Keep the display choices, and go back to the page."""
        fields = await read_form(request, "theme", "size", "language", "back")
        chosen = check_display(*(fields.get(name, "") for name in ("theme", "size", "language")))
        back = fields.get("back", "")
        own = back.startswith("/play/") and "\\" not in back and back.isprintable() and back.isascii()
        return RedirectResponse(back if own else "/", SEE_OTHER, {"Set-Cookie": chosen.write_cookie()})

    async def _answer(self, request: Request, campaign: str, result: InputResult) -> Response:
        return self._show(request, await gather_table(self.services, campaign, result=result))

    def _show(self, request: Request, content: TableContent) -> Response:
        display = read_display(request.cookies, request.headers.get("accept-language", ""))
        words = web_words(content.view.language)
        return render_page("table.html", words, display, content.path, table=content, view=content.view)

    def _check(self, handle: PageHandler) -> PageHandler:
        """A handler that only the owner reaches, and whose errors are pages."""

        async def check(request: Request) -> Response:
            try:
                grant = self.services.rules.read_grant(request.headers, Viewer.PLAYER)
            except AccessDenied:
                return ask_for_login()
            if not grant.is_owner:
                return answer_error(NotFoundError())
            try:
                return await handle(request)
            except TalewrightError as error:
                display = read_display(request.cookies, request.headers.get("accept-language", ""))
                status = STATUSES[code_of(error)]
                words = web_words(display.language)
                return render_page("error.html", words, display, "/", status=status, error=error)

        return check


async def read_form(request: Request, *names: str) -> dict[str, str]:
    """The fields of a form, with these names only."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM_TYPE:
        raise WireError(f"this is not a form; send it as {FORM_TYPE}")
    body = (await request.body()).decode("utf-8", "replace")
    try:
        pairs = parse_qsl(body, keep_blank_values=True, max_num_fields=FORM_FIELDS_MAX)
    except ValueError as error:
        raise WireError("this form cannot be read; go back to the page and try again") from error
    # Browsers end the lines of a text with CR LF.
    return {name: value.replace("\r\n", "\n") for name, value in pairs if name in names}


def read_turn(fields: Mapping[str, str]) -> PlayerTurnBody:
    """The input of a form."""
    try:
        return PlayerTurnBody.model_validate(dict(fields))
    except ValidationError as error:
        raise WireError("this form cannot be read; go back to the page and try again") from error


def fit_note(body: PlayerTurnBody, view: View) -> PlayerTurnBody:
    """The input without its note if the chosen option takes none: the field belongs to all of them."""
    if body.kind is not InputKind.ANSWER:
        return body
    takes = any(card.id == body.decision and card.notes(body.option) for card in view.decisions)
    return body if takes else body.model_copy(update={"note": ""})
