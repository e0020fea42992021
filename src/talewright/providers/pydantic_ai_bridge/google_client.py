"""The Google client: Gemini models through the vendor's library, and their settings.

Requests and replies are the same for both vendors; see `anthropic_google_requests` and
`anthropic_google_replies`.
"""

from dataclasses import replace
from typing import assert_never

from google.genai.errors import APIError, UnknownApiResponseError
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.google import GoogleModel, GoogleModelSettings
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.settings import ModelSettings

from talewright.common.frozen_values import frozen
from talewright.llm.profiles import AnswerMode, Profile
from talewright.llm.requests import Request
from talewright.providers.pydantic_ai_bridge.anthropic_google_requests import (
    NO_KEY,
    AnyModel,
    CacheMarks,
    VendorAccess,
    write_schema,
)

TEMPERATURE_MAX = 2.0


@frozen
class GoogleSide:
    """Gemini models."""

    failures: tuple[type[Exception], ...] = (APIError, UnknownApiResponseError)

    def open(self, door: VendorAccess) -> AnyModel:
        """A model of this vendor."""
        provider = GoogleProvider(api_key=door.key or NO_KEY, base_url=door.base_url, http_client=door.client)
        return GoogleModel(door.model, provider=provider)

    def write_settings(
        self, request: Request, profile: Profile, model: AnyModel, marks: CacheMarks
    ) -> ModelSettings:
        """Limits and temperature."""
        settings = GoogleModelSettings(
            max_tokens=request.max_output_tokens or profile.output_tokens_max, max_retries=0, thinking=False
        )
        if request.temperature is not None and profile.takes_temperature:
            settings["temperature"] = min(request.temperature, TEMPERATURE_MAX)
        return settings

    def write_form(
        self, parameters: ModelRequestParameters, request: Request, profile: Profile, model: AnyModel
    ) -> ModelRequestParameters:
        """A schema, or any JSON; a model that supports no format together with tools is asked for it in
        words.
        """
        together = model.profile.get("google_supports_tool_combination", False)
        if request.answer_schema is None or (parameters.function_tools and not together):
            return parameters
        form = OutputObjectDefinition(write_schema(request.answer_schema))
        match profile.answer_mode:
            case AnswerMode.SCHEMA:
                return replace(parameters, output_mode="native", output_object=form)
            case AnswerMode.JSON:
                # The prompt already describes the format; the library must not repeat it.
                return replace(
                    parameters, output_mode="prompted", output_object=form, prompted_output_template=False
                )
            case AnswerMode.FREE:
                return parameters
            case _:
                assert_never(profile.answer_mode)
