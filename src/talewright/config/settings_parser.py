"""The settings parser: reads TOML into Settings, field by field, with precise error messages.

An error names the field and what it must be. It never quotes the value, which might be a key.
"""

import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from enum import StrEnum
from typing import NoReturn, TypeVar, cast

from talewright.config.api_keys import KEY_NAME
from talewright.config.environment import NO_MODEL
from talewright.config.model_settings import (
    ADDRESS_HINT,
    ModelPreference,
    ModelSettings,
    Settings,
    TimeoutSettings,
    find_service,
    is_server_address,
    known_services,
    model_of_service,
)
from talewright.config.settings_file import TERMINAL
from talewright.errors import SettingsError
from talewright.llm.measured_abilities import (
    ABILITY_FIELDS,
    CONTEXT_TOKENS_MAX,
    CONTEXT_TOKENS_MIN,
    SPEED_MAX,
    SPEED_MIN,
    MeasuredAbilities,
)
from talewright.llm.profiles import AnswerMode, Prices, SchemaForm, Wire
from talewright.turn.spending import SpendingBudget

_Choice = TypeVar("_Choice", bound=StrEnum)


class SettingsTable:
    """One table of the file."""

    def __init__(self, raw: Mapping[str, object], file: str, path: str = "") -> None:
        self._raw = raw
        self._file = file
        self._path = path
        self._taken: set[str] = set()

    def text(self, name: str, default: str = "") -> str:
        """A string on one line."""
        value = self._take(name)
        if value is None:
            return default
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            self.refuse(name, "must be a string", f'Write {name} = "..." on one line.')
        return value.strip()

    def number(self, name: str, low: float = 0.0, high: float = float("inf")) -> float | None:
        """A number within limits; None if absent."""
        value = self._take(name)
        if value is None:
            return None
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not low <= value <= high:  # type: ignore[operator]  # it is a number by then
            bounds = f"of {low:g} or more" if high == float("inf") else f"from {low:g} to {high:g}"
            self.refuse(
                name, f"must be a number {bounds}", f"Write {name} = followed by a number, without quotes."
            )
        return float(value)  # type: ignore[arg-type]  # as above

    def whole(self, name: str, low: int = 1) -> int | None:
        """A whole number; None if absent."""
        value = self._take(name)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or value < low:
            self.refuse(
                name, f"must be a whole number of {low} or more", f"Write {name} = followed by a number."
            )
        return value

    def flag(self, name: str) -> bool | None:
        """True or false; None if absent."""
        value = self._take(name)
        if value is not None and not isinstance(value, bool):
            self.refuse(name, "must be true or false", f"Write {name} = true or {name} = false.")
        return value

    def one_of(self, name: str, kind: type[_Choice]) -> _Choice | None:
        """One of several words; None if absent."""
        value = self.text(name)
        words = [str(one) for one in kind]
        if value and value not in words:
            self.refuse(name, "is not a known value", f"Known: {', '.join(words)}.")
        return kind(value) if value else None

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings."""
        value = self._take(name)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
            self.refuse(name, "must be a list of strings", f'Write {name} = ["...", "..."].')
        return tuple(value)

    def table(self, name: str) -> "SettingsTable":
        """A subtable; empty if absent."""
        value = self._take(name)
        path = f"{self._path}.{name}" if self._path else name
        if value is not None and not isinstance(value, dict):
            self.refuse(name, "must be a table", f"Write [{path}] and its fields below.")
        return SettingsTable(value or {}, self._file, path)

    def tables(self) -> Iterator[tuple[str, "SettingsTable"]]:
        """All subtables, by name."""
        for name in self._raw:
            yield name, self.table(name)

    def finish(self, *known: str) -> None:
        """Refuse any field that has not been read; `known` are the valid ones."""
        for name in self._raw:
            if name not in self._taken:
                near = get_close_matches(name, known, 1)
                hint = f"Did you mean {near[0]}?" if near else f"Known fields: {', '.join(known)}."
                self.refuse(name, "is not a known field", hint)

    def refuse(self, name: str, what: str, hint: str) -> NoReturn:
        """Raise a SettingsError about a field, or about the whole table if the name is empty."""
        path = ".".join(part for part in (self._path, name) if part)
        raise SettingsError(f"{self._file}: {path} {what}", hint)

    def leave(self, name: str) -> None:
        """Accept a field without reading it."""
        self._taken.add(name)

    def has(self, name: str) -> bool:
        """Whether a field is present."""
        return name in self._raw

    def _take(self, name: str) -> object:
        self._taken.add(name)
        return self._raw.get(name)


WIRES = ("openai", "anthropic", "google")
"""Protocols that a custom address can use."""

TEMPERATURE_MAX = 2.0

PROBE_HINT = "Delete the table and ask the server again: talewright models probe NAME"
MEASURED = "measured"
"""The table with the results of probing a model's server."""

CHOICE_FIELDS = ("model", "cheap", "temperature", "max_output_tokens", "budget")
MODEL_FIELDS = (
    *("service", "model", "base_url", "wire", "key"),
    *("context_tokens", "output_tokens_max", "prices", "at_once", "per_minute", MEASURED),
)
BUDGET_FIELDS = ("campaign_dollars", "campaign_tokens", "turn_dollars", "turn_tokens")
PRICE_FIELDS = ("input", "output", "cached_input", "cache_write")
TIMEOUT_FIELDS = (
    *("connect_seconds", "first_token_seconds", "between_chunks_seconds", "total_seconds", "turn_seconds"),
)
ALLOWED_ADDRESSES = "allowed_addresses"
SEND_AHEAD = "send_ahead"
TOP_FIELDS = (
    *CHOICE_FIELDS,
    *("fallback", ALLOWED_ADDRESSES, SEND_AHEAD, "models", "games", "campaigns", "timeouts", TERMINAL),
)


def read_settings(text: str, file: str) -> Settings:
    """Parse the text of a settings file. Raises SettingsError if it is not valid."""
    try:
        top = SettingsTable(tomllib.loads(text), file)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(f"{file} is not valid TOML: {error}", "Fix it, or delete the file.") from None
    models = {name: _read_model(name, table) for name, table in top.table("models").tables()}
    settings = Settings(
        models=models,
        usual=_read_choice(top),
        fallback=top.texts("fallback"),
        allowed_addresses=top.texts(ALLOWED_ADDRESSES),
        games={name: _read_finished_choice(table) for name, table in top.table("games").tables()},
        campaigns={name: _read_finished_choice(table) for name, table in top.table("campaigns").tables()},
        timeouts=_read_timeouts(top.table("timeouts")),
        send_ahead=top.flag(SEND_AHEAD) is not False,
    )
    # It contains only preferences, and an error in it must not keep anyone from playing.
    top.leave(TERMINAL)
    top.finish(*TOP_FIELDS)
    return settings


def _read_model(name: str, table: SettingsTable) -> ModelSettings:
    if name == NO_MODEL or "/" in name or not name.isprintable():
        table.refuse("", "cannot be the name of a model", "Choose another name, without a slash.")
    named = table.text("service")
    service = find_service(named) if named else None
    if named and service is None:
        services = ", ".join(one.name for one in known_services())
        table.refuse("service", "is not a known service", f"Known: {services}. Or write base_url instead.")
    model = table.text("model")
    if not model:
        table.refuse("model", "is missing", "Write the name of the model on the server.")
    base_url = table.text("base_url").rstrip("/")
    if base_url:
        _check_address(table, base_url)
    elif service is None:
        table.refuse("base_url", "is missing", "Write base_url, or the service that offers the model.")
    usual = None if service is None else model_of_service(service, model, name)
    measured = _read_measured(table.table(MEASURED)) if table.has(MEASURED) else None
    found = ModelSettings(
        name=name,
        model=model,
        base_url=base_url or (usual.base_url if usual else ""),
        wire=_read_wire(table, usual.wire if usual else "openai"),
        service=usual.service if usual else "",
        # A vendor's key is sent only to the vendor, unless the settings say otherwise.
        key_name=_read_key_name(table, usual.key_name if usual and not base_url else ""),
        context_tokens=table.whole("context_tokens", 512),
        output_tokens_max=table.whole("output_tokens_max"),
        prices=_read_prices(table.table("prices")) if table.has("prices") else None,
        at_once=table.whole("at_once"),
        per_minute=table.whole("per_minute") or 0,
        measured=measured,
    )
    table.finish(*MODEL_FIELDS)
    return found


def _read_measured(table: SettingsTable) -> MeasuredAbilities:
    server = table.text("server")
    if server and find_service(server) is None:
        table.refuse("server", "is not a known service", PROBE_HINT)
    context = table.number("context_tokens", CONTEXT_TOKENS_MIN, CONTEXT_TOKENS_MAX)
    found = MeasuredAbilities(
        date=table.text("date"),
        server=server,
        answer_mode=table.one_of("answer_mode", AnswerMode),
        schema_form=table.one_of("schema_form", SchemaForm),
        takes_grammar=table.flag("takes_grammar"),
        takes_tools=table.flag("takes_tools"),
        context_tokens=None if context is None else int(context),
        asks_usage=table.flag("asks_usage"),
        keeps_prefix=table.flag("keeps_prefix"),
        reports_progress=table.flag("reports_progress"),
        read_tokens_per_second=table.number("read_tokens_per_second", SPEED_MIN, SPEED_MAX),
        write_tokens_per_second=table.number("write_tokens_per_second", SPEED_MIN, SPEED_MAX),
    )
    table.finish(*ABILITY_FIELDS)
    return found


def _check_address(table: SettingsTable, base_url: str) -> None:
    if not is_server_address(base_url):
        table.refuse("base_url", "is not the address of a server", ADDRESS_HINT)


def _read_wire(table: SettingsTable, usual: Wire) -> Wire:
    wire = table.text("wire", usual)
    if wire not in WIRES:
        table.refuse("wire", "is not a known protocol", f"Known: {', '.join(WIRES)}.")
    return cast(Wire, wire)


def _read_key_name(table: SettingsTable, usual: str) -> str:
    name = table.text("key", usual)
    if name and not KEY_NAME.fullmatch(name):
        table.refuse(
            "key",
            "must be the name of the key, such as OPENAI_API_KEY",
            "Never put the key itself in this file: `talewright setup` stores it in the keyring.",
        )
    return name


def _read_prices(table: SettingsTable) -> Prices:
    paid, told = table.number("input"), table.number("output")
    if paid is None or told is None:
        missing = "input" if paid is None else "output"
        table.refuse(missing, "is missing", "Write the dollars per million tokens, for input and output.")
    prices = Prices(paid, told, table.number("cached_input"), table.number("cache_write"))
    table.finish(*PRICE_FIELDS)
    return prices


def _read_choice(table: SettingsTable) -> ModelPreference:
    return ModelPreference(
        model=table.text("model"),
        cheap=table.text("cheap"),
        temperature=table.number("temperature", 0.0, TEMPERATURE_MAX),
        max_output_tokens=table.whole("max_output_tokens"),
        budget=_read_budget(table.table("budget")),
    )


def _read_finished_choice(table: SettingsTable) -> ModelPreference:
    choice = _read_choice(table)
    table.finish(*CHOICE_FIELDS)
    return choice


def _read_budget(table: SettingsTable) -> SpendingBudget:
    budget = SpendingBudget(
        table.number("campaign_dollars"),
        table.whole("campaign_tokens", 0),
        table.number("turn_dollars"),
        table.whole("turn_tokens", 0),
    )
    table.finish(*BUDGET_FIELDS)
    return budget


def _read_timeouts(table: SettingsTable) -> TimeoutSettings:
    found = TimeoutSettings(**{name: table.number(name, 0.001, 3600.0) for name in TIMEOUT_FIELDS})
    table.finish(*TIMEOUT_FIELDS)
    return found
