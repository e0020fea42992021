"""Calls of a store from a player's input to its result: few, and as many after 5,000 turns as after 200."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from talewright.bootstrap import open_lobby
from talewright.chronicle.readable_pages import CampaignPages, PageProjection
from talewright.chronicle.records import MAIN
from talewright.chronicle.store import CampaignBook, Founding, Store
from talewright.common.json_values import Json
from talewright.errors import Fault
from talewright.llm.profiles import Profile
from talewright.play.playable_games import GameLibrary
from talewright.play.session import ResultKind
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.providers.scripted import Scripted
from talewright.stores.folder.folder_store import FolderStore
from talewright.turn.game_editions import Edition
from talewright.turn.inputs.player_inputs import Say
from talewright.turn.pipeline import take_turn
from talewright.turn.steps.recalling import SNAPSHOT_EVERY, open_edition
from talewright.turn.turn_context import Road, Teller
from talewright.turn.turn_outcomes import Committed
from tests.opened import opened
from tests.play.history.long_campaigns import Unpacking, write_campaign

CALLS_MAX = 8
SHORT = 200
LONG = 5_000 + (SHORT - 5_000) % SNAPSHOT_EVERY
"""At least 5,000, and as far behind a snapshot as the short one."""

TURNS = 6
"""Turns that are counted, none of which keeps a snapshot."""


@dataclass
class CountedPages:
    """Pages whose calls are counted with those of their book."""

    pages: CampaignPages
    calls: list[str]

    async def project(self, projection: PageProjection) -> None:
        self.calls.append("project")
        await self.pages.project(projection)

    async def edits(self, paths: frozenset[str]) -> Mapping[str, str]:
        self.calls.append("edits")
        return await self.pages.edits(paths)


class CountedBook:
    """A book whose calls are written down."""

    def __init__(self, book: CampaignBook, calls: list[str]) -> None:
        self._book = book
        self._calls = calls

    @property
    def pages(self) -> CountedPages | None:
        pages = self._book.pages
        return None if pages is None else CountedPages(pages, self._calls)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._book, name)
        if not callable(found) or name == "written":
            return found

        def call(*given: object, **named: object) -> object:
            self._calls.append(name)
            return found(*given, **named)

        return call


@dataclass
class CountedStore:
    """A store whose books are counted."""

    store: Store
    calls: list[str] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    async def found(self, founding: Founding) -> CampaignBook:
        return CountedBook(await self.store.found(founding), self.calls)

    async def open(self, campaign: str) -> CampaignBook:
        return CountedBook(await self.store.open(campaign), self.calls)


@dataclass
class PinnedShelf:
    """Games of which no newer edition is taken up."""

    shelf: GameLibrary

    def __getattr__(self, name: str) -> Any:
        return getattr(self.shelf, name)

    def latest(self, game: str) -> Edition | None:
        return None

    def find_faults(self, game: str) -> tuple[Fault, ...]:
        return ()


def answer(number: int) -> str:
    choices: list[Json] = [
        {"id": f"m{at}", "label": f"Do {at}", "hint": "", "risk": "low", "tags": []} for at in range(3)
    ]
    end: Json = {"is_game_over": False, "ending_id": "", "reason": ""}
    told = {"narrative_markdown": f"It goes on, {number}.", "choices": choices, "state_updates": []}
    return json.dumps({**told, "new_facts": [], "events": [], "end": end})


def teller() -> Teller:
    profile = Profile("scripted", context_tokens=32_000)
    return Teller(Scripted([answer(number) for number in range(2 * TURNS)], profile=profile))


async def count_calls(lobby: StoreLobby, campaign: str) -> list[list[str]]:
    """The calls of each turn, in a session that was opened a moment ago."""
    counted = CountedStore(lobby.store)
    pinned: Any = PinnedShelf(lobby.shelf)
    lobby = replace(lobby, store=counted, shelf=pinned, teller=teller(), hire=None)
    session = await opened(lobby.open(campaign))
    taken = []
    for number in range(TURNS):
        await session.seat.afterwards.rest()
        counted.calls.clear()
        result = await session.say(f"I wait for the tide, the {number}. time")
        taken.append(list(counted.calls))
        assert result.kind is ResultKind.COMMITTED, result
    await session.close()
    return taken


@pytest.mark.slow
def test_few_calls_and_none_that_grows(tmp_path: Path) -> None:
    async def run() -> dict[int, list[list[str]]]:
        found = {}
        for turns in (SHORT, LONG):
            scribe = await write_campaign(tmp_path, f"after-{turns}", turns)
            await scribe.book.close()
            found[turns] = await count_calls(open_lobby(tmp_path, git=False), f"after-{turns}")
        return found

    found = asyncio.run(run())
    assert found[SHORT] == found[LONG]
    assert max(len(calls) for calls in found[LONG]) <= CALLS_MAX, found[LONG]


def test_few_calls_of_a_process_that_remembers_nothing(tmp_path: Path) -> None:
    async def run() -> list[str]:
        scribe = await write_campaign(tmp_path, "after", SHORT)
        counted = CountedStore(FolderStore(tmp_path, git=False))
        names = (f"{number:032x}" for number in range(99))
        book = await counted.open("after")
        road = Road(
            book=book,
            editions=Unpacking(),
            now=lambda: "2026-01-01T00:00:00Z",
            new_id=lambda: next(names),
            teller=teller(),
        )
        # The game itself is kept by every process that plays it.
        await open_edition(road, scribe.head.game_digest)
        counted.calls.clear()
        outcome = await take_turn(road, MAIN, Say("I wait for the tide"), "op")
        assert isinstance(outcome, Committed), outcome
        await scribe.book.close()
        return counted.calls

    calls = asyncio.run(run())
    assert len(calls) <= CALLS_MAX, calls


@pytest.mark.parametrize("game", ["mist_harbor", "solo", "chapel_watch", "lantern_road"])
def test_few_calls_in_every_game(game: str, tmp_path: Path) -> None:
    async def run() -> list[list[str]]:
        lobby = open_lobby(tmp_path, git=False)
        counted = CountedStore(lobby.store)
        session = await opened(replace(lobby, store=counted, teller=None, hire=None).begin(game, "en"))
        taken = []
        for _ in range(TURNS):
            await session.seat.afterwards.rest()
            choices = (await session.view()).choices
            if not choices:
                # The dice fall as they fall, and a story may end early.
                break
            counted.calls.clear()
            await session.choose(choices[0].id)
            taken.append(list(counted.calls))
        await session.close()
        return taken

    taken = asyncio.run(run())
    assert max(len(calls) for calls in taken) <= CALLS_MAX, taken
