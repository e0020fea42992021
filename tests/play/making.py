"""Lobbies, games and small books for the tests of `play`, all in memory and without a clock."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from talewright.common.json_values import Json
from talewright.errors import Fault
from talewright.kernel.game import Game
from talewright.kernel.story.game_texts import Texts
from talewright.llm.provider import Provider
from talewright.pack.compiler import compile_folder
from talewright.play.campaign_view import Viewer
from talewright.play.lobby import GameInfo, SessionOptions
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.stores.memory_store import MemoryStore
from talewright.turn.game_editions import Edition
from talewright.turn.turn_context import Teller
from tests.kernel.making import make_game, make_layout, string
from tests.opened import opened

GAMES = Path(__file__).parents[2] / "games"


@dataclass
class HandShelf:
    """Editions that were made by hand; the newest of each game is what its folder holds."""

    newest: dict[str, Edition | None] = field(default_factory=dict)
    known: dict[str, Edition] = field(default_factory=dict)
    faults: dict[str, tuple[Fault, ...]] = field(default_factory=dict)

    def put(self, edition: Edition) -> None:
        """Let an edition be the newest of its game."""
        self.newest[edition.game.id] = edition
        self.known[edition.digest] = edition

    def games(self) -> tuple[GameInfo, ...]:
        return tuple(
            GameInfo(name, edition.words("").get("title"), edition.game.languages)
            for name, edition in self.newest.items()
            if edition is not None
        )

    def edition(self, game: str) -> Edition:
        edition = self.newest[game]
        assert edition is not None
        return edition

    def unpack(self, form: Json) -> Edition:
        assert isinstance(form, str)
        return self.known[form]

    def unpack_imported(self, form: Json) -> Edition:
        return self.unpack(form)

    def latest(self, game: str) -> Edition | None:
        return self.newest.get(game)

    def find_faults(self, game: str) -> tuple[Fault, ...]:
        return self.faults.get(game, ())


def make_edition(game: Game, entries: Mapping[str, str] | None = None, digest: str = "d1") -> Edition:
    """An edition with English words; in Chinese each of them has 中 before it."""
    words = {"title": "A test", **(entries or {})}
    texts = {
        "en": Texts("en", words),
        "zh-CN": Texts("zh-CN", {key: f"中{text}" for key, text in words.items()}),
    }
    return Edition(game, texts, digest, digest)


@cache
def compiled(name: str) -> Edition:
    """One of the shipped games that needs no system."""
    made = compile_folder(GAMES / name, {})
    assert made.game is not None, made.faults
    return Edition(made.game, made.texts, made.digest, made.digest)


def names(seed: int = 0) -> Callable[[], str]:
    """Random names, the same for the same seed."""
    rng = random.Random(seed)
    return lambda: f"{rng.getrandbits(128):032x}"


def clock() -> Callable[[], str]:
    """A clock that moves by a second whenever it is looked at."""
    ticks = iter(range(1_000_000))
    return lambda: f"2026-01-01T{(tick := next(ticks)) // 3600:02d}:{tick // 60 % 60:02d}:{tick % 60:02d}Z"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledLobby(StoreLobby):
    """A lobby whose sessions have taken their opening turn when they are handed out."""

    async def begin(
        self,
        game: str,
        language: str = "",
        campaign: str = "",
        role: Viewer = Viewer.PLAYER,
        options: SessionOptions | None = None,
        operation_id: str = "",
    ) -> StoreSession:
        """Begin a campaign, and wait for its first turn."""
        return await opened(StoreLobby.begin(self, game, language, campaign, role, options, operation_id))

    async def open(
        self, campaign: str, role: Viewer = Viewer.PLAYER, options: SessionOptions | None = None
    ) -> StoreSession:
        """Go on with a campaign, and wait for the turn that opens a phase."""
        return await opened(StoreLobby.open(self, campaign, role, options))


def make_lobby(
    *editions: Edition, teller: Teller | None = None, language: str = "", seed: int = 0
) -> StoreLobby:
    """A lobby in memory with these games."""
    shelf = HandShelf()
    for edition in editions:
        shelf.put(edition)
    return SettledLobby(
        store=MemoryStore(),
        shelf=shelf,
        now=clock(),
        new_id=names(seed),
        new_secret=lambda: b"s" * 32,
        teller=teller,
        language=language,
    )


def hand_shelf(lobby: StoreLobby) -> HandShelf:
    """The shelf of a lobby made here."""
    assert isinstance(lobby.shelf, HandShelf)
    return lobby.shelf


def make_unsettled_lobby(storyteller: Provider) -> StoreLobby:
    """A lobby whose sessions are there before their opening; only a storyteller can tell the game."""
    edition = make_edition(make_game(make_layout({"note": string()})))
    made = make_lobby(edition, teller=Teller(storyteller))
    return StoreLobby(
        store=made.store,
        shelf=made.shelf,
        now=made.now,
        new_id=made.new_id,
        new_secret=made.new_secret,
        teller=made.teller,
    )
