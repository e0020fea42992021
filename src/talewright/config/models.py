"""Models as a player has configured them: under which name, at which address, with which key's name.

No connection is opened here, and the key itself is not among it.
"""

from dataclasses import dataclass, replace

from talewright.config.keys import EVERYWHERE, KeyPlace
from talewright.llm.known_models import SERVICES, find_profile
from talewright.llm.profiles import Prices, Profile, Service, Wire

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
    """A row of `llm/profile_rows.py`; empty for an address of one's own."""

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
