"""The provider factory: settings become providers with retry, fallback, meter and rate limit.

A provider and the libraries it needs are loaded when it is first asked. What it is asked, and whether it may
be paid, is decided in `turn`.
"""

import asyncio
import importlib
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import field, fields, replace
from functools import partial
from pathlib import Path

from talewright.bootstrap.keyrings import SystemKeyring
from talewright.common.frozen_values import frozen
from talewright.config.api_keys import ApiKey, FoundKey, Keyring, find_key
from talewright.config.environment import NO_MODEL, EnvironmentVariables, gather_variables
from talewright.config.loaded_settings import LoadedSettings, load_settings
from talewright.config.model_settings import (
    ModelPreference,
    ModelSettings,
    TimeoutSettings,
    decide_preference,
)
from talewright.errors import TalewrightError
from talewright.llm.cost_meter import Metered
from talewright.llm.fallback import Fallback
from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider, ProviderError, Trouble
from talewright.llm.rate_limit import RateLimitedProvider
from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import Request
from talewright.llm.retry import RetryingProvider, RetryLimits
from talewright.turn.spending import CampaignSpendingTracker
from talewright.turn.turn_context import Teller
from talewright.turn.turn_limits import TurnLimits


class LazyProvider:
    """A provider that is yet to be made."""

    def __init__(self, profile: Profile, make: Callable[[], Provider]) -> None:
        self._profile = profile
        self._make = make
        self._made: Provider | None = None
        self._making = asyncio.Lock()

    @property
    def profile(self) -> Profile:
        """What the model can do; known beforehand."""
        return self._profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Ask, after whatever that needs is there."""
        async with self._making:
            if self._made is None:
                self._made = await asyncio.to_thread(self._make)
        async with aclosing(self._made.stream(request)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def close(self) -> None:
        """Let go of connections, if there are any."""
        if self._made is not None:
            await self._made.close()
            self._made = None


OPENAI_WIRE = "talewright.providers.openai_wire.openai_provider"
TIMEOUTS = "talewright.providers.reply_timeouts"
BRIDGE = "talewright.providers.pydantic_ai_bridge.bridge"

GROWING = ("first_token_seconds", "total_seconds")
"""Timeouts that are parts of the turn's: where a turn may take longer or less long, so may they."""


def make_provider(model: ModelSettings, key: ApiKey | None, timeouts: TimeoutSettings) -> Provider:
    """A provider without wrappers; a ProviderError where something for it is not installed."""
    shown = "" if key is None else key.reveal()
    if model.wire == "openai":
        return make_openai(model, shown, timeouts)
    try:
        make: Callable[..., Provider] = importlib.import_module(BRIDGE).make_bridge
    except ImportError:
        raise ProviderError(
            Trouble.REQUEST,
            f"the model {model.name!r} speaks the wire of {model.wire}, which is not installed",
            f"Install it: pip install 'talewright[{model.wire}]'. Or choose another: talewright setup",
            unpaid=True,
        ) from None
    return make(
        model.wire,
        model.model,
        shown,
        profile=model.profile,
        base_url=model.base_url,
        timeouts=_translate(timeouts),
    )


def make_openai(model: ModelSettings, key: str, timeouts: TimeoutSettings, **seconds: float) -> Provider:
    """A provider for the OpenAI wire; `seconds` are timeouts that the settings do not name."""
    make: Callable[..., Provider] = importlib.import_module(OPENAI_WIRE).OpenAICompatible
    times = _translate(timeouts, **seconds)
    return make(model.model, model.base_url, key, profile=model.profile, timeouts=times)


def stretch(timeouts: TimeoutSettings) -> float:
    """How many times as long as usual a turn may take by the settings."""
    usual = TurnLimits().turn_seconds_max
    return (timeouts.turn_seconds or usual) / usual


def _translate(timeouts: TimeoutSettings, **seconds: float) -> object:
    """The adapter's own timeouts, with what the settings say in their place."""
    make: type = importlib.import_module(TIMEOUTS).ProviderTimeouts
    usual = make()
    times = {name: getattr(usual, name) * stretch(timeouts) for name in GROWING}
    wanted = {field.name: getattr(timeouts, field.name, None) for field in fields(make)}
    times |= {name: value for name, value in wanted.items() if value is not None}
    made: object = make(**times | seconds)
    return made


ALONE = RetryLimits()
"""How long a model is tried that has nobody to stand in for it."""

TOGETHER = RetryLimits(paid_tries_max=1)
"""The same where another may be asked: a turn then costs at most twice as much as well."""


@frozen
class ProviderFactory:
    """Where tellers are hired for campaigns."""

    loaded: LoadedSettings
    keyring: Keyring
    wish: ModelPreference = field(default_factory=ModelPreference)
    """What was asked for on the command line; it counts most."""

    _doors: dict[str, RateLimitedProvider] = field(default_factory=dict)
    """The models that were asked for, each with one turnstile, however many campaigns it tells."""

    @property
    def limits(self) -> TurnLimits:
        """The bounds of a turn, as the settings have them."""
        seconds = self.loaded.settings.timeouts.turn_seconds
        return TurnLimits() if seconds is None else TurnLimits(turn_seconds_max=seconds)

    def decide(self, game: str, campaign: str) -> ModelPreference:
        """What holds for a campaign, all things considered."""
        return decide_preference(self.loaded.settings, game, campaign, self.wish, self.loaded.wish)

    def hire(self, game: str, campaign: str) -> Teller | None:
        """Whoever tells a campaign; None: the scenes alone. A TalewrightError where a model cannot be had."""
        choice = self.decide(game, campaign)
        main = self.loaded.find_model(choice.model or NO_MODEL)
        if main is None:
            return None
        cheap = self.loaded.find_model(choice.cheap or NO_MODEL)
        others = [self.loaded.find_model(name) for name in self.loaded.settings.fallback]
        # Whoever cannot be asked cannot stand in; `talewright doctor` says so.
        stand_ins = [
            one for one in others if one is not None and one.name != main.name and self._has_key(one)
        ]
        everyone = [main, *stand_ins, *([cheap] if cheap else [])]
        if choice.budget.in_dollars:
            _check_prices(everyone)
        spending_tracker = CampaignSpendingTracker(choice.budget, tuple(one.profile for one in stand_ins))
        return Teller(
            self._gather([main, *stand_ins], spending_tracker),
            None if cheap is None else self._gather([cheap, *stand_ins], spending_tracker),
            choice.temperature,
            choice.max_output_tokens,
            spending_tracker,
        )

    def find_key(self, model: ModelSettings) -> FoundKey | None:
        """The key of a model, where it has one."""
        return find_key(model.key_name, self.loaded.variables, self.keyring, model.key_places)

    def _has_key(self, model: ModelSettings) -> bool:
        return not model.key_name or self.find_key(model) is not None

    async def close(self) -> None:
        """Let go of all connections."""
        while self._doors:
            await self._doors.popitem()[1].close()

    def _gather(self, models: list[ModelSettings], spending_tracker: CampaignSpendingTracker) -> Provider:
        """One model, or several of which the first that answers does."""
        unique = list({model.name: model for model in models}.values())
        limits = ALONE if len(unique) == 1 else TOGETHER
        longer = stretch(self.loaded.settings.timeouts)
        limits = replace(limits, begin_seconds_max=limits.begin_seconds_max * longer)
        metered = [
            RetryingProvider(Metered(self._open(model), spending_tracker.take), limits) for model in unique
        ]
        return metered[0] if len(metered) == 1 else Fallback(metered)

    def _open(self, model: ModelSettings) -> RateLimitedProvider:
        if model.name not in self._doors:
            found = self.find_key(model)
            if found is None and model.key_name:
                raise missing_key(model)
            key = None if found is None else found.key
            make = partial(make_provider, model, key, self.loaded.settings.timeouts)
            self._doors[model.name] = RateLimitedProvider(LazyProvider(model.profile, make), model.at_once)
        return self._doors[model.name]


class MissingKeyError(TalewrightError):
    """The key of a model is nowhere to be found."""


class UnpricedModelError(TalewrightError):
    """What a model costs is not known, and a budget needs it."""


def missing_key(model: ModelSettings) -> MissingKeyError:
    """What to say where the key of a model is not to be found."""
    return MissingKeyError(
        f"the model {model.name!r} needs the key {model.key_name}, "
        "which is neither in the environment nor in .env nor in the keyring",
        "Run `talewright setup`, or play without a model: talewright play --no-model",
    )


def open_provider_factory(
    environment: Mapping[str, str],
    home: Path,
    here: Path,
    wish: ModelPreference,
    variables: EnvironmentVariables | None = None,
) -> ProviderFactory:
    """The provider factory of a user who works in a folder."""
    variables = variables or gather_variables(environment, here)
    return ProviderFactory(load_settings(environment, home, variables), SystemKeyring(), wish)


def _check_prices(models: list[ModelSettings]) -> None:
    unpriced = [model.name for model in models if model.profile.prices is None]
    if unpriced:
        raise UnpricedModelError(
            f"a budget in dollars needs prices, and those of {', '.join(unpriced)} are not known",
            f"Write prices = {{ input = ..., output = ... }} under [models.{unpriced[0]}], in dollars for a "
            "million tokens; or set the budget in tokens.",
        )
