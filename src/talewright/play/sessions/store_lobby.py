"""The Lobby on a Store: starts games and opens campaigns in this process.

Sessions take the turns, and `export` makes the bytes of files.
"""

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias, cast

from talewright.chronicle.pagination import read_campaigns
from talewright.chronicle.readable_pages import RecordWitness
from talewright.chronicle.records import Commit
from talewright.chronicle.store import (
    BlobKind,
    CampaignBook,
    CampaignListing,
    NameTakenError,
    Store,
    UnknownCampaignError,
)
from talewright.common.json_values import Json
from talewright.common.language_tags import pick_language
from talewright.common.safe_text import clean_line
from talewright.errors import TalewrightError
from talewright.llm.known_models import find_profile
from talewright.llm.profiles import ProfileLookup
from talewright.play.campaign_lookup import RANDOM_LENGTH, name_stem, number_campaign, take_free_name
from talewright.play.campaign_news import NewsService
from talewright.play.campaign_view import Viewer
from talewright.play.history.campaign_history import CampaignArchive
from talewright.play.lobby import CampaignDetails, CampaignInfo, ExportForm, GameInfo, SessionOptions
from talewright.play.master_desk import ToolView
from talewright.play.playable_games import GameLibrary, PinnedGames, TellerNeededError
from talewright.play.session_roles import OPENS_BY_ITSELF, SessionRight, may
from talewright.play.sessions.campaign_details import find_details
from talewright.play.sessions.news_bus import NewsBus
from talewright.play.sessions.news_watch import POLL_SECONDS, SessionNews
from talewright.play.sessions.session_opening import begin_opening
from talewright.play.sessions.session_turns import SessionTurns
from talewright.play.sessions.store_session import StoreSession
from talewright.play.sessions.turn_execution import InProcessTurns, TurnExecution
from talewright.turn.game_editions import Edition
from talewright.turn.moderation import Moderation, NoModeration
from talewright.turn.new_campaign import write_first_commit
from talewright.turn.turn_context import PlainRunner, Road, Runner, Teller
from talewright.turn.turn_limits import TurnLimits

if TYPE_CHECKING:
    from talewright.play.serving.served_jobs import JobRunner

READ_THROUGH_BYTES_MAX = 16 * 1024 * 1024
"""The maximum size in bytes of a record that is read completely at opening, before anything is appended."""


ExecutionMaker: TypeAlias = Callable[[Road, SessionNews], TurnExecution]
"""Decides how the turns of a session are run."""


def run_in_process(road: Road, broadcast: SessionNews) -> TurnExecution:
    """Run the turns of a session in this process."""
    return InProcessTurns(road)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreLobby:
    """A Lobby on a Store."""

    store: Store
    shelf: GameLibrary
    now: Callable[[], str]
    """The time as ISO 8601 in UTC."""

    new_id: Callable[[], str]
    """A random id, 128 bits in hexadecimal."""

    seconds: Callable[[], float] = monotonic
    """The clock that measures how long a model takes."""

    new_secret: Callable[[], bytes]
    """Random bytes for the secret of a new campaign."""

    teller: Teller | None = None
    hire: Callable[[str, str], Teller | None] | None = None
    """Returns the storyteller for a game and a campaign, if it is not always the same."""

    tell_who: Callable[[str, str], str] | None = None
    """Describes who will narrate a campaign of a game, in words; empty if scenes do."""

    lookup: ProfileLookup = find_profile
    """Returns prices and cache rules of models, by their names at the provider."""

    language: str = ""
    """The player's language; empty for that of the game or campaign."""

    limits: TurnLimits = field(default_factory=TurnLimits)
    moderation: Moderation = field(default_factory=NoModeration)
    runner: Runner = field(default_factory=PlainRunner)

    news: NewsService = field(default_factory=NewsBus)
    """Shared by all sessions, so that each gets the events of the others' turns."""

    poll_seconds: float = POLL_SECONDS
    """How often watched sessions check for turns of other processes."""

    execution: ExecutionMaker = run_in_process
    """How the turns of each session are run; on a host, workers run them."""

    reads_newer: bool = False
    """Whether campaigns that a later engine has continued can be opened; `execution` must then have their
    turns run by such an engine.
    """

    on_remove: Callable[[str], Awaitable[None]] | None = None
    """Is called with the name of a removed campaign, to forget what is kept of it besides the store."""

    jobs: "JobRunner | None" = None
    """On a server, imports and exports campaigns in another process; without it, this process does."""

    async def games(self) -> tuple[GameInfo, ...]:
        """The games that can be started."""
        return self.shelf.games()

    async def campaigns(self) -> tuple[CampaignInfo, ...]:
        """The campaigns that can be continued, the last played first."""
        return tuple(_inform(listing) for listing in await read_campaigns(self.store))

    async def begin(
        self,
        game: str,
        language: str = "",
        campaign: str = "",
        role: Viewer = Viewer.PLAYER,
        options: SessionOptions | None = None,
        operation_id: str = "",
    ) -> StoreSession:
        """Start a campaign; a player's first turn runs after the session is returned."""
        options = options or SessionOptions()
        edition = self.shelf.edition(game)
        beginning = _name_beginning(operation_id)

        async def begin(name: str) -> StoreSession:
            return await self._begin(edition, language, name, role, options, beginning)

        stem = name_stem(edition.game.id)
        if beginning and not campaign:
            # Every process derives the same name.
            campaign = f"{stem}-{beginning[:RANDOM_LENGTH]}"
        if campaign:
            return await begin(campaign)
        taken = {listing.campaign for listing in await read_campaigns(self.store)}
        return await take_free_name(
            begin,
            taken,
            partial(number_campaign, edition.game.id),
            lambda: f"{stem}-{self.new_id()[:RANDOM_LENGTH]}",
        )

    async def _begin(
        self,
        edition: Edition,
        language: str,
        campaign: str,
        role: Viewer,
        options: SessionOptions,
        beginning: str,
    ) -> StoreSession:
        if await _was_begun(self.store, campaign, beginning):
            return await self.open(campaign, role, options)
        teller = self._hire(edition.game.id, campaign, role)
        if teller is None and not edition.game.plays_alone and may(role, SessionRight.PLAY):
            named = clean_line(edition.game.teller.recommended_model)
            written = f" It was written with {named}." if named else ""
            raise TellerNeededError(
                f"{edition.words(language).get('title')} has no scenes; it needs a storyteller",
                f"Set up a model (talewright setup), or play a game that has scenes.{written}",
            )
        spoken = _choose_language(edition, language, options.pick_language(self.language))
        try:
            book = await write_first_commit(
                self.store,
                edition,
                campaign=campaign,
                language=spoken,
                secret=self.new_secret(),
                now=self.now,
                new_id=self.new_id,
                operation_id=beginning,
            )
        except NameTakenError:
            # Another process may have been asked with the same operation id at the same time.
            if await _was_begun(self.store, campaign, beginning):
                return await self.open(campaign, role, options)
            raise
        return await self._sit_down(book, spoken, teller, role, options)

    async def open(
        self, campaign: str, role: Viewer = Viewer.PLAYER, options: SessionOptions | None = None
    ) -> StoreSession:
        """Open a campaign; if its first turn or the opening of a phase is due, that turn starts."""
        options = options or SessionOptions()
        game = "" if self.hire is None else await self._find_game(campaign)
        # Report a missing teller before the campaign is opened.
        teller = self._hire(game, campaign, role)
        language = options.pick_language(self.language)
        book = await self.store.open(campaign)
        try:
            if isinstance(book, RecordWitness):
                await book.read_through(READ_THROUGH_BYTES_MAX)
            return await self._sit_down(book, language, teller, role, options)
        except TalewrightError:
            await book.close()
            raise

    async def master_tools(self, game: str, language: str = "") -> tuple[ToolView, ...]:
        """Every tool that an external game master may ever call in a game."""
        edition = self.shelf.edition(game)
        spoken = _choose_language(edition, language, self.language)
        # Loaded only for masters, as their desk is.
        from talewright.play.sessions.store_master import list_tools

        return list_tools(edition, spoken)

    async def read_rules(self, game: str, language: str = "") -> tuple[str, ...]:
        """What the systems of a game report of its rules, in lines."""
        from talewright.play.history.campaign_reports import list_rules

        edition = self.shelf.edition(game)
        spoken = _choose_language(edition, language, self.language)
        return list_rules(edition.game, edition.words(spoken))

    async def details(self, campaign: str) -> CampaignDetails:
        """Details of a campaign."""
        game = "" if self.tell_who is None else await self._find_game(campaign)
        who = None if self.tell_who is None else self.tell_who(game, campaign)
        return await find_details(self.store, campaign, who, self.shelf)

    async def bring_in(self, data: bytes, campaign: str = "", file_name: str = "") -> str:
        """Start a campaign from a save game, by default named after the file; returns its name."""
        # Exports and imports are rare, so their modules are loaded only when needed.
        if self.jobs is not None:
            from talewright.play.serving.served_jobs import JobKind

            secret = self.new_secret().hex()
            asked: dict[str, Json] = {"campaign": campaign, "file_name": file_name, "secret": secret}
            return cast(str, (await self.jobs.run(JobKind.IMPORT, asked, data)).value)
        from talewright.play.export.campaign_files import bring_in

        return await bring_in(
            self.store,
            self.shelf,
            data,
            campaign,
            file_name,
            secret=self.new_secret(),
            now=self.now,
            new_id=self.new_id,
        )

    async def write_out(self, campaign: str, form: ExportForm) -> bytes:
        """The bytes of an export."""
        if self.jobs is not None:
            from talewright.play.serving.served_jobs import JobKind

            asked: dict[str, Json] = {"campaign": campaign, "form": form.value}
            return (await self.jobs.run(JobKind.EXPORT, asked)).data
        from talewright.play.export.campaign_files import write_out

        return await write_out(CampaignArchive(self.store, self.shelf), campaign, form)

    async def remove(self, campaign: str) -> str:
        """Move a campaign to the bin; returns where it is now, in words."""
        where = await self.store.remove(campaign, self.now())
        if self.on_remove is not None:
            await self.on_remove(campaign)
        return where

    async def _sit_down(
        self, book: CampaignBook, language: str, teller: Teller | None, role: Viewer, options: SessionOptions
    ) -> StoreSession:
        outlook = await book.look()
        # At once, before another turn is taken: a record older than the events belongs to another campaign.
        shared = self.news.campaign(book.campaign, outlook.sequence, outlook.campaign_id)
        branch = outlook.branch
        head = await book.read(outlook.head)
        if not head.parent:
            await self._give_game(book, head.game_digest)
        language = language or str(head.body.get("language", ""))
        games = PinnedGames(book, self.shelf)
        broadcast = SessionNews(shared, book, games, language, self.poll_seconds)
        road = Road(
            book=book,
            editions=self.shelf,
            now=self.now,
            new_id=self.new_id,
            seconds=self.seconds,
            teller=teller,
            language=language,
            runner=self.runner,
            moderation=options.pick_moderation(self.moderation),
            limits=options.pick_limits(fit_limits(self.limits, teller)),
            listener=broadcast.hear,
            reads_newer=self.reads_newer,
        )
        seat = SessionTurns(road, games, broadcast, branch, self.execution(road, broadcast))
        opening = None
        if outlook.damage is None and role in OPENS_BY_ITSELF:
            opening = await begin_opening(seat, head)
            if opening is None:
                seat.afterwards.ahead.start(branch, head)
        return StoreSession(seat, role, self.lookup, opening)

    async def _find_game(self, campaign: str) -> str:
        """The id of a campaign's game; empty if there is no such campaign."""
        try:
            return (await self.store.listing(campaign)).about.get("game", "")
        except UnknownCampaignError:
            return ""

    def _hire(self, game: str, campaign: str, role: Viewer) -> Teller | None:
        if not may(role, SessionRight.PLAY):
            # Roles that only look, or narrate the story themselves, need no storyteller.
            return None
        return self.teller if self.hire is None else self.hire(game, campaign)

    async def _give_game(self, book: CampaignBook, digest: str) -> None:
        """Store the game of a new campaign if a crash prevented it and the game is still the same."""
        if await book.kept(BlobKind.GAME, digest) is not None:
            return
        for info in self.shelf.games():
            edition = self.shelf.latest(info.id)
            if edition is not None and edition.digest == digest:
                await book.keep(BlobKind.GAME, digest, edition.form)
                return


def _name_beginning(operation_id: str) -> str:
    """The operation id of a first commit: not the given one, which a client may also give to a turn."""
    named = f"begin {operation_id}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(named).hexdigest()[:32] if operation_id else ""


async def _was_begun(store: Store, campaign: str, beginning: str) -> bool:
    """Whether an operation began a campaign. Raises NameTakenError if something else did."""
    if not beginning:
        return False
    try:
        book = await store.open(campaign)
    except UnknownCampaignError:
        return False
    try:
        first = [record async for record in book.records(limit=1)]
    finally:
        await book.close()
    if any(isinstance(one, Commit) and one.operation_id == beginning for one in first):
        return True
    raise NameTakenError(
        f"a campaign named {campaign!r} already exists, and another operation began it",
        "Open that one, or begin a new one with a new operation id.",
    )


def _choose_language(edition: Edition, wanted: str, usual: str) -> str:
    """The requested language, else the player's, else the game's own."""
    usual = pick_language(usual, edition.texts, edition.game.language)
    return pick_language(wanted, edition.texts, usual)


def _inform(listing: CampaignListing) -> CampaignInfo:
    about = listing.about
    return CampaignInfo(
        listing.campaign,
        clean_line(about.get("game", "")),
        clean_line(about.get("title", "")),
        clean_line(about.get("language", "")),
        listing.at,
        listing.damaged,
    )


def fit_limits(limits: TurnLimits, teller: Teller | None) -> TurnLimits:
    """The limits of a turn; those of a slow model follow from its speed."""
    if teller is None or teller.turn_seconds_max is None:
        return limits
    return replace(limits, turn_seconds_max=teller.turn_seconds_max)
