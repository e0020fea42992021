"""Loading: the file and the environment together, models by name, and to whom a key may go."""

from pathlib import Path

import pytest

from talewright.config.api_keys import EVERYWHERE, KeyPlace, find_key
from talewright.config.environment import EnvironmentVariables
from talewright.config.loaded_settings import LoadedSettings, load_settings
from talewright.config.model_settings import ModelPreference, ModelSettings, Settings
from talewright.config.settings_file import SETTINGS_BYTES_MAX, read_settings_file
from talewright.config.settings_parser import read_settings
from talewright.errors import SettingsError, TalewrightError
from talewright.llm.profiles import Prices

HOME = Path("/home/somebody")


def test_a_file_that_is_not_there_says_nothing(tmp_path: Path) -> None:
    found = load_settings({"TALEWRIGHT_HOME": str(tmp_path)}, HOME, EnvironmentVariables())
    assert found == LoadedSettings(Settings(), EnvironmentVariables(), tmp_path / "settings.toml")


def test_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_bytes('\ufeffmodel = "mini"\n'.encode())
    assert (
        load_settings({"TALEWRIGHT_HOME": str(tmp_path)}, HOME, EnvironmentVariables()).settings.usual.model
        == "mini"
    )


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(TalewrightError, match="cannot be read: Is a directory"):
        read_settings_file(tmp_path)
    (tmp_path / "long").write_bytes(b"#" * (SETTINGS_BYTES_MAX + 1))
    with pytest.raises(TalewrightError, match="is far too long"):
        read_settings_file(tmp_path / "long")
    (tmp_path / "latin").write_bytes(b"\xe9")
    with pytest.raises(TalewrightError, match="is not UTF-8"):
        read_settings_file(tmp_path / "latin")


def loaded(text: str = "", environment: dict[str, str] | None = None, **dotenv: str) -> LoadedSettings:
    return LoadedSettings(
        read_settings(text, "f"), EnvironmentVariables(environment or {}, dotenv), Path("f")
    )


def test_what_the_environment_wishes() -> None:
    found = loaded(
        "",
        {
            "TALEWRIGHT_MODEL": "a",
            "TALEWRIGHT_CHEAP_MODEL": "b",
            "TALEWRIGHT_TEMPERATURE": "0.25",
            "TALEWRIGHT_MAX_OUTPUT_TOKENS": "300",
        },
    )
    assert found.wish == ModelPreference(model="a", cheap="b", temperature=0.25, max_output_tokens=300)
    assert loaded().wish == ModelPreference()
    assert loaded(TALEWRIGHT_MODEL="c").wish == ModelPreference(model="c")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TALEWRIGHT_TEMPERATURE", "hot"),
        ("TALEWRIGHT_TEMPERATURE", "2.5"),
        ("TALEWRIGHT_TEMPERATURE", "-1"),
        ("TALEWRIGHT_TEMPERATURE", "nan"),
        ("TALEWRIGHT_MAX_OUTPUT_TOKENS", "0"),
        ("TALEWRIGHT_MAX_OUTPUT_TOKENS", "many"),
        ("TALEWRIGHT_MAX_OUTPUT_TOKENS", "1.5"),
        ("TALEWRIGHT_MAX_OUTPUT_TOKENS", "9" * 4_400),
    ],
)
def test_wishes_that_are_none(name: str, value: str) -> None:
    with pytest.raises(TalewrightError, match=f"^{name} must be a"):
        _ = loaded("", {name: value}).wish


FILE = '[models.mini]\nservice = "openai"\nmodel = "gpt-5-mini"\nprices = { input = 9, output = 9 }\n'


def test_models_by_name() -> None:
    found = loaded(FILE)
    assert found.find_model("none") is None
    assert found.find_model("mini") is found.settings.models["mini"]
    routed = found.find_model("openrouter/deepseek/deepseek-chat")
    assert routed is not None
    assert (routed.service, routed.model, routed.key_name) == (
        "openrouter",
        "deepseek/deepseek-chat",
        "OPENROUTER_API_KEY",
    )
    assert routed.name == "openrouter/deepseek/deepseek-chat"


@pytest.mark.parametrize("name", ["maxi", "acme/model", "openai/", "openai"])
def test_a_model_that_nobody_knows(name: str) -> None:
    with pytest.raises(TalewrightError) as caught:
        loaded(FILE).find_model(name)
    assert caught.value.message == f"there is no model {name!r}"
    assert caught.value.hint.startswith("Configured: mini. Or use a model of a service: openai/..., ")
    with pytest.raises(TalewrightError) as caught:
        loaded().find_model(name)
    assert caught.value.hint.startswith("None is configured; run `talewright setup`. ")


def test_prices_by_the_servers_name() -> None:
    assert loaded(FILE).profile_of("gpt-5-mini").prices == Prices(9.0, 9.0)
    assert loaded().profile_of("gpt-5-mini").prices == Prices(0.25, 2.0, 0.025)
    assert loaded().profile_of("some-model").prices is None


def own(found: LoadedSettings, name: str) -> ModelSettings:
    model = found.find_model(name)
    assert model is not None
    return model


URL = "http://127.0.0.1:9/v1"


def test_an_address_of_the_environment_gets_its_own_key_and_no_other() -> None:
    environment = {"TALEWRIGHT_MODEL": "mini", "TALEWRIGHT_BASE_URL": URL, "OPENAI_API_KEY": "vendor"}
    model = own(loaded(FILE, environment), "mini")
    # The model is still called what its server calls it, but no vendor's key goes to this address.
    assert (model.model, model.base_url, model.key_name) == ("gpt-5-mini", URL, "")
    environment["TALEWRIGHT_API_KEY"] = "mine"
    found = loaded(FILE, environment)
    model = own(found, "mini")
    assert (model.key_name, model.key_places) == (
        "TALEWRIGHT_API_KEY",
        (KeyPlace.ENVIRONMENT, KeyPlace.DOTENV),
    )
    assert own(found, "openai/gpt-5").base_url == "https://api.openai.com/v1"


def test_an_address_that_lay_in_the_folder_gets_no_key_of_the_environment() -> None:
    found = loaded(
        f'allowed_addresses = ["{URL}"]',
        {"TALEWRIGHT_API_KEY": "mine"},
        TALEWRIGHT_MODEL="x",
        TALEWRIGHT_BASE_URL=URL,
    )
    model = own(found, "x")
    assert model.key_places == (KeyPlace.DOTENV,)
    assert find_key(model.key_name, found.variables, None, model.key_places) is None
    assert own(loaded("", {"TALEWRIGHT_MODEL": "openai/x"}), "openai/x").key_places == EVERYWHERE


def test_an_address_that_lay_in_the_folder_is_refused_until_it_is_allowed() -> None:
    for allowed in ("", 'allowed_addresses = ["http://127.0.0.1:8/v1"]'):
        found = loaded(allowed, TALEWRIGHT_MODEL="x", TALEWRIGHT_BASE_URL=URL)
        assert found.foreign_address == URL
        with pytest.raises(SettingsError, match=f"sends the story to {URL}") as refused:
            found.find_model("x")
        assert f'allowed_addresses = ["{URL}"] to f' in refused.value.hint
        assert found.find_model("none") is None
    # One's own environment needs nobody's leave, and an address without a model tells nothing.
    assert loaded("", {"TALEWRIGHT_MODEL": "x", "TALEWRIGHT_BASE_URL": URL}).foreign_address == ""
    assert loaded("", TALEWRIGHT_BASE_URL=URL).foreign_address == ""
