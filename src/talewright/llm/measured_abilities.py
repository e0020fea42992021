"""Measured abilities: the results of probing a server, with the date, as data.

They override the row of a known model; the player's settings override them.
`providers/openai_wire/server_probe.py` does the asking.
"""

from dataclasses import fields, replace
from typing import Any, TypeAlias

from talewright.common.frozen_values import frozen
from talewright.llm.profiles import AnswerMode, CacheKind, CacheRules, Profile, SchemaForm

AbilityValue: TypeAlias = str | bool | int | float
"""One field in a settings file or in JSON."""

CONTEXT_TOKENS_MIN = 512
CONTEXT_TOKENS_MAX = 2_000_000
"""Plausible context sizes; a size outside this range is ignored."""

SPEED_MIN, SPEED_MAX = 0.01, 1_000_000.0
"""Plausible speeds in tokens per second; a speed outside this range is ignored."""


@frozen
class MeasuredAbilities:
    """The answers to a probe; None where a question was skipped or had no clear answer."""

    date: str
    """The day of the probe, as YYYY-MM-DD."""

    server: str = ""
    """The recognised kind of server: the name of a service; empty if it is unknown."""

    answer_mode: AnswerMode | None = None
    schema_form: SchemaForm | None = None
    """How a schema must be sent for the answer to follow it."""

    takes_grammar: bool | None = None
    takes_tools: bool | None = None
    context_tokens: int | None = None
    """What the server has allocated, which may be far less than the model could read."""

    asks_usage: bool | None = None
    keeps_prefix: bool | None = None
    """Whether a repeated beginning of a prompt is read only once."""

    reports_progress: bool | None = None
    read_tokens_per_second: float | None = None
    write_tokens_per_second: float | None = None

    @property
    def found_nothing(self) -> bool:
        """Whether no question was answered."""
        return len(self.to_settings()) == 1

    def to_settings(self) -> dict[str, AbilityValue]:
        """The answered questions, in the form of the settings file."""
        raw: dict[str, AbilityValue] = {}
        for name in ABILITY_FIELDS:
            value = getattr(self, name)
            if value is not None and value != "":
                raw[name] = str(value) if isinstance(value, AnswerMode | SchemaForm) else value
        return raw


ABILITY_FIELDS = tuple(part.name for part in fields(MeasuredAbilities))
"""The names of all fields, as the settings file spells them."""

_COPIED = (
    *("answer_mode", "schema_form", "takes_grammar", "takes_tools", "context_tokens", "asks_usage"),
    *("reports_progress", "read_tokens_per_second", "write_tokens_per_second"),
)
"""Fields that a profile has as well."""


def apply_abilities(profile: Profile, abilities: MeasuredAbilities) -> Profile:
    """A profile updated with what was measured; the rest stays as it is."""
    found = {name: getattr(abilities, name) for name in _COPIED}
    changes: dict[str, Any] = {name: value for name, value in found.items() if value is not None}
    if abilities.keeps_prefix is False:
        changes["cache"] = CacheRules()
    elif abilities.keeps_prefix and profile.cache.kind is CacheKind.NONE:
        changes["cache"] = CacheRules(CacheKind.AUTOMATIC)
    return replace(profile, **changes)
