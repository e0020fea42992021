"""API services: what the routes work with, and the check that runs before each of them.

A route declares what it needs; the check reads the token before anything else in the request. Anything a
token does not allow looks as if it did not exist.
"""

import asyncio
import hashlib
import hmac
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import field
from typing import Annotated, Any, Literal, TypeVar, cast

from fastapi import Query, Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from talewright.common.frozen_values import frozen
from talewright.faces.http.access_grants import GRANTED_ROLES, AccessGrant, AccessRules, access_denied
from talewright.faces.http.campaign_beginnings import CampaignBeginnings
from talewright.faces.http.news_feed import NewsFeeds
from talewright.faces.http.problems import NotFoundError
from talewright.faces.http.turn_operations import TurnOperations
from talewright.play.campaign_view import Viewer
from talewright.play.lobby import ServingLobby
from talewright.play.model_choices import ModelChooser
from talewright.play.serving.campaign_audit import CampaignAudit
from talewright.play.serving.game_workbench import GameWorkbench
from talewright.play.serving.model_trials import ModelTrials
from talewright.play.serving.owner_quotas import OwnerCounts
from talewright.play.serving.served_jobs import JobStoppedError
from talewright.play.serving.session_pool import SessionPool
from talewright.play.session_roles import SessionRight, may
from talewright.play.transfer.transfer_service import CampaignTransfers

T = TypeVar("T")

NEEDS = "x-needs"
"""The member of a route's description that names what it needs: `owner`, or a right of its role."""

OWNER = "owner"
SERVICES = "talewright.services"
"""The member of a request's scope that holds its owner's services, on a host."""

HOLDER_DIGITS = 32


@frozen
class ApiServices:
    """What the routes work with."""

    lobby: ServingLobby
    rules: AccessRules
    pool: SessionPool
    turns: TurnOperations
    beginnings: CampaignBeginnings
    feeds: NewsFeeds
    new_id: Callable[[], str]
    key: bytes
    """Shared by all processes that serve the same campaigns; proves who started a turn."""

    audit: CampaignAudit | None = None
    models: ModelChooser | None = None
    import_scenario: Callable[[bytes, str], Awaitable[str]] | None = None
    """Makes a game from a scenario; returns the id of the game."""

    workbench: GameWorkbench | None = None
    """The games the owner is working on; None on a server without author pages."""
    trials: ModelTrials | None = None
    """Model trials; None where models cannot be set up."""

    transfers: CampaignTransfers | None = None
    """Sends and receives whole campaigns; None where that is not possible."""

    owner: str = ""
    """Whose campaigns these are; empty on a server for one person."""

    counts: OwnerCounts = field(default_factory=OwnerCounts)
    """What the owner does, counted."""

    async def close(self) -> None:
        """End every stream, stop every turn and close every session; inputs stay in the record."""
        await self.feeds.close()
        if self.trials is not None:
            await self.trials.close()
        await self.pool.close()
        await self.turns.close()

    def holder(self, role: Viewer, campaign: str, operation_id: str) -> str:
        """The name that holds a game master's turn: whoever started it may continue it, in any process."""
        words = f"{role}\0{campaign}\0{operation_id}".encode(errors="surrogatepass")
        return hmac.new(self.key, words, hashlib.sha256).hexdigest()[:HOLDER_DIGITS]


def services_of(request: Request) -> ApiServices:
    """The services that answer a request: on a host, those of its owner. Raises AccessDenied."""
    found = request.scope.get(SERVICES) or request.app.state.services
    if found is None:
        raise access_denied()
    return cast(ApiServices, found)


def has_owners(request: Request) -> bool:
    """Whether this is a host, where every owner has services of their own."""
    return request.app.state.services is None


def grant_of(request: Request) -> AccessGrant:
    """What a request may do."""
    return cast(AccessGrant, request.state.grant)


def needs(what: str) -> dict[str, Any]:
    """The part of a route's description that says what it needs."""
    return {NEEDS: what}


class CheckedRoute(APIRoute):
    """A route that reads the token first."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, with the check before it."""
        handle = super().get_route_handler()
        need = (self.openapi_extra or {}).get(NEEDS, "")

        async def check(request: Request) -> Response:
            wanted = request.query_params.get("role", "")
            role = next((one for one in GRANTED_ROLES if one == wanted), Viewer.PLAYER)
            services = services_of(request)
            grant = await services.rules.read_grant(request.headers, role)
            # Only now: whoever just names an owner must not use up what the owner may send.
            await services.counts.count_request()
            check_need(grant, need, request.path_params.get("campaign", ""))
            request.state.grant = grant
            return await handle(request)

        return check


def check_need(grant: AccessGrant, need: str, campaign: str) -> None:
    """Raise NotFoundError if a grant does not suffice."""
    if need == OWNER:
        allowed = grant.is_owner
    else:
        allowed = not need or may(grant.role, SessionRight(need))
    if not allowed or (campaign and not grant.covers(campaign)):
        raise NotFoundError


async def run_while_connected(request: Request, work: Awaitable[T]) -> T:
    """The result of long work, which is cancelled if the client disconnects.

    The body of the request must have been read.
    """
    task, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_wait_for_end(request))
    try:
        await asyncio.wait((task, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise JobStoppedError("the client disconnected, so this was stopped", "Send the request again.")
        return task.result()
    finally:
        task.cancel()
        leaving.cancel()
        await asyncio.wait((task, leaving))


async def _wait_for_end(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def describe_role(
    role: Annotated[
        Literal["player", "master", "author"],
        Query(
            description="The role in which the owner acts. A narrower token has one role, whatever this says."
        ),
    ] = "player",
) -> None:
    """The role of a request, for the description; `CheckedRoute` reads it."""
