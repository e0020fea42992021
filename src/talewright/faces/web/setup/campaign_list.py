"""Campaigns in lists: their details, what all of them have cost, and the endings found in them.

It only reads. The cost of a campaign is remembered until it is played again.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError
from talewright.faces.web.setup.lobby_page_words import LobbyPageWords
from talewright.play.lobby import CampaignDetails, CampaignInfo, GameInfo, Lobby

CAMPAIGNS_SHOWN = 24
"""Campaigns on one page."""

COUNT_SECONDS_MAX = 1.0
"""How long one page may spend counting costs; the next one continues."""

COSTS_MAX = 10_000
MINUTE, HOUR, DAY = 60, 3600, 86400
DAYS_MAX = 6
LITTLE_DOLLARS = 0.005


ListGames: TypeAlias = Callable[[str], tuple[GameInfo, ...]]
"""The games, described in a language; reads files."""


@frozen
class ListedCampaign:
    """A campaign in the list."""

    info: CampaignInfo
    facts: str
    """Turn, outcome, storyteller and time, in words."""

    cost: str = ""
    last: str = ""
    """The last line of the story."""

    turn: int = 0
    ending: str = ""
    """The name of the ending it has come to."""

    when: str = ""
    """When it was last played, in words."""

    is_finished: bool = False


@frozen
class CostTotal:
    """What campaigns have cost together."""

    dollars: float = 0.0
    is_whole: bool = True
    """Whether all campaigns are counted."""

    has_unpriced: bool = False


@dataclass
class CampaignCosts:
    """What the campaigns of one owner have cost, by name and the time they were last played."""

    known: dict[tuple[str, str], CampaignDetails] = field(default_factory=dict)
    unread: set[tuple[str, str]] = field(default_factory=set)
    """Those whose details could not be read."""

    seconds: Callable[[], float] = time.monotonic

    async def count(self, lobby: Lobby, campaigns: Sequence[CampaignInfo]) -> CostTotal:
        """The sum of as many campaigns as can be read in time."""
        until = self.seconds() + COUNT_SECONDS_MAX
        found, is_whole = [], True
        for one in campaigns:
            key = (one.name, one.at)
            if key not in self.known and self.seconds() > until:
                is_whole = False
                continue
            if not one.damaged:
                found.append(await self.read(lobby, one))
        unpriced = any(one.dollars is None and one.tokens for one in found)
        return CostTotal(sum(one.dollars or 0.0 for one in found), is_whole, unpriced)

    async def read(self, lobby: Lobby, info: CampaignInfo) -> CampaignDetails:
        """The details of a campaign, read if it was played since."""
        key = (info.name, info.at)
        if key not in self.known:
            self.keep(key, await find_details(lobby, info))
        return self.known[key]

    def find(self, info: CampaignInfo) -> CampaignDetails | None:
        """The details of a campaign that was counted."""
        key = (info.name, info.at)
        return None if key in self.unread else self.known.get(key)

    def find_endings(self, game: str, campaigns: Sequence[CampaignInfo]) -> frozenset[str]:
        """The endings of a game that were found in these campaigns, as far as they were counted."""
        details = (self.find(one) for one in campaigns if one.game == game)
        return frozenset(ending for one in details if one is not None for ending in one.endings)

    def keep(self, key: tuple[str, str], details: CampaignDetails | None) -> None:
        """Remember what a campaign has cost."""
        if len(self.known) >= COSTS_MAX:
            self.known.clear()
            self.unread.clear()
        if details is None:
            self.unread.add(key)
        self.known[key] = details or CampaignDetails(key[0])


async def find_details(lobby: Lobby, info: CampaignInfo) -> CampaignDetails | None:
    """The details of a campaign; None if they cannot be read."""
    try:
        return await lobby.details(info.name)
    except TalewrightError:
        return None


def describe_campaign(
    info: CampaignInfo, details: CampaignDetails | None, words: LobbyPageWords, now: datetime
) -> ListedCampaign:
    """A row of the list."""
    when = tell_when(info.at, now, words)
    if details is None:
        return ListedCampaign(info, words.join.join((words.no_details, when)), when=when)
    turn = words.turn.format(turn=details.turn) if details.turn else words.begun
    outcomes = {"win": words.won, "lose": words.lost, "": ""}
    facts = (turn, outcomes.get(details.outcome, words.ended), details.model or words.scenes, when)
    cost = words.cost.format(money=tell_money(details.dollars, words)) if details.dollars else ""
    return ListedCampaign(
        info,
        words.join.join(filter(None, facts)),
        cost,
        details.last,
        details.turn,
        details.ending,
        when,
        bool(details.outcome),
    )


def tell_money(dollars: float, words: LobbyPageWords) -> str:
    """An amount, rounded to cents."""
    return f"${dollars:,.2f}" if dollars >= LITTLE_DOLLARS else words.little


def tell_when(at: str, now: datetime, words: LobbyPageWords) -> str:
    """A recorded time relative to now, in the time zone of `now`; the text itself if it is not a time."""
    try:
        then = datetime.fromisoformat(at)
    except ValueError:
        return at
    then = then.replace(tzinfo=now.tzinfo) if then.tzinfo is None else then.astimezone(now.tzinfo)
    seconds, days = (now - then).total_seconds(), (now.date() - then.date()).days
    if seconds < MINUTE:
        return words.just_now
    if seconds < HOUR:
        return words.minutes.format(count=int(seconds // MINUTE))
    if days == 0 or seconds < DAY / 2:
        return words.hours.format(count=int(seconds // HOUR))
    if days == 1:
        return words.yesterday
    return words.days.format(count=days) if days <= DAYS_MAX else then.strftime("%Y-%m-%d")
