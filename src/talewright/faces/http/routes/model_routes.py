"""Routes of models: which are set up, which one narrates a campaign, and how to add one.

Only the owner can use them. An API key passes through once, on its way to the keyring, and is never shown.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request
from starlette.responses import Response

from talewright.faces.http.api_services import OWNER, CheckedRoute, needs, services_of
from talewright.faces.http.json_answers import answer
from talewright.faces.http.problems import NotFoundError
from talewright.faces.http.request_bodies import NAME_LENGTH_MAX, CandidateBody, ChosenModelBody
from talewright.faces.http.response_models import ChosenModel, DoneView
from talewright.play.model_choices import (
    ModelCandidate,
    ModelChoice,
    ModelChooser,
    ModelSource,
    ModelTrialView,
    TrialView,
)
from talewright.play.serving.model_trials import ModelTrials


def _chooser_of(request: Request) -> ModelChooser:
    models = services_of(request).models
    if models is None:
        raise NotFoundError
    return models


def _trials_of(request: Request) -> ModelTrials:
    trials = services_of(request).trials
    if trials is None:
        raise NotFoundError
    return trials


def _answer_trial(found: ModelTrialView | None) -> Response:
    if found is None:
        raise NotFoundError
    return answer(found)


# Where the operator manages models, these routes do not exist, whatever a request says.
router = APIRouter(
    prefix="/models", route_class=CheckedRoute, tags=["models"], dependencies=[Depends(_chooser_of)]
)

_OWNER = needs(OWNER)


def _read_candidate(body: CandidateBody) -> ModelCandidate:
    return ModelCandidate(body.source, body.model, body.key, body.base_url)


@router.get("", summary="List models", response_model=tuple[ModelChoice, ...], openapi_extra=_OWNER)
async def list_models(request: Request) -> Response:
    """The models that are set up."""
    return answer(await _chooser_of(request).choices())


@router.get("/chosen", summary="Ask which model tells", response_model=ChosenModel, openapi_extra=_OWNER)
async def read_chosen(
    request: Request,
    campaign: Annotated[str, Query(max_length=NAME_LENGTH_MAX, description="Empty for the default.")] = "",
    game: Annotated[str, Query(max_length=NAME_LENGTH_MAX, description="The game, if there is one.")] = "",
) -> Response:
    """The model of a campaign, or `none` if it uses only scenes."""
    return answer(ChosenModel(await _chooser_of(request).chosen(campaign, game), campaign))


@router.put("/chosen", summary="Choose a model", response_model=ChosenModel, openapi_extra=_OWNER)
async def choose_model(request: Request, body: ChosenModelBody) -> Response:
    """Use a model, or `none`, for a campaign when it is next opened; without a campaign, by default."""
    await _chooser_of(request).choose(body.name, body.campaign)
    if body.campaign:
        # The open session already has its storyteller; the next request opens the campaign with the new one.
        await services_of(request).pool.retire(body.campaign)
    return answer(ChosenModel(body.name, body.campaign))


@router.get(
    "/local", summary="Find local servers", response_model=tuple[ModelSource, ...], openapi_extra=_OWNER
)
async def list_local(request: Request) -> Response:
    """The model servers that respond on this machine at the usual addresses."""
    return answer(await _chooser_of(request).local())


@router.get(
    "/services", summary="List services", response_model=tuple[ModelSource, ...], openapi_extra=_OWNER
)
async def list_services(request: Request) -> Response:
    """The known services, each with some models."""
    return answer(await _chooser_of(request).services())


@router.get("/address", summary="Look at a server", response_model=ModelSource, openapi_extra=_OWNER)
async def look_at_address(
    request: Request,
    base_url: Annotated[str, Query(max_length=2000, description="The address of a model server.")],
) -> Response:
    """The model server at an address."""
    return answer(await _chooser_of(request).at_address(base_url))


@router.post("/test", summary="Test a model", response_model=TrialView, openapi_extra=_OWNER)
async def test_model(request: Request, body: CandidateBody) -> Response:
    """Ask a model one short question; nothing is saved."""
    return answer(await _chooser_of(request).test(_read_candidate(body)))


@router.post("/keep", summary="Set up a model", response_model=DoneView, openapi_extra=_OWNER)
async def keep_model(request: Request, body: CandidateBody) -> Response:
    """Save a model as the default, and its key in the keyring."""
    return answer(DoneView(await _chooser_of(request).keep(_read_candidate(body))))


TrialName = Annotated[str, Path(max_length=NAME_LENGTH_MAX, description="The id of a trial.")]


@router.post(
    "/trials", summary="Start a trial", status_code=201, response_model=ModelTrialView, openapi_extra=_OWNER
)
async def start_trial(
    request: Request,
    body: CandidateBody,
    ask: Annotated[bool, Query(description="Whether to ask the test question first.")] = True,
) -> Response:
    """Ask a model the test question, and its server what it can do, where that costs nothing.

    The response comes at once. One trial runs at a time, and each is forgotten after a quarter of an
    hour.
    """
    view = await _trials_of(request).start(_read_candidate(body), _chooser_of(request), asks=ask)
    return answer(view, 201, {"Location": f"/api/models/trials/{view.id}"})


@router.get("/trials/{trial}", summary="Read a trial", response_model=ModelTrialView, openapi_extra=_OWNER)
async def read_trial(request: Request, trial: TrialName) -> Response:
    """How far a trial has come."""
    return _answer_trial(_trials_of(request).find(trial))


@router.post(
    "/trials/{trial}/skip", summary="Skip a question", response_model=ModelTrialView, openapi_extra=_OWNER
)
async def skip_question(request: Request, trial: TrialName) -> Response:
    """Continue with the next question to the server."""
    return _answer_trial(_trials_of(request).skip(trial))


@router.post(
    "/trials/{trial}/keep", summary="Save its model", response_model=ModelTrialView, openapi_extra=_OWNER
)
async def keep_trial(request: Request, trial: TrialName) -> Response:
    """Save the model as the default if it has answered, and its key in the keyring."""
    return _answer_trial(await _trials_of(request).keep(trial))


@router.delete("/trials/{trial}", summary="Stop a trial", response_model=ModelTrialView, openapi_extra=_OWNER)
async def stop_trial(request: Request, trial: TrialName) -> Response:
    """Stop a running trial; what was found so far is kept."""
    return _answer_trial(await _trials_of(request).stop(trial))
