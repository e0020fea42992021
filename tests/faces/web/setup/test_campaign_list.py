"""The campaign list: what a row says, when it was played, and what all campaigns have cost."""

import asyncio
from datetime import UTC, datetime
from typing import cast

import pytest

from talewright.errors import TalewrightError
from talewright.faces.web.setup.campaign_list import (
    CampaignCosts,
    CostTotal,
    describe_campaign,
    tell_money,
    tell_when,
)
from talewright.faces.web.setup.lobby_page_words import lobby_page_words
from talewright.play.lobby import CampaignDetails, CampaignInfo, Lobby

ENGLISH = lobby_page_words("en")
CHINESE = lobby_page_words("zh-CN")

NOW = datetime(2026, 11, 16, 20, 0, tzinfo=UTC)
INFO = CampaignInfo("mist-1", "mist", "Mist", "en", "2026-11-16T19:30:00Z")


@pytest.mark.parametrize(
    ("at", "told"),
    [
        ("2026-11-16T19:59:30Z", "just now"),
        ("2026-11-16T20:01:00Z", "just now"),
        ("2026-11-16T19:18:00Z", "42 min ago"),
        ("2026-11-16T02:00:00Z", "18 h ago"),
        ("2026-11-15T02:00:00Z", "yesterday"),
        ("2026-11-12T23:00:00+00:00", "4 days ago"),
        ("2026-01-02T03:04:05", "2026-01-02"),
        ("<b>", "<b>"),
    ],
)
def test_when_it_was_played(at: str, told: str) -> None:
    assert tell_when(at, NOW, ENGLISH) == told


def test_a_row_says_what_matters() -> None:
    details = CampaignDetails("mist-1", 7, "The lamp went out.", "big-1", 0.1234, 900, "win")
    row = describe_campaign(INFO, details, ENGLISH, NOW)
    assert (row.facts, row.cost) == ("turn 7 · won · big-1 · 30 min ago", "about $0.12")
    row = describe_campaign(INFO, CampaignDetails("mist-1"), CHINESE, NOW)
    assert (row.facts, row.cost) == ("刚开始 · 由剧本讲述 · 30 分钟前", "")
    assert describe_campaign(INFO, None, ENGLISH, NOW).facts == "Its details cannot be read. · 30 min ago"
    assert tell_money(0.0001, ENGLISH) == "under $0.01"
    assert tell_money(1234.5, ENGLISH) == "$1,234.50"


class CountingLobby:
    """A lobby whose campaigns cost a dollar each."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def details(self, campaign: str) -> CampaignDetails:
        self.asked.append(campaign)
        if campaign == "torn":
            raise TalewrightError("torn")
        dollars = None if campaign == "unpriced" else 1.0
        return CampaignDetails(campaign, dollars=dollars, tokens=10)


def test_costs_are_counted_once_and_in_time() -> None:
    lobby, now = CountingLobby(), [0.0]

    def seconds() -> float:
        now[0] += 0.3
        return now[0]

    async def run() -> None:
        costs = CampaignCosts(seconds=seconds)
        played = [CampaignInfo(f"c{at}", "g", "G", "en", "then") for at in range(6)]
        port = cast(Lobby, lobby)
        first = await costs.count(port, played)
        assert first == CostTotal(3.0, is_whole=False)
        assert await costs.count(port, played) == CostTotal(6.0)
        assert lobby.asked == [f"c{at}" for at in range(6)]
        # Played again, it is read again.
        await costs.count(port, [CampaignInfo("c0", "g", "G", "en", "now")])
        assert lobby.asked[6:] == ["c0"]
        odd = [CampaignInfo(name, "g", "G", "en", "x") for name in ("torn", "unpriced")]
        damaged = CampaignInfo("d", "g", "G", "en", "x", damaged=True)
        assert await costs.count(port, [*odd, damaged]) == CostTotal(0.0, has_unpriced=True)

    asyncio.run(run())
