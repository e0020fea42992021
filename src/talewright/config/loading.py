"""Loading: what the settings file says, together with the environment.

Nothing is written here, and a file that is not there says nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from talewright.config.keys import KeyPlace
from talewright.config.models import (
    HOSTED_AT_ONCE,
    ModelSettings,
    find_service,
    known_services,
    model_of_service,
)
from talewright.config.names import (
    API_KEY,
    BASE_URL,
    CHEAP_MODEL,
    MAX_OUTPUT_TOKENS,
    MODEL,
    NO_MODEL,
    TEMPERATURE,
)
from talewright.config.places import find_settings_file
from talewright.config.reading import TEMPERATURE_MAX, read_settings
from talewright.config.settings import Choice, Settings
from talewright.config.variables import Variables
from talewright.errors import TalewrightError
from talewright.llm.known_models import find_profile
from talewright.llm.profiles import Profile

SETTINGS_BYTES_MAX = 1_000_000
"""Bytes of a settings file."""


def read_settings_file(file: Path) -> str:
    """The text of the settings; empty where there is no file."""
    try:
        with file.open("rb") as stream:
            data = stream.read(SETTINGS_BYTES_MAX + 1)
        if len(data) > SETTINGS_BYTES_MAX:
            raise TalewrightError(f"{file} is far too long", "Look whether it is the right file.")
        return data.decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise TalewrightError(
            f"{file} cannot be read: {error.strerror}", "Look whether you may read it."
        ) from error
    except UnicodeDecodeError:
        raise TalewrightError(f"{file} is not UTF-8", "Save it as UTF-8.") from None


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings of a user, and what the environment wants of them."""

    settings: Settings
    variables: Variables
    file: Path

    @property
    def wish(self) -> Choice:
        """What the environment decides; it counts more than the file."""
        variables = self.variables
        return Choice(
            model=variables.get(MODEL),
            cheap=variables.get(CHEAP_MODEL),
            temperature=_read_number(variables, TEMPERATURE, TEMPERATURE_MAX),
            max_output_tokens=_read_whole(variables, MAX_OUTPUT_TOKENS),
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

    def _unknown(self, name: str) -> TalewrightError:
        known = ", ".join(self.settings.models)
        services = ", ".join(f"{one.name}/..." for one in known_services())
        listed = f"Configured: {known}. " if known else "None is configured; `talewright setup` does it. "
        return TalewrightError(f"there is no model {name!r}", f"{listed}Or name one of a service: {services}")


def load(environment: Mapping[str, str], home: Path, variables: Variables) -> Loaded:
    """Everything that is decided about models; a TalewrightError where the file does not fit."""
    file = find_settings_file(environment, home)
    return Loaded(read_settings(read_settings_file(file), str(file)), variables, file)


def _read_number(variables: Variables, name: str, high: float) -> float | None:
    text = variables.get(name)
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= high:
        raise TalewrightError(f"{name} must be a number from 0 to {high:g}", "Set it anew, or unset it.")
    return value


def _read_whole(variables: Variables, name: str) -> int | None:
    text = variables.get(name)
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and int(text[:9]) > 0):
        raise TalewrightError(f"{name} must be a whole number from 1 up", "Set it anew, or unset it.")
    return int(text)
