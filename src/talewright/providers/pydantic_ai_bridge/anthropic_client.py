"""The Anthropic client: Claude models through the vendor's library, their settings and cache marks.

Requests and replies are the same for both vendors; see `anthropic_google_requests` and
`anthropic_google_replies`.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from anthropic import AnthropicError, AsyncAnthropic, Omit
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.anthropic import AnthropicModel, AnthropicModelSettings
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.providers.anthropic import AnthropicProvider
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

API_VERSION = "2023-06-01"
"""The API version that still accepts a temperature, and a key in the header that gateways look at."""

TEMPERATURE_MAX = 1.0
_KINDS = frozenset({"type", "anyOf", "oneOf", "allOf", "enum", "const", "$ref"})
"""Keywords of which a schema needs at least one to constrain anything."""


@frozen
class AnthropicSide:
    """Claude models."""

    failures: tuple[type[Exception], ...] = (AnthropicError,)

    def open(self, door: VendorAccess) -> AnyModel:
        """A model of this vendor."""
        key = door.key or NO_KEY
        headers = {"anthropic-version": API_VERSION, "x-api-key": key, "authorization": Omit()}
        client = AsyncAnthropic(
            api_key=key,
            base_url=door.base_url,
            http_client=door.client,
            max_retries=0,
            default_headers=cast(Mapping[str, str], headers),
        )
        # Our own profile decides whether a schema is sent.
        able: ModelProfile = {"supports_json_schema_output": True}
        return AnthropicModel(door.model, provider=AnthropicProvider(anthropic_client=client), profile=able)

    def write_settings(
        self, request: Request, profile: Profile, model: AnyModel, marks: CacheMarks
    ) -> ModelSettings:
        """Limits, temperature and marks."""
        settings = AnthropicModelSettings(
            max_tokens=request.max_output_tokens or profile.output_tokens_max, max_retries=0, thinking=False
        )
        fixed = model.profile.get("anthropic_disallows_sampling_settings", False)
        if request.temperature is not None and profile.takes_temperature and not fixed:
            settings["temperature"] = min(request.temperature, TEMPERATURE_MAX)
        if marks.rules:
            settings["anthropic_cache_instructions"] = True
        if marks.end:
            settings["anthropic_cache_messages"] = True
        return settings

    def write_form(
        self, parameters: ModelRequestParameters, request: Request, profile: Profile, model: AnyModel
    ) -> ModelRequestParameters:
        """A schema, if the profile says so and every object in it is closed."""
        schema = request.answer_schema
        if schema is None or profile.answer_mode is not AnswerMode.SCHEMA or is_open(schema):
            return parameters
        form = OutputObjectDefinition(write_schema(schema))
        return replace(parameters, output_mode="native", output_object=form)


def is_open(schema: object) -> bool:
    """Whether a part of a schema allows anything: this vendor would allow nothing there."""
    if not isinstance(schema, Mapping):
        return True
    if _KINDS.isdisjoint(schema):
        return True
    if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
        return True
    lists = (schema[keyword] for keyword in ("anyOf", "oneOf", "allOf") if keyword in schema)
    maps = (schema[keyword].values() for keyword in ("properties", "$defs") if keyword in schema)
    items = [[schema["items"]]] if "items" in schema else []
    return any(is_open(part) for parts in (*lists, *maps, *items) for part in parts)
