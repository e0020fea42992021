"""Routes of the view, and of navigating a campaign: undo, fork, switch, marks.

Views carry an ETag that begins with the head, and navigation can be made conditional on it.
"""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from talewright.faces.http.api_services import ApiServices, CheckedRoute, grant_of, needs, services_of
from talewright.faces.http.json_answers import answer_nothing, answer_view
from talewright.faces.http.problems import write_problem
from talewright.faces.http.request_bodies import (
    NAME_LENGTH_MAX,
    ForkBody,
    LoadBody,
    SwitchBody,
    UndoBody,
)
from talewright.faces.http.turn_operations import OPENING_SECONDS_MAX
from talewright.play.campaign_view import View
from talewright.play.session import FollowingSession, InputResult
from talewright.play.session_inputs import Fork, Load, Navigation, Switch, Undo, navigate
from talewright.play.session_roles import SessionRight

OPENING = "Talewright-Opening"
"""The header with the operation id of the turn that opens a session."""

CampaignName = Annotated[
    str, Path(max_length=NAME_LENGTH_MAX, description="The name of a campaign.", examples=["mist_harbor-1"])
]

router = APIRouter(prefix="/campaigns/{campaign}", route_class=CheckedRoute, tags=["playing"])


def names_head(condition: str, head: str) -> bool:
    """Whether If-Match holds: it lists the head, or the ETag of a view of it."""
    listed = [one.strip().removeprefix("W/").strip('"') for one in condition.split(",")]
    return any(one == "*" or one.partition(".")[0] == head for one in listed)


async def find_opening_id(services: ApiServices, campaign: str, session: FollowingSession) -> str:
    """The operation of the turn that opens a session; empty if none was due."""
    opening = services.turns.follow_opening(campaign, session)
    if opening is not None:
        await opening.wait_accepted(OPENING_SECONDS_MAX)
        if opening.operation_id:
            return opening.operation_id
    opened = _find_opened(session)
    return "" if opened is None else opened.operation_id


@router.get(
    "/view",
    summary="Read the view",
    response_model=View,
    responses={
        200: {
            "headers": {
                "ETag": {"description": "Begins with the head.", "schema": {"type": "string"}},
                OPENING: {
                    "description": "The operation of a turn that opens the story or a phase of it.",
                    "schema": {"type": "string"},
                },
            }
        },
        304: {"description": "The view is still the one that If-None-Match names."},
    },
)
async def read_view(request: Request, campaign: CampaignName) -> Response:
    """The campaign as the role sees it now. `If-None-Match` with its ETag avoids sending it again."""
    services = services_of(request)
    async with services.pool.use(campaign, grant_of(request).role) as session:
        opening = await find_opening_id(services, campaign, session)
        # Checked before the view is read: if the opening ends meanwhile, the view may be older than its turn.
        opened = _find_opened(session)
        view = await session.view()
        # Anyone who opens the campaign later has no opening to wait for.
        headers = {OPENING: opening} if opening and _is_at_opening(opened, view) else {}
    return answer_view(view, headers, request.headers.get("if-none-match", ""))


def _find_opened(session: FollowingSession) -> InputResult | None:
    """The result of the turn that opened a session; None while it runs."""
    opening = session.opening
    return None if opening is None or not opening.done() or opening.cancelled() else opening.result()


def _is_at_opening(opened: InputResult | None, view: View) -> bool:
    """Whether nothing has happened since the turn that opened a session."""
    if opened is None:
        return True
    return opened.commit == view.head if opened.commit else view.turn is None


async def _go(request: Request, campaign: str, where: Navigation) -> Response:
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        moved = await _find_moved(request, session)
        if moved is not None:
            return moved
        view = await navigate(session, where)
    return answer_view(view)


async def _find_moved(request: Request, session: FollowingSession) -> Response | None:
    """The response to a condition that does not hold."""
    condition = request.headers.get("if-match", "")
    if not condition or names_head(condition, (await session.view()).head):
        return None
    hint = "Read the view again, then decide."
    return write_problem("moved", "the campaign has moved since the view of If-Match", hint, status=412)


@router.post("/undo", summary="Go back", response_model=View, openapi_extra=needs(SessionRight.NAVIGATE))
async def undo(request: Request, campaign: CampaignName, body: UndoBody) -> Response:
    """Go back some turns; nothing is deleted. With `If-Match`, only if the campaign has not changed since."""
    return await _go(request, campaign, Undo(body.turns))


@router.post(
    "/fork", summary="Start a branch", response_model=View, openapi_extra=needs(SessionRight.NAVIGATE)
)
async def fork(request: Request, campaign: CampaignName, body: ForkBody) -> Response:
    """Start a branch at a turn, or here, and continue there."""
    return await _go(request, campaign, Fork(body.commit, body.name))


@router.post(
    "/switch", summary="Switch to a branch", response_model=View, openapi_extra=needs(SessionRight.NAVIGATE)
)
async def switch(request: Request, campaign: CampaignName, body: SwitchBody) -> Response:
    """Continue at the head of another branch."""
    return await _go(request, campaign, Switch(body.branch))


@router.post("/load", summary="Load a mark", response_model=View, openapi_extra=needs(SessionRight.NAVIGATE))
async def load(request: Request, campaign: CampaignName, body: LoadBody) -> Response:
    """Continue from a mark, on a new branch."""
    return await _go(request, campaign, Load(body.mark))


@router.put(
    "/marks/{name:path}", summary="Set a mark", status_code=204, openapi_extra=needs(SessionRight.NAVIGATE)
)
async def mark(
    request: Request,
    campaign: CampaignName,
    name: Annotated[str, Path(max_length=NAME_LENGTH_MAX, description="The name of the mark.")],
) -> Response:
    """Name the current turn, so that you can return to it later."""
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        moved = await _find_moved(request, session)
        if moved is not None:
            return moved
        await session.mark(name)
    return answer_nothing()
