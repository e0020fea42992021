"""The session pool: one session a campaign and role, opened once, and closed when it is not in use."""

import asyncio
from typing import Any

import pytest

from talewright.chronicle.store import UnknownCampaignError, UnsavedError
from talewright.play.campaign_view import Viewer
from talewright.play.lobby import SessionOptions
from talewright.play.serving import session_pool
from talewright.play.serving.session_pool import SessionPool
from talewright.play.sessions.store_lobby import StoreLobby
from tests.play.making import make_lobby
from tests.play.scenes import room


class CountingLobby:
    """A lobby that counts what is opened, and holds back one campaign until it is let on."""

    def __init__(self, lobby: StoreLobby) -> None:
        self._lobby = lobby
        self.opened: list[tuple[str, Viewer]] = []
        self.slow = ""
        self.let_on = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lobby, name)

    async def open(
        self, campaign: str, role: Viewer = Viewer.PLAYER, options: SessionOptions | None = None
    ) -> Any:
        """Open a campaign."""
        self.opened.append((campaign, role))
        if campaign == self.slow:
            await self.let_on.wait()
        return await self._lobby.open(campaign, role, options)


async def make_pool(*names: str) -> tuple[SessionPool, CountingLobby]:
    """A pool on a lobby with campaigns."""
    edition = room()
    lobby = make_lobby(edition)
    for name in names:
        await (await lobby.begin(edition.game.id, campaign=name)).close()
    counting = CountingLobby(lobby)
    pool: SessionPool = SessionPool(counting)
    return pool, counting


def test_requests_at_the_same_time_share_a_session() -> None:
    async def main() -> None:
        pool, lobby = await make_pool("one")

        async def ask(role: Viewer) -> object:
            async with pool.use("one", role) as session:
                assert session.role is role
                await session.view()
                return session

        players = await asyncio.gather(*(ask(Viewer.PLAYER) for _ in range(5)))
        author = await ask(Viewer.AUTHOR)
        assert len(set(map(id, players))) == 1
        assert author is not players[0]
        assert lobby.opened == [("one", Viewer.PLAYER), ("one", Viewer.AUTHOR)]
        await pool.close()

    asyncio.run(main())


def test_a_slow_campaign_holds_up_no_other() -> None:
    async def main() -> None:
        pool, lobby = await make_pool("one", "slow")
        lobby.slow = "slow"

        async def look(name: str) -> int:
            async with pool.use(name, Viewer.PLAYER) as session:
                return (await session.view()).version

        first, second = (asyncio.create_task(look("slow")) for _ in range(2))
        assert await look("one") == 1
        # A client that goes away does not stop the opening for the others.
        first.cancel()
        lobby.let_on.set()
        assert await second == 1
        assert lobby.opened.count(("slow", Viewer.PLAYER)) == 1
        await pool.close()

    asyncio.run(main())


def test_an_error_is_told_to_everyone_who_waits_and_then_forgotten() -> None:
    async def main() -> None:
        pool, _ = await make_pool()

        async def look() -> None:
            async with pool.use("none", Viewer.PLAYER):
                pass

        found = await asyncio.gather(look(), look(), return_exceptions=True)
        assert [type(one) for one in found] == [UnknownCampaignError] * 2
        with pytest.raises(UnknownCampaignError):
            await look()

    asyncio.run(main())


def test_the_session_used_longest_ago_is_closed_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_pool, "SESSIONS_MAX", 2)

    async def main() -> None:
        names = ("one", "two", "three")
        pool, _ = await make_pool(*names)
        async with pool.use("one", Viewer.PLAYER):
            for name in ("two", "three"):
                async with pool.use(name, Viewer.PLAYER):
                    pass
            # The oldest is in use.
            assert [pool.has(name, Viewer.PLAYER) for name in names] == [True, False, True]
        await pool.close()

    asyncio.run(main())


def test_sessions_are_dropped_or_retired() -> None:
    async def main() -> None:
        pool, lobby = await make_pool("one")
        async with pool.use("one", Viewer.PLAYER) as session:
            await pool.retire("one")
            # Whoever uses it may finish; the next request opens it anew.
            assert (await session.view()).campaign == "one"
            async with pool.use("one", Viewer.PLAYER) as other:
                assert other is not session
                watch = other.watch()
                await pool.drop("one")
                assert [news async for news in watch] == []
        assert not pool.has("one", Viewer.PLAYER)
        assert len(lobby.opened) == 2
        await pool.close()

    asyncio.run(main())


def test_an_adopted_session_is_kept_unless_there_is_one() -> None:
    async def main() -> None:
        pool, lobby = await make_pool("one")
        first = await lobby.open("one")
        assert await pool.adopt("one", first) is first
        assert await pool.adopt("one", await lobby.open("one")) is first
        async with pool.use("one", Viewer.PLAYER) as session:
            assert session is first
        await pool.close()

    asyncio.run(main())


def test_a_new_session_is_not_closed_before_those_who_wait_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_pool, "SESSIONS_MAX", 1)

    async def main() -> None:
        names = [f"campaign-{number}" for number in range(6)]
        pool, lobby = await make_pool(*names)

        async def look(name: str, delay: int) -> int:
            # At every moment of the openings somebody comes.
            for _ in range(delay):
                await asyncio.sleep(0)
            async with pool.use(name, Viewer.PLAYER) as session:
                return (await session.view()).version

        asked = [look(name, delay) for delay in range(40) for name in names]
        assert await asyncio.gather(*asked) == [1] * len(asked)
        assert len(lobby.opened) < len(asked)
        await pool.close()

    asyncio.run(main())


def test_a_campaign_removed_by_another_process_is_not_served_under_its_name() -> None:
    async def main() -> None:
        pool, lobby = await make_pool("one")
        async with pool.use("one", Viewer.PLAYER) as old:
            number = pool.number_of("one", Viewer.PLAYER)
            await old.choose("wait")
            assert (await old.view()).version == 2
        # Another process removes it, and begins a new one: this pool learns nothing of that.
        await lobby.remove("one")
        await (await lobby.begin(room().game.id, campaign="one")).close()
        async with pool.use("one", Viewer.PLAYER) as new:
            assert new is not old
            assert (await new.view()).version == 1
            assert pool.number_of("one", Viewer.PLAYER) != number
        await lobby.remove("one")
        with pytest.raises(UnknownCampaignError):
            async with pool.use("one", Viewer.PLAYER):
                pass
        await pool.close()

    asyncio.run(main())


def test_a_new_campaign_is_adopted_in_place_of_a_removed_one() -> None:
    async def main() -> None:
        pool, lobby = await make_pool("one")
        async with pool.use("one", Viewer.PLAYER):
            pass
        await lobby.remove("one")
        new = await lobby.begin(room().game.id, campaign="one")
        assert await pool.adopt("one", new) is new
        await pool.close()

    asyncio.run(main())


def test_a_write_to_a_removed_campaign_is_reported_as_an_unknown_campaign() -> None:
    async def main() -> None:
        pool, lobby = await make_pool("one")

        async def fail(*, removing: bool) -> None:
            async with pool.use("one", Viewer.PLAYER):
                if removing:
                    await lobby.remove("one")
                raise UnsavedError("nothing was written")

        with pytest.raises(UnknownCampaignError):
            await fail(removing=True)
        await (await lobby.begin(room().game.id, campaign="one")).close()
        with pytest.raises(UnsavedError):
            await fail(removing=False)
        await pool.close()

    asyncio.run(main())
