"""Loaded settings: the settings file together with the environment, and a model found by its name.

Nothing is written here, and a file that is not there says nothing.
"""

from collections.abc import Mapping
from pathlib import Path

from talewright.common.frozen_values import frozen
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
    HOSTED_AT_ONCE,
    ModelPreference,
    ModelSettings,
    Settings,
    find_service,
    known_services,
    model_of_service,
)
from talewright.config.settings_file import find_settings_file, read_settings_file
from talewright.config.settings_parser import TEMPERATURE_MAX, read_settings
from talewright.errors import TalewrightError
from talewright.llm.known_models import find_profile
from talewright.llm.profiles import Profile


class UnknownModelError(TalewrightError):
    """There is no such model among those that were set up."""


@frozen
class LoadedSettings:
    """The settings of a user, and what the environment wants of them."""

    settings: Settings
    variables: EnvironmentVariables
    file: Path

    @property
    def wish(self) -> ModelPreference:
        """What the environment decides; it counts more than the file."""
        variables = self.variables
        return ModelPreference(
            model=variables.get(MODEL),
            cheap=variables.get(CHEAP_MODEL),
            temperature=read_number_variable(variables, TEMPERATURE, TEMPERATURE_MAX),
            max_output_tokens=read_whole_variable(variables, MAX_OUTPUT_TOKENS),
        )

    def find_model(self, name: str) -> ModelSettings | None:
        """The model of a name: configured, or `service/model`; None for `none`."""
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
        """What a model can do and costs, by the name its server has for it."""
        configured = [one for one in self.settings.models.values() if one.model == model]
        return configured[0].profile if configured else find_profile(model)

    def _make_own(self, name: str) -> ModelSettings:
        """The model at the address that the environment names."""
        configured = self.settings.models.get(name)
        # An address out of a file that lay in the folder gets no key but one that lay there too.
        from_file = self.variables.in_dotenv(BASE_URL)
        return ModelSettings(
            name=name,
            model=name if configured is None else configured.model,
            base_url=self.variables.get(BASE_URL),
            key_name=API_KEY if self.variables.get(API_KEY) else "",
            key_places=(KeyPlace.DOTENV,) if from_file else (KeyPlace.ENVIRONMENT, KeyPlace.DOTENV),
            at_once=HOSTED_AT_ONCE,
        )

    def _unknown(self, name: str) -> UnknownModelError:
        known = ", ".join(self.settings.models)
        services = ", ".join(f"{one.name}/..." for one in known_services())
        listed = f"Configured: {known}. " if known else "None is configured; `talewright setup` does it. "
        return UnknownModelError(
            f"there is no model {name!r}", f"{listed}Or name one of a service: {services}"
        )


def load_settings(
    environment: Mapping[str, str], home: Path, variables: EnvironmentVariables
) -> LoadedSettings:
    """Everything that is decided about models; a TalewrightError where the file does not fit."""
    file = find_settings_file(environment, home)
    return LoadedSettings(read_settings(read_settings_file(file), str(file)), variables, file)
