"""Offline copies: the stories that a browser keeps, each in parts, with the service worker and the manifest.

The worker and its files are public. Stories belong to the owner, and contain what the player has read.
"""

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from talewright.common.frozen_values import frozen
from talewright.faces.http.api_services import ApiServices, services_of
from talewright.faces.web.display_choices import read_display
from talewright.faces.web.offline.app_manifest import ICON_SIZES, draw_icon, write_manifest
from talewright.faces.web.offline.offline_words import offline_words
from talewright.faces.web.page_requests import display_of, owner_page
from talewright.faces.web.page_templates import render_page
from talewright.faces.web.static_files import FILE_TYPES, find_page_files
from talewright.faces.web.table_page import table_path
from talewright.faces.web.web_words import web_words
from talewright.play.campaign_view import TurnView, View, Viewer

WORKER_POLICY = "default-src 'none'; connect-src 'self'"
"""The worker sends requests to this server only."""

CAMPAIGNS_KEPT_MAX = 20
"""How many campaigns a browser stores, most recently played first."""

KEPT_HEADER = "Talewright-Kept"
"""The addresses of the tables whose copies may stay; the worker drops the others."""

WORKER = "worker.js"
OFFLINE_FILES = ("page.css", "speech.js", "icon.svg")
"""Files under addresses that stay the same, for copies that were kept long ago."""


PART_TURNS = 50
"""Turns in one part; parts begin at turn 1, 51, 101, and so on."""


@frozen
class ReadingCopy:
    """One part of a story, as its player has read it, without any controls.

    A part that ends before a given turn never changes, so a browser fetches it once.
    """

    view: View
    turns: tuple[TurnView, ...]

    @property
    def table(self) -> str:
        """The address of the table."""
        return table_path(self.view.campaign)

    @property
    def earlier(self) -> str:
        """The address of the part before; empty at the beginning of the story."""
        if not self.turns or self.turns[0].version <= 1:
            return ""
        return f"{reading_path(self.table)}?{urlencode({'before': self.turns[0].commit})}"


def reading_path(table: str) -> str:
    """The address of the newest part of a story."""
    return f"{table}/reading"


async def gather_reading(services: ApiServices, campaign: str, before: str = "") -> ReadingCopy:
    """The newest part of a story, or the one before a turn."""
    async with services.pool.use(campaign, Viewer.PLAYER) as session:
        view = await session.view()
        count = PART_TURNS if before else (max(view.version, 1) - 1) % PART_TURNS + 1
        turns = await session.past.turns(count, before)
    return ReadingCopy(view, turns)


@frozen
class OfflinePages:
    """What a browser needs to be installed and to read without the server."""

    def make_routes(self) -> list[Route]:
        """The routes."""
        return [
            Route("/manifest.webmanifest", send_manifest, methods=["GET"]),
            Route(f"/{WORKER}", send_worker, methods=["GET"]),
            Route("/offline/{name}", send_offline_file, methods=["GET"]),
            Route("/offline", owner_page(self.list_kept), methods=["GET"]),
            Route(reading_path("/play/{campaign}"), owner_page(self.show_reading), methods=["GET"]),
        ]

    async def list_kept(self, request: Request) -> Response:
        """The stories that a browser has stored, if they still exist."""
        kept = set(request.query_params.getlist("kept"))
        listed = [one for one in await services_of(request).lobby.campaigns() if table_path(one.name) in kept]
        display = display_of(request)
        answer = render_page(
            "offline_list.html",
            web_words(display.language),
            display,
            "/",
            offline=offline_words(display.language),
            campaigns=[(one, reading_path(table_path(one.name))) for one in listed[:CAMPAIGNS_KEPT_MAX]],
        )
        answer.headers[KEPT_HEADER] = " ".join(table_path(one.name) for one in listed[:CAMPAIGNS_KEPT_MAX])
        return answer

    async def show_reading(self, request: Request) -> Response:
        """A part of a story, for the browser to store."""
        copy = await gather_reading(
            services_of(request), request.path_params["campaign"], request.query_params.get("before", "")
        )
        display = display_of(request)
        language = copy.view.language
        answer = render_page(
            "reading.html",
            web_words(language),
            display,
            copy.table,
            offline=offline_words(language),
            copy=copy,
            view=copy.view,
        )
        if copy.earlier:
            answer.headers["Link"] = f'<{copy.earlier}>; rel="prev"'
        return answer


async def send_manifest(request: Request) -> Response:
    """The manifest of the app."""
    language = read_display({}, request.headers.get("accept-language", "")).language
    return Response(write_manifest(language), media_type="application/manifest+json")


async def send_worker(request: Request) -> Response:
    """The service worker, at the root because it covers all pages."""
    headers = {"Content-Security-Policy": WORKER_POLICY}
    return Response(find_page_files().contents[WORKER], 200, headers, media_type=FILE_TYPES["js"])


async def send_offline_file(request: Request) -> Response:
    """A file of the stored pages."""
    name = request.path_params["name"]
    if name in OFFLINE_FILES:
        return Response(find_page_files().contents[name], media_type=FILE_TYPES[name.rpartition(".")[2]])
    size = next((one for one in ICON_SIZES if name == f"icon-{one}.png"), None)
    if size is None:
        return Response(status_code=404)
    return Response(draw_icon(size), media_type="image/png")
