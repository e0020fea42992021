"""Routes of the record: cost, receipts, verification, and narrower tokens.

Only the owner can use them, except receipts: a receipt reveals nothing, and anyone may keep one.
"""

from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from talewright.faces.http.access_grants import GRANTED_ROLES
from talewright.faces.http.api_services import OWNER, CheckedRoute, needs, run_while_connected, services_of
from talewright.faces.http.json_answers import answer
from talewright.faces.http.problems import NotFoundError, write_problem
from talewright.faces.http.request_bodies import ReceiptBody, TokenBody
from talewright.faces.http.response_models import MadeReceipt, MadeToken
from talewright.faces.http.routes.view_routes import CampaignName
from talewright.play.serving.campaign_audit import CampaignAudit

router = APIRouter(route_class=CheckedRoute)


def _audit_of(request: Request) -> CampaignAudit:
    audit = services_of(request).audit
    if audit is None:
        raise NotFoundError
    return audit


@router.get(
    "/campaigns/{campaign}/cost",
    summary="Read the cost",
    tags=["record"],
    response_model=dict[str, Any],
    openapi_extra=needs(OWNER),
)
async def read_cost(request: Request, campaign: CampaignName) -> Response:
    """Tokens and money, by turn and by model, as `talewright cost --json` prints them."""
    return answer(await _audit_of(request).read_cost(campaign))


@router.get(
    "/campaigns/{campaign}/receipts", summary="Get a receipt", tags=["record"], response_model=MadeReceipt
)
async def make_receipt(request: Request, campaign: CampaignName) -> Response:
    """A line that can later prove that no record up to now was changed. Keep it, or send it to a friend."""
    return answer(await _audit_of(request).make_receipt(campaign))


@router.post(
    "/campaigns/{campaign}/verify",
    summary="Verify a campaign",
    tags=["record"],
    response_model=dict[str, Any],
    openapi_extra=needs(OWNER),
)
async def verify(request: Request, campaign: CampaignName, body: ReceiptBody | None = None) -> Response:
    """Replay every turn and compare it with the record; the report is that of `talewright verify --json`."""
    verifying = _audit_of(request).verify(campaign, "" if body is None else body.receipt)
    return answer(await run_while_connected(request, verifying))


@router.post(
    "/tokens",
    summary="Make a narrower token",
    tags=["server"],
    status_code=201,
    response_model=MadeToken,
    openapi_extra=needs(OWNER),
)
async def make_token(request: Request, body: TokenBody) -> Response:
    """A token with one role in one campaign, until it expires or the campaign is removed.

    It is stored nowhere; a new owner's token revokes it.
    """
    services = services_of(request)
    if body.role not in GRANTED_ROLES:
        return write_problem(
            "wire_unreadable", "there are no tokens for this role", "player, master or author"
        )
    if not body.campaign:
        raise NotFoundError
    made = await services.rules.make_token(body.campaign, body.role, body.days)
    if made is None:
        raise NotFoundError
    expires_at = datetime.fromtimestamp(made.until, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return answer(MadeToken(made.text, expires_at), 201)
