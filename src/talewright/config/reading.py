"""Reading: the settings file, TOML, as Settings; whatever does not fit is said with its place.

It reads a text it is given. Where the file lies is the business of `loading`.
"""

import tomllib
from typing import cast
from urllib.parse import urlsplit

from talewright.config.keys import KEY_NAME
from talewright.config.models import (
    HOSTED_AT_ONCE,
    ModelSettings,
    find_service,
    known_services,
    model_of_service,
)
from talewright.config.names import NO_MODEL
from talewright.config.settings import Choice, Settings, Timeouts
from talewright.config.tables import Table
from talewright.config.terminal import TERMINAL
from talewright.errors import TalewrightError
from talewright.llm.profiles import Prices, Wire
from talewright.turn.spending import SpendingBudget

WIRES = ("openai", "anthropic", "google")
"""Protocols that an address of one's own may speak."""

TEMPERATURE_MAX = 2.0

CHOICE_FIELDS = ("model", "cheap", "temperature", "max_output_tokens", "budget")
MODEL_FIELDS = (
    *("service", "model", "base_url", "wire", "key"),
    *("context_tokens", "output_tokens_max", "prices", "at_once"),
)
BUDGET_FIELDS = ("campaign_dollars", "campaign_tokens", "turn_dollars", "turn_tokens")
PRICE_FIELDS = ("input", "output", "cached_input", "cache_write")
TIMEOUT_FIELDS = (
    *("connect_seconds", "first_token_seconds", "between_chunks_seconds", "total_seconds", "turn_seconds"),
)
TOP_FIELDS = (*CHOICE_FIELDS, "fallback", "models", "games", "campaigns", "timeouts", TERMINAL)


def read_settings(text: str, file: str) -> Settings:
    """The settings of a file's text; a TalewrightError where it does not fit."""
    try:
        top = Table(tomllib.loads(text), file)
    except tomllib.TOMLDecodeError as error:
        raise TalewrightError(
            f"{file} is no TOML: {error}", "Put it right there, or remove the file."
        ) from None
    models = {name: _read_model(name, table) for name, table in top.table("models").tables()}
    settings = Settings(
        models=models,
        usual=_read_choice(top),
        fallback=top.texts("fallback"),
        games={name: _read_finished_choice(table) for name, table in top.table("games").tables()},
        campaigns={name: _read_finished_choice(table) for name, table in top.table("campaigns").tables()},
        timeouts=_read_timeouts(top.table("timeouts")),
    )
    # What it says is only a liking, and no reason not to play.
    top.leave(TERMINAL)
    top.finish(*TOP_FIELDS)
    return settings


def _read_model(name: str, table: Table) -> ModelSettings:
    if name == NO_MODEL or "/" in name or not name.isprintable():
        table.refuse("", "cannot be the name of a model", "Take another word, without a slash.")
    named = table.text("service")
    service = find_service(named) if named else None
    if named and service is None:
        services = ", ".join(one.name for one in known_services())
        table.refuse("service", "is none that is known", f"There is {services}; or write base_url instead.")
    model = table.text("model")
    if not model:
        table.refuse("model", "is missing", "Write how the server calls the model.")
    base_url = table.text("base_url").rstrip("/")
    if base_url:
        _check_address(table, base_url)
    elif service is None:
        table.refuse("base_url", "is missing", "Write base_url, or the service that has the model.")
    usual = None if service is None else model_of_service(service, model, name)
    found = ModelSettings(
        name=name,
        model=model,
        base_url=base_url or (usual.base_url if usual else ""),
        wire=_read_wire(table, usual.wire if usual else "openai"),
        service=usual.service if usual else "",
        # A vendor's key goes to the vendor. Whoever wants to send it elsewhere must say so.
        key_name=_read_key_name(table, usual.key_name if usual and not base_url else ""),
        context_tokens=table.whole("context_tokens", 512),
        output_tokens_max=table.whole("output_tokens_max"),
        prices=_read_prices(table.table("prices")) if table.has("prices") else None,
        at_once=table.whole("at_once") or (usual.at_once if usual else HOSTED_AT_ONCE),
    )
    table.finish(*MODEL_FIELDS)
    return found


def _check_address(table: Table, base_url: str) -> None:
    try:
        parts = urlsplit(base_url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        plain = not (parts.username or parts.password or parts.query or parts.fragment)
    except ValueError:
        fits = plain = False
    if not fits or not plain:
        table.refuse(
            "base_url",
            "is no address of a server",
            "Write it like http://127.0.0.1:8080/v1, with no name, key or question mark in it.",
        )


def _read_wire(table: Table, usual: Wire) -> Wire:
    wire = table.text("wire", usual)
    if wire not in WIRES:
        table.refuse("wire", "is none that is known", f"There is {', '.join(WIRES)}.")
    return cast(Wire, wire)


def _read_key_name(table: Table, usual: str) -> str:
    name = table.text("key", usual)
    if name and not KEY_NAME.fullmatch(name):
        table.refuse(
            "key",
            "must be the name under which the key is found, such as OPENAI_API_KEY",
            "A key itself never stands in this file: `talewright setup` puts it into the keyring.",
        )
    return name


def _read_prices(table: Table) -> Prices:
    paid, told = table.number("input"), table.number("output")
    if paid is None or told is None:
        missing = "input" if paid is None else "output"
        table.refuse(missing, "is missing", "Write dollars for a million tokens, input and output.")
    prices = Prices(paid, told, table.number("cached_input"), table.number("cache_write"))
    table.finish(*PRICE_FIELDS)
    return prices


def _read_choice(table: Table) -> Choice:
    return Choice(
        model=table.text("model"),
        cheap=table.text("cheap"),
        temperature=table.number("temperature", 0.0, TEMPERATURE_MAX),
        max_output_tokens=table.whole("max_output_tokens"),
        budget=_read_budget(table.table("budget")),
    )


def _read_finished_choice(table: Table) -> Choice:
    choice = _read_choice(table)
    table.finish(*CHOICE_FIELDS)
    return choice


def _read_budget(table: Table) -> SpendingBudget:
    budget = SpendingBudget(
        table.number("campaign_dollars"),
        table.whole("campaign_tokens", 0),
        table.number("turn_dollars"),
        table.whole("turn_tokens", 0),
    )
    table.finish(*BUDGET_FIELDS)
    return budget


def _read_timeouts(table: Table) -> Timeouts:
    found = Timeouts(**{name: table.number(name, 0.001, 3600.0) for name in TIMEOUT_FIELDS})
    table.finish(*TIMEOUT_FIELDS)
    return found
