"""The opening of a session: told while the session is there, waited for by inputs, and stopped with it."""

import asyncio
from dataclasses import replace

import pytest

from talewright.chronicle.records import Commit
from talewright.chronicle.store import ChronicleError
from talewright.play.news import AcceptedNews, CommittedNews, FailedNews
from talewright.play.session import ResultKind, wait_for_opening
from talewright.play.sessions.session_opening import begin_opening
from talewright.providers.scripted import by
from talewright.stores.memory_store import MemoryStore
from tests.play.hearing import drain, hear_until, kinds, narration
from tests.play.hooked import HookedStore
from tests.play.making import make_unsettled_lobby
from tests.play.tellers import Hesitant, cards

OPENING = "The mist comes in."


def test_the_opening_is_told_while_the_session_is_there() -> None:
    async def main() -> None:
        slow = Hesitant([cards(OPENING), cards("It stays.")], cut=by(30))
        session = await make_unsettled_lobby(slow).begin("test", "en")
        assert session.opening is not None
        assert (await session.view()).version == 0
        watch = session.watch()
        await slow.reached.wait()
        saying = asyncio.create_task(session.say("I wait."))
        await asyncio.sleep(0)
        assert not session.opening.done()
        slow.let_on.set()
        result = await wait_for_opening(session)
        assert result is not None
        assert result.kind is ResultKind.COMMITTED
        assert (await saying).kind is ResultKind.COMMITTED
        heard = await hear_until(watch, 2)
        accepted = [news for news in heard if isinstance(news.event, AcceptedNews)]
        committed = [news for news in heard if isinstance(news.event, CommittedNews)]
        assert [news.operation_id for news in accepted] == [news.operation_id for news in committed]
        assert committed[0].operation_id == result.operation_id
        assert narration(heard[: heard.index(committed[0])]) == OPENING
        assert narration(heard) == "It stays."
        await session.close()

    asyncio.run(main())


def test_a_story_that_somebody_else_has_opened_meanwhile_gets_no_second_turn() -> None:
    async def main() -> None:
        slow = Hesitant([cards(OPENING), cards("Nobody asked for this.")], cut=by(30))
        slow.let_on.set()
        session = await make_unsettled_lobby(slow).begin("test", "en")
        await wait_for_opening(session)
        opened = await session.view()
        book = session.seat.road.book
        (root,) = [one async for one in book.records() if isinstance(one, Commit) and not one.parent]
        # Another node has seen the campaign before its first turn was taken.
        late = await begin_opening(session.seat, root)
        assert late is not None
        result = await late
        assert (result.kind, result.commit) == (ResultKind.COMMITTED, opened.head)
        assert (await session.view()).head == opened.head
        await session.close()

    asyncio.run(main())


def test_whoever_gives_up_waiting_does_not_stop_the_opening() -> None:
    async def main() -> None:
        slow = Hesitant([cards(OPENING)], cut=by(30))
        session = await make_unsettled_lobby(slow).begin("test", "en")
        waiting = asyncio.create_task(wait_for_opening(session))
        await slow.reached.wait()
        waiting.cancel()
        await asyncio.wait([waiting])
        slow.let_on.set()
        result = await wait_for_opening(session)
        assert result is not None
        assert result.kind is ResultKind.COMMITTED
        await session.close()

    asyncio.run(main())


@pytest.mark.parametrize("when", ["at once", "while it is told"])
def test_closing_stops_the_opening(when: str) -> None:
    async def main() -> None:
        slow = Hesitant([cards(OPENING), cards(OPENING)], cut=by(30))
        lobby = make_unsettled_lobby(slow)
        session = await lobby.begin("test", "en")
        if when != "at once":
            await slow.reached.wait()
        await session.close()
        result = await wait_for_opening(session)
        assert result is not None
        assert (result.kind, result.reason) == (ResultKind.FAILED, "cancelled")
        slow.let_on.set()
        again = await lobby.open("test-1")
        result = await wait_for_opening(again)
        assert result is not None
        assert result.kind is ResultKind.COMMITTED
        await again.close()

    asyncio.run(main())


def test_the_player_may_stop_the_opening() -> None:
    async def main() -> None:
        slow = Hesitant([cards(OPENING), cards(OPENING)], cut=by(30))
        session = await make_unsettled_lobby(slow).begin("test", "en")
        watch = session.watch()
        await slow.reached.wait()
        await session.cancel()
        assert kinds(await drain(watch))[-1] == "turn.failed"
        slow.let_on.set()
        assert (await session.go_on()).kind is ResultKind.COMMITTED
        await session.close()

    asyncio.run(main())


@pytest.mark.parametrize("error", [ChronicleError("the disk sleeps"), ZeroDivisionError("by a dragon")])
def test_an_error_in_the_opening_is_told(error: Exception) -> None:
    async def main() -> None:
        store = HookedStore(MemoryStore())
        session = await replace(make_unsettled_lobby(Hesitant([])), store=store).begin("test", "en")
        watch = session.watch()
        book = store.opened
        assert book is not None

        async def fail(name: str) -> None:
            raise error

        book.hook = fail
        if isinstance(error, ChronicleError):
            result = await wait_for_opening(session)
            assert result is not None
            assert (result.kind, result.reason) == (ResultKind.FAILED, "error")
            assert result.message
        else:
            with pytest.raises(ZeroDivisionError):
                await wait_for_opening(session)
        (failed,) = await drain(watch)
        assert isinstance(failed.event, FailedNews)
        assert failed.event.reason == "error"
        assert failed.branch == "main"

    asyncio.run(main())


def test_a_session_without_an_opening_waits_for_none() -> None:
    async def main() -> None:
        slow = Hesitant([cards(OPENING)])
        slow.let_on.set()
        lobby = make_unsettled_lobby(slow)
        session = await lobby.begin("test", "en")
        await wait_for_opening(session)
        await session.close()
        again = await lobby.open("test-1")
        assert again.opening is None
        assert await wait_for_opening(again) is None
        await again.close()

    asyncio.run(main())
