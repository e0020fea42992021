"""The cost of a campaign: tokens and money by turn and model, and prompt cache misses.

A provider caches the start of a prompt while it stays the same. The number of cached tokens is recorded; the
reason for a miss is derived from the record of the turn.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import cast

from talewright.chronicle.records import Accepted, Attempt, AttemptVerdict, Commit
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.language_tags import normalize_tag
from talewright.llm.cost_meter import MILLION
from talewright.llm.profiles import Profile, ProfileLookup
from talewright.llm.reply_chunks import Usage
from talewright.play.history.campaign_history import CampaignHistory
from talewright.turn.inputs.player_inputs import Opening, to_json
from talewright.turn.memory.story_memory import WINDOW
from talewright.turn.records.commit_body import read_usage
from talewright.turn.records.turn_attempts import is_ahead
from talewright.turn.spending import Spending, join, read_spendings

BROKEN_SHARE = 0.5
"""A prefix counts as broken if less than this share of the previously cached tokens is cached now."""


@frozen
class PromptCacheBreak:
    """A turn whose prompt prefix was not cached."""

    why: str
    tokens: int
    """Tokens that were read again and might have been cached."""

    dollars: float | None
    """The extra cost; None if prices are unknown."""


@frozen
class _First:
    """The first request of a turn."""

    model: str
    usage: Usage


def find_breaks(history: CampaignHistory, lookup: ProfileLookup) -> dict[str, PromptCacheBreak]:
    """The turns with a broken prefix, by the id of their commit."""
    found = {}
    for commit in history.commits.values():
        before = history.commits.get(commit.parent)
        while before is not None and _first_ask(before) is None:
            before = history.commits.get(before.parent)
        broken = None if before is None else find_break(commit, before, lookup)
        if broken is not None:
            found[commit.id] = broken
    return found


def find_break(commit: Commit, before: Commit, lookup: ProfileLookup) -> PromptCacheBreak | None:
    """The cache break between two turns; None if there is none, or if only one of them used a model."""
    now, asked = _first_ask(commit), _first_ask(before)
    if now is None or asked is None:
        return None
    if now.usage.cached_tokens >= BROKEN_SHARE * asked.usage.cached_tokens:
        return None
    lost = min(asked.usage.cached_tokens, now.usage.input_tokens) - now.usage.cached_tokens
    why = _explain(commit, before, now, asked, lookup)
    return PromptCacheBreak(why, lost, _price(lost, lookup(now.model)))


def _first_ask(commit: Commit) -> _First | None:
    exchanges = cast(Sequence[Mapping[str, Json]], commit.body.get("exchanges", ()))
    for exchange in exchanges:
        # An errand is a different request with a different start.
        if not str(exchange.get("purpose", "")).startswith("errand"):
            usage = read_usage(exchange.get("usage"))
            return None if usage is None else _First(str(exchange.get("model", "")), usage)
    return None


def _explain(commit: Commit, before: Commit, now: _First, asked: _First, lookup: ProfileLookup) -> str:
    """Why a prefix was not cached, as far as the record shows."""
    if now.model != asked.model:
        return f"another model: {asked.model}, then {now.model}"
    # Other cuts shorten the end of a prompt, which is new in every turn anyway.
    for cut in cast(Sequence[Mapping[str, Json]], commit.body.get("cuts", ())):
        if cut.get("cut") == WINDOW:
            return f"the oldest turns were condensed; the transcript now begins with turn {cut.get('first')}"
    if commit.game_digest != before.game_digest:
        return "the game has changed"
    now_in, then_in = (normalize_tag(str(one.body.get("language", ""))) for one in (commit, before))
    if now_in != then_in:
        return "the language has changed"
    seconds = _seconds_between(before.at, commit.at)
    lifetime = lookup(now.model).cache.lifetime_seconds
    if lifetime and seconds > lifetime:
        return f"{round(seconds / 60)} minutes passed; the provider caches it for {round(lifetime / 60)}"
    return "the provider did not cache it"


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


@frozen
class Cost:
    """Tokens and money spent."""

    uncached_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    dollars: float | None = 0.0
    """None if the price of any part is unknown."""

    estimated: bool = False
    """Whether some of it is estimated, because a provider reported no usage."""

    def __add__(self, other: "Cost") -> "Cost":
        unknown = self.dollars is None or other.dollars is None
        return Cost(
            self.uncached_tokens + other.uncached_tokens,
            self.cached_tokens + other.cached_tokens,
            self.output_tokens + other.output_tokens,
            None if unknown else (self.dollars or 0.0) + (other.dollars or 0.0),
            self.estimated or other.estimated,
        )

    def to_json(self) -> dict[str, Json]:
        """The same as data."""
        return {
            "uncached_tokens": self.uncached_tokens,
            "cached_tokens": self.cached_tokens,
            "output_tokens": self.output_tokens,
            "dollars": None if self.dollars is None else round(self.dollars, 9),
            "estimated": self.estimated,
        }


@frozen
class TurnCost:
    """The cost of one turn."""

    version: int
    commit: str
    branch: str
    asks: int
    models: tuple[str, ...]
    cost: Cost
    broken: PromptCacheBreak | None = None
    """Set if the provider had to read a cached prefix again."""

    def to_json(self) -> dict[str, Json]:
        """The same as data."""
        broken = self.broken
        return {
            "turn": self.version,
            "commit": self.commit,
            "branch": self.branch,
            "asks": self.asks,
            "models": list(self.models),
            **self.cost.to_json(),
            "prefix_broken": None
            if broken is None
            else {"why": broken.why, "tokens": broken.tokens, "dollars": broken.dollars},
        }


@frozen
class CampaignCost:
    """The cost of a campaign."""

    campaign: str
    turns: tuple[TurnCost, ...]
    """Turns narrated by a model, on all branches, in order."""

    scenes: int
    """Turns that cost nothing."""

    told: Cost
    failed: Cost
    """Attempts that did not lead to a turn."""

    aside: Cost
    """Summaries and errands between turns."""

    ahead: Cost
    """What was read ahead by a model that costs nothing."""

    models: Mapping[str, Cost]

    asks: int = 0
    """Requests to models for all of this, except for reading ahead: nobody waits for those."""

    background_asks: int = 0
    """How many of them were made between turns: summaries and errands, life off-screen among them."""

    actions: int = 0
    """Player actions that led to a turn, on all branches. The opening of a story is none."""

    @property
    def asks_per_action(self) -> float:
        """How many requests a player action led to, on average."""
        return self.asks / max(1, self.actions)

    @property
    def total(self) -> Cost:
        """Everything together."""
        return self.told + self.failed + self.aside + self.ahead

    def to_json(self) -> dict[str, Json]:
        """The same as data."""
        return {
            "campaign": self.campaign,
            "total": self.total.to_json(),
            "told": self.told.to_json(),
            "failed": self.failed.to_json(),
            "aside": self.aside.to_json(),
            "ahead": self.ahead.to_json(),
            "turns_by_scenes": self.scenes,
            "requests": self.asks,
            "requests_between_turns": self.background_asks,
            "actions": self.actions,
            "requests_per_action": round(self.asks_per_action, 3),
            "models": {model: cost.to_json() for model, cost in self.models.items()},
            "turns": [turn.to_json() for turn in self.turns],
        }


def count_costs(history: CampaignHistory, lookup: ProfileLookup) -> CampaignCost:
    """The cost of a campaign; `lookup` returns prices and cache rules by model name."""
    breaks = find_breaks(history, lookup)
    tries = [attempt for attempts in history.attempts.values() for attempt in attempts]
    made = {attempt.operation_id: attempt for attempt in tries if attempt.verdict is AttemptVerdict.COMMITTED}
    others = [attempt for attempt in tries if attempt.verdict is not AttemptVerdict.COMMITTED]
    failed = [one for attempt in others if not is_ahead(attempt) for one in _spent(attempt)]
    ahead = [one for attempt in others if is_ahead(attempt) for one in _spent(attempt)]
    aside = [one for each in history.asides for one in read_spendings(each.body)]
    turns = [
        _count_turn(commit, made[commit.operation_id], breaks.get(commit.id))
        for commit in history.commits.values()
        if commit.operation_id in made and _spent(made[commit.operation_id])
    ]
    told = [one for attempt in made.values() for one in _spent(attempt)]
    background = sum(_count_asks(each.body) for each in history.asides)
    return CampaignCost(
        history.campaign,
        tuple(turns),
        sum(bool(commit.parent) for commit in history.commits.values()) - len(turns),
        add_up(told),
        add_up(failed),
        add_up(aside),
        add_up(ahead),
        {one.model: add_up([one]) for one in join([*told, *failed, *aside, *ahead])},
        sum(_count_asks(one.body) for one in tries if not is_ahead(one)) + background,
        background,
        sum(_is_action(history.accepted.get(commit.operation_id)) for commit in history.commits.values()),
    )


def _count_asks(body: Mapping[str, Json]) -> int:
    asks = body.get("asks", 0)
    return asks if isinstance(asks, int) else 0


def _is_action(accepted: Accepted | None) -> bool:
    return accepted is not None and accepted.input != to_json(Opening())


def add_up(spendings: Iterable[Spending]) -> Cost:
    """The sum of spendings on any models."""
    total = Cost()
    for one in spendings:
        usage = one.usage
        cached = min(usage.cached_tokens, usage.input_tokens)
        total += Cost(usage.input_tokens - cached, cached, usage.output_tokens, one.dollars, usage.estimated)
    return total


def _count_turn(commit: Commit, attempt: Attempt, broken: PromptCacheBreak | None) -> TurnCost:
    spent = _spent(attempt)
    asks = cast(Sequence[Json], commit.body.get("exchanges", ()))
    models = tuple(dict.fromkeys(one.model for one in spent))
    return TurnCost(commit.version, commit.id, commit.branch, len(asks), models, add_up(spent), broken)


def _spent(attempt: Attempt) -> tuple[Spending, ...]:
    return read_spendings(attempt.body)
