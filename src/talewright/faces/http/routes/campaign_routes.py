"""Routes of games and campaigns: list, start, describe, remove, export and import.

Files are sent as bytes; nothing is written on this machine but the campaigns.
"""

from dataclasses import replace
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from talewright.faces.http.api_services import (
    OWNER,
    CheckedRoute,
    grant_of,
    needs,
    run_while_connected,
    services_of,
)
from talewright.faces.http.campaign_beginnings import CampaignBeginning
from talewright.faces.http.json_answers import answer, answer_bytes
from talewright.faces.http.problems import NotFoundError
from talewright.faces.http.request_bodies import NAME_LENGTH_MAX, BeginBody
from talewright.faces.http.response_models import (
    BINARY_BODY,
    CampaignPage,
    ImportedCampaign,
    ImportedGame,
    RemovedCampaign,
)
from talewright.faces.http.routes.view_routes import OPENING, find_opening_id
from talewright.play.campaign_view import View, Viewer
from talewright.play.lobby import CampaignDetails, ExportForm, GameInfo

PAGE_SIZE = 50
PAGE_SIZE_MAX = 200
PAGES_MAX = 1_000_000

CampaignName = Annotated[
    str, Path(max_length=NAME_LENGTH_MAX, description="The name of a campaign.", examples=["mist_harbor-1"])
]

STORY_FORMS = frozenset({ExportForm.MARKDOWN, ExportForm.HTML, ExportForm.EPUB})
"""Forms that contain only what the player wrote and saw."""

_TYPES = {
    ExportForm.SAVE: "application/json",
    ExportForm.WHOLE: "application/jsonl",
    ExportForm.MARKDOWN: "text/markdown; charset=utf-8",
    ExportForm.HTML: "text/html; charset=utf-8",
    ExportForm.EPUB: "application/epub+zip",
}

router = APIRouter(route_class=CheckedRoute)


@router.get("/games", summary="List games", tags=["games"], response_model=tuple[GameInfo, ...])
async def list_games(request: Request) -> Response:
    """The games that can be started."""
    games = await services_of(request).lobby.games()
    if not grant_of(request).is_owner:
        # Where games are on this machine is the owner's business.
        games = tuple(replace(one, place="") for one in games)
    return answer(games)


@router.get("/campaigns", summary="List campaigns", tags=["campaigns"], response_model=CampaignPage)
async def list_campaigns(
    request: Request,
    page: Annotated[int, Query(ge=1, le=PAGES_MAX, description="The number of the page, from 1.")] = 1,
    size: Annotated[
        int, Query(ge=1, le=PAGE_SIZE_MAX, description="How many campaigns are on a page.")
    ] = PAGE_SIZE,
) -> Response:
    """The campaigns that can be continued, most recently played first.

    A narrower token sees only its own.
    """
    grant = grant_of(request)
    listed = [one for one in await services_of(request).lobby.campaigns() if grant.covers(one.name)]
    first = (page - 1) * size
    return answer(CampaignPage(tuple(listed[first : first + size]), page, size, len(listed)))


@router.post(
    "/campaigns",
    summary="Start a campaign",
    tags=["campaigns"],
    status_code=201,
    response_model=View,
    openapi_extra=needs(OWNER),
    responses={
        201: {
            "headers": {
                "Location": {"description": "The campaign.", "schema": {"type": "string"}},
                OPENING: {"description": "The operation of its first turn.", "schema": {"type": "string"}},
            }
        }
    },
)
async def begin_campaign(request: Request, body: BeginBody) -> Response:
    """Start a campaign of a game.

    The response comes at once; the first turn is reported as events, and the header `Talewright-Opening`
    names its operation. The same operation id always means the same campaign, however often it is sent.
    """
    services, role = services_of(request), grant_of(request).role
    beginning = CampaignBeginning(body.game, body.language, body.name, role, body.operation_id)
    campaign = await services.beginnings.begin(beginning)
    async with services.pool.use(campaign, role) as session:
        view = await session.view()
        opening = await find_opening_id(services, campaign, session)
    headers = {"Location": f"/api/campaigns/{quote(campaign)}"} | ({OPENING: opening} if opening else {})
    return answer(view, 201, headers)


@router.get(
    "/campaigns/{campaign}", summary="Describe a campaign", tags=["campaigns"], response_model=CampaignDetails
)
async def describe_campaign(request: Request, campaign: CampaignName) -> Response:
    """Turn, last line and outcome of a campaign; for the owner, also its model and cost."""
    details = await services_of(request).lobby.details(campaign)
    if not grant_of(request).is_owner:
        details = replace(details, model="", dollars=None, tokens=0)
    return answer(details)


@router.delete(
    "/campaigns/{campaign}",
    summary="Remove a campaign",
    tags=["campaigns"],
    response_model=RemovedCampaign,
    openapi_extra=needs(OWNER),
)
async def remove_campaign(request: Request, campaign: CampaignName) -> Response:
    """Move a campaign to the bin. A turn that is running stops."""
    services = services_of(request)
    await services.pool.drop(campaign)
    services.beginnings.forget(campaign)
    return answer(RemovedCampaign(await services.lobby.remove(campaign)))


@router.get(
    "/campaigns/{campaign}/export",
    summary="Export a campaign",
    tags=["campaigns"],
    response_class=Response,
    responses={
        200: {
            "description": "The file.",
            "content": {
                **{
                    kind.partition(";")[0]: {"schema": {"type": "string", "format": "binary"}}
                    for kind in _TYPES.values()
                },
                "application/json": {
                    "schema": {"type": "object"},
                    "example": {"save_version": 1, "meta": {"scenario_id": "mist_harbor"}},
                },
            },
        }
    },
)
async def export_campaign(
    request: Request,
    campaign: CampaignName,
    form: Annotated[ExportForm, Query(description="The format of the file.")] = ExportForm.MARKDOWN,
) -> Response:
    """The story as Markdown, HTML or EPUB; for the owner and authors also a save game (`json`, `jsonl`)."""
    grant = grant_of(request)
    if form not in STORY_FORMS and not (grant.is_owner or grant.role is Viewer.AUTHOR):
        raise NotFoundError
    data = await run_while_connected(request, services_of(request).lobby.write_out(campaign, form))
    return answer_bytes(data, _TYPES[form], f"{campaign}.{form.value}")


@router.post(
    "/campaigns/import",
    summary="Import a campaign",
    tags=["campaigns"],
    status_code=201,
    response_model=ImportedCampaign,
    openapi_extra=needs(OWNER) | BINARY_BODY,
)
async def import_campaign(
    request: Request,
    name: Annotated[str, Query(max_length=NAME_LENGTH_MAX, description="Of the new campaign.")] = "",
    file_name: Annotated[
        str, Query(max_length=NAME_LENGTH_MAX, description="Of the file; it names the campaign.")
    ] = "",
) -> Response:
    """Start a campaign from the bytes of a save game."""
    services = services_of(request)
    data = await services.counts.receive_file(request.body)
    importing = services.lobby.bring_in(data, name, file_name)
    campaign = await run_while_connected(request, importing)
    return answer(ImportedCampaign(campaign), 201, {"Location": f"/api/campaigns/{quote(campaign)}"})


@router.post(
    "/games/scenario",
    summary="Import a scenario",
    tags=["games"],
    status_code=201,
    response_model=ImportedGame,
    openapi_extra=needs(OWNER) | BINARY_BODY,
)
async def import_scenario(
    request: Request,
    name: Annotated[str, Query(max_length=NAME_LENGTH_MAX, description="The id of the new game.")] = "",
) -> Response:
    """Make a game from a scenario, a JSON file as written by `talewright export --format scenario`."""
    services = services_of(request)
    make = services.import_scenario
    if make is None:
        raise NotFoundError
    data = await services.counts.receive_file(request.body)
    game = await run_while_connected(request, make(data, name))
    return answer(ImportedGame(game), 201)
