"""The agency: who is hired for which campaign, with which wrappers, and what is said where nobody can be."""

import asyncio
import sys
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from talewright import bootstrap
from talewright.bootstrap.provider_factory import (
    ALONE,
    TOGETHER,
    ProviderFactory,
    fit_seconds,
    make_provider,
    open_provider_factory,
    stretch,
)
from talewright.config.api_keys import ApiKey
from talewright.config.environment import API_KEY, BASE_URL, MODEL, EnvironmentVariables
from talewright.config.loaded_settings import LoadedSettings
from talewright.config.model_settings import (
    REMOTE_AT_ONCE,
    ModelPreference,
    ModelSettings,
    TimeoutSettings,
)
from talewright.config.settings_parser import read_settings
from talewright.errors import TalewrightError
from talewright.llm.fallback import Fallback
from talewright.llm.model_fit import fit_timeouts, fit_to_speed
from talewright.llm.profiles import Profile
from talewright.llm.rate_limit import RateLimitedProvider
from talewright.llm.reply_chunks import gather
from talewright.llm.requests import Request, UserMessage
from talewright.llm.retry import RetryingProvider
from talewright.providers.openai_wire import openai_provider
from talewright.providers.reply_timeouts import ProviderTimeouts as AdapterTimeouts
from talewright.turn.background.sending_ahead import may_send_ahead
from talewright.turn.spending import CampaignSpendingTracker, SpendingBudget
from talewright.turn.turn_limits import TurnLimits
from tests.cli.oracle import Oracle, consult
from tests.config.test_api_keys import Drawer

SETTINGS = """
model = "mini"
cheap = "home"

[models.mini]
service = "openai"
model = "gpt-5-mini"

[models.home]
base_url = "http://127.0.0.1:9/v1"
model = "x"

[games.harbor]
model = "none"

[campaigns.harbor-2]
model = "home"
temperature = 0.25
max_output_tokens = 300
budget = { campaign_tokens = 1000 }
"""


def factory(text: str = SETTINGS, wish: ModelPreference | None = None, **environment: str) -> ProviderFactory:
    loaded = LoadedSettings(read_settings(text, "f"), EnvironmentVariables(environment), Path("f"))
    return ProviderFactory(loaded, Drawer(), wish or ModelPreference())


def test_a_campaign_has_its_own_teller() -> None:
    hired = factory(OPENAI_API_KEY="k").hire("other", "other-1")
    assert hired is not None
    assert (hired.main.profile.name, hired.temperature, hired.max_output_tokens) == ("gpt-5-mini", None, None)
    assert hired.cheap is not None
    assert hired.cheap.profile.name == "x"
    assert isinstance(hired.main, RetryingProvider)
    assert factory().hire("harbor", "harbor-1") is None
    own = factory().hire("harbor", "harbor-2")
    assert own is not None
    assert (own.main.profile.name, own.temperature, own.max_output_tokens) == ("x", 0.25, 300)
    assert isinstance(own.spending_tracker, CampaignSpendingTracker)
    assert own.spending_tracker.budget == SpendingBudget(campaign_tokens=1000)


LOCAL = """
model = "home"
fallback = ["mini"]

[models.home]
service = "llama_cpp"
model = "x"

[models.mini]
service = "openai"
model = "gpt-5-mini"
"""


def test_a_local_model_is_sent_to_ahead_without_those_who_stand_in_for_it() -> None:
    hired = factory(LOCAL, OPENAI_API_KEY="k").hire("other", "other-1")
    assert hired is not None
    assert isinstance(hired.main, Fallback)
    assert isinstance(hired.ahead, RateLimitedProvider)
    assert hired.ahead.profile.name == "x"
    assert may_send_ahead(hired.ahead.profile)
    switched_off = factory(f"send_ahead = false\n{LOCAL}").hire("other", "other-1")
    assert switched_off is not None
    assert switched_off.ahead is None
    # Wherever a price is known, or none is, nothing is sent.
    for settings in (SETTINGS, LOCAL.replace('service = "llama_cpp"', 'base_url = "http://127.0.0.1:9/v1"')):
        priced = factory(settings, OPENAI_API_KEY="k").hire("other", "other-1")
        assert priced is not None
        assert priced.ahead is not None
        assert not may_send_ahead(priced.ahead.profile)


def test_wishes_count_more_than_the_file() -> None:
    asked = factory(wish=ModelPreference(model="home"), TALEWRIGHT_MODEL="mini", OPENAI_API_KEY="k")
    hired = asked.hire("harbor", "harbor-1")
    assert hired is not None
    assert hired.main.profile.name == "x"
    told = factory(TALEWRIGHT_MODEL="mini", OPENAI_API_KEY="k").hire("harbor", "harbor-1")
    assert told is not None
    assert told.main.profile.name == "gpt-5-mini"
    assert factory(wish=ModelPreference(model="none"), OPENAI_API_KEY="k").hire("other", "other-1") is None
    assert factory("").hire("other", "other-1") is None


def test_a_missing_key_is_told_before_anything_is_asked() -> None:
    with pytest.raises(TalewrightError) as caught:
        factory().hire("other", "other-1")
    assert caught.value.message == (
        "the model 'mini' needs the key OPENAI_API_KEY, "
        "which is not in the environment, in .env or in the keyring"
    )
    assert "--no-model" in caught.value.hint


def test_others_stand_in_where_they_can_be_asked() -> None:
    text = SETTINGS.replace("cheap =", 'fallback = ["home", "mini", "openrouter/x"]\ncheap =')
    hired = factory(text, OPENAI_API_KEY="k").hire("other", "other-1")
    assert hired is not None
    assert isinstance(hired.main, Fallback)
    # Whoever has no key is left out, and nobody stands in for themselves.
    assert [one.profile.name for one in hired.main._providers] == ["gpt-5-mini", "x"]
    assert isinstance(hired.cheap, RetryingProvider)
    assert hired.cheap.profile.name == "x"
    assert (ALONE.paid_tries_max, TOGETHER.paid_tries_max) == (2, 1)
    limits = [one._limits for one in hired.main._providers if isinstance(one, RetryingProvider)]
    assert limits == [TOGETHER, TOGETHER]
    # A budget has to hold what the dearest of them may cost.
    assert isinstance(hired.spending_tracker, CampaignSpendingTracker)
    assert [one.name for one in hired.spending_tracker._others] == ["x"]


def test_a_budget_in_dollars_needs_prices() -> None:
    text = SETTINGS.replace("127.0.0.1:9", "far.example") + "\n[budget]\ncampaign_dollars = 1\n"
    with pytest.raises(TalewrightError) as caught:
        factory(text, OPENAI_API_KEY="k").hire("other", "other-1")
    assert caught.value.message == ("a budget in dollars needs prices, but those of home are unknown")
    priced = text.replace('model = "x"', 'model = "x"\nprices = { input = 0, output = 0 }')
    assert factory(priced, OPENAI_API_KEY="k").hire("other", "other-1") is not None


def test_limits_of_a_turn() -> None:
    assert factory().limits == TurnLimits()
    assert factory("[timeouts]\nturn_seconds = 7\n").limits == TurnLimits(turn_seconds_max=7.0)


HOME = ModelSettings(name="home", model="x", base_url="http://127.0.0.1:9/v1")


def take_times(monkeypatch: pytest.MonkeyPatch) -> list[AdapterTimeouts]:
    """The timeouts of every provider that is made from now on."""
    made: list[AdapterTimeouts] = []

    def make(*_: object, timeouts: AdapterTimeouts, **__: object) -> None:
        made.append(timeouts)

    monkeypatch.setattr(openai_provider, "OpenAICompatible", make)
    return made


@pytest.mark.parametrize("turn_seconds", [None, 30.0, 120.0, 600.0])
def test_a_model_that_hangs_is_asked_again_within_the_turn(
    turn_seconds: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = take_times(monkeypatch)
    home = factory("" if turn_seconds is None else f"[timeouts]\nturn_seconds = {turn_seconds}\n")
    timeouts, longest = home.loaded.settings.timeouts, home.limits.turn_seconds_max
    make_provider(HOME, None, timeouts)
    first, begin = made[0].first_token_seconds, ALONE.begin_seconds_max * stretch(timeouts)
    assert first == pytest.approx(0.375 * longest)
    # It is given up, waited for, asked again, and has as long as before: all within the turn.
    assert first + ALONE.first_wait_seconds < begin
    assert begin + first < made[0].total_seconds < longest


def test_what_the_settings_say_is_not_stretched(monkeypatch: pytest.MonkeyPatch) -> None:
    made = take_times(monkeypatch)
    own = TimeoutSettings(turn_seconds=600.0, first_token_seconds=9.0)
    make_provider(HOME, None, own)
    assert made == [replace(AdapterTimeouts(), first_token_seconds=9.0, total_seconds=550.0)]


def test_patience_grows_with_the_turn() -> None:
    hired = factory(SETTINGS + "\n[timeouts]\nturn_seconds = 600\n", OPENAI_API_KEY="k").hire("other", "o-1")
    assert hired is not None
    assert isinstance(hired.main, RetryingProvider)
    assert hired.main._limits == replace(ALONE, begin_seconds_max=300.0)


def test_one_door_for_one_model_however_many_campaigns() -> None:
    hiring = factory(OPENAI_API_KEY="k")
    for number in range(3):
        assert hiring.hire("other", f"other-{number}") is not None
    assert sorted(hiring._doors) == ["home", "mini"]
    asyncio.run(hiring.close())
    assert hiring._doors == {}


def test_no_more_at_once_than_the_settings_say() -> None:
    hiring = factory(SETTINGS.replace('model = "x"', 'model = "x"\nat_once = 2'), OPENAI_API_KEY="k")
    assert hiring.hire("other", "other-1") is not None
    doors = [hiring._doors[name] for name in ("home", "mini")]
    assert [door._places._value for door in doors if isinstance(door, RateLimitedProvider)] == [
        2,
        REMOTE_AT_ONCE,
    ]


def test_a_key_of_the_environment_is_not_for_an_address_out_of_a_file() -> None:
    address = "http://127.0.0.1:9/v1"
    variables = EnvironmentVariables({API_KEY: "k"}, {MODEL: "m", BASE_URL: address})
    loaded = LoadedSettings(read_settings(f'allowed_addresses = ["{address}"]', "f"), variables, Path("f"))
    with pytest.raises(TalewrightError, match=f"needs the key {API_KEY}"):
        ProviderFactory(loaded, Drawer()).hire("other", "other-1")


def ask_once(oracle: Oracle, text: str) -> tuple[str, ProviderFactory]:
    hiring = factory(text.format(url=oracle.url), MY_KEY="sk-canary")

    async def run() -> str:
        teller = hiring.hire("g", "c")
        assert teller is not None
        reply = gather([chunk async for chunk in teller.main.stream(Request((UserMessage("Go on."),)))])
        await hiring.close()
        assert isinstance(teller.spending_tracker, CampaignSpendingTracker)
        assert [one.model for one in teller.spending_tracker.empty()] == ["oracle-1"]
        return reply.text

    return asyncio.run(run()), hiring


def test_a_question_goes_through_everything() -> None:
    text = 'model = "own"\n[models.own]\nbase_url = "{url}"\nmodel = "oracle-1"\nkey = "MY_KEY"\n'
    with consult() as oracle:
        oracle.text = "Yes."
        told, hiring = ask_once(oracle, text)
        assert told == "Yes."
        assert oracle.headers[0]["authorization"] == "Bearer sk-canary"
    assert "sk-canary" not in repr(hiring)


def test_a_wire_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "talewright.providers.pydantic_ai_bridge.bridge", None)
    claude = ModelSettings(name="c", model="claude", base_url="https://c.example", wire="anthropic")
    with pytest.raises(TalewrightError) as caught:
        make_provider(claude, ApiKey("sk-canary"), TimeoutSettings())
    assert caught.value.message == "the model 'c' uses the anthropic protocol, which is not installed"
    assert "talewright[anthropic]" in caught.value.hint


@pytest.mark.skipif(find_spec("pydantic_ai") is None, reason="the bridge is an extra")
def test_another_wire_goes_over_the_bridge(monkeypatch: pytest.MonkeyPatch) -> None:
    bridge = import_module("talewright.providers.pydantic_ai_bridge.bridge")
    asked: list[tuple[object, ...]] = []

    def make(*words: object, timeouts: AdapterTimeouts, **more: object) -> None:
        asked.append((*words, more["base_url"], timeouts.connect_seconds, timeouts.total_seconds))

    monkeypatch.setattr(bridge, "make_bridge", make)
    claude = ModelSettings(name="c", model="claude", base_url="https://c.example", wire="anthropic")
    make_provider(claude, ApiKey("sk-canary"), TimeoutSettings(connect_seconds=3.0))
    usual = AdapterTimeouts().total_seconds
    assert asked == [("anthropic", "claude", "sk-canary", "https://c.example", 3.0, usual)]


def test_the_agency_of_a_user(tmp_path: Path) -> None:
    home = {"TALEWRIGHT_HOME": str(tmp_path / "home")}
    (tmp_path / ".env").write_text("TALEWRIGHT_MODEL=ollama/x\n")
    opened = open_provider_factory(home, tmp_path, tmp_path, ModelPreference(cheap="none"))
    assert opened.decide("", "") == ModelPreference(model="ollama/x", cheap="none")


@pytest.mark.parametrize(
    ("environment", "dotenv", "settings", "said"),
    [
        ({}, "", False, False),
        ({"TALEWRIGHT_MODEL": "a"}, "", False, True),
        ({}, "TALEWRIGHT_MODEL=a", False, True),
        ({}, "OTHER=a", False, False),
        ({"OPENAI_API_KEY": "k"}, "", False, False),
        ({}, "", True, True),
    ],
)
def test_whether_anything_is_said_about_models(
    environment: dict[str, str],
    dotenv: str,
    settings: bool,
    said: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    if dotenv:
        (tmp_path / ".env").write_text(dotenv)
    if settings:
        (tmp_path / "settings.toml").write_text("")
    assert bootstrap.has_models({"TALEWRIGHT_HOME": str(tmp_path), **environment}) is said


SLOW = fit_to_speed(
    Profile("x", context_tokens=8_192, read_tokens_per_second=40.0, write_tokens_per_second=14.0)
)


def test_the_timeouts_of_a_slow_model_follow_from_its_speed_where_the_settings_say_nothing() -> None:
    fitted = fit_timeouts(SLOW)
    assert fitted is not None
    assert fit_seconds(SLOW, TimeoutSettings()) == {
        "first_token_seconds": fitted.first_token_seconds,
        "total_seconds": fitted.total_seconds,
    }
    own = TimeoutSettings(first_token_seconds=5.0)
    assert fit_seconds(SLOW, own) == {"total_seconds": fitted.total_seconds}
    assert fit_seconds(SLOW, TimeoutSettings(turn_seconds=300.0)) == {}
    assert fit_seconds(Profile("x"), TimeoutSettings()) == {}


def test_a_turn_of_a_slow_model_has_a_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = factory().hire("harbor", "harbor-2")
    assert usual is not None
    assert usual.turn_seconds_max is None
    monkeypatch.setattr(ModelSettings, "profile", property(lambda model: SLOW))
    slow = factory().hire("harbor", "harbor-2")
    assert slow is not None
    assert slow.turn_seconds_max == 58.0
    told = factory(SETTINGS + "\n[timeouts]\nturn_seconds = 300\n").hire("harbor", "harbor-2")
    assert told is not None
    assert told.turn_seconds_max is None
