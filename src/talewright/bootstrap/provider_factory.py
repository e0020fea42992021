"""The provider factory: creates providers from settings, with retry, fallback, metering and rate limits.

A provider and its libraries are loaded on first use. `turn` decides what it is asked and whether the
budget allows it.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import field, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

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
from talewright.llm.model_fit import fit_timeouts
from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider, ProviderError, Trouble
from talewright.llm.rate_limit import RateLimitedProvider
from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import Request
from talewright.llm.retry import RetryingProvider, RetryLimits
from talewright.turn.spending import CampaignSpendingTracker
from talewright.turn.turn_context import Teller
from talewright.turn.turn_limits import TurnLimits

if TYPE_CHECKING:
    from talewright.providers.outgoing_addresses import OutgoingAddresses
    from talewright.providers.reply_timeouts import ProviderTimeouts


class LazyProvider:
    """A provider that is created on first use."""

    def __init__(self, profile: Profile, make: Callable[[], Provider]) -> None:
        self._profile = profile
        self._make = make
        self._made: Provider | None = None
        self._making = asyncio.Lock()

    @property
    def profile(self) -> Profile:
        """What the model can do; known without loading it."""
        return self._profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Create the provider if needed, and stream its reply."""
        async with self._making:
            if self._made is None:
                self._made = await asyncio.to_thread(self._make)
        async with aclosing(self._made.stream(request)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def close(self) -> None:
        """Close connections, if there are any."""
        if self._made is not None:
            await self._made.close()
            self._made = None


GROWING = ("first_token_seconds", "total_seconds")
"""Timeouts that scale with that of the turn."""


def make_provider(
    model: ModelSettings,
    key: ApiKey | None,
    timeouts: TimeoutSettings,
    outgoing: "OutgoingAddresses | None" = None,
) -> Provider:
    """Create a provider without wrappers. Raises ProviderError if a required package is missing."""
    shown = "" if key is None else key.reveal()
    if model.wire == "openai":
        return make_openai(model, shown, timeouts, outgoing, **fit_seconds(model.profile, timeouts))
    try:
        from talewright.providers.pydantic_ai_bridge.bridge import make_bridge
    except ImportError:
        raise ProviderError(
            Trouble.REQUEST,
            f"the model {model.name!r} uses the {model.wire} protocol, which is not installed",
            f"Install it: pip install 'talewright[{model.wire}]'. Or choose another: talewright setup",
            unpaid=True,
        ) from None
    return make_bridge(
        model.wire,
        model.model,
        shown,
        profile=model.profile,
        base_url=model.base_url,
        timeouts=_translate(timeouts),
        outgoing=outgoing,
    )


def make_openai(
    model: ModelSettings,
    key: str,
    timeouts: TimeoutSettings,
    outgoing: "OutgoingAddresses | None" = None,
    **seconds: float,
) -> Provider:
    """Create a provider for the OpenAI protocol; `seconds` are timeouts that the settings leave open."""
    from talewright.providers.openai_wire.openai_provider import OpenAICompatible

    return OpenAICompatible(
        model.model,
        model.base_url,
        key,
        profile=model.profile,
        timeouts=_translate(timeouts, **seconds),
        outgoing=outgoing,
    )


def fit_seconds(profile: Profile, timeouts: TimeoutSettings) -> dict[str, float]:
    """The timeouts derived from a measured speed, where the settings give none."""
    fitted = None if timeouts.turn_seconds is not None else fit_timeouts(profile)
    open_names = (name for name in GROWING if getattr(timeouts, name) is None)
    return {} if fitted is None else {name: getattr(fitted, name) for name in open_names}


def stretch(timeouts: TimeoutSettings) -> float:
    """The turn's timeout in the settings as a multiple of the default."""
    usual = TurnLimits().turn_seconds_max
    return (timeouts.turn_seconds or usual) / usual


def _translate(timeouts: TimeoutSettings, **seconds: float) -> "ProviderTimeouts":
    """The adapter's timeouts, overridden by the settings."""
    from talewright.providers.reply_timeouts import ProviderTimeouts

    usual = ProviderTimeouts()
    times = {name: getattr(usual, name) * stretch(timeouts) for name in GROWING}
    wanted = {field.name: getattr(timeouts, field.name, None) for field in fields(ProviderTimeouts)}
    times |= {name: value for name, value in wanted.items() if value is not None}
    return ProviderTimeouts(**times | seconds)


ALONE = RetryLimits()
"""Retry limits for a model without a fallback."""

TOGETHER = RetryLimits(paid_tries_max=1)
"""The same with a fallback, so that here too a turn costs at most twice as much."""


@frozen
class ProviderFactory:
    """Creates the storytellers of campaigns."""

    loaded: LoadedSettings
    keyring: Keyring
    wish: ModelPreference = field(default_factory=ModelPreference)
    """The choice on the command line, which takes precedence."""

    outgoing: "OutgoingAddresses | None" = None
    """Which model servers a host may connect to; None allows all."""

    calls_models: bool = True
    """False on a node of a host: it only names its models, so it needs none of their keys."""

    limit: Callable[[Provider, ModelSettings], Provider] = lambda provider, model: RateLimitedProvider(
        provider, model.own_at_once
    )
    """Wraps a model in its rate limit; that of a host is shared by several processes."""

    _doors: dict[str, Provider] = field(default_factory=dict)
    """The models in use; each has one rate limit, shared by all its campaigns."""

    @property
    def limits(self) -> TurnLimits:
        """The limits of a turn, from the settings."""
        seconds = self.loaded.settings.timeouts.turn_seconds
        return TurnLimits() if seconds is None else TurnLimits(turn_seconds_max=seconds)

    def decide(self, game: str, campaign: str) -> ModelPreference:
        """The effective choices for a campaign."""
        return decide_preference(self.loaded.settings, game, campaign, self.wish, self.loaded.wish)

    def hire(
        self, game: str, campaign: str, charge: Callable[[Provider], Provider] = lambda provider: provider
    ) -> Teller | None:
        """The storyteller of a campaign; None to play scenes only. Raises TalewrightError if unavailable.

        `charge` wraps each of its models, so that their costs are charged to someone.
        """
        choice = self.decide(game, campaign)
        main = self.loaded.find_model(choice.model or NO_MODEL)
        if main is None:
            return None
        cheap = self.loaded.find_model(choice.cheap or NO_MODEL)
        others = [self.loaded.find_model(name) for name in self.loaded.settings.fallback]
        # A fallback that is not usable is skipped; `talewright doctor` reports it.
        stand_ins = [
            one for one in others if one is not None and one.name != main.name and self._has_key(one)
        ]
        everyone = [main, *stand_ins, *([cheap] if cheap else [])]
        if choice.budget.in_dollars:
            _check_prices(everyone)
        spending_tracker = CampaignSpendingTracker(choice.budget, tuple(one.profile for one in stand_ins))
        fitted = fit_timeouts(main.profile)
        is_open = self.loaded.settings.timeouts.turn_seconds is None
        return Teller(
            self._gather([main, *stand_ins], spending_tracker, charge),
            None if cheap is None else self._gather([cheap, *stand_ins], spending_tracker, charge),
            choice.temperature,
            choice.max_output_tokens,
            fitted.turn_seconds if fitted is not None and is_open else None,
            spending_tracker,
            charge(self._open(main)) if self.loaded.settings.send_ahead else None,
        )

    def find_key(self, model: ModelSettings) -> FoundKey | None:
        """The key of a model, if it has one."""
        return find_key(model.key_name, self.loaded.variables, self.keyring, model.key_places)

    def _has_key(self, model: ModelSettings) -> bool:
        return not self.calls_models or not model.key_name or self.find_key(model) is not None

    async def close(self) -> None:
        """Close all connections."""
        while self._doors:
            await self._doors.popitem()[1].close()

    def _gather(
        self,
        models: list[ModelSettings],
        spending_tracker: CampaignSpendingTracker,
        charge: Callable[[Provider], Provider],
    ) -> Provider:
        """Combine models into one provider, which uses the first that responds."""
        unique = list({model.name: model for model in models}.values())
        limits = ALONE if len(unique) == 1 else TOGETHER
        longer = stretch(self.loaded.settings.timeouts)
        limits = replace(limits, begin_seconds_max=limits.begin_seconds_max * longer)
        metered = [
            RetryingProvider(Metered(charge(self._open(model)), spending_tracker.take), limits)
            for model in unique
        ]
        return metered[0] if len(metered) == 1 else Fallback(metered)

    def _open(self, model: ModelSettings) -> Provider:
        if model.name not in self._doors:
            make = self._prepare(model) if self.calls_models else _refuse_to_call
            self._doors[model.name] = self.limit(LazyProvider(model.profile, make), model)
        return self._doors[model.name]

    def _prepare(self, model: ModelSettings) -> Callable[[], Provider]:
        """Find the key of a model; raises MissingKeyError."""
        found = self.find_key(model)
        if found is None and model.key_name:
            raise missing_key(model)
        key = None if found is None else found.key
        return partial(make_provider, model, key, self.loaded.settings.timeouts, self.outgoing)


def _refuse_to_call() -> Provider:
    raise AssertionError("a node never calls a model")


class MissingKeyError(TalewrightError):
    """The key of a model was not found."""


class UnpricedModelError(TalewrightError):
    """A budget needs the price of a model, which is unknown."""


def missing_key(model: ModelSettings) -> MissingKeyError:
    """The error for a missing key."""
    return MissingKeyError(
        f"the model {model.name!r} needs the key {model.key_name}, "
        "which is not in the environment, in .env or in the keyring",
        "Run `talewright setup`, or play without a model: talewright play --no-model",
    )


def open_provider_factory(
    environment: Mapping[str, str],
    home: Path,
    here: Path,
    wish: ModelPreference,
    variables: EnvironmentVariables | None = None,
) -> ProviderFactory:
    """The provider factory of a user whose current folder is `folder`."""
    variables = variables or gather_variables(environment, here)
    return ProviderFactory(load_settings(environment, home, variables), SystemKeyring(), wish)


def _check_prices(models: list[ModelSettings]) -> None:
    unpriced = [model.name for model in models if model.profile.prices is None]
    if unpriced:
        raise UnpricedModelError(
            f"a budget in dollars needs prices, but those of {', '.join(unpriced)} are unknown",
            f"Write prices = {{ input = ..., output = ... }} under [models.{unpriced[0]}], in dollars per "
            "million tokens, or set the budget in tokens.",
        )
