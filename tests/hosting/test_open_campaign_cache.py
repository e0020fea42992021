"""What a worker keeps between turns: nothing of one owner reaches another who uses the same names."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest

from talewright.bootstrap import new_id, utc_now
from talewright.chronicle.store import BlobKind, DamagedError
from talewright.common.json_values import Json
from talewright.errors import Fault
from talewright.hosting.open_campaign_cache import OpenCampaign, OpenCampaignCache, WorkerParts
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.stores.memory_store import MemoryStore
from talewright.turn.game_editions import Edition
from talewright.turn.steps.recalling import open_edition
from talewright.turn.turn_context import PlainRunner, Road, hear_nothing
from tests.play.making import make_lobby
from tests.play.scenes import room

OWNERS = ("ann", "bob")


@dataclass
class ReadForms:
    """Editions whose titles and digests come from the bytes that a campaign has stored."""

    made: list[Edition] = field(default_factory=list)

    def unpack(self, form: Json) -> Edition:
        text = str(form)
        words = replace(room().words("en"), entries={**room().words("en").entries, "title": text})
        digest = hashlib.sha256(text.encode()).hexdigest()
        self.made.append(replace(room(), texts={"en": words}, digest=digest, form=text))
        return self.made[-1]

    def latest(self, game: str) -> Edition | None:
        return None

    def find_faults(self, game: str) -> tuple[Fault, ...]:
        return ()


@asynccontextmanager
async def worker() -> AsyncIterator[tuple[OpenCampaignCache, dict[str, MemoryStore]]]:
    """A worker, and two owners who have a campaign of the same name and game."""
    stores = {}
    for owner in OWNERS:
        lobby: StoreLobby = make_lobby(room())
        session = await lobby.begin("test", "en", "tale")
        await session.close()
        stores[owner] = cast(MemoryStore, lobby.store)
    parts = WorkerParts(
        store_of=stores.__getitem__,
        news_of=lambda owner: cast(Any, None),
        editions=ReadForms(),
        now=utc_now,
        new_id=new_id,
    )
    cache = OpenCampaignCache(parts)
    try:
        yield cache, stores
    finally:
        await cache.close()


async def open_campaign(cache: OpenCampaignCache, owner: str) -> OpenCampaign:
    return OpenCampaign(owner, await cache.parts.store_of(owner).open("tale"))


def take_road(cache: OpenCampaignCache, opened: OpenCampaign) -> Road:
    return cache.make_road(opened, "", PlainRunner(), hear_nothing)


async def keep(store: MemoryStore, name: str, form: str) -> None:
    book = await store.open("tale")
    await book.keep(BlobKind.GAME, name, form)
    await book.close()


def digest(form: str) -> str:
    return hashlib.sha256(form.encode()).hexdigest()


@pytest.mark.parametrize("first", OWNERS)
def test_no_owner_gets_a_game_whose_bytes_another_has_swapped(first: str) -> None:
    """Loaded games are shared by their digest, so the bytes must be those of the digest."""

    async def run() -> None:
        async with worker() as (cache, stores):
            true = digest("the game")
            await keep(stores["ann"], true, "a game of Ann's")
            await keep(stores["bob"], true, "the game")
            for owner in (first, *OWNERS):
                road = take_road(cache, await open_campaign(cache, owner))
                # Once it was loaded from true bytes, Ann may have the true game too.
                if owner == "ann" and true not in road.opened.by_digest:
                    with pytest.raises(DamagedError, match="another game"):
                        await open_edition(road, true)
                    continue
                assert (await open_edition(road, true)).words("en").get("title") == "the game"

    asyncio.run(run())


def test_how_long_models_took_is_not_told_to_other_owners() -> None:
    async def run() -> None:
        async with worker() as (cache, _):
            ann, bob = [await open_campaign(cache, owner) for owner in OWNERS]
            assert take_road(cache, ann).paces is take_road(cache, ann).paces
            assert take_road(cache, ann).paces is not take_road(cache, bob).paces

    asyncio.run(run())
