"""Trial pages: how far the trial of a model has come, and what to do with the result.

A trial is found by an id that nobody can guess. None of these pages contains its key.
"""

from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from talewright.common.frozen_values import frozen
from talewright.faces.http.api_services import services_of
from talewright.faces.http.json_answers import answer
from talewright.faces.http.problems import NotFoundError
from talewright.faces.web.page_requests import display_of, owner_page, redirect
from talewright.faces.web.page_templates import render_page
from talewright.faces.web.setup.model_words import model_words
from talewright.faces.web.web_words import web_words
from talewright.play.model_choices import ModelTrialView
from talewright.play.serving.model_trials import ModelTrials

MODELS_PATH = "/models"


@frozen
class TrialPages:
    """The pages on the trials of a server."""

    def make_routes(self) -> list[Route]:
        """Their routes."""
        trial = f"{MODELS_PATH}/trials/{{trial}}"
        return [
            Route(trial, owner_page(self.show_trial), methods=["GET"]),
            Route(f"{trial}/state", owner_page(self.read_trial), methods=["GET"]),
            Route(f"{trial}/skip", owner_page(self.skip_question), methods=["POST"]),
            Route(f"{trial}/stop", owner_page(self.stop_trial), methods=["POST"]),
            Route(f"{trial}/again", owner_page(self.repeat_trial), methods=["POST"]),
            Route(f"{trial}/keep", owner_page(self.keep_model), methods=["POST"]),
        ]

    async def show_trial(self, request: Request) -> Response:
        """How far a trial has come."""
        return render_model_page(request, "setup/trial.html", trial=self._find_trial(request))

    async def read_trial(self, request: Request) -> Response:
        """The same for the script of that page."""
        return answer(self._find_trial(request))

    async def skip_question(self, request: Request) -> Response:
        """Continue with the next question."""
        return go_to_trial(_trials_of(request).skip(request.path_params["trial"]))

    async def stop_trial(self, request: Request) -> Response:
        """End the trial."""
        return go_to_trial(await _trials_of(request).stop(request.path_params["trial"]))

    async def repeat_trial(self, request: Request) -> Response:
        """Run the same trial again."""
        return go_to_trial(await _trials_of(request).repeat(request.path_params["trial"]))

    async def keep_model(self, request: Request) -> Response:
        """Save the model."""
        return go_to_trial(await _trials_of(request).keep(request.path_params["trial"]))

    def _find_trial(self, request: Request) -> ModelTrialView:
        found = _trials_of(request).find(request.path_params["trial"])
        if found is None:
            raise NotFoundError
        return found


def _trials_of(request: Request) -> ModelTrials:
    trials = services_of(request).trials
    if trials is None:
        raise NotFoundError
    return trials


def go_to_trial(trial: ModelTrialView | None) -> Response:
    """A redirect to a trial's page."""
    if trial is None:
        raise NotFoundError
    return redirect(f"{MODELS_PATH}/trials/{quote(trial.id, safe='')}")


def render_model_page(request: Request, template: str, **values: Any) -> Response:
    """A page about models, in the language of the pages."""
    display = display_of(request)
    words = web_words(display.language)
    return render_page(template, words, display, MODELS_PATH, say=model_words(display.language), **values)
