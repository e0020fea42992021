"""Prefixes: where a provider had to read again what it had kept of a campaign, why, and what that cost.

A provider keeps the beginning of a prompt while it stays the same. What is recorded is how much was kept;
why it was not is told from what is recorded of the turn.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias, cast

from talewright.chronicle.records import Commit
from talewright.kernel.state.documents import Json
from talewright.llm.cost_meter import MILLION
from talewright.llm.profiles import Profile
from talewright.llm.reply_chunks import Usage
from talewright.play.looking_back.histories import History
from talewright.turn.memory.story_memory import WINDOW
from talewright.turn.records.commit_body import read_usage

Lookup: TypeAlias = Callable[[str], Profile]
"""The profile of a model, by the name its server has for it."""

BROKEN_SHARE = 0.5
"""A prefix is broken where less than this share of what was kept at the turn before is kept now."""


@dataclass(frozen=True, slots=True)
class Break:
    """One time that a prefix was not kept."""

    why: str
    tokens: int
    """Those that were read anew, and might have been kept."""

    dollars: float | None
    """What that cost more; None where prices are not known."""


@dataclass(frozen=True, slots=True)
class _First:
    """The first ask of a turn."""

    model: str
    usage: Usage


def find_breaks(history: History, lookup: Lookup) -> dict[str, Break]:
    """The turns at which a prefix broke, by the id of their commit."""
    found = {}
    for commit in history.commits.values():
        before = history.commits.get(commit.parent)
        while before is not None and _first_ask(before) is None:
            before = history.commits.get(before.parent)
        broken = None if before is None else find_break(commit, before, lookup)
        if broken is not None:
            found[commit.id] = broken
    return found


def find_break(commit: Commit, before: Commit, lookup: Lookup) -> Break | None:
    """Whether a prefix broke between two turns; None where it did not, or a model told only one of them."""
    now, asked = _first_ask(commit), _first_ask(before)
    if now is None or asked is None:
        return None
    if now.usage.cached_tokens >= BROKEN_SHARE * asked.usage.cached_tokens:
        return None
    lost = min(asked.usage.cached_tokens, now.usage.input_tokens) - now.usage.cached_tokens
    why = _explain(commit, before, now, asked, lookup)
    return Break(why, lost, _price(lost, lookup(now.model)))


def _first_ask(commit: Commit) -> _First | None:
    exchanges = cast(Sequence[Mapping[str, Json]], commit.body.get("exchanges", ()))
    for exchange in exchanges:
        # An errand is another question with a beginning of its own.
        if not str(exchange.get("purpose", "")).startswith("errand"):
            usage = read_usage(exchange.get("usage"))
            return None if usage is None else _First(str(exchange.get("model", "")), usage)
    return None


def _explain(commit: Commit, before: Commit, now: _First, asked: _First, lookup: Lookup) -> str:
    """Why a prefix was not kept, as far as the record says."""
    if now.model != asked.model:
        return f"another model: {asked.model}, then {now.model}"
    # Other cuts shorten the end of a prompt, which is new in every turn anyway.
    for cut in cast(Sequence[Mapping[str, Json]], commit.body.get("cuts", ())):
        if cut.get("cut") == WINDOW:
            return f"the oldest turns were condensed; the transcript now begins with turn {cut.get('first')}"
    if commit.game_digest != before.game_digest:
        return "the game had changed"
    if commit.body.get("language") != before.body.get("language"):
        return "the language had changed"
    seconds = _seconds_between(before.at, commit.at)
    lifetime = lookup(now.model).cache.lifetime_seconds
    if lifetime and seconds > lifetime:
        return f"{round(seconds / 60)} minutes had passed; the provider keeps it for {round(lifetime / 60)}"
    return "the provider had not kept it"


def _seconds_between(earlier: str, later: str) -> float:
    try:
        return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()
    except (ValueError, TypeError):
        return 0.0


def _price(tokens: int, profile: Profile) -> float | None:
    prices = profile.prices
    if prices is None:
        return None
    cached = prices.input if prices.cached_input is None else prices.cached_input
    return tokens * (max(prices.input, prices.cache_write or 0.0) - cached) / MILLION
