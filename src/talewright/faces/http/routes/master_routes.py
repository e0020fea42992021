"""Routes of an external game master: the brief, and turns narrated from outside, round by round.

The game master proposes; the rules decide. A handle identifies an open turn in every process.
"""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from talewright.faces.http.api_services import OWNER, CheckedRoute, grant_of, needs, services_of
from talewright.faces.http.json_answers import answer, answer_nothing
from talewright.faces.http.problems import write_problem
from talewright.faces.http.request_bodies import (
    NAME_LENGTH_MAX,
    CallsBody,
    ErrandAnswerBody,
    FinishBody,
    HandleBody,
    InputKind,
    MasterTurnBody,
    OperationBody,
    SummaryBody,
)
from talewright.faces.http.response_models import BriefModel, OutsideTurnModel, ToolModel
from talewright.faces.http.routes.view_routes import CampaignName
from talewright.play.campaign_view import View
from talewright.play.input_results import InputResult, Stamp
from talewright.play.master_desk import MasterDesk, OutsideTurnView, RoundView
from talewright.play.session_roles import SessionRight
from talewright.play.wire.view_codec import write_value

TELL = needs(SessionRight.TELL)

GameName = Annotated[str, Path(max_length=NAME_LENGTH_MAX, description="The id of a game.")]
Language = Annotated[str, Query(max_length=35, description="Empty for the game's own.")]

router = APIRouter(route_class=CheckedRoute, tags=["telling"])

_MASTER = "/campaigns/{campaign}/master"


@router.get(f"{_MASTER}/brief", summary="Read the brief", response_model=BriefModel, openapi_extra=TELL)
async def read_brief(
    request: Request,
    campaign: CampaignName,
    since: Annotated[
        int, Query(ge=-1, le=2**53, description="The version of an earlier brief, to mark what is new since.")
    ] = -1,
) -> Response:
    """Everything a game master needs to narrate the next turn."""
    services, role = services_of(request), grant_of(request).role
    async with services.pool.use(campaign, role) as session:
        return answer(await session.master.brief(since, partial(services.holder, role, campaign)))


@router.get(
    f"{_MASTER}/player-view", summary="Read the player's view", response_model=View, openapi_extra=TELL
)
async def read_player_view(request: Request, campaign: CampaignName) -> Response:
    """What the player sees now, and nothing more: a game master may show it to them."""
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        return answer(await session.master.player_view())


@router.post(
    f"{_MASTER}/turns",
    summary="Open a turn",
    response_model=InputResult,
    openapi_extra=TELL,
    responses={
        200: {"description": "No turn was opened: the result of the input."},
        201: {"model": OutsideTurnModel, "description": "The turn is waiting to be narrated."},
    },
)
async def open_turn(request: Request, campaign: CampaignName, body: MasterTurnBody) -> Response:
    """Open a turn with the player's words, a choice, or the answer to a decision.

    The same operation id means the same turn; whoever opened it may continue it, in any process.
    """
    services, grant = services_of(request), grant_of(request)
    operation_id = body.operation_id or services.new_id()
    holder = body.holder or services.holder(grant.role, campaign, operation_id)
    async with services.pool.use(campaign, grant.role) as session:
        by_player = body.by_player and grant.is_owner
        opened = await _open(
            session.master, body, Stamp(operation_id, body.base), holder, by_player=by_player
        )
    if isinstance(opened, OutsideTurnView):
        return answer(opened, 201)
    if opened.reason == "moved":
        more = {"result": write_value(opened)}
        return write_problem("moved", opened.message, "Read the brief again.", more=more)
    return answer(opened)


async def _open(
    desk: MasterDesk, body: MasterTurnBody, stamp: Stamp, holder: str, *, by_player: bool
) -> OutsideTurnView | InputResult:
    if body.kind is InputKind.CHOOSE:
        return await desk.choose(body.choice, stamp, holder)
    if body.kind is InputKind.ANSWER:
        return await desk.answer(body.decision, body.option, body.note, stamp, holder, by_player=by_player)
    return await desk.begin("" if body.kind is InputKind.GO_ON else body.text, stamp, holder)


@router.post(f"{_MASTER}/calls", summary="Propose calls", response_model=RoundView, openapi_extra=TELL)
async def propose_calls(request: Request, campaign: CampaignName, body: CallsBody) -> Response:
    """Submit tool calls to the rules. If any is flawed, none of them takes effect."""
    calls = tuple(one.read_call() for one in body.calls)
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        return answer(await session.master.propose(body.turn, calls, body.answers))


@router.post(f"{_MASTER}/finish", summary="Narrate a turn", response_model=RoundView, openapi_extra=TELL)
async def finish_turn(request: Request, campaign: CampaignName, body: FinishBody) -> Response:
    """Narrate the turn and commit it. If the narration is flawed, the turn stays open."""
    calls = tuple(one.read_call() for one in body.calls)
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        return answer(await session.master.finish(body.turn, body.narration, calls, tuple(body.facts)))


@router.post(f"{_MASTER}/abandon", summary="Abandon a turn", status_code=204, openapi_extra=TELL)
async def abandon_turn(request: Request, campaign: CampaignName, body: HandleBody) -> Response:
    """Give up an open turn; its input is kept."""
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        await session.master.give_up(body.turn)
    return answer_nothing()


@router.post(f"{_MASTER}/release", summary="Release a turn", status_code=204, openapi_extra=needs(OWNER))
async def release_turn(request: Request, campaign: CampaignName, body: OperationBody) -> Response:
    """End an open turn, whoever holds it, so that another can begin: the owner confirms it.

    If it has its narration, it is committed.
    """
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        await session.master.release(body.operation_id)
    return answer_nothing()


@router.post(f"{_MASTER}/answers", summary="Answer an errand", status_code=204, openapi_extra=TELL)
async def answer_errand(request: Request, campaign: CampaignName, body: ErrandAnswerBody) -> Response:
    """Answer an errand of the brief; the next turn uses it."""
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        await session.master.hand_in_answer(body.system, body.errand, body.answer)
    return answer_nothing()


@router.post(f"{_MASTER}/summary", summary="Submit a summary", status_code=204, openapi_extra=TELL)
async def submit_summary(request: Request, campaign: CampaignName, body: SummaryBody) -> Response:
    """Submit the summary that the brief asks for."""
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        await session.master.hand_in_summary(body.text)
    return answer_nothing()


@router.get(
    "/games/{game}/tools",
    summary="List the tools of a game",
    response_model=tuple[ToolModel, ...],
    openapi_extra=needs(OWNER),
)
async def list_tools(request: Request, game: GameName, language: Language = "") -> Response:
    """Every tool that a game master can ever call in a game; the brief lists those available now."""
    return answer(await services_of(request).lobby.master_tools(game, language))


@router.get(
    "/games/{game}/rules",
    summary="Read the rules of a game",
    response_model=tuple[str, ...],
    openapi_extra=needs(OWNER),
)
async def read_rules(request: Request, game: GameName, language: Language = "") -> Response:
    """What a game's systems report about its rules, line by line; it may contain spoilers."""
    return answer(await services_of(request).lobby.read_rules(game, language))
