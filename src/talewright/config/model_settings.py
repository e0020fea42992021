"""Settings of models: those configured, which tells which campaign, timeouts, prices in words.

What is decided for a campaign counts more than what is decided for its game, and that more than the usual.
No connection is opened here, and no key is among it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from talewright.config.api_keys import EVERYWHERE, KeyPlace
from talewright.errors import TalewrightError
from talewright.llm.cost_meter import cost
from talewright.llm.known_models import SERVICES, find_profile
from talewright.llm.profiles import Prices, Profile, Service, Wire
from talewright.llm.reply_chunks import Usage
from talewright.turn.spending import SpendingBudget

LOCAL_AT_ONCE = 1
"""Asks at once to a model on one's own machine: two at a time only take twice as long each."""

HOSTED_AT_ONCE = 4
"""Asks at once to anybody else's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """One model that can be asked."""

    name: str
    """What the player calls it."""

    model: str
    """What its server calls it."""

    base_url: str
    wire: Wire = "openai"
    service: str = ""
    """A row of `llm/known_models.py`; empty for an address of one's own."""

    key_name: str = ""
    """By which name the key is found; empty where none is needed."""

    key_places: tuple[KeyPlace, ...] = EVERYWHERE
    context_tokens: int | None = None
    """How much the server takes in, where that is not what its profile says."""

    output_tokens_max: int | None = None
    prices: Prices | None = None
    """Dollars for a million tokens, where the profile does not know them or is out of date."""

    at_once: int = HOSTED_AT_ONCE

    @property
    def profile(self) -> Profile:
        """What the model can do, as the rows know it and the player corrects it."""
        found = find_profile(self.model, self.wire, self.service)
        return replace(
            found,
            context_tokens=self.context_tokens or found.context_tokens,
            output_tokens_max=self.output_tokens_max or found.output_tokens_max,
            prices=self.prices or found.prices,
        )


def known_services() -> tuple[Service, ...]:
    """Where models are served, as far as we know, in the order in which a player is offered them."""
    return tuple(SERVICES.values())


def find_service(name: str) -> Service | None:
    """A service by its name."""
    return SERVICES.get(name)


def choose_of_service(service: str, model: str) -> ModelSettings:
    """A model of a service that is known, under a name that the settings can have."""
    known = SERVICES[service]
    return model_of_service(known, model, f"{service}-{model}".replace("/", "-").replace(":", "-"))


def model_of_service(service: Service, model: str, name: str = "") -> ModelSettings:
    """A model of a known service."""
    return ModelSettings(
        name=name or f"{service.name}/{model}",
        model=model,
        base_url=service.base_url,
        wire=service.wire,
        service=service.name,
        key_name=service.key_name,
        at_once=LOCAL_AT_ONCE if service.is_local else HOSTED_AT_ONCE,
    )


ADDRESS_HINT = "Write it like http://127.0.0.1:8080/v1, with no name, key or question mark in it."

_ENDPOINT = "/chat/completions"
"""What people copy along with an address, and what is asked there anyway."""

_KEY_STEM_MAX = 48
"""Characters of a server's name that stand in the name of its key."""


def is_server_address(base_url: str) -> bool:
    """Whether a server can be asked at an address, which must hold nothing private."""
    try:
        parts = urlsplit(base_url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return fits and not (parts.username or parts.password or parts.query or parts.fragment)


def complete_address(text: str) -> str:
    """An address as people type it, made whole; a TalewrightError where it is none."""
    address = text.strip().rstrip("/").removesuffix(_ENDPOINT).rstrip("/")
    if address and "://" not in address:
        host = address.partition("/")[0].partition(":")[0]
        # At home few servers have a certificate; elsewhere nearly all do.
        is_near = host == "localhost" or host.replace(".", "").isdecimal()
        address = f"{'http' if is_near else 'https'}://{address}"
    if not is_server_address(address) or not address.isprintable() or " " in address:
        # What was typed there may hold a key; it is not repeated.
        raise TalewrightError("this is no address of a server", ADDRESS_HINT)
    return address


def model_at_address(base_url: str, model: str, *, with_key: bool) -> ModelSettings:
    """A model at an address of the player's own; its key has the server's name."""
    address = complete_address(base_url)
    server = urlsplit(address).netloc
    stem = re.sub("[^A-Z0-9]+", "_", server.upper()).strip("_")[:_KEY_STEM_MAX]
    key_name = f"{stem if stem[:1].isalpha() else f'SERVER_{stem}'}_API_KEY"
    return ModelSettings(
        name=f"{server}-{model}".replace("/", "-").replace(":", "-"),
        model=model,
        base_url=address,
        key_name=key_name if with_key else "",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPreference:
    """What is decided for a campaign, a game, or in general; what is empty is decided elsewhere."""

    model: str = ""
    """The name of the model that tells, or `none`."""

    cheap: str = ""
    """The name of the one for errands and summaries."""

    temperature: float | None = None
    max_output_tokens: int | None = None
    budget: SpendingBudget = field(default_factory=SpendingBudget)

    def over(self, other: "ModelPreference") -> "ModelPreference":
        """This choice, and the other's where this one says nothing."""
        return ModelPreference(
            model=self.model or other.model,
            cheap=self.cheap or other.cheap,
            temperature=other.temperature if self.temperature is None else self.temperature,
            max_output_tokens=self.max_output_tokens or other.max_output_tokens,
            budget=self.budget.over(other.budget),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeoutSettings:
    """How long is waited for a model, in seconds; None takes the adapter's own."""

    connect_seconds: float | None = None
    first_token_seconds: float | None = None
    between_chunks_seconds: float | None = None
    total_seconds: float | None = None
    turn_seconds: float | None = None
    """For a whole turn with all its asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the settings file says."""

    models: Mapping[str, ModelSettings] = field(default_factory=dict)
    usual: ModelPreference = field(default_factory=ModelPreference)
    fallback: tuple[str, ...] = ()
    """Models that are asked, in order, where the one that tells cannot be reached."""

    allowed_addresses: tuple[str, ...] = ()
    """Addresses that a `.env` may name for the storyteller."""

    games: Mapping[str, ModelPreference] = field(default_factory=dict)
    campaigns: Mapping[str, ModelPreference] = field(default_factory=dict)
    timeouts: TimeoutSettings = field(default_factory=TimeoutSettings)


def decide_preference(
    settings: Settings, game: str, campaign: str, *wishes: ModelPreference
) -> ModelPreference:
    """What holds for a campaign of a game: the wishes, the strongest first, then what the settings say."""
    decided = ModelPreference()
    told = (settings.campaigns.get(campaign), settings.games.get(game), settings.usual)
    for choice in (*wishes, *told):
        decided = decided.over(choice) if choice is not None else decided
    return decided


TYPICAL_TURN = Usage(13_000, 350, 10_000)
"""A turn in the middle of a campaign: what the cache keeps, what is new, and the answer."""

PRICED_TURNS = 100
"""Turns for which a price is told: an evening or two."""


def describe_prices(prices: Prices | None) -> str:
    """What tokens cost, in dollars for a million of them."""
    if prices is None:
        return "price not known"
    if not prices.input and not prices.output:
        return "free"
    cached = "" if prices.cached_input is None else f", {money(prices.cached_input)} cached"
    return f"{money(prices.input)} in{cached}, {money(prices.output)} out a million tokens"


def describe_turns(prices: Prices | None) -> str:
    """What a number of turns costs about; empty where that is not known, or nothing."""
    dollars = 0.0 if prices is None else PRICED_TURNS * cost(TYPICAL_TURN, prices)
    return f"about {money(dollars)} for {PRICED_TURNS} turns" if dollars else ""


def describe_place(model: ModelSettings) -> str:
    """A model and where it is served."""
    return f"{model.model} at {urlsplit(model.base_url).netloc}"


def money(dollars: float) -> str:
    """Dollars with two digits that say something."""
    if dollars and dollars < 0.01:
        return f"${dollars:.2g}" if dollars >= 0.0001 else f"${dollars:.6f}"
    whole = f"{dollars:.3f}" if dollars < 1 else f"{dollars:.2f}"
    return "$" + (whole.rstrip("0").rstrip(".") if "." in whole else whole)
