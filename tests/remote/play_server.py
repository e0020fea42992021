"""The lobby of a server that performs a play: the test says in a file which turn is next.

It runs in a process of its own; `remote_stage` plays against it.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable
from dataclasses import dataclass
from pathlib import Path

from talewright.common.json_values import Json
from talewright.llm.profiles import Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import Request
from talewright.play.campaign_view import Viewer
from talewright.play.lobby import GameInfo, SessionOptions
from talewright.play.session import InputResult, Stamp
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.scripted import Scripted, ScriptedReply, by
from talewright.stores.folder.folder_store import FolderStore
from talewright.turn.game_editions import Edition
from talewright.turn.inputs.player_inputs import GoOn
from talewright.turn.turn_context import Teller
from tests.play.making import names
from tests.plays.scripts import PLAYS, Play, read_play
from tests.plays.stage import CHUNK_CHARACTERS, NOW, SECRET, Shelf

LOBBY = "tests.remote.play_server:make_lobby"


class PacedTeller(Scripted):
    """A scripted model that takes a moment for each piece, so that a turn lasts while its news are read."""

    pace_seconds = 0.0

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Yield the next reply, piece by piece."""
        async for chunk in super().stream(request):
            await asyncio.sleep(self.pace_seconds)
            yield chunk


class PlayCues:
    """What the model has to say in the turn that the test has announced."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._now = ("", -1)
        self._left: list[ScriptedReply] = []

    def read(self) -> tuple[Play, int]:
        """The play that is performed, and the number of the turn that is taken now."""
        name, number = json.loads(self._file.read_text(encoding="utf-8"))
        play = read_play(PLAYS / f"{name}.yaml")
        if self._now != (name, number):
            self._now = (name, number)
            turn = play.turns[number]
            self._left = [*turn.replies, *(turn.condense or ())]
            for later in play.turns[number + 1 : number + 2]:
                if isinstance(later.given, GoOn):
                    # A session opens the next phase by itself, and does not wait for the play.
                    self._left += later.replies
        return play, number

    def reply(self, request: Request) -> ScriptedReply:
        """The next reply."""
        self.read()
        if not self._left:
            raise ProviderError(Trouble.SPENT, "the play has no more replies here")
        return self._left.pop(0)

    def find_folder(self) -> str:
        """The newest game folder of the play, as of the turn that is taken."""
        play, number = self.read()
        editions = [turn.edition for turn in play.turns[: number + 1] if turn.edition]
        return editions[-1] if editions else play.game


class PlayShelf(Shelf):
    """The editions of the plays, as a library of games."""

    def __init__(self, cues: PlayCues) -> None:
        super().__init__("")
        self._cues = cues

    def latest(self, game: str) -> Edition | None:
        """The newest folder of the play."""
        self.newest = self._cues.find_folder()
        return super().latest(game)

    def unpack(self, form: Json) -> Edition:
        """A kept game again."""
        self.newest = self._cues.find_folder()
        return super().unpack(form)

    def games(self) -> tuple[GameInfo, ...]:
        """None: the campaigns of the plays have begun already."""
        return ()

    def edition(self, game: str) -> Edition:
        """None of them is begun here."""
        raise NotImplementedError


class RestingSession(StoreSession):
    """A session that finishes its background work before it returns a result, as the plays do."""

    async def say(self, text: str, stamp: Stamp | None = None) -> InputResult:
        """Take a turn with free text."""
        return await self._rest(super().say(text, stamp))

    async def choose(self, choice: str, stamp: Stamp | None = None) -> InputResult:
        """Take a turn with a choice."""
        return await self._rest(super().choose(choice, stamp))

    async def _rest(self, taking: Awaitable[InputResult]) -> InputResult:
        result = await taking
        await self.seat.afterwards.rest()
        return result


@dataclass(frozen=True, slots=True, kw_only=True)
class RestingLobby(StoreLobby):
    """A lobby with such sessions."""

    async def open(
        self, campaign: str, role: Viewer = Viewer.PLAYER, options: SessionOptions | None = None
    ) -> StoreSession:
        """Open a campaign."""
        made = await StoreLobby.open(self, campaign, role, options)
        return RestingSession(made.seat, made.role, made.lookup, made.opening)


def make_lobby(root: str, cues: str, pace_seconds: float = 0.0) -> StoreLobby:
    """The lobby of all plays, each a campaign of its name."""
    script = PlayCues(Path(cues))

    def hire(game: str, campaign: str) -> Teller | None:
        play = read_play(PLAYS / f"{campaign}.yaml")
        profile = Profile("scripted", context_tokens=play.context_tokens)
        teller = PacedTeller(script.reply, profile=profile, cut=by(CHUNK_CHARACTERS))
        teller.pace_seconds = pace_seconds
        return Teller(teller) if play.has_teller else None

    return RestingLobby(
        store=FolderStore(Path(root), git=False),
        shelf=PlayShelf(script),
        now=lambda: NOW,
        new_id=names(),
        new_secret=lambda: SECRET,
        seconds=lambda: 0.0,
        hire=hire,
    )
