"""The workshop: a lobby whose clock, names, secrets and storytellers are the same every time.

Nothing of a campaign is decided here; the plots do that.
"""

import asyncio
import hashlib
import itertools
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from talewright.bootstrap import open_game_library, open_lobby
from talewright.common.json_values import Json
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Chunk, Usage
from talewright.llm.requests import Request, ToolCall
from talewright.pack.game_folders import shipped_games
from talewright.pack.user_folders import UserFolders
from talewright.play.session import InputResult, ResultKind
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.scripted import Script, Scripted, ScriptedReply
from talewright.turn.turn_context import Teller
from tests.opened import opened

USED = Usage(100, 20)
"""What every scripted reply has cost."""

MOMENTS = 4
"""How often a model's clock can be read in a second."""

BROKEN = ScriptedReply(
    '{"narrative_markdown": "He', error=ProviderError(Trouble.UNREACHABLE, "no route to the teller")
)
"""A reply that breaks off."""


def cards(narration: str, *updates: Json, facts: Sequence[str] = ()) -> ScriptedReply:
    """An answer of the cards' dialect."""
    choices = [
        {"id": f"m{at}", "label": f"Do {at}", "hint": "", "risk": "low", "tags": []} for at in range(3)
    ]
    answer: dict[str, Json] = {
        "narrative_markdown": narration,
        "choices": choices,
        "state_updates": list(updates),
        "new_facts": list(facts),
        "events": [],
        "end": {"is_game_over": False, "ending_id": "", "reason": ""},
    }
    return data(answer)


def data(answer: Json) -> ScriptedReply:
    """An answer that is nothing but JSON."""
    return ScriptedReply(json.dumps(answer, ensure_ascii=False), usage=USED)


def bundle(text: str, content: Mapping[str, Json]) -> ScriptedReply:
    """An answer of the patch dialect: words, and a bundle in a fence."""
    return ScriptedReply(f"{text}\n```json\n{json.dumps(content)}\n```\n", usage=USED)


def calls(text: str, *named: tuple[str, Mapping[str, Json]]) -> ScriptedReply:
    """An answer of the tools dialect."""
    made = (
        ToolCall(f"call-{number}", name, json.dumps(arguments))
        for number, (name, arguments) in enumerate(named, 1)
    )
    return ScriptedReply(text, tuple(made), USED)


class Stalling(Scripted):
    """A storyteller who says the first words of its last line and then nothing more."""

    def __init__(self, lines: Sequence[ScriptedReply]) -> None:
        super().__init__(lines)
        self._count = len(lines)
        self.stalled = asyncio.Event()

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Say the next line."""
        async for chunk in super().stream(request):
            yield chunk
            if len(self.requests) == self._count:
                self.stalled.set()
                await asyncio.Event().wait()


@dataclass(frozen=True, slots=True)
class Player:
    """One session whose inputs must come to what is expected of them.

    What follows a turn is waited for, so that clock and names are used in one order.
    """

    session: StoreSession

    async def say(self, text: str, kind: ResultKind = ResultKind.COMMITTED) -> None:
        """Take a turn with words."""
        await self._expect(await self.session.say(text), kind)

    async def choose(self, choice: str, kind: ResultKind = ResultKind.COMMITTED) -> None:
        """Take a turn with a choice."""
        await self._expect(await self.session.choose(choice), kind)

    async def choose_first(self, turns: int = 1) -> None:
        """Take the first choice, turn after turn."""
        for _ in range(turns):
            await self.choose((await self.session.view()).choices[0].id)

    async def answer(self, option: str, note: str = "") -> None:
        """Answer the card that lies open."""
        (card,) = (await self.session.view()).decisions
        await self._expect(await self.session.answer(card.id, option, note), ResultKind.COMMITTED)

    async def retry(self, text: str = "") -> None:
        """Take the last turn once more."""
        await self._expect(await self.session.retry(text), ResultKind.COMMITTED)

    async def rest(self) -> None:
        """Wait for what follows the turns."""
        await self.session.seat.afterwards.rest()

    async def leave(self) -> None:
        """Close the session."""
        await self.session.close()

    async def _expect(self, result: InputResult, kind: ResultKind) -> None:
        assert result.kind is kind, result
        await self.rest()


class Workshop:
    """One campaign in the making."""

    def __init__(self, home: Path, campaign: str, *, git: bool = False) -> None:
        self.campaign = campaign
        self.home = home
        self._git = git
        self._ids = itertools.count(1)
        self._seconds = itertools.count()
        self._moments = itertools.count()

    @property
    def folder(self) -> Path:
        """The folder of the campaign."""
        return self.places.saves / self.campaign

    @property
    def places(self) -> UserFolders:
        """Where everything lies that is worked with."""
        return UserFolders(self.home / "saves", self.home / "cache", (self.home / "games", shipped_games()))

    def lobby(self, teller: Teller | None = None) -> StoreLobby:
        """The lobby as the program opens it, with all that differs from one run to the next handed in."""
        lobby = open_lobby(self.places.saves, shelf=open_game_library(self.places), git=self._git)
        return replace(
            lobby,
            now=self._tell_time,
            new_id=lambda: self._digest(f"id {next(self._ids)}").hex()[:32],
            seconds=lambda: next(self._moments) / MOMENTS,
            new_secret=lambda: self._digest("secret"),
            teller=teller,
        )

    async def begin(self, game: str, language: str, *lines: ScriptedReply, cheap: Script = ()) -> Player:
        """Begin the campaign; without lines the scenes tell it."""
        session = await opened(self.lobby(_hire(lines, cheap)).begin(game, language, self.campaign))
        return await self._seat(session)

    async def open(self, *lines: ScriptedReply, cheap: Script = ()) -> Player:
        """Go on with it; `cheap` is what is said after turns, where that is another model."""
        return await self._seat(await opened(self.lobby(_hire(lines, cheap)).open(self.campaign)))

    async def _seat(self, session: StoreSession) -> Player:
        player = Player(session)
        await player.rest()
        return player

    def _tell_time(self) -> str:
        seconds = next(self._seconds)
        return f"2026-11-15T{12 + seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.000000Z"

    def _digest(self, what: str) -> bytes:
        return hashlib.sha256(f"{self.campaign} {what}".encode()).digest()


def _hire(lines: Sequence[ScriptedReply], cheap: Script = ()) -> Teller | None:
    return Teller(Scripted(lines), Scripted(cheap) if cheap else None) if lines else None
