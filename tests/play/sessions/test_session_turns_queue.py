"""The seat: turns that are stopped, retried, sent twice, or met by somebody else's."""

import asyncio
from dataclasses import replace

import pytest

from talewright.chronicle.records import PointerKind, Pointing
from talewright.play.news import CommittedNews
from talewright.play.session import ResultKind, Stamp
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.scripted import ScriptedReply
from talewright.stores.memory_store import MemoryStore
from talewright.turn.turn_context import Teller
from tests.play.hooked import HookedBook, HookedStore, pass_by
from tests.play.making import make_lobby
from tests.play.scenes import room
from tests.play.tellers import BROKEN, Hesitant, cards, teller


async def begin_hooked(*lines: str | ScriptedReply) -> tuple[StoreSession, HookedBook]:
    """A session whose book has hooks."""
    store = HookedStore(MemoryStore())
    lobby = replace(make_lobby(room(), teller=teller(*lines) if lines else None), store=store)
    session = await lobby.begin("test", "en")
    assert store.opened is not None
    return session, store.opened


def test_a_turn_that_was_safe_before_it_was_stopped_is_committed() -> None:
    async def main() -> None:
        session, book = await begin_hooked()
        reached = asyncio.Event()

        async def halt(name: str) -> None:
            if name == "keep":
                reached.set()
                await asyncio.Event().wait()

        watch = session.watch()
        for _ in range(30):
            await session.choose("take")
        # The thirty-second turn keeps a snapshot once it is committed.
        book.hook = halt
        choosing = asyncio.create_task(session.choose("wait"))
        await reached.wait()
        await session.cancel()
        book.hook = pass_by
        result = await choosing
        assert result.kind is ResultKind.COMMITTED
        assert (await session.view()).head == result.commit
        session.seat.broadcast.close()
        assert [one.event.commit async for one in watch if isinstance(one.event, CommittedNews)][
            -1
        ] == result.commit
        await session.close()

    asyncio.run(main())


def test_a_retry_finds_that_somebody_else_has_played() -> None:
    async def main() -> None:
        session, book = await begin_hooked()
        await session.choose("take")
        other = session.seat.road.book

        async def play(name: str) -> None:
            if name == "accept":
                book.hook = pass_by
                head = (await other.look("main")).head
                pointing = Pointing(PointerKind.BRANCH, "main", (await other.read(head)).parent, "now")
                await other.point(pointing, head)

        book.hook = play
        result = await session.retry()
        assert (result.kind, result.reason) == (ResultKind.FAILED, "moved")
        assert (await session.view()).version == 1
        await session.close()

    asyncio.run(main())


def test_a_retry_moves_the_branch_by_its_commit_alone() -> None:
    async def main() -> None:
        session, book = await begin_hooked()
        await session.choose("take")
        old = await session.seat.head()
        heads = []

        async def watch(name: str) -> None:
            if name in ("accept", "commit", "add", "point"):
                heads.append((name, (await book.book.look("main")).head))

        book.hook = watch
        assert (await session.retry("sing to the moon")).reason == "unmatched"
        assert heads == [("accept", old), ("add", old)]
        heads.clear()
        assert (await session.retry()).kind is ResultKind.COMMITTED
        assert heads == [("accept", old), ("commit", old)]
        taken = await book.book.read(await session.seat.head())
        assert (taken.replaces, taken.parent) == (old, (await book.book.read(old)).parent)
        await session.close()


def test_a_retry_that_was_interrupted_is_gone_on_with_in_its_place() -> None:
    async def main() -> None:
        session, book = await begin_hooked()
        await session.choose("take")
        old = await session.seat.head()

        async def end(name: str) -> None:
            if name == "commit":
                book.hook = pass_by
                raise asyncio.CancelledError

        book.hook = end
        with pytest.raises(asyncio.CancelledError):
            await session.retry()
        assert await session.seat.head() == old
        assert (await session.view()).unfinished
        assert (await session.go_on()).kind is ResultKind.COMMITTED
        taken = await book.book.read(await session.seat.head())
        assert (taken.replaces, taken.version) == (old, 2)
        await session.close()

    asyncio.run(main())


def test_a_retry_that_nobody_could_tell_is_retried_in_the_place_of_the_same_turn() -> None:
    async def main() -> None:
        session, _ = await begin_hooked(cards("First."), BROKEN, BROKEN, cards("Third."))
        await session.say("I sing.")
        old = (await session.view()).head
        assert (await session.retry()).kind is ResultKind.DEGRADED
        assert (await session.view()).head == old
        assert (await session.choose("retry")).kind is ResultKind.DEGRADED
        assert (await session.retry("I hum.")).kind is ResultKind.COMMITTED
        view = await session.view()
        assert view.turn is not None
        assert (view.version, view.turn.said, view.turn.narration) == (2, "I hum.", "Third.")
        await session.close()

    asyncio.run(main())


def test_a_retry_that_was_stopped_can_be_sent_again() -> None:
    async def main() -> None:
        slow = Hesitant([cards("First."), cards("Never."), cards("Third.")], prompt_replies=1)
        session = await make_lobby(room(), teller=Teller(slow)).begin("test", "en")
        await session.say("I sing.")
        retrying = asyncio.create_task(session.retry(stamp=Stamp("op-1")))
        await slow.reached.wait()
        await session.cancel()
        assert (await retrying).reason == "cancelled"
        slow.let_on.set()
        first = await session.retry(stamp=Stamp("op-1"))
        again = await session.retry(stamp=Stamp("op-1"))
        assert (first.kind, first.commit) == (ResultKind.COMMITTED, again.commit)
        view = await session.view()
        assert view.turn is not None
        assert (view.version, view.head, view.turn.narration) == (2, first.commit, "Third.")
        await session.close()

    asyncio.run(main())


def test_a_retry_that_a_crash_broke_off_is_gone_on_with() -> None:
    async def main() -> None:
        slow = Hesitant([cards("First."), cards("Never."), cards("Third.")], prompt_replies=1)
        lobby = make_lobby(room(), teller=Teller(slow))
        session = await lobby.begin("test", "en")
        await session.say("I sing.")
        retrying = asyncio.create_task(session.retry(stamp=Stamp("op-1")))
        await slow.reached.wait()
        # Another program opens the campaign as the crash has left it: the branch points at the parent.
        slow.let_on.set()
        other = await lobby.open("test-1")
        assert (await other.view()).unfinished == "I sing."
        result = await other.retry(stamp=Stamp("op-1"))
        assert result.kind is ResultKind.COMMITTED
        assert (await other.view()).version == 2
        assert (await retrying).commit == result.commit
        await other.close()
        await session.close()

    asyncio.run(main())
