"""The settings file: read in full, and every mistake told with its place and without its value."""

import tomllib

import pytest

from talewright.config.model_settings import (
    LOCAL_AT_ONCE,
    ModelPreference,
    ModelSettings,
    Settings,
    TimeoutSettings,
)
from talewright.config.settings_parser import TOP_FIELDS, read_settings
from talewright.errors import TalewrightError
from talewright.llm.measured_abilities import MeasuredAbilities
from talewright.llm.profiles import FREE, AnswerMode, Prices, SchemaForm
from talewright.turn.spending import SpendingBudget

CANARY = "sk-canary-7f3a9c"

WHOLE = """
model = "mini"
cheap = "home"
fallback = ["home"]
temperature = 0.7
max_output_tokens = 900
send_ahead = false

[models.mini]
service = "openai"
model = "gpt-5-mini"

[models.home]
base_url = "http://127.0.0.1:8080/v1/"
model = "smollm2"
context_tokens = 8192
output_tokens_max = 600
prices = { input = 0.1, output = 0.4, cached_input = 0.05, cache_write = 0.2 }
at_once = 2

[models.proxy]
service = "openai"
base_url = "https://proxy.example/v1"
model = "gpt-5-mini"
key = "PROXY_KEY"

[models.claude]
wire = "anthropic"
base_url = "https://claude.example"
model = "claude-sonnet-5"

[budget]
campaign_dollars = 5
campaign_tokens = 2_000_000
turn_dollars = 0.1
turn_tokens = 60_000

[timeouts]
connect_seconds = 5
first_token_seconds = 40
between_chunks_seconds = 20
total_seconds = 90
turn_seconds = 100

[games.mist_harbor]
model = "home"
budget = { turn_tokens = 0 }

[campaigns."mist harbor 1"]
cheap = "none"
temperature = 0
"""


def test_a_whole_file() -> None:
    settings = read_settings(WHOLE, "settings.toml")
    assert settings.usual == ModelPreference(
        model="mini",
        cheap="home",
        temperature=0.7,
        max_output_tokens=900,
        budget=SpendingBudget(5.0, 2_000_000, 0.1, 60_000),
    )
    assert settings.fallback == ("home",)
    assert not settings.send_ahead
    assert read_settings("", "f").send_ahead
    assert settings.games == {
        "mist_harbor": ModelPreference(model="home", budget=SpendingBudget(turn_tokens=0))
    }
    assert settings.campaigns == {"mist harbor 1": ModelPreference(cheap="none", temperature=0.0)}
    assert settings.timeouts == TimeoutSettings(
        connect_seconds=5,
        first_token_seconds=40,
        between_chunks_seconds=20,
        total_seconds=90,
        turn_seconds=100,
    )
    assert settings.models == {
        "mini": ModelSettings(
            name="mini",
            model="gpt-5-mini",
            base_url="https://api.openai.com/v1",
            service="openai",
            key_name="OPENAI_API_KEY",
        ),
        "home": ModelSettings(
            name="home",
            model="smollm2",
            base_url="http://127.0.0.1:8080/v1",
            context_tokens=8192,
            output_tokens_max=600,
            prices=Prices(0.1, 0.4, 0.05, 0.2),
            at_once=2,
        ),
        "proxy": ModelSettings(
            name="proxy",
            model="gpt-5-mini",
            base_url="https://proxy.example/v1",
            service="openai",
            key_name="PROXY_KEY",
        ),
        "claude": ModelSettings(
            name="claude", model="claude-sonnet-5", base_url="https://claude.example", wire="anthropic"
        ),
    }


def test_an_empty_file_says_nothing() -> None:
    assert read_settings("", "f") == Settings()


def test_profiles_are_the_rows_corrected_by_the_player() -> None:
    models = read_settings(WHOLE, "f").models
    assert models["mini"].profile.prices == Prices(0.25, 2.0, 0.025)
    assert models["home"].profile.context_tokens == 8192
    assert models["home"].profile.output_tokens_max == 600
    assert models["home"].profile.prices == Prices(0.1, 0.4, 0.05, 0.2)
    assert models["home"].profile.name == "smollm2"
    local = read_settings('[models.a]\nservice = "ollama"\nmodel = "x"', "f").models["a"]
    assert (local.profile.prices, local.own_at_once, local.key_name) == (FREE, LOCAL_AT_ONCE, "")


def test_a_vendors_key_is_not_sent_elsewhere_unless_that_is_said() -> None:
    text = '[models.a]\nservice = "openai"\nmodel = "x"\nbase_url = "https://elsewhere.example/v1"\n'
    assert read_settings(text, "f").models["a"].key_name == ""
    assert read_settings(text + 'key = "OPENAI_API_KEY"', "f").models["a"].key_name == "OPENAI_API_KEY"


MODEL = '[models.a]\nmodel = "x"\nbase_url = "http://127.0.0.1/v1"\n'
WRONG = {
    "no toml": ("model = ", "f is not valid TOML: "),
    "deep toml": ("model = " + "[" * 10_000, "f is not valid TOML: "),
    "unknown at the top": ("modell = 'a'", "f: modell is not a known field"),
    "no text": ("model = 3", "f: model must be a string"),
    "empty text": ("model = ' '", "f: model must be a string"),
    "text of two lines": ('model = "a\\nb"', "f: model must be a string"),
    "no number": ("temperature = 'hot'", "f: temperature must be a number from 0 to 2"),
    "truth is no number": ("temperature = true", "f: temperature must be a number from 0 to 2"),
    "too high": ("temperature = 2.1", "f: temperature must be a number from 0 to 2"),
    "too low": ("temperature = -0.1", "f: temperature must be a number from 0 to 2"),
    "no number at all": ("temperature = nan", "f: temperature must be a number from 0 to 2"),
    "not whole": ("max_output_tokens = 1.5", "f: max_output_tokens must be a whole number of 1 or more"),
    "none": ("max_output_tokens = 0", "f: max_output_tokens must be a whole number of 1 or more"),
    "truth is not whole": ("max_output_tokens = true", "f: max_output_tokens must be a whole number"),
    "no switch": ("send_ahead = 1", "f: send_ahead must be true or false"),
    "no list": ("fallback = 'a'", "f: fallback must be a list of strings"),
    "list of numbers": ("fallback = [1]", "f: fallback must be a list of strings"),
    "list of nothing": ("fallback = ['']", "f: fallback must be a list of strings"),
    "no table": ("models = 1", "f: models must be a table"),
    "no table inside": ("models = { a = 1 }", "f: models.a must be a table"),
    "no model": ("[models.a]\nservice = 'openai'", "f: models.a.model is missing"),
    "no address": ("[models.a]\nmodel = 'x'", "f: models.a.base_url is missing"),
    "unknown service": ("[models.a]\nmodel = 'x'\nservice = 'acme'", "f: models.a.service is not a known"),
    "unknown field": (MODEL + "api_key = 'sk-canary-7f3a9c'", "f: models.a.api_key is not a known field"),
    "a key": (MODEL + "key = 'sk-canary-7f3a9c'", "f: models.a.key must be the name of the key"),
    "unknown wire": (MODEL + "wire = 'telex'", "f: models.a.wire is not a known protocol"),
    "context": (MODEL + "context_tokens = 511", "f: models.a.context_tokens must be a whole number of 512"),
    "half a price": (MODEL + "prices = { input = 1 }", "f: models.a.prices.output is missing"),
    "other half": (MODEL + "prices = { output = 1 }", "f: models.a.prices.input is missing"),
    "negative": (MODEL + "prices = { input = -1, output = 1 }", "f: models.a.prices.input must be a number"),
    "odd price": (MODEL + "prices = { input = 1, output = 1, per = 2 }", "f: models.a.prices.per is not"),
    "name with slash": ("[models.'a/b']\nmodel = 'x'", "f: models.a/b cannot be the name of a model"),
    "reserved name": ("[models.none]\nmodel = 'x'", "f: models.none cannot be the name of a model"),
    "budget": ("[budget]\ncampaign = 1", "f: budget.campaign is not a known field"),
    "negative budget": ("[budget]\nturn_tokens = -1", "f: budget.turn_tokens must be a whole number of 0"),
    "timeouts": ("[timeouts]\ntotal_seconds = 0", "f: timeouts.total_seconds must be a number from 0.001"),
    "unknown timeout": ("[timeouts]\ntotal = 1", "f: timeouts.total is not a known field"),
    "game": ("[games.a]\nmodels = 'x'", "f: games.a.models is not a known field"),
    "campaign": ("[campaigns.a]\nfallback = []", "f: campaigns.a.fallback is not a known field"),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG)
def test_what_does_not_fit_is_told_with_its_place_and_without_its_value(text: str, message: str) -> None:
    with pytest.raises(TalewrightError) as caught:
        read_settings(text, "f")
    assert caught.value.message.startswith(message)
    assert caught.value.hint
    assert CANARY not in caught.value.message + caught.value.hint


ADDRESSES = [
    "ftp://127.0.0.1/v1",
    "127.0.0.1:8080",
    "http://",
    "http://user:sk-canary-7f3a9c@host/v1",
    "http://sk-canary-7f3a9c@host/v1",
    "http://:sk-canary-7f3a9c@host/v1",
    "http://host/v1?key=sk-canary-7f3a9c",
    "http://host/v1#sk-canary-7f3a9c",
    "http://host:99999/v1",
    "http://[::1/v1",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_with_a_key_in_it_is_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(TalewrightError) as caught:
        read_settings(f'[models.a]\nmodel = "x"\nbase_url = "{address}"', "f")
    assert caught.value.message == "f: models.a.base_url is not the address of a server"
    assert CANARY not in caught.value.hint


def test_a_near_miss_is_suggested() -> None:
    with pytest.raises(TalewrightError) as caught:
        read_settings("tempratur = 1", "f")
    assert caught.value.hint == "Did you mean temperature?"
    with pytest.raises(TalewrightError) as caught:
        read_settings("zzz = 1", "f")
    assert caught.value.hint == f"Known fields: {', '.join(TOP_FIELDS)}."


MEASURED = """
[models.home]
base_url = "http://127.0.0.1:8080/v1"
model = "smollm2"

[models.home.measured]
date = "2026-11-16"
server = "llama_cpp"
answer_mode = "schema"
schema_form = "json_schema"
takes_grammar = true
takes_tools = false
context_tokens = 8192
asks_usage = true
keeps_prefix = true
reports_progress = true
read_tokens_per_second = 45.5
write_tokens_per_second = 17
"""


def test_what_was_measured_is_read() -> None:
    model = read_settings(MEASURED, "s.toml").models["home"]
    assert model.measured == MeasuredAbilities(
        "2026-11-16",
        "llama_cpp",
        AnswerMode.SCHEMA,
        SchemaForm.JSON_SCHEMA,
        takes_grammar=True,
        takes_tools=False,
        context_tokens=8_192,
        asks_usage=True,
        keeps_prefix=True,
        reports_progress=True,
        read_tokens_per_second=45.5,
        write_tokens_per_second=17.0,
    )
    assert model.own_at_once == LOCAL_AT_ONCE


def test_what_was_measured_is_read_as_it_was_written() -> None:
    model = read_settings(MEASURED, "s.toml").models["home"]
    assert model.measured is not None
    written = tomllib.loads(MEASURED)["models"]["home"]["measured"]
    assert model.measured.to_settings() == written


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"llama_cpp"', '"acme"', "server is not a known service"),
        ('"schema"', '"strict"', "answer_mode is not a known value"),
        ("takes_tools = false", "takes_tools = 0", "takes_tools must be true or false"),
        ("8192", "8", "context_tokens must be a number from 512 to 2e+06"),
        ("= 17", "= 0", "write_tokens_per_second must be a number from 0.01 to 1e+06"),
        ("asks_usage", "ask_usage", "ask_usage is not a known field"),
    ],
)
def test_mistakes_in_what_was_measured(old: str, new: str, message: str) -> None:
    with pytest.raises(TalewrightError) as caught:
        read_settings(MEASURED.replace(old, new), "s.toml")
    assert caught.value.message == f"s.toml: models.home.measured.{message}"
