"""Routes of the past: earlier turns, the tree, comparisons, reasons, and the record of a turn.

They only read, and show what the request's role may see.
"""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from talewright.faces.http.api_services import CheckedRoute, grant_of, services_of
from talewright.faces.http.json_answers import answer
from talewright.faces.http.request_bodies import NAME_LENGTH_MAX
from talewright.faces.http.response_models import InspectionModel
from talewright.faces.http.routes.view_routes import CampaignName
from talewright.play.campaign_past import (
    CardTrend,
    ComparisonView,
    Provenance,
    StoryStatistics,
    TreePage,
    TreeRow,
    VariableTrail,
)
from talewright.play.campaign_view import TurnView

TURNS = 10
TURNS_MAX = 1_000
"""Turns in one answer."""

ROWS_MAX = 1_000
"""Rows of the tree in one answer."""

TREND_TURNS = 24
TREND_TURNS_MAX = 200
"""Turns that trends are read from."""

VariableName = Annotated[
    str, Path(max_length=NAME_LENGTH_MAX, description="The name of a variable, as in cards and changes.")
]
CommitName = Annotated[str, Path(max_length=NAME_LENGTH_MAX, description="The id of a turn.")]

router = APIRouter(prefix="/campaigns/{campaign}", route_class=CheckedRoute, tags=["looking back"])


@router.get("/turns", summary="Read earlier turns", response_model=tuple[TurnView, ...])
async def list_turns(
    request: Request,
    campaign: CampaignName,
    count: Annotated[int, Query(ge=0, le=TURNS_MAX, description="How many turns.")] = TURNS,
    before: Annotated[
        str,
        Query(max_length=NAME_LENGTH_MAX, description="The id of the next turn; empty for the last."),
    ] = "",
    first: Annotated[int, Query(ge=0, description="The number of the first turn; 0 for the last.")] = 0,
) -> Response:
    """The last turns, or the last before a turn, or those from a number on; newest last."""
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        return answer(await session.past.turns(count, before, first))


@router.get("/tree", summary="Read the tree", response_model=tuple[TreeRow, ...])
async def read_tree(
    request: Request,
    campaign: CampaignName,
    every: Annotated[bool, Query(description="Whether no turn is skipped.")] = False,
) -> Response:
    """The campaign as a tree of turns, with its branches and marks."""
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        return answer(await session.past.tree(every=every))


@router.get("/tree/page", summary="Read a part of the tree", response_model=TreePage)
async def read_tree_page(
    request: Request,
    campaign: CampaignName,
    count: Annotated[int, Query(ge=1, le=ROWS_MAX, description="How many rows.")] = TURNS,
    first: Annotated[int, Query(ge=-1, description="How many rows to leave out; -1 for none given.")] = -1,
    around: Annotated[str, Query(max_length=NAME_LENGTH_MAX, description="The id of a turn to show.")] = "",
    every: Annotated[bool, Query(description="Whether no turn is skipped.")] = False,
) -> Response:
    """Some rows of the tree: from a row on, around a turn, or around where the player is."""
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        return answer(await session.past.tree_page(count, first, around, every=every))


@router.get("/trends", summary="Read how numbers moved", response_model=tuple[CardTrend, ...])
async def read_trends(
    request: Request,
    campaign: CampaignName,
    turns: Annotated[int, Query(ge=1, le=TREND_TURNS_MAX, description="How many turns.")] = TREND_TURNS,
) -> Response:
    """How the visible numbers moved in the last turns; those that stayed the same are left out."""
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        return answer(await session.past.trends(turns))


@router.get("/statistics", summary="Read figures about the story", response_model=StoryStatistics)
async def read_statistics(request: Request, campaign: CampaignName) -> Response:
    """Turns and dice of the story so far, and when it was played."""
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        return answer(await session.past.statistics())


@router.get("/compare", summary="Compare two turns", response_model=ComparisonView)
async def compare_turns(
    request: Request,
    campaign: CampaignName,
    one: Annotated[str, Query(max_length=NAME_LENGTH_MAX, description="The id of a turn, or a branch.")],
    other: Annotated[str, Query(max_length=NAME_LENGTH_MAX, description="The id of a turn, or a branch.")],
) -> Response:
    """Two turns or branches compared, from where they diverged."""
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        return answer(await session.past.compare(one, other))


@router.get(
    "/variables/{variable}/why", summary="Ask what set a variable", response_model=tuple[Provenance, ...]
)
async def explain_variable(request: Request, campaign: CampaignName, variable: VariableName) -> Response:
    """What set a variable that may be seen, newest first."""
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        return answer(await session.past.why(variable))


@router.get(
    "/variables/{variable}/trail",
    summary="Read the values of a variable over time",
    response_model=VariableTrail | None,
)
async def trace_variable(request: Request, campaign: CampaignName, variable: VariableName) -> Response:
    """The values of a visible variable, turn by turn; null if there is no such variable."""
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        return answer(await session.past.trail(variable))


@router.get("/commits/{commit}", summary="Inspect a turn", response_model=InspectionModel)
async def inspect_turn(request: Request, campaign: CampaignName, commit: CommitName) -> Response:
    """The record of a turn: all of it for authors, only what was shown for everyone else."""
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        return answer(await session.past.inspect(commit))


@router.get("/commits/{commit}/turn", summary="Read a turn", response_model=TurnView | None)
async def read_turn(request: Request, campaign: CampaignName, commit: CommitName) -> Response:
    """One turn, on any branch; null for the beginning, before anything was narrated."""
    async with services_of(request).pool.use(campaign, grant_of(request).role) as session:
        return answer(await session.past.turn(commit))
