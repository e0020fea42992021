"""Model pages: which model narrates, what is found on this machine, and how to test and save a new one.

They work without scripts. A key arrives in the body of a form and goes to the trial; no page shows it.
"""

import asyncio
from urllib.parse import quote

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from talewright.common.frozen_values import frozen
from talewright.faces.http.api_services import services_of
from talewright.faces.http.problems import NotFoundError
from talewright.faces.http.request_bodies import CandidateBody, ChosenModelBody
from talewright.faces.web.page_requests import display_of, owner_page, read_form, redirect, unreadable
from talewright.faces.web.setup.trial_pages import MODELS_PATH, go_to_trial, render_model_page
from talewright.play.lobby import CampaignInfo
from talewright.play.model_choices import NO_MODEL, ModelCandidate, ModelChooser, ModelSource


@frozen
class ModelPages:
    """The pages on the models of a server."""

    def make_routes(self) -> list[Route]:
        """Their routes."""
        return [
            Route(MODELS_PATH, owner_page(self.show_models), methods=["GET"]),
            Route(f"{MODELS_PATH}/choose", owner_page(self.choose), methods=["POST"]),
            Route(f"{MODELS_PATH}/new", owner_page(self.show_service), methods=["GET"]),
            Route(f"{MODELS_PATH}/address", owner_page(self.show_address), methods=["POST"]),
            Route(f"{MODELS_PATH}/try", owner_page(self.start_trial), methods=["POST"]),
        ]

    async def show_models(self, request: Request) -> Response:
        """The models that are set up, those on this machine, and the services."""
        models = self._chooser(request)
        campaign = await self._find_campaign(request, request.query_params.get("campaign", ""))
        name, game = ("", "") if campaign is None else (campaign.name, campaign.game)
        choices, chosen, usual, local, services = await asyncio.gather(
            models.choices(), models.chosen(name, game), models.chosen(), models.local(), models.services()
        )
        return render_model_page(
            request,
            "setup/models.html",
            campaign=campaign,
            choices=choices,
            chosen=chosen,
            usual=usual,
            local=local,
            services=services,
            no_model=NO_MODEL,
        )

    async def choose(self, request: Request) -> Response:
        """Use a model for a campaign or by default."""
        try:
            body = ChosenModelBody(**await read_form(request, "name", "campaign"))
        except ValidationError:
            raise unreadable() from None
        campaign = await self._find_campaign(request, body.campaign)
        await self._chooser(request).choose(body.name, body.campaign)
        if campaign is None:
            return redirect(MODELS_PATH)
        # The open session already has its storyteller; the next request opens the campaign with the new one.
        await services_of(request).pool.retire(campaign.name)
        return redirect(f"{MODELS_PATH}?campaign={quote(campaign.name, safe='')}")

    async def show_service(self, request: Request) -> Response:
        """The form for a model of a service or of a server on this machine."""
        wanted, models = request.query_params.get("source", ""), self._chooser(request)
        for source in (*await models.services(), *await models.local()):
            if source.name == wanted:
                return _show_form(request, source)
        raise NotFoundError

    async def show_address(self, request: Request) -> Response:
        """The form for a model at an address; that may hold a password, so our own address omits it."""
        given = (await read_form(request, "base_url")).get("base_url", "").strip()
        body = _read_candidate({"base_url": given})
        return _show_form(request, await self._chooser(request).at_address(body.base_url))

    async def start_trial(self, request: Request) -> Response:
        """Test a model, and go to the page that shows the result."""
        fields = await read_form(request, "source", "model", "other", "key", "base_url")
        other = fields.pop("other", "").strip()
        candidate = _read_candidate({**fields, **({"model": other} if other else {})})
        trials = services_of(request).trials
        if trials is None:
            raise NotFoundError
        return go_to_trial(await trials.start(candidate, self._chooser(request)))

    def _chooser(self, request: Request) -> ModelChooser:
        models = services_of(request).models
        if models is None:
            raise NotFoundError
        display = display_of(request)
        return models.in_language(display.language)

    async def _find_campaign(self, request: Request, name: str) -> CampaignInfo | None:
        if not name:
            return None
        for one in await services_of(request).lobby.campaigns():
            if one.name == name:
                return one
        raise NotFoundError


def _read_candidate(fields: dict[str, str]) -> ModelCandidate:
    try:
        body = CandidateBody(**fields)
    except ValidationError:
        # The error quotes what was typed, which may include a key.
        raise unreadable() from None
    return ModelCandidate(body.source, body.model.strip(), body.key.strip(), body.base_url)


def _show_form(request: Request, source: ModelSource) -> Response:
    return render_model_page(request, "setup/new_model.html", source=source)
