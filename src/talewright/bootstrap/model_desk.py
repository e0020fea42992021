"""The model desk at home: models of the settings file, of this machine and of known services.

A choice counts from when a campaign is opened next. No key is ever shown or written into a file.
"""

import asyncio
import importlib
from collections.abc import Callable
from urllib.parse import urlsplit

from talewright.bootstrap.adapters import OPENAI_WIRE
from talewright.bootstrap.desk_words import DeskWords, desk_words
from talewright.bootstrap.models import Agency
from talewright.bootstrap.office import Office
from talewright.bootstrap.probes import local_servers, probe_servers, try_model
from talewright.bootstrap.registry import enter_model, keep_key, use_model
from talewright.config.api_keys import ApiKey
from talewright.config.environment import MODEL, NO_MODEL
from talewright.config.model_settings import (
    TYPICAL_TURN,
    ModelSettings,
    choose_of_service,
    find_service,
    known_services,
    money,
)
from talewright.errors import TalewrightError
from talewright.llm.cost_meter import cost
from talewright.llm.profiles import Prices
from talewright.llm.provider import ProviderError
from talewright.llm.provider_error_phrases import word_trouble
from talewright.play.model_choices import ModelCandidate, ModelChoice, ModelSource, TrialView

TOLD_MAX = 200
"""Characters of a model's answer that are shown."""


class LocalModelDesk:
    """A ModelDesk on an Office."""

    def __init__(self, office: Office, language: Callable[[], str]) -> None:
        self._office = office
        self._language = language
        """The player's, as it is now."""

    async def choices(self) -> tuple[ModelChoice, ...]:
        """What is set up, and whatever else is chosen."""
        # A keyring may take its time.
        return await asyncio.to_thread(self._find_choices)

    async def chosen(self, campaign: str = "", game: str = "") -> str:
        """Who tells a campaign; without one, who tells usually."""
        return self._office.open().decide(game, campaign).model or NO_MODEL

    async def choose(self, name: str, campaign: str = "") -> None:
        """Let a model tell a campaign from when it is opened next; without one, usually."""
        agency = self._office.open()
        decided = agency.loaded.wish.model
        if decided and decided != name:
            words = self._words
            told = words.environment.format(name=MODEL, model=decided)
            raise TalewrightError(told, words.environment_hint)
        use_model(agency, name, campaign=campaign)
        self._office.follow_settings()

    async def local(self) -> tuple[ModelSource, ...]:
        """The servers that answer on this machine at the usual addresses."""
        await _load_wire()
        found = await probe_servers(local_servers(), lambda done, of: None)
        return tuple(ModelSource(one.name, one.title, True, one.models) for one in found if not one.trouble)

    async def services(self) -> tuple[ModelSource, ...]:
        """The services that are known, each with models to begin with."""
        return await asyncio.to_thread(self._find_services)

    async def test(self, candidate: ModelCandidate) -> TrialView:
        """Ask it one short question; nothing is kept."""
        model = choose_of_service(candidate.source, candidate.model)
        key = await asyncio.to_thread(self._find_key, model, candidate)
        words = self._words
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

    async def keep(self, candidate: ModelCandidate) -> str:
        """Keep it as the model that tells usually, and its key in the keyring; in words, what was done."""
        return await asyncio.to_thread(self._keep, candidate)

    @property
    def _words(self) -> DeskWords:
        return desk_words(self._language())

    def _find_choices(self) -> tuple[ModelChoice, ...]:
        agency = self._office.open()
        models = dict(agency.loaded.settings.models)
        usual = agency.decide("", "").model
        if usual and usual != NO_MODEL and usual not in models:
            found = agency.loaded.find_model(usual)
            models |= {} if found is None else {usual: found}
        return tuple(_describe(agency, name, model, self._words) for name, model in models.items())

    def _find_services(self) -> tuple[ModelSource, ...]:
        agency = self._office.open()
        return tuple(
            ModelSource(
                service.name,
                service.title,
                False,
                tuple(service.models),
                service.key_name,
                agency.find_key(choose_of_service(service.name, "any")) is not None,
            )
            for service in known_services()
            if not service.is_local
        )

    def _find_key(self, model: ModelSettings, candidate: ModelCandidate) -> ApiKey | None:
        if candidate.key.strip():
            return ApiKey(candidate.key.strip())
        found = self._office.open().find_key(model)
        return None if found is None else found.key

    def _keep(self, candidate: ModelCandidate) -> str:
        agency, words = self._office.open(), self._words
        model = choose_of_service(candidate.source, candidate.model)
        told = []
        if candidate.key.strip() and model.key_name:
            key = ApiKey(candidate.key.strip())
            trouble = keep_key(agency, model, key)
            if trouble:
                self._office.hold_key(model.key_name, key)
                told.append(words.key_held.format(key=model.key_name, trouble=trouble))
            else:
                told.append(words.key_kept.format(key=model.key_name))
        enter_model(agency, model)
        self._office.follow_settings()
        return "\n".join([words.kept.format(name=model.name, file=agency.loaded.file), *told])


async def _load_wire() -> None:
    """Load what talks to models, which takes a while, where nobody waits for it."""
    await asyncio.to_thread(importlib.import_module, OPENAI_WIRE)


def _describe(agency: Agency, name: str, model: ModelSettings, words: DeskWords) -> ModelChoice:
    service = find_service(model.service)
    if service is None or service.base_url != model.base_url:
        place = words.address.format(place=urlsplit(model.base_url).netloc)
    else:
        place = (words.here if service.is_local else words.there).format(title=service.title)
    lacks_key = bool(model.key_name) and agency.find_key(model) is None
    return ModelChoice(
        name,
        model.model,
        place,
        _tell_price(model.profile.prices, words),
        words.no_key.format(key=model.key_name) if lacks_key else "",
        words.no_key_hint if lacks_key else "",
    )


def _tell_price(prices: Prices | None, words: DeskWords) -> str:
    if prices is None:
        return ""
    dollars = cost(TYPICAL_TURN, prices)
    return words.turn.format(money=money(dollars)) if dollars else words.free
