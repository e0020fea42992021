"""Routes of turns: take one, ask for its result, stop it, or continue without the model.

A turn continues when its client disconnects. The same operation id never takes a turn twice.
"""

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from talewright.faces.http.api_services import CheckedRoute, grant_of, needs, services_of
from talewright.faces.http.json_answers import answer, answer_nothing
from talewright.faces.http.problems import NotFoundError, write_problem
from talewright.faces.http.request_bodies import OPERATION_LENGTH_MAX, PlayerTurnBody
from talewright.faces.http.routes.view_routes import CampaignName
from talewright.play.input_results import InputResult, OperationView, Stamp
from talewright.play.session_roles import SessionRight
from talewright.play.wire.view_codec import write_value

WAIT_SECONDS_MAX = 60

WaitSeconds = Annotated[
    float,
    Query(
        ge=0,
        le=WAIT_SECONDS_MAX,
        allow_inf_nan=False,
        description="How many seconds to wait for the end of the turn.",
    ),
]

router = APIRouter(prefix="/campaigns/{campaign}", route_class=CheckedRoute, tags=["playing"])


def _answer_running(campaign: str, found: OperationView) -> Response:
    place = f"/api/campaigns/{quote(campaign)}/operations/{quote(found.operation_id)}"
    return answer(found, 202, {"Location": place})


@router.post(
    "/turns",
    summary="Take a turn",
    response_model=InputResult,
    openapi_extra=needs(SessionRight.PLAY),
    responses={
        200: {"description": "The turn has ended, or the input led to none: its result."},
        202: {
            "model": OperationView,
            "description": "The input is saved and the turn goes on (`running`); the news report it.",
            "headers": {"Location": {"description": "The operation.", "schema": {"type": "string"}}},
        },
    },
)
async def take_turn(
    request: Request, campaign: CampaignName, body: PlayerTurnBody, wait: WaitSeconds = 0.0
) -> Response:
    """Take a turn: say something, choose, answer a decision, continue, or retry the last turn.

    Once the input is saved, the response is 202 with the operation, `running`. With `wait`, it is the result
    if the turn ends in time. An input that cannot be saved is refused: with 409 `turn_running` if another
    turn is still running after 10 seconds, or with 503 `unsaved`. Sending the same operation again never
    takes a second turn. With `base`, an input meant for an earlier turn gets 409 `moved`.
    """
    services, role = services_of(request), grant_of(request).role
    running = services.turns.start(campaign, role, body.read_input(), Stamp(body.operation_id, body.base))
    await running.wait_accepted()
    was_accepted = running.accepted.is_set() or not running.task.done()
    result = await running.wait_ended(wait)
    if result is None:
        assert running.view is not None, "an input whose turn goes on is saved"
        return _answer_running(campaign, running.view)
    if result.reason == "moved" and not was_accepted:
        hint = "Read the view again, then decide."
        return write_problem("moved", result.message, hint, more={"result": write_value(result)})
    return answer(result)


@router.get(
    "/operations/{operation_id:path}",
    summary="Ask for the result of a turn",
    response_model=InputResult,
    responses={
        200: {"description": "The turn has ended: its result."},
        202: {
            "model": OperationView,
            "description": "It goes on (`running`), or its input is saved and waits (`waiting`).",
        },
    },
)
async def find_operation(
    request: Request,
    campaign: CampaignName,
    operation_id: Annotated[str, Path(max_length=OPERATION_LENGTH_MAX, description="As given by a turn.")],
    wait: WaitSeconds = 0.0,
) -> Response:
    """The result of an operation, no matter which process took the turn."""
    found = await services_of(request).turns.find(campaign, grant_of(request).role, operation_id, wait)
    if found is None:
        raise NotFoundError
    return answer(found.result) if found.result is not None else _answer_running(campaign, found)


@router.post("/cancel", summary="Stop the running turn", status_code=204)
async def cancel(request: Request, campaign: CampaignName) -> Response:
    """Stop the running turn, if any. Its input is saved."""
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        await session.cancel()
    return answer_nothing()


@router.post(
    "/skip",
    summary="Continue without the model",
    status_code=204,
    openapi_extra=needs(SessionRight.PLAY),
)
async def skip(request: Request, campaign: CampaignName) -> Response:
    """Finish the running turn with a written scene at once, if the game has one."""
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        await session.skip()
    return answer_nothing()
