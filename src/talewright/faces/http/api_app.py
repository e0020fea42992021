"""The API application: routes, problems and the OpenAPI document under /api.

It holds no state but caches; the caller that mounts it decides where it listens and who may connect.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from fastapi import APIRouter, Depends, FastAPI
from starlette.routing import BaseRoute

from talewright.faces.http.access_grants import AccessRules
from talewright.faces.http.api_services import ApiServices, describe_role
from talewright.faces.http.campaign_beginnings import CampaignBeginnings
from talewright.faces.http.news_feed import NewsFeeds
from talewright.faces.http.openapi_document import complete_document
from talewright.faces.http.problems import handle_problems
from talewright.faces.http.response_models import PROBLEMS, HealthView
from talewright.faces.http.routes import (
    campaign_routes,
    master_routes,
    model_routes,
    news_routes,
    past_routes,
    record_routes,
    transfer_routes,
    turn_routes,
    view_routes,
)
from talewright.faces.http.routes.proof_routes import FindTokenHash, add_proof_route, find_no_token
from talewright.faces.http.turn_operations import TurnOperations
from talewright.play.lobby import ServingLobby
from talewright.play.model_choices import ModelChooser
from talewright.play.serving.campaign_audit import CampaignAudit
from talewright.play.serving.game_workbench import GameWorkbench
from talewright.play.serving.model_trials import ModelTrials
from talewright.play.serving.owner_quotas import OwnerCounts
from talewright.play.serving.session_pool import SessionPool
from talewright.play.transfer.transfer_service import CampaignTransfers
from talewright.play.wire.token_proof import PROOF_PATH
from talewright.version import __version__

PREFIX = "/api"
OPENAPI_PATH = f"{PREFIX}/openapi.json"
HEALTH_PATH = f"{PREFIX}/health"

DESCRIPTION = """
Games narrated by a language model, over HTTP. The token that `talewright serve` prints may do everything;
`POST /api/tokens` makes narrower ones, with one role in one campaign. Errors are problem details (RFC 9457)
with a stable `code` and a `hint`. What a token does not allow is answered like something that does not exist.
"""

ROUTERS = tuple(
    one.router
    for one in (
        campaign_routes,
        transfer_routes,
        view_routes,
        turn_routes,
        news_routes,
        past_routes,
        record_routes,
        model_routes,
        master_routes,
    )
)


def make_services(
    lobby: ServingLobby,
    rules: AccessRules,
    new_id: Callable[[], str],
    key: bytes,
    *,
    audit: CampaignAudit | None = None,
    models: ModelChooser | None = None,
    import_scenario: Callable[[bytes, str], Awaitable[str]] | None = None,
    workbench: GameWorkbench | None = None,
    transfers: CampaignTransfers | None = None,
    owner: str = "",
    counts: OwnerCounts | None = None,
) -> ApiServices:
    """What the routes work with, on a lobby."""
    pool = SessionPool(lobby)
    turns = TurnOperations(pool, new_id)
    return ApiServices(
        lobby=lobby,
        rules=rules,
        pool=pool,
        turns=turns,
        beginnings=CampaignBeginnings(pool, turns),
        feeds=NewsFeeds(pool),
        new_id=new_id,
        key=key,
        audit=audit,
        models=models,
        import_scenario=import_scenario,
        workbench=workbench,
        trials=None if models is None else ModelTrials(new_id),
        transfers=transfers,
        owner=owner,
        counts=counts or OwnerCounts(),
    )


def make_api_app(services: ApiServices, find_hash: FindTokenHash = find_no_token) -> FastAPI:
    """The API application; when it shuts down, it closes every session."""
    return _make_app(services, services.close, find_hash)


def make_host_app(close: Callable[[], Awaitable[None]], find_hash: FindTokenHash = find_no_token) -> FastAPI:
    """The application of a host: each request brings its owner's services. `close` closes them all."""
    return _make_app(None, close, find_hash)


@cache
def _make_api_routes() -> tuple[BaseRoute, ...]:
    """The routes of the API, the same for every application: preparing them takes most of its start."""
    api = APIRouter(prefix=PREFIX, responses=PROBLEMS)
    for router in ROUTERS:
        api.include_router(router, dependencies=[Depends(describe_role)])
    return tuple(api.routes)


def _make_app(
    services: ApiServices | None, close: Callable[[], Awaitable[None]], find_hash: FindTokenHash
) -> FastAPI:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        await close()

    app = FastAPI(
        title="Talewright",
        version=__version__,
        description=DESCRIPTION.strip(),
        openapi_url=OPENAPI_PATH,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.services = services
    handle_problems(app)
    app.router.routes.extend(_make_api_routes())

    @app.get(
        HEALTH_PATH,
        summary="Ask whether the server answers",
        tags=["server"],
        response_model=HealthView,
        responses=PROBLEMS,
    )
    async def health() -> dict[str, str]:
        """Needs no token."""
        return {"status": "ok"}

    add_proof_route(app, PREFIX, find_hash)
    describe = app.openapi
    made: list[dict[str, Any]] = []

    def openapi() -> dict[str, Any]:
        if not made:
            made.append(complete_document(app, describe(), frozenset({HEALTH_PATH, PREFIX + PROOF_PATH})))
        return made[0]

    app.openapi = openapi  # type: ignore[method-assign]
    return app
