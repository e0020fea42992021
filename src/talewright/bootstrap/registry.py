"""The registry: models written down in the settings, their keys in the keyring, and who tells what.

Nothing is asked here and nothing is printed. A key goes into the keyring or nowhere.
"""

from talewright.bootstrap.models import Agency
from talewright.config.api_keys import ApiKey
from talewright.config.model_settings import ModelSettings, find_service
from talewright.config.settings_file import SettingValue, edit_file

MODEL, CHEAP = "model", "cheap"
"""The two things a model can be chosen for: to tell, and for summaries and errands."""


def enter_model(agency: Agency, model: ModelSettings, *, cheap: bool = False) -> None:
    """Write down a model, and that it tells from now on; only what its service does not say already."""
    fields: dict[str, SettingValue] = {"service": model.service or None, "model": model.model}
    service = find_service(model.service)
    if service is None or service.base_url != model.base_url:
        fields["base_url"] = model.base_url
    if model.key_name and (service is None or service.key_name != model.key_name):
        fields["key"] = model.key_name
    role = CHEAP if cheap else MODEL
    edit_file(agency.loaded.file, {(): {role: model.name}, ("models", model.name): fields})


def use_model(agency: Agency, name: str, *, game: str = "", campaign: str = "", cheap: bool = False) -> None:
    """Let a model tell: a game, a campaign, or usually. A name that nobody knows is not written down."""
    agency.loaded.find_model(name)
    path: tuple[str, ...] = ()
    if game or campaign:
        path = ("games", game) if game else ("campaigns", campaign)
    edit_file(agency.loaded.file, {path: {CHEAP if cheap else MODEL: name}})


def keep_key(agency: Agency, model: ModelSettings, key: ApiKey) -> str:
    """Put a key into the keyring; why that cannot be done, empty where it was."""
    trouble = agency.keyring.trouble
    if not trouble:
        agency.keyring.put(model.key_name, key)
    return trouble
