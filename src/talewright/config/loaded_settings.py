"""Loaded settings: combines the settings file with the environment, and finds models by name.

Nothing is written here. A missing file counts as empty.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from talewright.common.frozen_values import frozen
from talewright.common.safe_text import clean_line
from talewright.config.api_keys import KeyPlace
from talewright.config.environment import (
    API_KEY,
    BASE_URL,
    CHEAP_MODEL,
    MAX_OUTPUT_TOKENS,
    MODEL,
    NO_MODEL,
    TEMPERATURE,
    EnvironmentVariables,
    read_number_variable,
    read_whole_variable,
)
from talewright.config.model_settings import (
    ModelPreference,
    ModelSettings,
    Settings,
    find_service,
    known_services,
    model_of_service,
)
from talewright.config.settings_file import find_settings_file, read_settings_file
from talewright.config.settings_parser import ALLOWED_ADDRESSES, TEMPERATURE_MAX, read_settings
from talewright.errors import SettingsError, TalewrightError
from talewright.llm.known_models import find_profile
from talewright.llm.profiles import Profile


class UnknownModelError(TalewrightError):
    """There is no configured model with this name."""


@frozen
class LoadedSettings:
    """The settings of a user, and the environment that overrides them."""

    settings: Settings
    variables: EnvironmentVariables
    file: Path

    @property
    def wish(self) -> ModelPreference:
        """The choices made in the environment, which override the file."""
        variables = self.variables
        return ModelPreference(
            model=variables.get(MODEL),
            cheap=variables.get(CHEAP_MODEL),
            temperature=read_number_variable(variables, TEMPERATURE, TEMPERATURE_MAX),
            max_output_tokens=read_whole_variable(variables, MAX_OUTPUT_TOKENS),
        )

    @property
    def foreign_address(self) -> str:
        """The address that a `.env` sets for the storyteller and that is not allowed yet; or empty."""
        address = self.variables.get(BASE_URL)
        foreign = bool(self.variables.get(MODEL)) and self.variables.in_dotenv(BASE_URL)
        return address if foreign and address not in self.settings.allowed_addresses else ""

    def find_model(self, name: str) -> ModelSettings | None:
        """Find a model by name: a configured one, or `service/model`; None for `none`."""
        if name == NO_MODEL:
            return None
        variables = self.variables
        if variables.get(BASE_URL) and name == variables.get(MODEL):
            return self._make_own(name)
        if name in self.settings.models:
            return self.settings.models[name]
        service, slash, model = name.partition("/")
        known = find_service(service)
        if known is not None and slash and model:
            return model_of_service(known, model)
        raise self._unknown(name)

    def profile_of(self, model: str) -> Profile:
        """The abilities and prices of a model, by its name on the server."""
        configured = [one for one in self.settings.models.values() if one.model == model]
        return configured[0].profile if configured else find_profile(model)

    def _make_own(self, name: str) -> ModelSettings:
        """The model at the address in the environment."""
        if self.foreign_address:
            raise SettingsError(
                f"the file .env in this folder sends the story to {clean_line(self.foreign_address)}",
                "That server would read everything you play. If you trust it, add "
                f"{ALLOWED_ADDRESSES} = [{json.dumps(self.foreign_address)}] to {self.file}, or play in a "
                "terminal and confirm it there. Or play with --no-model.",
            )
        configured = self.settings.models.get(name)
        # An address from a `.env` only gets a key from the same `.env`.
        from_file = self.variables.in_dotenv(BASE_URL)
        return ModelSettings(
            name=name,
            model=name if configured is None else configured.model,
            base_url=self.variables.get(BASE_URL),
            key_name=API_KEY if self.variables.get(API_KEY) else "",
            key_places=(KeyPlace.DOTENV,) if from_file else (KeyPlace.ENVIRONMENT, KeyPlace.DOTENV),
        )

    def _unknown(self, name: str) -> UnknownModelError:
        known = ", ".join(self.settings.models)
        services = ", ".join(f"{one.name}/..." for one in known_services())
        listed = f"Configured: {known}. " if known else "None is configured; run `talewright setup`. "
        return UnknownModelError(
            f"there is no model {name!r}", f"{listed}Or use a model of a service: {services}"
        )


def load_settings(
    environment: Mapping[str, str], home: Path, variables: EnvironmentVariables
) -> LoadedSettings:
    """Load the settings and the environment. Raises TalewrightError if the file is not valid."""
    file = find_settings_file(environment, home)
    return LoadedSettings(read_settings(read_settings_file(file), str(file)), variables, file)
