"""Campaign sessions: which games and campaigns a server may open, and the sessions of campaigns.

The server's role never changes.
"""

import hashlib
import hmac
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from talewright.common.frozen_values import frozen
from talewright.common.name_suggestions import listed
from talewright.common.safe_text import clean_line
from talewright.errors import TalewrightError
from talewright.play.campaign_view import View, Viewer
from talewright.play.lobby import CampaignInfo, GameInfo, ServingLobby
from talewright.play.playable_games import GameMaker
from talewright.play.serving.session_pool import SessionPool
from talewright.play.session import FollowingSession, wait_for_opening

HOLDER_DIGITS = 32


class ForeignCampaignError(TalewrightError):
    """The server does not serve this campaign."""


@frozen
class ServedGame:
    """What a server serves."""

    lobby: ServingLobby
    role: Viewer
    game: str
    """The only game; empty for all of them."""

    key: bytes
    """Shared by all processes that serve the same campaigns; proves who started a turn."""

    campaign: str = ""
    """The only campaign; empty for all of the game, and new ones."""

    language: str = ""
    has_rules: bool = True
    """Whether the systems of the game report rules; of all games, some do."""

    make_game: GameMaker | None = None
    """Makes games of what the user pastes; None if only listed games can be started."""

    def holder(self, campaign: str, operation_id: str) -> str:
        """The name that holds a turn: whoever started it may continue it, in any process."""
        words = f"{self.role}\0{campaign}\0{operation_id}".encode(errors="surrogatepass")
        return hmac.new(self.key, words, hashlib.sha256).hexdigest()[:HOLDER_DIGITS]

    @property
    def has_all_games(self) -> bool:
        """Whether a call names the game that it starts."""
        return not self.game and not self.campaign

    @property
    def table_proof(self) -> str:
        """What the table proves with that it is the table; the same in every process."""
        return hmac.new(self.key, f"{self.role}\0table".encode(), hashlib.sha256).hexdigest()[:HOLDER_DIGITS]


class CampaignSessions:
    """The campaigns of one server."""

    def __init__(self, served: ServedGame) -> None:
        self.served = served
        self._pool = SessionPool(served.lobby)
        self._checked: dict[str, int] = {}
        """By campaign, the number of the session that may be used."""

    async def list(self) -> tuple[CampaignInfo, ...]:
        """The campaigns that a call can name, most recently played first."""
        served = self.served
        return tuple(
            one
            for one in await served.lobby.campaigns()
            if served.game in ("", one.game) and served.campaign in ("", one.name)
        )

    async def games(self) -> tuple[GameInfo, ...]:
        """The games that a call can start."""
        return tuple(one for one in await self.served.lobby.games() if self.served.game in ("", one.id))

    async def start(self, operation_id: str, language: str, game: str = "") -> View:
        """Start a campaign, or open the one this operation has already started; returns its view.

        `game` counts if the server has all games.
        """
        served = self.served
        session = await served.lobby.begin(
            served.game or game, language or served.language, role=served.role, operation_id=operation_id
        )
        await wait_for_opening(session)
        view = await session.view()
        await self._pool.adopt(view.campaign, session)
        return view

    async def find(self, named: str) -> str:
        """The campaign that a call means; raises ForeignCampaignError if it names none of several."""
        if named or self.served.campaign:
            return named or self.served.campaign
        names = [one.name for one in await self.list()]
        if len(names) != 1:
            raise ForeignCampaignError(
                "this server has several campaigns" if names else "there is no campaign yet",
                f"Name the campaign: {listed(names)}." if names else "Start one with start_campaign.",
            )
        return names[0]

    @asynccontextmanager
    async def use(self, campaign: str) -> AsyncIterator[FollowingSession]:
        """The session of a campaign, on the branch that moved last."""
        role = self.served.role
        if not self._pool.has(campaign, role):
            await self._check(campaign)
        async with self._pool.use(campaign, role) as session:
            number = self._pool.number_of(campaign, role)
            if self._checked.get(campaign) != number:
                # A campaign of another game may have taken the name of a removed one.
                await self._check(campaign)
                self._checked[campaign] = number
            yield session

    async def read_rules(self, campaign: str) -> str:
        """What the systems of a campaign's game report of the rules; empty if they report nothing."""
        served = self.served
        known = {one.name: one for one in await self.list()}
        game, language = served.game, served.language
        if campaign in known:
            game, language = known[campaign].game, language or known[campaign].language
        return "\n".join(await served.lobby.read_rules(game, language))

    async def close(self) -> None:
        """Close every session; the campaigns are safe."""
        await self._pool.close()

    async def _check(self, campaign: str) -> None:
        """Raise ForeignCampaignError if the server does not serve a campaign."""
        served = self.served
        if served.campaign and campaign != served.campaign:
            raise ForeignCampaignError(
                f"this server serves the campaign {served.campaign!r} only", "Name that one in the call."
            )
        if not served.game:
            return
        known = {one.name: one.game for one in await served.lobby.campaigns()}
        if known.get(campaign, served.game) != served.game:
            raise ForeignCampaignError(
                f"{clean_line(campaign)!r} is a campaign of another game",
                "list_campaigns lists those that this server serves.",
            )
