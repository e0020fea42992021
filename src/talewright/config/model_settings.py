"""Settings of models: the configured ones, which one plays which campaign, timeouts and prices.

A choice for a campaign overrides one for its game, which overrides the default. No connection is opened
here, and the settings contain no keys.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from urllib.parse import urlsplit

from talewright.config.api_keys import EVERYWHERE, KeyPlace
from talewright.errors import TalewrightError
from talewright.llm.cost_meter import cost
from talewright.llm.known_models import SERVICES, find_profile
from talewright.llm.measured_abilities import MeasuredAbilities, apply_abilities
from talewright.llm.model_fit import fit_to_speed
from talewright.llm.profiles import FREE, Prices, Profile, Service, Wire
from talewright.llm.reply_chunks import Usage
from talewright.turn.spending import SpendingBudget

LOCAL_AT_ONCE = 1
"""Concurrent requests to a model on this machine: two at a time would only take twice as long each."""

REMOTE_AT_ONCE = 4
"""Concurrent requests from one player's machine to any other model."""

UNLIMITED = 0
"""A host's concurrent requests to models that serve many at the same time: there, every player waits for the
model alone. A provider that gets too many says so, and is asked again later.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """A configured model."""

    name: str
    """The player's name for it."""

    model: str
    """Its name on the server."""

    base_url: str
    wire: Wire = "openai"
    service: str = ""
    """A service in `llm/known_models.py`; empty for a custom address."""

    key_name: str = ""
    """The name of its key; empty if it needs none."""

    key_places: tuple[KeyPlace, ...] = EVERYWHERE
    context_tokens: int | None = None
    """The server's context window, if it differs from the profile."""

    output_tokens_max: int | None = None
    prices: Prices | None = None
    """Dollars per million tokens, if the profile has none or is out of date."""

    at_once: int | None = None
    """Concurrent requests, if the settings limit them; on a host, over all workers together."""

    per_minute: int = 0
    """Requests per minute over all workers of a host; zero for no limit."""

    measured: MeasuredAbilities | None = None
    """The results of probing its server."""

    @property
    def own_at_once(self) -> int:
        """Concurrent requests from a player's own machine."""
        return self.at_once or (LOCAL_AT_ONCE if self._find_local() else REMOTE_AT_ONCE)

    @property
    def host_at_once(self) -> int:
        """Concurrent requests from all workers of a host; zero for no limit."""
        local = self._find_local()
        return self.at_once or (UNLIMITED if local is None or local.batches else LOCAL_AT_ONCE)

    def _find_local(self) -> Service | None:
        """The program on someone's own machine that serves it, as far as is known."""
        named = self.service or ("" if self.measured is None else self.measured.server)
        service = SERVICES.get(named)
        # A service that was recognised by its answers, at an address of the player's, counts as well.
        return service if service is not None and (service.is_local or not self.service) else None

    @property
    def profile(self) -> Profile:
        """The known profile of the model, with measurements and the player's corrections, for its speed."""
        server = "" if self.measured is None else self.measured.server
        found = find_profile(self.model, self.wire, self.service or server)
        if self.measured is not None:
            found = apply_abilities(found, self.measured)
        corrected = replace(
            found,
            context_tokens=self.context_tokens or found.context_tokens,
            output_tokens_max=self.output_tokens_max or found.output_tokens_max,
            prices=self.prices or self._find_prices(found, recognised=bool(server and not self.service)),
        )
        return fit_to_speed(corrected)

    def _find_prices(self, known: Profile, *, recognised: bool) -> Prices | None:
        """The known prices; without any, a server of the player's own is free if it needs no key.

        A server recognised by its answers may still be a rented one.
        """
        if is_own_network(self.base_url):
            return known.prices or (None if self.key_name else FREE)
        return None if recognised else known.prices

    @property
    def may_be_probed(self) -> bool:
        """Whether a dozen short questions to its server cost nothing, as far as is known."""
        if self.wire != "openai" or self.profile.prices not in (None, FREE):
            return False
        return is_own_network(self.base_url) or not self.key_name


def known_services() -> tuple[Service, ...]:
    """All known services, in the order in which they are offered to players."""
    return tuple(SERVICES.values())


def find_service(name: str) -> Service | None:
    """Find a service by name."""
    return SERVICES.get(name)


def choose_of_service(service: str, model: str) -> ModelSettings:
    """A model of a known service, under a name that is valid in the settings."""
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
    )


ADDRESS_HINT = "Write it like http://127.0.0.1:8080/v1, without a user name, a key or a question mark."

_ENDPOINT = "/chat/completions"
"""Often copied together with an address; it is added to requests anyway."""

_KEY_STEM_MAX = 48
"""Characters of a server's name that are used in the name of its key."""


def is_server_address(base_url: str) -> bool:
    """Whether this is a valid server address that contains nothing private."""
    try:
        parts = urlsplit(base_url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return fits and not (parts.username or parts.password or parts.query or parts.fragment)


def is_own_network(base_url: str) -> bool:
    """Whether a server runs on this machine, or on another one in the same private network."""
    host = urlsplit(base_url).hostname or ""
    if host == "localhost" or host.endswith((".localhost", ".local")):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.is_private or address.is_loopback


def complete_address(text: str) -> str:
    """Complete an address that a person typed. Raises TalewrightError if it is not valid."""
    address = text.strip().rstrip("/").removesuffix(_ENDPOINT).rstrip("/")
    if address and "://" not in address:
        host = address.partition("/")[0].partition(":")[0]
        # Few local servers have a certificate; elsewhere nearly all do.
        is_near = host == "localhost" or host.replace(".", "").isdecimal()
        address = f"{'http' if is_near else 'https'}://{address}"
    if not is_server_address(address) or not address.isprintable() or " " in address:
        # The input may contain a key, so the message does not repeat it.
        raise TalewrightError("this is not the address of a server", ADDRESS_HINT)
    return address


def model_at_address(base_url: str, model: str, *, with_key: bool) -> ModelSettings:
    """A model at a custom address; its key is named after the server."""
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
    """The choices for a campaign, a game, or in general; empty fields are left to a lower level."""

    model: str = ""
    """The name of the storyteller's model, or `none`."""

    cheap: str = ""
    """The name of the model for background tasks and summaries."""

    temperature: float | None = None
    max_output_tokens: int | None = None
    budget: SpendingBudget = field(default_factory=SpendingBudget)

    def over(self, other: "ModelPreference") -> "ModelPreference":
        """These choices, completed by the other's where they are empty."""
        return ModelPreference(
            model=self.model or other.model,
            cheap=self.cheap or other.cheap,
            temperature=other.temperature if self.temperature is None else self.temperature,
            max_output_tokens=self.max_output_tokens or other.max_output_tokens,
            budget=self.budget.over(other.budget),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeoutSettings:
    """How long to wait for a model, in seconds; None uses the adapter's default."""

    connect_seconds: float | None = None
    first_token_seconds: float | None = None
    between_chunks_seconds: float | None = None
    total_seconds: float | None = None
    turn_seconds: float | None = None
    """For a whole turn with all its requests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The contents of the settings file."""

    models: Mapping[str, ModelSettings] = field(default_factory=dict)
    usual: ModelPreference = field(default_factory=ModelPreference)
    fallback: tuple[str, ...] = ()
    """Models that are tried, in order, if the storyteller's cannot be reached."""

    allowed_addresses: tuple[str, ...] = ()
    """Addresses that a `.env` may set for the storyteller."""

    games: Mapping[str, ModelPreference] = field(default_factory=dict)
    campaigns: Mapping[str, ModelPreference] = field(default_factory=dict)
    timeouts: TimeoutSettings = field(default_factory=TimeoutSettings)
    send_ahead: bool = True
    """Whether a model that costs nothing may read the next prompt while the player reads."""


def decide_preference(
    settings: Settings, game: str, campaign: str, *wishes: ModelPreference
) -> ModelPreference:
    """Resolve the choices for a campaign of a game: explicit ones first, then those in the settings."""
    decided = ModelPreference()
    told = (settings.campaigns.get(campaign), settings.games.get(game), settings.usual)
    for choice in (*wishes, *told):
        decided = decided.over(choice) if choice is not None else decided
    return decided


TYPICAL_TURN = Usage(13_000, 350, 10_000)
"""A turn in the middle of a campaign: input, output and cached input tokens."""

PRICED_TURNS = 100
"""Turns for which a price is shown: an evening or two."""


def describe_prices(prices: Prices | None) -> str:
    """Describe prices, in dollars per million tokens."""
    if prices is None:
        return "price unknown"
    if not prices.input and not prices.output:
        return "free"
    cached = "" if prices.cached_input is None else f", {money(prices.cached_input)} cached"
    return f"{money(prices.input)} in{cached}, {money(prices.output)} out per million tokens"


def describe_turns(prices: Prices | None) -> str:
    """What PRICED_TURNS turns cost, roughly; empty if unknown or free."""
    dollars = 0.0 if prices is None else PRICED_TURNS * cost(TYPICAL_TURN, prices)
    return f"about {money(dollars)} for {PRICED_TURNS} turns" if dollars else ""


def describe_place(model: ModelSettings) -> str:
    """Describe a model and its server."""
    return f"{model.model} at {urlsplit(model.base_url).netloc}"


def money(dollars: float) -> str:
    """Format dollars with two significant digits."""
    if dollars and dollars < 0.01:
        return f"${dollars:.2g}" if dollars >= 0.0001 else f"${dollars:.6f}"
    whole = f"{dollars:.3f}" if dollars < 1 else f"{dollars:.2f}"
    return "$" + (whole.rstrip("0").rstrip(".") if "." in whole else whole)
