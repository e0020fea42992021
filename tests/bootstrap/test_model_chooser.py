"""The model desk: what can be chosen, who tells, a trial by a real call, and a key that is never shown."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from talewright.bootstrap import model_chooser as room
from talewright.bootstrap import provider_factory
from talewright.bootstrap.ability_probe_runner import RunningProbe
from talewright.bootstrap.model_chooser import LocalModelChooser, model_chooser_words
from talewright.bootstrap.settings_reload import ReloadingProviderFactory
from talewright.config import model_settings as configured
from talewright.config.ability_phrases import describe_abilities
from talewright.config.api_keys import ApiKey
from talewright.config.model_settings import ModelPreference, ModelSettings, choose_of_service
from talewright.errors import TalewrightError
from talewright.llm.known_models import SERVICES
from talewright.llm.measured_abilities import MeasuredAbilities
from talewright.llm.profiles import AnswerMode, Service
from talewright.play.model_choices import NO_MODEL, ModelCandidate, ModelChoice, ModelChooser, ModelSource
from tests.cli.oracle import Oracle, consult
from tests.config.test_api_keys import Drawer

CANARY = "sk-canary-51d0"
SETTINGS = """
model = "mini"

[models.mini]
service = "openai"
model = "gpt-5-mini"

[models.home]
service = "ollama"
model = "llama3.2"

[models.own]
base_url = "http://127.0.0.1:9/v1"
model = "x"
"""


class Shut(Drawer):
    """A keyring that cannot be used."""

    trouble = "no keyring runs here"


def _is_a_desk(desk: LocalModelChooser) -> ModelChooser:
    return desk


class House:
    """A desk with settings, a keyring and an environment of its own."""

    def __init__(self, home: Path, **environment: str) -> None:
        self.drawer = Drawer()
        self.language = "en"
        self.file = home / "settings.toml"
        self.environment = {"TALEWRIGHT_HOME": str(home), **environment}
        self.reloading_factory = ReloadingProviderFactory(self._open)
        self.desk = LocalModelChooser(self.reloading_factory, lambda: self.language)

    def _open(self) -> provider_factory.ProviderFactory:
        factory = provider_factory.open_provider_factory(
            self.environment, self.file.parent, self.file.parent, ModelPreference()
        )
        return provider_factory.ProviderFactory(factory.loaded, self.drawer, factory.wish)


@pytest.fixture(name="house")
def make_house(tmp_path: Path) -> House:
    house = House(tmp_path)
    house.file.write_text(SETTINGS, "utf-8")
    return house


@pytest.fixture(name="oracle")
def make_oracle() -> Iterator[Oracle]:
    with consult() as oracle:
        yield oracle


@pytest.fixture(name="acme")
def serve_at(oracle: Oracle, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Lets a service at the oracle's address be known, with a key or without."""

    def serve(key_name: str) -> None:
        usual = SERVICES["openai"].default
        service = Service("acme", "Acme", "openai", oracle.url, usual, {"big": usual}, key_name)
        monkeypatch.setattr(configured, "SERVICES", {**SERVICES, "acme": service})

    return serve


def test_what_is_set_up_can_be_chosen(house: House) -> None:
    mini, home, own = asyncio.run(house.desk.choices())
    assert (mini.name, mini.title, mini.place) == ("mini", "gpt-5-mini", "at OpenAI")
    assert mini.price.startswith("about $")
    assert mini.price.endswith(" a turn")
    assert (mini.trouble, mini.hint) == (
        "the key OPENAI_API_KEY is missing",
        model_chooser_words("en").no_key_hint,
    )
    assert home == ModelChoice("home", "llama3.2", "on this machine (Ollama)", "free")
    assert own == ModelChoice("own", "x", "at 127.0.0.1:9", "free")
    house.drawer.keys["OPENAI_API_KEY"] = CANARY
    house.language = "zh-CN"
    mini, home, own = asyncio.run(house.desk.choices())
    assert (mini.trouble, mini.place, home.price) == ("", "由 OpenAI 提供", "免费")
    assert CANARY not in repr((mini, home, own))
    assert asyncio.run(house.desk.in_language("en").choices())[1].price == "free"
    assert asyncio.run(house.desk.choices())[1].price == "免费"


def test_what_is_chosen_elsewhere_is_offered_too(tmp_path: Path) -> None:
    house = House(tmp_path)
    assert asyncio.run(house.desk.choices()) == ()
    assert asyncio.run(house.desk.chosen()) == NO_MODEL
    house.file.write_text('model = "ollama/qwen3"\n', "utf-8")
    (only,) = asyncio.run(house.desk.choices())
    assert (only.name, only.title) == ("ollama/qwen3", "qwen3")


def test_a_choice_counts_for_a_campaign_or_usually(house: House) -> None:
    async def main() -> None:
        desk = house.desk
        await desk.choose("home", "harbor-1")
        assert await desk.chosen("harbor-1", "harbor") == "home"
        assert await desk.chosen("harbor-2") == "mini"
        assert house.reloading_factory.tell_who("harbor", "harbor-1") == "llama3.2"
        await desk.choose(NO_MODEL)
        assert (await desk.chosen(), await desk.chosen("harbor-1")) == (NO_MODEL, "home")
        with pytest.raises(TalewrightError, match="there is no model 'nobody'"):
            await desk.choose("nobody")
        assert await desk.chosen() == NO_MODEL

    asyncio.run(main())


def test_what_the_environment_decides_cannot_be_chosen_otherwise(tmp_path: Path) -> None:
    async def main() -> None:
        house = House(tmp_path, TALEWRIGHT_MODEL="ollama/qwen3")
        house.file.write_text(SETTINGS, "utf-8")
        with pytest.raises(TalewrightError, match="TALEWRIGHT_MODEL selects ollama/qwen3") as caught:
            await house.desk.choose("home")
        assert caught.value.hint == model_chooser_words("en").environment_hint
        await house.desk.choose("ollama/qwen3")
        assert await house.desk.chosen("any") == "ollama/qwen3"

    asyncio.run(main())


def test_services_are_known_with_their_keys(house: House) -> None:
    house.drawer.keys["OPENAI_API_KEY"] = CANARY
    services = {one.name: one for one in asyncio.run(house.desk.services())}
    openai = services["openai"]
    assert (openai.title, openai.is_local, openai.key_name, openai.has_key) == (
        "OpenAI",
        False,
        "OPENAI_API_KEY",
        True,
    )
    assert openai.models
    assert not services["openrouter"].has_key
    assert "ollama" not in services
    assert CANARY not in repr(services)


def test_servers_that_answer_are_found(
    house: House, oracle: Oracle, acme: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    acme("")
    silent = choose_of_service("ollama", "any")
    servers = (choose_of_service("acme", "any"), replace(silent, base_url=SHUT))
    monkeypatch.setattr(room, "local_servers", lambda: servers)
    (found,) = asyncio.run(house.desk.local())
    assert (found.title, found.is_local, found.models) == ("Acme", True, oracle.models)
    assert isinstance(found, ModelSource)


SHUT = "http://127.0.0.1:9/v1"
"""An address at which nobody answers."""


def test_a_model_is_tried_by_a_real_call(house: House, oracle: Oracle, acme: Callable[[str], None]) -> None:
    acme("ACME_KEY")
    oracle.text = "Ready. " + "r" * 400

    async def main() -> None:
        desk = house.desk
        lacking = await desk.test(ModelCandidate("acme", "oracle-1"))
        assert (lacking.good, lacking.text) == (False, "the key ACME_KEY is missing")
        assert oracle.asked == []
        trial = await desk.test(ModelCandidate("acme", "oracle-1", f" {CANARY}\n"))
        assert (trial.good, trial.text[:6], len(trial.text)) == (True, "Ready.", room.TOLD_MAX)
        assert trial.seconds > 0
        assert oracle.headers[-1]["authorization"] == f"Bearer {CANARY}"
        oracle.status = 401
        refused = await desk.test(ModelCandidate("acme", "oracle-1", CANARY))
        assert not refused.good
        assert refused.text.startswith("The storyteller refused the key.")
        assert CANARY not in repr((trial, refused))
        assert house.drawer.keys == {}

    asyncio.run(main())


def test_a_model_whose_wire_is_not_installed_says_so(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(model: object, key: object) -> None:
        raise TalewrightError("it cannot be loaded", "Install it.")

    monkeypatch.setattr(room, "try_model", refuse)
    trial = asyncio.run(house.desk.test(ModelCandidate("openai", "x", CANARY)))
    assert (trial.good, trial.text, trial.hint) == (False, "it cannot be loaded", "Install it.")


def test_a_model_is_kept_with_its_key(house: House) -> None:
    async def main() -> None:
        told = await house.desk.keep(ModelCandidate("openrouter", "deepseek/deepseek-chat:free", CANARY))
        assert told.splitlines() == [
            f"openrouter-deepseek-deepseek-chat-free is now your storyteller ({house.file}).",
            "Its key is stored in the keyring as OPENROUTER_API_KEY.",
        ]
        assert house.drawer.keys == {"OPENROUTER_API_KEY": CANARY}
        assert CANARY not in house.file.read_text("utf-8") + told
        assert await house.desk.chosen() == "openrouter-deepseek-deepseek-chat-free"
        assert house.reloading_factory.hire("", "") is not None
        assert "key" not in await house.desk.keep(ModelCandidate("ollama", "qwen3"))

    asyncio.run(main())


def test_where_there_is_no_keyring_the_key_is_held_until_the_end(house: House) -> None:
    house.drawer = Shut()

    async def main() -> None:
        told = await house.desk.keep(ModelCandidate("openai", "gpt-5-mini", CANARY))
        assert "Its key could not be stored (no keyring runs here)." in told
        assert "OPENAI_API_KEY" in told
        assert house.reloading_factory.hire("", "") is not None
        assert CANARY not in told + house.file.read_text("utf-8")
        assert house.drawer.keys == {}

    asyncio.run(main())


def test_a_server_at_any_address(house: House, oracle: Oracle) -> None:
    async def main() -> None:
        desk = house.desk
        source = await desk.at_address(f" {oracle.url}/chat/completions ")
        assert (source.base_url, source.title) == (oracle.url, urlsplit(oracle.url).netloc)
        assert (source.key_name, source.needs_key, bool(source.models)) == ("", False, True)
        candidate = ModelCandidate("", "big", base_url=source.base_url)
        assert (await desk.test(candidate)).good
        told = await desk.keep(candidate)
        assert await desk.chosen() == house.reloading_factory.open().decide("", "").model
        assert str(house.file) in told
        (kept,) = [model for model in await desk.choices() if model.title == "big"]
        assert (kept.place, kept.trouble) == (f"at {source.title}", "")

    asyncio.run(main())


def test_a_server_of_ones_own_that_wants_a_key(house: House, oracle: Oracle) -> None:
    async def main() -> None:
        desk = house.desk
        candidate = ModelCandidate("", "big", CANARY, oracle.url)
        assert (await desk.test(candidate)).good
        await desk.keep(candidate)
        (name,) = house.drawer.keys
        assert (name.startswith("SERVER_127_0_0_1_"), house.drawer.keys[name]) == (True, CANARY)
        assert CANARY not in house.file.read_text("utf-8")
        # The next time it is there already.
        source = await desk.at_address(oracle.url)
        assert (source.key_name, source.has_key) == (name, True)

    asyncio.run(main())


def test_a_server_that_does_not_tell_its_models(house: House) -> None:
    source = asyncio.run(house.desk.at_address("http://127.0.0.1:9/v1"))
    assert (source.models, source.key_name, source.has_key) == ((), "SERVER_127_0_0_1_9_API_KEY", False)


@pytest.mark.parametrize(
    "address", ["", "?", "ftp://host/v1", "https://me:pass@host/v1", "http://host/v1?k=1"]
)
def test_what_is_no_address_is_not_asked(house: House, address: str) -> None:
    with pytest.raises(TalewrightError, match="not the address of a server") as caught:
        asyncio.run(house.desk.at_address(address))
    assert "pass" not in caught.value.message


FOUND = MeasuredAbilities("2026-11-16", "ollama", AnswerMode.SCHEMA, context_tokens=4_096)


@pytest.mark.parametrize(("language", "asked"), [("en", "which server it is"), ("zh-CN", "这是哪种服务器")])
def test_what_a_server_can_do_is_told_and_kept(
    house: House, language: str, asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    skips: list[str] = []

    class Probe:
        def skip(self) -> None:
            skips.append("skipped")

        async def run(self) -> MeasuredAbilities:
            return FOUND

    async def probe(
        model: ModelSettings,
        key: ApiKey | None,
        progress: Callable[[str, int, int], None],
        begin: Callable[[RunningProbe], None],
    ) -> MeasuredAbilities:
        assert (model.model, key) == ("m", None)
        begin(Probe())
        progress("server", 1, 10)
        house.desk.skip_question()
        return FOUND

    monkeypatch.setattr(room, "probe_abilities", probe)
    house.language = language
    heard: list[tuple[str, int, int]] = []
    candidate = ModelCandidate("", "m", base_url="http://127.0.0.1:9/v1")
    told = asyncio.run(house.desk.find_abilities(candidate, lambda *each: heard.append(each)))
    assert heard == [(asked, 1, 10)]
    assert skips == ["skipped"]
    house.desk.skip_question()
    assert skips == ["skipped"]
    first, second = told.split("\n")
    assert first == describe_abilities(FOUND, language)
    assert "OLLAMA_CONTEXT_LENGTH" in second
    asyncio.run(house.desk.keep(candidate))
    assert house.reloading_factory.open().loaded.settings.models["127.0.0.1-9-m"].measured == FOUND


def test_a_service_with_a_price_is_not_asked(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(room, "probe_abilities")
    candidate = ModelCandidate("openai", "gpt-5-mini", CANARY)
    assert asyncio.run(house.desk.find_abilities(candidate, lambda *_: None)) == ""


def test_a_server_that_answers_nothing_is_kept_as_it_is(
    house: House, oracle: Oracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    oracle.status = 500
    candidate = ModelCandidate("", "m", base_url=oracle.url)
    told = asyncio.run(house.desk.find_abilities(candidate, lambda *_: None))
    assert told == describe_abilities(MeasuredAbilities("2026-11-16"))
    asyncio.run(house.desk.keep(candidate))
    (model,) = (
        one for one in house.reloading_factory.open().loaded.settings.models.values() if one.model == "m"
    )
    assert model.measured is None
