"""Routes of the pages: the lobby, a campaign's table, and the forms that work without scripts.

Only the owner can open them, and they show what a player sees. Visitors who are not logged in are shown how
to log in.
"""

from collections.abc import Mapping

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from talewright.common.frozen_values import frozen
from talewright.faces.http.api_services import ApiServices, services_of
from talewright.faces.http.campaign_beginnings import CampaignBeginning
from talewright.faces.http.problems import NotFoundError
from talewright.faces.http.request_bodies import BeginBody, InputKind, PlayerTurnBody
from talewright.faces.web.author.author_routes import DESK_PATH, make_author_routes
from talewright.faces.web.display_choices import check_display
from talewright.faces.web.history.history_routes import make_history_routes
from talewright.faces.web.margin_notes import pick_note
from talewright.faces.web.offline.offline_copies import OfflinePages
from talewright.faces.web.page_requests import (
    KeptByOwner,
    display_of,
    owner_page,
    read_form,
    redirect,
    unreadable,
)
from talewright.faces.web.page_templates import render_page
from talewright.faces.web.palettes import PALETTES_PATH, send_palettes
from talewright.faces.web.setup.campaign_list import CampaignCosts, ListGames
from talewright.faces.web.setup.lobby_pages import LobbyPages
from talewright.faces.web.setup.model_pages import ModelPages
from talewright.faces.web.setup.trial_pages import MODELS_PATH, TrialPages
from talewright.faces.web.static_files import send_page_file
from talewright.faces.web.table_page import TableContent, find_numbered, gather_table, return_path, table_path
from talewright.faces.web.web_words import error_sentence, web_words
from talewright.play.campaign_view import View, Viewer
from talewright.play.input_results import InputResult, ResultKind, Stamp, TurnRunningError
from talewright.play.serving.game_workbench import GameWorkbench
from talewright.play.session_inputs import Undo, navigate

FORM_WAIT_SECONDS = 20.0
"""How long a form waits for its turn; after that, the page refreshes automatically."""

QUIT = "quit"
"""The result of the choice that leaves the table."""


@frozen
class WebPages:
    """All pages."""

    list_games: ListGames
    workbench: GameWorkbench | None = None
    """The games the owner is working on; without it there are no author pages."""

    has_models: bool = True
    """Whether models can be set up here; on a host, the operator does that elsewhere."""

    def make_routes(self) -> list[Route]:
        """The routes of all pages."""
        table, costs = "/play/{campaign}", KeptByOwner(CampaignCosts)
        models = [*ModelPages().make_routes(), *TrialPages().make_routes()] if self.has_models else []
        return [
            *OfflinePages().make_routes(),
            Route("/static/{digest}/{name}", send_page_file, methods=["GET"]),
            Route(f"{PALETTES_PATH}/{{names}}.css", send_palettes, methods=["GET"]),
            Route("/start", owner_page(self.start_campaign), methods=["POST"]),
            Route("/display", owner_page(self.choose_display), methods=["POST"]),
            Route(table, owner_page(self.show_table), methods=["GET"]),
            Route(table, owner_page(self.take_turn), methods=["POST"]),
            Route(f"{table}/cards/{{variable:path}}", owner_page(self.show_card), methods=["GET"]),
            Route(f"{table}/undo", owner_page(self.undo), methods=["POST"]),
            *make_history_routes(self.list_games, costs),
            *LobbyPages(self.list_games, costs).make_routes(),
            *make_author_routes(self.workbench),
            *models,
        ]

    async def start_campaign(self, request: Request) -> Response:
        """Start a campaign and go to its table."""
        fields = await read_form(request, "game", "language", "operation_id")
        try:
            body = BeginBody(**fields)
        except ValidationError as error:
            raise unreadable() from error
        campaign = await services_of(request).beginnings.begin(
            CampaignBeginning(body.game, body.language, "", Viewer.PLAYER, body.operation_id)
        )
        return redirect(table_path(campaign))

    async def show_table(self, request: Request) -> Response:
        """The table of a campaign."""
        content = await gather_table(
            services_of(request),
            request.path_params["campaign"],
            before=request.query_params.get("before", ""),
            operation=request.query_params.get("operation", ""),
        )
        return self._show(request, content)

    async def show_card(self, request: Request) -> Response:
        """Where a card's value comes from."""
        campaign = request.path_params["campaign"]
        async with services_of(request).pool.use(campaign, Viewer.PLAYER) as session:
            view = await session.view()
            trail = await session.past.trail(request.path_params["variable"])
        if trail is None:
            raise NotFoundError
        display = display_of(request)
        table = table_path(campaign)
        return render_page(
            "card.html", web_words(view.language), display, table, view=view, trail=trail, table=table
        )

    async def take_turn(self, request: Request) -> Response:
        """Take a turn by a form, and show the result."""
        campaign = request.path_params["campaign"]
        body = read_turn(await read_form(request, *PlayerTurnBody.model_fields))
        turns = services_of(request).turns
        back = return_path(request.headers.get("referer", ""), campaign)
        async with services_of(request).pool.use(campaign, Viewer.PLAYER) as session:
            view = await session.view()
            given = fit_number(fit_note(body, view), view).read_input()
            running = turns.start(campaign, Viewer.PLAYER, given, Stamp(body.operation_id, body.base))
        await running.wait_accepted()
        try:
            result = await running.wait_ended(FORM_WAIT_SECONDS)
        except TurnRunningError as refused:
            message = error_sentence("turn_running", display_of(request).language) or refused.message
            result = InputResult(ResultKind.FAILED, message=message, text=body.text)
        if result is None:
            return redirect(f"{back}?operation={running.operation_id}#now")
        if result.kind is ResultKind.COMMITTED:
            return redirect(await _find_next(services_of(request), campaign, back))
        if result.reason == QUIT:
            return redirect("/")
        return await self._answer(request, campaign, result)

    async def undo(self, request: Request) -> Response:
        """Undo a turn, if the page shows the newest one."""
        campaign = request.path_params["campaign"]
        fields = await read_form(request, "base")
        async with services_of(request).pool.use(campaign, Viewer.PLAYER) as session:
            if (await session.view()).head == fields.get("base"):
                await navigate(session, Undo(1))
        back = return_path(request.headers.get("referer", ""), campaign)
        return redirect(f"{back}#now")

    async def choose_display(self, request: Request) -> Response:
        """Save the display choices, and return to the page."""
        fields = await read_form(request, "theme", "size", "language", "keys", "back")
        chosen = check_display(*(fields.get(name, "") for name in ("theme", "size", "language", "keys")))
        back = fields.get("back", "")
        ours = back.startswith(("/play/", MODELS_PATH)) or back == DESK_PATH
        own = ours and "\\" not in back and back.isprintable() and back.isascii()
        return redirect(back if own else "/", {"Set-Cookie": chosen.write_cookie()})

    async def _answer(self, request: Request, campaign: str, result: InputResult) -> Response:
        return self._show(request, await gather_table(services_of(request), campaign, result=result))

    def _show(self, request: Request, content: TableContent) -> Response:
        display = display_of(request)
        words = web_words(content.view.language)
        has_models = bool(content.models_path)
        note, cookie = "", ""
        if not content.is_past and not content.is_waiting:
            note, cookie = pick_note(content.view, request.cookies, has_models)
        page = render_page(
            "table.html", words, display, content.path, table=content, view=content.view, margin_note=note
        )
        if cookie:
            page.headers.append("Set-Cookie", cookie)
        return page


def read_turn(fields: Mapping[str, str]) -> PlayerTurnBody:
    """The input of a form."""
    try:
        return PlayerTurnBody.model_validate(dict(fields))
    except ValidationError as error:
        raise unreadable() from error


def fit_note(body: PlayerTurnBody, view: View) -> PlayerTurnBody:
    """The input without its note if the chosen option takes none: all options share the field."""
    if body.kind is not InputKind.ANSWER:
        return body
    takes = any(card.id == body.decision and card.notes(body.option) for card in view.decisions)
    return body if takes else body.model_copy(update={"note": ""})


def fit_number(body: PlayerTurnBody, view: View) -> PlayerTurnBody:
    """The input, or the choice whose number on the page it is."""
    chosen = find_numbered(view, body.text) if body.kind is InputKind.SAY else ""
    return (
        body.model_copy(update={"kind": InputKind.CHOOSE, "choice": chosen, "text": ""}) if chosen else body
    )


async def _find_next(services: ApiServices, campaign: str, back: str) -> str:
    """Where to go after a turn: back to its table or, for a player at the end, to the ending."""
    async with services.pool.use(campaign, Viewer.PLAYER) as session:
        ended = (await session.view()).end is not None
    return f"{back}/ending" if ended and back == table_path(campaign) else f"{back}#now"
