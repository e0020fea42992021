"""Circumstances of a turn: the limits, model profiles and moderation result stored in its record.

With them a turn can be replayed from its record alone, whatever the settings are by then.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.llm.profiles import read_profile, write_profile
from talewright.llm.provider import ProfiledProvider, Provider
from talewright.turn.moderation import Objection
from talewright.turn.turn_context import Teller
from talewright.turn.turn_limits import TurnLimits


@frozen
class TurnCircumstances:
    """The settings that applied to a turn."""

    limits: TurnLimits = TurnLimits()
    main: Json = None
    """The profile of the narrating model; None without a model."""

    cheap: Json = None
    heard: Objection | None = None
    """The moderation result for the input, even if the player confirmed it."""


def note_circumstances(
    limits: TurnLimits, teller: Teller | None, heard: Objection | None = None
) -> TurnCircumstances:
    """The circumstances that apply now."""
    if teller is None:
        return TurnCircumstances(limits, heard=heard)
    cheap = None if teller.cheap is None else write_profile(teller.cheap.profile)
    return TurnCircumstances(limits, write_profile(teller.main.profile), cheap, heard)


def write_circumstances(one: TurnCircumstances) -> dict[str, Json]:
    """Circumstances as stored; defaults are left out."""
    usual = TurnLimits()
    limits: dict[str, Json] = {
        part.name: getattr(one.limits, part.name)
        for part in fields(TurnLimits)
        if getattr(one.limits, part.name) != getattr(usual, part.name)
    }
    heard: Json = None if one.heard is None else {"reason": one.heard.reason, "grave": one.heard.grave}
    raw = {"limits": limits, "main": one.main, "cheap": one.cheap, "heard": heard}
    return {name: value for name, value in raw.items() if value}


def read_circumstances(raw: Json) -> TurnCircumstances:
    """Parse stored circumstances."""
    if not isinstance(raw, Mapping):
        return TurnCircumstances()
    known = {part.name for part in fields(TurnLimits)}
    kept = raw.get("limits")
    limits: dict[str, Any] = dict(kept) if isinstance(kept, Mapping) else {}
    heard = raw.get("heard")
    return TurnCircumstances(
        TurnLimits(**{name: value for name, value in limits.items() if name in known}),
        raw.get("main"),
        raw.get("cheap"),
        Objection(str(heard["reason"]), bool(heard["grave"])) if isinstance(heard, Mapping) else None,
    )


def bind_teller(teller: Teller | None, one: TurnCircumstances) -> Teller | None:
    """The storyteller with the profiles that a turn started with; None if it started without a model."""
    if not isinstance(one.main, Mapping):
        return None
    if teller is None:
        return Teller(ProfiledProvider(None, read_profile(one.main)))
    cheap = teller.cheap
    if isinstance(one.cheap, Mapping):
        cheap = _bind(teller.cheap or teller.main, one.cheap)
    return replace(teller, main=_bind(teller.main, one.main), cheap=cheap)


def _bind(provider: Provider, raw: Mapping[str, Json]) -> Provider:
    profile = read_profile(raw, provider.profile)
    return provider if profile == provider.profile else ProfiledProvider(provider, profile)
