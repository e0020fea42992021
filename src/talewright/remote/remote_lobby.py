"""The remote Lobby: starts games and opens campaigns on a server, over HTTP.

The server keeps everything; nothing is stored on this machine.
"""

import secrets
from collections.abc import Callable, Mapping
from weakref import WeakSet

import httpx

from talewright.common.json_values import Json
from talewright.errors import TalewrightError
from talewright.play.campaign_lookup import number_campaign
from talewright.play.campaign_view import View, Viewer
from talewright.play.error_codes import RemoteError
from talewright.play.lobby import CampaignDetails, CampaignInfo, ExportForm, GameInfo, SessionOptions
from talewright.play.master_desk import ToolView
from talewright.play.played_turn import AsyncClosing
from talewright.play.wire.view_codec import WireError, from_wire
from talewright.remote.campaign_requests import (
    CampaignRequests,
    make_query,
    quote_segment,
    read_many,
    read_one,
)
from talewright.remote.remote_models import RemoteModels
from talewright.remote.remote_session import OPENING_HEADER, RemoteSession
from talewright.remote.server_connection import RetryRules, ServerAnswer, ServerConnection, ServerRequest

PAGE_SIZE = 100
"""How many campaigns are requested at once."""

NAMES_TRIED_MAX = 8
"""How many names are tried for a new campaign: other clients may be starting campaigns at the same time. The
server chooses the last one.
"""

TRANSFER_SECONDS = 300.0
"""How long an export or import may take."""

_NAME_TAKEN = "name_taken"


def make_operation_id() -> str:
    """A random id, 128 bits in hexadecimal."""
    return secrets.token_hex(16)


class RemoteLobby(AsyncClosing):
    """A Lobby over HTTP, whose sessions are FollowingSessions. `async with` closes it."""

    def __init__(
        self,
        base_url: str,
        token: str,
        transport: httpx.AsyncBaseTransport | None = None,
        *,
        language: str = "",
        retry: RetryRules | None = None,
        new_id: Callable[[], str] = make_operation_id,
    ) -> None:
        self.connection = ServerConnection(base_url, token, transport, retry=retry)
        self.models = RemoteModels(self.connection)
        """The models of the server."""

        self.language = language
        """The player's language; empty for that of the game or campaign."""

        self._new_id = new_id
        self._sessions: WeakSet[RemoteSession] = WeakSet()

    async def games(self) -> tuple[GameInfo, ...]:
        """The games that can be started."""
        return read_many(
            GameInfo, await self._send("GET", "/games", make_query(Viewer.PLAYER, self.language))
        )

    async def campaigns(self) -> tuple[CampaignInfo, ...]:
        """The campaigns that can be continued, the last played first."""
        found: dict[str, CampaignInfo] = {}
        page = 1
        while True:
            query = {"page": str(page), "size": str(PAGE_SIZE)}
            raw = (await self._send("GET", "/campaigns", query)).read()
            items = raw.get("items") if isinstance(raw, Mapping) else None
            if not isinstance(items, list):
                raise WireError("the server's answer has no items")
            for item in items:
                info = from_wire(CampaignInfo, item)
                found[info.name] = info
            if len(items) < PAGE_SIZE:
                return tuple(found.values())
            page += 1

    async def begin(
        self,
        game: str,
        language: str = "",
        campaign: str = "",
        role: Viewer = Viewer.PLAYER,
        options: SessionOptions | None = None,
        operation_id: str = "",
    ) -> RemoteSession:
        """Start a campaign; the server takes a player's first turn."""
        language = language or self._pick_language(options)
        # If the caller gives an id, the server chooses the name, so that every client gets the same one.
        numbered = not campaign and not operation_id
        asked = {"game": game, "language": language, "operation_id": operation_id or self._new_id()}
        for attempt in range(NAMES_TRIED_MAX):
            if numbered:
                # If others keep taking the numbers, the server chooses a name from the id.
                is_last = attempt == NAMES_TRIED_MAX - 1
                campaign = "" if is_last else await _pick_number(self, game)
            try:
                query = make_query(role)
                answer = await self._send("POST", "/campaigns", query, {**asked, "name": campaign})
                break
            except RemoteError as error:
                if not numbered or error.code != _NAME_TAKEN or attempt == NAMES_TRIED_MAX - 1:
                    raise
        return self._sit_down(answer, role, self._pick_language(options))

    async def open(
        self, campaign: str, role: Viewer = Viewer.PLAYER, options: SessionOptions | None = None
    ) -> RemoteSession:
        """Open a campaign."""
        language = self._pick_language(options)
        requests = CampaignRequests(self.connection, campaign, role, language)
        return self._sit_down(await requests.ask("GET", "view"), role, language)

    async def master_tools(self, game: str, language: str = "") -> tuple[ToolView, ...]:
        """Every tool that an external game master may ever call in a game."""
        path = f"/games/{quote_segment(game)}/tools"
        return read_many(ToolView, await self._send("GET", path, _some(language=language)))

    async def read_rules(self, game: str, language: str = "") -> tuple[str, ...]:
        """What a game's systems report about its rules, in lines."""
        path = f"/games/{quote_segment(game)}/rules"
        raw = (await self._send("GET", path, _some(language=language))).read()
        if not isinstance(raw, list) or not all(isinstance(line, str) for line in raw):
            raise WireError("the server's answer must be a list of lines")
        return tuple(str(line) for line in raw)

    async def details(self, campaign: str) -> CampaignDetails:
        """Details of a campaign."""
        return read_one(CampaignDetails, await _name(self, campaign).ask("GET", ""))

    async def bring_in(self, data: bytes, campaign: str = "", file_name: str = "") -> str:
        """Start a campaign from the bytes of a save game; returns its name."""
        request = ServerRequest(
            "POST",
            "/campaigns/import",
            _some(name=campaign, file_name=file_name),
            content=data,
            repeatable=False,
            wait_seconds=TRANSFER_SECONDS,
        )
        return _text(await self.connection.send(request), "campaign")

    async def write_out(self, campaign: str, form: ExportForm) -> bytes:
        """The bytes of an export; the caller writes the file."""
        path = _name(self, campaign).path("export")
        request = ServerRequest("GET", path, {"form": form.value}, wait_seconds=TRANSFER_SECONDS)
        return (await self.connection.send(request)).content

    async def remove(self, campaign: str) -> str:
        """Move a campaign to the bin; returns where it is now, in words."""
        answer = await _name(self, campaign).ask("DELETE", "", repeatable=False)
        return _text(answer, "moved_to")

    async def close(self) -> None:
        """Close all sessions and connections."""
        # A session that is still waiting for its opening would reconnect.
        for session in tuple(self._sessions):
            await session.close()
        await self.connection.close()

    def _sit_down(self, answer: ServerAnswer, role: Viewer, language: str) -> RemoteSession:
        view = read_one(View, answer)
        requests = CampaignRequests(self.connection, view.campaign, role, language)
        session = RemoteSession(requests, view, self._new_id, answer.headers.get(OPENING_HEADER, ""))
        self._sessions.add(session)
        return session

    def _pick_language(self, options: SessionOptions | None) -> str:
        if options is not None and (options.limits is not None or options.moderation is not None):
            raise TalewrightError(
                "limits and moderation of a campaign are set by its server",
                "Leave them out, and set them where the server runs.",
            )
        return self.language if options is None else options.pick_language(self.language)

    async def _send(
        self, method: str, path: str, query: Mapping[str, str], body: Json = None
    ) -> ServerAnswer:
        return await self.connection.send(ServerRequest(method, path, query, body))


async def _pick_number(lobby: RemoteLobby, game: str) -> str:
    return number_campaign(game, {one.name for one in await lobby.campaigns()})


def _name(lobby: RemoteLobby, campaign: str) -> CampaignRequests:
    """Makes requests about a campaign, without opening a session."""
    return CampaignRequests(lobby.connection, campaign, Viewer.PLAYER)


def _some(**members: str) -> dict[str, str]:
    """The members of a query that are not empty."""
    return {name: value for name, value in members.items() if value}


def _text(answer: ServerAnswer, name: str) -> str:
    raw = answer.read()
    value = raw.get(name) if isinstance(raw, Mapping) else None
    if not isinstance(value, str):
        raise WireError(f"the server's answer has no {name}")
    return value
