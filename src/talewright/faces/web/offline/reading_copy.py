"""Reading copies: a campaign's story in parts, as its player has read it, without any controls.

A part that ends before a given turn never changes, so a browser fetches it once.
"""

from urllib.parse import urlencode

from talewright.common.frozen_values import frozen
from talewright.faces.http.api_services import ApiServices
from talewright.faces.web.table_page import table_path
from talewright.play.campaign_view import TurnView, View, Viewer

PART_TURNS = 50
"""Turns in one part; parts begin at turn 1, 51, 101, and so on."""


@frozen
class ReadingCopy:
    """One part of a story."""

    view: View
    turns: tuple[TurnView, ...]

    @property
    def table(self) -> str:
        """The address of the table."""
        return table_path(self.view.campaign)

    @property
    def earlier(self) -> str:
        """The address of the part before; empty at the beginning of the story."""
        if not self.turns or self.turns[0].version <= 1:
            return ""
        return f"{reading_path(self.table)}?{urlencode({'before': self.turns[0].commit})}"


def reading_path(table: str) -> str:
    """The address of the newest part of a story."""
    return f"{table}/reading"


async def gather_reading(services: ApiServices, campaign: str, before: str = "") -> ReadingCopy:
    """The newest part of a story, or the one before a turn."""
    async with services.pool.use(campaign, Viewer.PLAYER) as session:
        view = await session.view()
        count = PART_TURNS if before else (max(view.version, 1) - 1) % PART_TURNS + 1
        turns = await session.past.turns(count, before)
    return ReadingCopy(view, turns)
