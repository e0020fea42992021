"""The model chooser: lists, tests, chooses and saves models for a face, with its interface texts.

A choice takes effect when a campaign is next opened. No key is ever shown or written to a file.
"""

import asyncio
import copy
from collections.abc import Callable, Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from talewright.bootstrap.ability_probe_runner import RunningProbe, probe_abilities
from talewright.bootstrap.model_trial import local_servers, probe, probe_servers, try_model
from talewright.bootstrap.provider_factory import ProviderFactory
from talewright.bootstrap.settings_reload import ReloadingProviderFactory
from talewright.common.frozen_values import frozen
from talewright.common.word_catalogues import load_words
from talewright.config.ability_phrases import ability_words, describe_abilities, describe_small_context
from talewright.config.api_keys import ApiKey
from talewright.config.environment import MODEL, NO_MODEL
from talewright.config.model_settings import (
    TYPICAL_TURN,
    ModelSettings,
    choose_of_service,
    find_service,
    known_services,
    model_at_address,
    money,
)
from talewright.config.settings_file import SettingValue, edit_file
from talewright.config.settings_parser import MEASURED
from talewright.errors import TalewrightError
from talewright.llm.cost_meter import cost
from talewright.llm.measured_abilities import ABILITY_FIELDS, MeasuredAbilities
from talewright.llm.profiles import Prices
from talewright.llm.provider import ProviderError, word_trouble
from talewright.play.model_choices import ModelCandidate, ModelChoice, ModelSource, TrialView

MODEL_ROLE, CHEAP_ROLE = "model", "cheap"
"""The two roles of a model: storyteller, and summaries and background tasks."""


def enter_model(factory: ProviderFactory, model: ModelSettings, *, cheap: bool = False) -> None:
    """Save a model and make it the default; fields that its service already defines are left out."""
    fields: dict[str, SettingValue] = {"service": model.service or None, "model": model.model}
    service = find_service(model.service)
    if service is None or service.base_url != model.base_url:
        fields["base_url"] = model.base_url
    if model.key_name and (service is None or service.key_name != model.key_name):
        fields["key"] = model.key_name
    role = CHEAP_ROLE if cheap else MODEL_ROLE
    tables: dict[tuple[str, ...], Mapping[str, SettingValue]] = {(): {role: model.name}}
    tables["models", model.name] = fields
    if model.measured is not None or model.name in factory.loaded.settings.models:
        tables |= _write_measured(model.name, model.measured)
    edit_file(factory.loaded.file, tables)


def enter_measured(factory: ProviderFactory, name: str, measured: MeasuredAbilities) -> None:
    """Save the abilities found for a configured model's server, replacing earlier ones."""
    edit_file(factory.loaded.file, _write_measured(name, measured))


def _write_measured(
    name: str, measured: MeasuredAbilities | None
) -> dict[tuple[str, ...], Mapping[str, SettingValue]]:
    found = {} if measured is None else measured.to_settings()
    return {("models", name, MEASURED): {field: found.get(field) for field in ABILITY_FIELDS}}


def use_model(
    factory: ProviderFactory, name: str, *, game: str = "", campaign: str = "", cheap: bool = False
) -> None:
    """Choose a model for a game, a campaign or in general. An unknown name is refused."""
    factory.loaded.find_model(name)
    path: tuple[str, ...] = ()
    if game or campaign:
        path = ("games", game) if game else ("campaigns", campaign)
    edit_file(factory.loaded.file, {path: {CHEAP_ROLE if cheap else MODEL_ROLE: name}})


def keep_key(factory: ProviderFactory, model: ModelSettings, key: ApiKey) -> str:
    """Store a key in the keyring; return why that failed, or an empty string."""
    trouble = factory.keyring.trouble
    if not trouble:
        factory.keyring.put(model.key_name, key)
    return trouble


@frozen
class ModelChooserWords:
    """The texts of the model chooser."""

    here: str
    """A model on the player's machine, with `{title}`."""

    there: str
    """A model at a service, with `{title}`."""

    address: str
    """A model at a custom address, with `{place}`."""

    free: str
    turn: str
    """What a turn costs, with `{money}`."""

    no_key: str
    """With `{key}`."""

    no_key_hint: str
    kept: str
    """With `{name}` and `{file}`."""

    key_kept: str
    """With `{key}`."""

    key_held: str
    """If there is no keyring, with `{key}` and `{trouble}`."""

    environment: str
    """If the environment decides, with `{name}` and `{model}`."""

    environment_hint: str


def model_chooser_words(language: str) -> ModelChooserWords:
    """The texts in a language; English if there is no translation."""
    return load_words(ModelChooserWords, "model_chooser", language)


TOLD_MAX = 200
"""Characters of a model's reply that are shown."""


class LocalModelChooser:
    """The ModelChooser for this machine, with a factory that follows the settings."""

    def __init__(self, reloading_factory: ReloadingProviderFactory, language: Callable[[], str]) -> None:
        self._office = reloading_factory
        self._language = language
        """Returns the player's current language."""

        self._measured: dict[tuple[str, str], MeasuredAbilities] = {}
        """The abilities found for servers, by address and model, until a model is saved."""

        self._probes: list[RunningProbe] = []
        """The running probe, if there is one."""

    def in_language(self, language: str) -> "LocalModelChooser":
        """The same chooser, with its words in another language."""
        other = copy.copy(self)
        other._language = lambda: language
        return other

    async def choices(self) -> tuple[ModelChoice, ...]:
        """The configured models, and any other that is chosen."""
        # A keyring may be slow.
        return await asyncio.to_thread(
            _find_choices, self._office.open(), model_chooser_words(self._language())
        )

    async def chosen(self, campaign: str = "", game: str = "") -> str:
        """The model of a campaign; without a campaign, the default."""
        return self._office.open().decide(game, campaign).model or NO_MODEL

    async def choose(self, name: str, campaign: str = "") -> None:
        """Choose the model of a campaign, from its next opening on; without a campaign, the default."""
        factory = self._office.open()
        decided = factory.loaded.wish.model
        if decided and decided != name:
            words = model_chooser_words(self._language())
            told = words.environment.format(name=MODEL, model=decided)
            raise TalewrightError(told, words.environment_hint)
        use_model(factory, name, campaign=campaign)
        self._office.follow_settings()

    async def local(self) -> tuple[ModelSource, ...]:
        """The servers that respond at the usual addresses on this machine."""
        await _load_wire()
        found = await probe_servers(local_servers(), lambda done, of: None)
        return tuple(ModelSource(one.name, one.title, True, one.models) for one in found if not one.trouble)

    async def services(self) -> tuple[ModelSource, ...]:
        """The known services, each with suggested models."""
        return await asyncio.to_thread(_find_services, self._office.open())

    async def at_address(self, base_url: str) -> ModelSource:
        """The server at an address that the player typed, with its models if it lists them."""
        model = model_at_address(base_url, "", with_key=True)
        found = await asyncio.to_thread(self._office.open().find_key, model)
        await _load_wire()
        answer = await probe(model, None if found is None else found.key)
        # A server that lists its models without a key needs none.
        key_name = model.key_name if answer.trouble or found is not None else ""
        return ModelSource(
            "",
            urlsplit(model.base_url).netloc,
            False,
            answer.models,
            key_name,
            found is not None,
            model.base_url,
            needs_key=False,
        )

    async def test(self, candidate: ModelCandidate) -> TrialView:
        """Ask it one short question; nothing is saved."""
        model = await asyncio.to_thread(self._name_model, candidate)
        key = await asyncio.to_thread(self._find_key, model, candidate)
        words = model_chooser_words(self._language())
        if key is None and model.key_name:
            return TrialView(False, words.no_key.format(key=model.key_name), words.no_key_hint)
        try:
            await _load_wire()
            trial = await try_model(model, key)
        except ProviderError as error:
            told = word_trouble(error.trouble, self._language())
            return TrialView(False, f"{told.what} ({error.message})", told.then)
        except TalewrightError as error:
            return TrialView(False, error.message, error.hint)
        price = "" if trial.dollars is None else money(trial.dollars) if trial.dollars else words.free
        return TrialView(True, trial.text[:TOLD_MAX], seconds=trial.seconds, price=price)

    async def find_abilities(
        self, candidate: ModelCandidate, progress: Callable[[str, int, int], None]
    ) -> str:
        """Ask its server what it can do, if that is free; return the findings in words."""
        model = await asyncio.to_thread(self._name_model, candidate)
        if not model.may_be_probed:
            return ""
        key, language = await asyncio.to_thread(self._find_key, model, candidate), self._language()
        questions = ability_words(language).questions
        await _load_wire()
        try:
            found = await probe_abilities(
                model,
                key,
                lambda name, number, of: progress(questions[name], number, of),
                self._probes.append,
            )
        finally:
            self._probes.clear()
        if not found.found_nothing:
            self._measured[model.base_url, model.model] = found
            model = replace(model, measured=found)
        told = (describe_abilities(found, language), describe_small_context(model, language))
        return "\n".join(filter(None, told))

    def skip_question(self) -> None:
        """Skip the question that the server is being asked, if any."""
        for running in self._probes:
            running.skip()

    async def keep(self, candidate: ModelCandidate) -> str:
        """Save it as the default model, and its key in the keyring; return a message about it."""
        return await asyncio.to_thread(self._keep, candidate)

    def _name_model(self, candidate: ModelCandidate) -> ModelSettings:
        if not candidate.base_url:
            return choose_of_service(candidate.source, candidate.model)
        model = model_at_address(candidate.base_url, candidate.model, with_key=True)
        return model if self._find_key(model, candidate) is not None else replace(model, key_name="")

    def _find_key(self, model: ModelSettings, candidate: ModelCandidate) -> ApiKey | None:
        if candidate.key.strip():
            return ApiKey(candidate.key.strip())
        found = self._office.open().find_key(model)
        return None if found is None else found.key

    def _keep(self, candidate: ModelCandidate) -> str:
        factory, words = self._office.open(), model_chooser_words(self._language())
        model = self._name_model(candidate)
        model = replace(model, measured=self._measured.get((model.base_url, model.model)))
        told = []
        if candidate.key.strip() and model.key_name:
            key = ApiKey(candidate.key.strip())
            trouble = keep_key(factory, model, key)
            if trouble:
                self._office.hold_key(model.key_name, key)
                told.append(words.key_held.format(key=model.key_name, trouble=trouble))
            else:
                told.append(words.key_kept.format(key=model.key_name))
        enter_model(factory, model)
        self._office.follow_settings()
        return "\n".join([words.kept.format(name=model.name, file=factory.loaded.file), *told])


def _find_choices(factory: ProviderFactory, words: ModelChooserWords) -> tuple[ModelChoice, ...]:
    models = dict(factory.loaded.settings.models)
    usual = factory.decide("", "").model
    if usual and usual != NO_MODEL and usual not in models:
        found = factory.loaded.find_model(usual)
        models |= {} if found is None else {usual: found}
    return tuple(_describe(factory, name, model, words) for name, model in models.items())


def _find_services(factory: ProviderFactory) -> tuple[ModelSource, ...]:
    return tuple(
        ModelSource(
            service.name,
            service.title,
            False,
            tuple(service.models),
            service.key_name,
            factory.find_key(choose_of_service(service.name, "any")) is not None,
        )
        for service in known_services()
        if not service.is_local
    )


async def _load_wire() -> None:
    """Import the slow code that talks to models in a background thread."""

    def load() -> None:
        import talewright.providers.openai_wire.openai_provider  # noqa: F401

    await asyncio.to_thread(load)


def _describe(
    factory: ProviderFactory, name: str, model: ModelSettings, words: ModelChooserWords
) -> ModelChoice:
    service = find_service(model.service)
    if service is None or service.base_url != model.base_url:
        place = words.address.format(place=urlsplit(model.base_url).netloc)
    else:
        place = (words.here if service.is_local else words.there).format(title=service.title)
    lacks_key = bool(model.key_name) and factory.find_key(model) is None
    return ModelChoice(
        name,
        model.model,
        place,
        _tell_price(model.profile.prices, words),
        words.no_key.format(key=model.key_name) if lacks_key else "",
        words.no_key_hint if lacks_key else "",
    )


def _tell_price(prices: Prices | None, words: ModelChooserWords) -> str:
    if prices is None:
        return ""
    dollars = cost(TYPICAL_TURN, prices)
    return words.turn.format(money=money(dollars)) if dollars else words.free
