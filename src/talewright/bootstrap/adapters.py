"""Adapters: a configured model as a Provider, and the libraries it needs loaded only then.

Nothing is wrapped here; that is the agency's business.
"""

import importlib
from collections.abc import Callable
from dataclasses import fields

from talewright.config.api_keys import ApiKey
from talewright.config.model_settings import ModelSettings, TimeoutSettings
from talewright.llm.provider import Provider, ProviderError, Trouble
from talewright.turn.turn_limits import TurnLimits

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
