"""Routes of transfer: an owner pushes a whole campaign to a server and pulls it back, every hash unchanged.

Only the owner can use them. A copy has no dice secret until the campaign is closed.
"""

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from talewright.faces.http.api_services import OWNER, CheckedRoute, needs, run_while_connected, services_of
from talewright.faces.http.json_answers import answer, answer_bytes
from talewright.faces.http.problems import NotFoundError
from talewright.faces.http.request_bodies import NAME_LENGTH_MAX
from talewright.faces.http.response_models import BINARY_BODY, ClosedCampaign, ImportedCampaign
from talewright.faces.http.routes.view_routes import CampaignName
from talewright.play.transfer.transfer_service import CampaignTransfers

COPY_TYPE = "application/jsonl"

router = APIRouter(route_class=CheckedRoute)


def _transfers_of(request: Request) -> CampaignTransfers:
    transfers = services_of(request).transfers
    if transfers is None:
        raise NotFoundError
    return transfers


@router.get(
    "/campaigns/{campaign}/copy",
    summary="Copy a campaign",
    tags=["campaigns"],
    response_class=Response,
    responses={
        200: {
            "description": "The copy.",
            "content": {COPY_TYPE: {"schema": {"type": "string", "format": "binary"}}},
        }
    },
    openapi_extra=needs(OWNER),
)
async def send_copy(request: Request, campaign: CampaignName) -> Response:
    """The whole history, byte for byte; includes the dice secret only if the campaign is closed."""
    data = await run_while_connected(request, _transfers_of(request).send(campaign))
    return answer_bytes(data, COPY_TYPE, f"{campaign}.copy.jsonl")


@router.post(
    "/campaigns/copies",
    summary="Take a copy",
    tags=["campaigns"],
    status_code=201,
    response_model=ImportedCampaign,
    openapi_extra=needs(OWNER) | BINARY_BODY,
)
async def take_copy(
    request: Request,
    name: Annotated[str, Query(max_length=NAME_LENGTH_MAX, description="Of the campaign here.")],
) -> Response:
    """Create a campaign from a copy that includes its dice secret; every hash stays the same."""
    transfers = _transfers_of(request)
    data = await services_of(request).counts.receive_file(request.body)
    await run_while_connected(request, transfers.take(data, name))
    return answer(ImportedCampaign(name), 201, {"Location": f"/api/campaigns/{quote(name)}"})


@router.post(
    "/campaigns/{campaign}/close",
    summary="Close a campaign",
    tags=["campaigns"],
    response_model=ClosedCampaign,
    openapi_extra=needs(OWNER),
)
async def close_campaign(request: Request, campaign: CampaignName) -> Response:
    """Close it here for good: it can still be read, but nothing more is written to it."""
    transfers, services = _transfers_of(request), services_of(request)
    await transfers.close(campaign)
    await services.pool.retire(campaign)
    return answer(ClosedCampaign(campaign))
