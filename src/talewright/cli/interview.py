"""The interview: a model chosen by somebody at a terminal, question by question.

It asks and gives back what was chosen; nothing is tried or written here.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, TypeVar

from talewright.cli.quotes import printable
from talewright.config.model_settings import (
    ModelSettings,
    choose_of_service,
    describe_prices,
    describe_turns,
    find_service,
)
from talewright.errors import TalewrightError

Ask: TypeAlias = Callable[[str], str]
Tell: TypeAlias = Callable[[str], None]
T = TypeVar("T")

MODELS_TOLD_MAX = 20
"""Models of one server that are offered by number."""

TRIES_MAX = 5
"""Answers that do not fit before the interview ends."""


class Served(Protocol):
    """A server that was knocked at."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def models(self) -> tuple[str, ...]: ...
    @property
    def trouble(self) -> str: ...


class Offered(Protocol):
    """A service that can be chosen."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def is_local(self) -> bool: ...


def ask_for_model(
    services: Sequence[Offered], servers: Sequence[Served], ask: Ask, tell: Tell
) -> ModelSettings:
    """A model as somebody chooses it: what runs on this machine first, then what is served elsewhere."""
    running = [server for server in servers if not server.trouble and server.models]
    hosted = [service for service in services if not service.is_local]
    tell("Who shall tell your games?")
    names = [f"{server.title}, running on this machine, free" for server in running]
    names += [f"{service.title}, with a key of your own" for service in hosted]
    at = _pick(names, ask, tell)
    if at < len(running):
        server = running[at]
        return choose_of_service(
            server.name, _ask_name(server.models[:MODELS_TOLD_MAX], ask, tell, server.name)
        )
    service = hosted[at - len(running)]
    known = find_service(service.name)
    return choose_of_service(
        service.name, _ask_name(tuple(known.models) if known else (), ask, tell, service.name)
    )


def _ask_name(models: Sequence[str], ask: Ask, tell: Tell, service: str) -> str:
    """A model by its number, or by any name."""
    tell("Which model? A number, or its name.")
    for number, model in enumerate(models, 1):
        prices = choose_of_service(service, model).profile.prices
        parts = [describe_prices(prices), describe_turns(prices)]
        tell(f"  {number}. {printable(model)} ({', '.join(filter(None, parts))})")
    for _ in range(TRIES_MAX):
        text = ask("> ").strip()
        if text.isdecimal() and 1 <= int(text[:9]) <= len(models):
            return models[int(text) - 1]
        if text and not text.isdecimal() and text.isprintable():
            return text
        tell(f"A number from 1 to {len(models)}, or a name.")
    raise _give_up()


def _pick(names: Sequence[str], ask: Ask, tell: Tell) -> int:
    for number, name in enumerate(names, 1):
        tell(f"  {number}. {name}")
    for _ in range(TRIES_MAX):
        text = ask("> ").strip()
        if text.isdecimal() and 1 <= int(text[:9]) <= len(names):
            return int(text) - 1
        tell(f"A number from 1 to {len(names)}.")
    raise _give_up()


def _give_up() -> TalewrightError:
    return TalewrightError("no model was chosen", "Begin again, or name it: talewright setup --model MODEL")
