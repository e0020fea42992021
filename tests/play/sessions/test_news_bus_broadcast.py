"""The broadcast: numbers, watchers at their own pace, and nothing committed that is missed."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from talewright.chronicle.records import Accepted, Commit
from talewright.play.campaign_view import ChangeView, Viewer
from talewright.play.news import (
    LIVE,
    STRIDE,
    AcceptedNews,
    ActivityNews,
    ChangeNews,
    CommittedNews,
    DegradedNews,
    DeltaNews,
    FailedNews,
    NewsKind,
    ResetNews,
    TriggerNews,
)
from talewright.play.playable_games import PinnedGames
from talewright.play.sessions.news_bus import QUEUE_MAX, NewsChannel
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.scripted import by
from talewright.stores.memory_store import MemoryStore
from talewright.turn.turn_context import Teller
from talewright.turn.turn_signals import (
    Activity,
    BackgroundDone,
    Doing,
    NarrationDelta,
    NarrationReset,
    TurnAccepted,
    TurnCommitted,
    TurnDegraded,
    TurnFailed,
)
from tests.play.hearing import drain, kinds, narration, versions
from tests.play.hooked import HookedBook, HookedStore, pass_by
from tests.play.making import make_lobby
from tests.play.scenes import room
from tests.play.tellers import BROKEN, Hesitant, cards, teller

Story = Callable[[StoreLobby, StoreSession], Awaitable[None]]

ACCEPTED = TurnAccepted(
    Accepted("op", "main", "base", {"kind": "say", "text": "hi\x1b"}, "now"), "main", "op"
)


def test_a_commit_is_told_once_and_never_after_a_later_one() -> None:
    async def main() -> None:
        channel = NewsChannel(3)
        stream = channel.subscribe()
        for sequence in (4, 4, 5, 4, 3):
            commit = Commit(f"c{sequence}", "p", "main", 1, "op", "", "g", "s", {}, sequence=sequence)
            channel.publish(TurnCommitted(commit))
        stream.close()
        assert [item.number async for item in stream] == [4 * STRIDE, 5 * STRIDE]

    asyncio.run(main())


def channel_of(session: StoreSession) -> NewsChannel:
    shared = session.seat.broadcast.shared
    assert isinstance(shared, NewsChannel)
    return shared


def sit_down(story: Story, tell: Teller | None = None) -> None:
    async def main() -> None:
        lobby = make_lobby(room(), teller=tell)
        session = await lobby.begin("test", "en")
        await story(lobby, session)
        await session.close()

    asyncio.run(main())


def test_the_news_of_a_turn_told_from_scenes() -> None:
    async def story(lobby: StoreLobby, session: StoreSession) -> None:
        watch = session.watch()
        await session.choose("fight")
        heard = await drain(watch)
        assert kinds(heard) == [
            "turn.accepted",
            "activity",
            "dice.rolled",
            "activity",
            "narration.delta",
            "change.applied",
            "change.applied",
            "trigger.fired",
            "choices",
            "turn.committed",
        ]
        live, told = heard[:4], heard[4:]
        assert [news.number for news in live] == [STRIDE + LIVE + at for at in range(4)]
        assert [news.is_live for news in heard] == [True] * 4 + [False] * 6
        # The dice have been shown; their number in the commit stays theirs.
        assert [news.number for news in told] == [2 * STRIDE + at for at in (0, 2, 3, 4, 5, 6)]
        assert live[0].event == AcceptedNews("fight")
        assert live[1].event == ActivityNews("reading", "Reading")
        assert told[1].event == ChangeNews(
            ChangeView("hp", "Health 30 -> 20 (a punch)", note="Life −10", favor="bad")
        )
        assert told[3].event == TriggerNews("That hurt.")
        view = await session.view()
        assert told[5].event == CommittedNews(2, view.head)
        await session.choose("fight")
        await session.choose("fight")
        assert kinds(await drain(watch))[-1] == "game.ended"

    sit_down(story)


def test_the_news_of_a_turn_told_by_a_model() -> None:
    async def story(lobby: StoreLobby, session: StoreSession) -> None:
        watch = session.watch()
        await session.say("I sing.")
        heard = await drain(watch)
        deltas = [news for news in heard if news.kind is NewsKind.NARRATION_DELTA]
        assert len(deltas) > 1
        assert narration(heard) == "It echoes in the dark."
        # What was heard is not told again.
        assert NewsKind.NARRATION_RESET not in [news.kind for news in heard]
        assert heard[-1].number == 2 * STRIDE + len([n for n in heard if n.number >= 2 * STRIDE])
        late = await drain(session.watch(after=STRIDE + LIVE))
        assert kinds(late)[0] == "narration.reset"
        assert narration(late) == "It echoes in the dark."
        assert late[1:] == heard[-len(late) + 1 :]

    sit_down(story, teller(cards("It echoes in the dark."), cut=by(6)))


def test_what_nobody_could_tell_is_taken_back() -> None:
    async def story(lobby: StoreLobby, session: StoreSession) -> None:
        watch = session.watch()
        await session.say("I sing.")
        heard = await drain(watch)
        assert narration(heard) == ""
        degraded = heard[-1].event
        assert isinstance(degraded, DegradedNews)
        assert degraded.reason == "untold"
        assert [choice.id for choice in degraded.choices] == ["retry", "rollback", "quit"]
        await session.choose("nothing")
        failed = (await drain(watch))[-1].event
        assert isinstance(failed, FailedNews)
        assert failed.reason == "no_such_choice"

    sit_down(story, teller(BROKEN))


def test_a_watcher_that_comes_back_misses_nothing() -> None:
    async def story(lobby: StoreLobby, session: StoreSession) -> None:
        for choice in ("wait", "take", "wait"):
            await session.choose(choice)
        everything = await drain(session.watch(after=0))
        assert [news.number // STRIDE for news in everything if news.kind is NewsKind.TURN_COMMITTED] == [
            1,
            2,
            3,
            4,
        ]
        assert [news.number for news in everything] == sorted({news.number for news in everything})
        for at, news in enumerate(everything):
            assert await drain(session.watch(after=news.number)) == everything[at + 1 :]
        await session.undo()
        await session.choose("fight")
        after_undo = await drain(session.watch(after=3 * STRIDE + LIVE + 7))
        assert versions(after_undo) == [4, 4]

    sit_down(story)


def test_a_slow_watcher_is_caught_up_from_the_chronicle() -> None:
    async def story(lobby: StoreLobby, session: StoreSession) -> None:
        watch = session.watch()
        hear = session.seat.broadcast.hear
        hear(ACCEPTED)
        for _ in range(QUEUE_MAX + 10):
            hear(NarrationDelta("ab", "main", "op"))
        heard = await drain(watch)
        assert kinds(heard) == ["narration.reset"]
        assert heard[0].event == ResetNews("ab" * (QUEUE_MAX + 10))
        hear(NarrationDelta("!", "main", "op"))
        assert [news.event for news in await drain(watch)] == [DeltaNews("!")]
        hear(TurnFailed("untold", "", "main", "op"))
        for turn in range(QUEUE_MAX // 3 + 1):
            await session.choose("wait" if turn % 2 else "take")
        heard = await drain(watch)
        assert kinds(heard)[0] == "narration.reset"
        assert kinds(heard).count("turn.committed") == QUEUE_MAX // 3 + 1
        assert [news.number for news in heard] == sorted({news.number for news in heard})

    sit_down(story)


def test_that_a_turn_failed_is_heard_even_by_the_slowest() -> None:
    async def story(lobby: StoreLobby, session: StoreSession) -> None:
        watch = session.watch()
        hear = session.seat.broadcast.hear
        hear(ACCEPTED)
        for _ in range(QUEUE_MAX - 2):
            hear(NarrationDelta("ab", "main", "op"))
        hear(TurnFailed("no such reason", "", "main", "op"))
        hear(BackgroundDone("CNRY"))
        heard = await drain(watch)
        assert kinds(heard) == ["turn.failed"]
        assert isinstance(heard[0].event, FailedNews)
        assert heard[0].event.reason == "error"
        hear(ACCEPTED)
        hear(NarrationDelta("new", "main", "op"))
        assert kinds(await drain(watch)) == ["turn.accepted", "narration.delta"]

    sit_down(story)


def test_a_turn_that_began_after_the_loss_is_heard_whole() -> None:
    async def story(lobby: StoreLobby, session: StoreSession) -> None:
        watch = session.watch(after=0)
        hear = session.seat.broadcast.hear
        hear(NarrationDelta("lost", "main", "op"))
        hear(TurnDegraded("timed_out", "", "main", "op"))
        hear(ACCEPTED)
        hear(Activity(Doing.ROLLING, branch="main", operation_id="op"))
        hear(NarrationDelta("a", "main", "op"))
        hear(NarrationReset("b", branch="main", operation_id="op"))
        heard = await drain(watch)
        assert kinds(heard)[-5:] == [
            "turn.degraded",
            "turn.accepted",
            "activity",
            "narration.delta",
            "narration.reset",
        ]
        assert narration(heard) == "b"

    sit_down(story)


def test_who_comes_in_mid_turn_hears_what_was_told_so_far() -> None:
    async def main() -> None:
        slow = Hesitant([cards("It echoes in the dark.")], cut=by(30))
        session = await make_lobby(room(), teller=Teller(slow)).begin("test", "en")
        saying = asyncio.create_task(session.say("I sing."))
        await slow.reached.wait()
        (operation_id,) = channel_of(session).under_way
        session.seat.broadcast.hear(NarrationDelta("It", "main", operation_id))
        watch = session.watch()
        slow.let_on.set()
        await saying
        heard = await drain(watch)
        assert narration(heard) == "It echoes in the dark."
        assert NewsKind.TURN_COMMITTED in [news.kind for news in heard]
        await session.close()

    asyncio.run(main())


def test_turns_of_other_sessions_are_heard_at_once() -> None:
    async def story(lobby: StoreLobby, session: StoreSession) -> None:
        watch = session.watch()
        other = await lobby.open("test-1")
        await other.choose("wait")
        await other.close()
        assert kinds(await drain(watch))[:2] == ["turn.accepted", "activity"]
        await session.choose("take")
        assert versions(await drain(watch)) == [3]

    sit_down(story)


def test_live_numbers_go_on_behind_those_of_another_process() -> None:
    async def story(lobby: StoreLobby, session: StoreSession) -> None:
        watch = session.watch(after=STRIDE + LIVE + 40)
        assert await drain(watch) == []
        await session.choose("wait")
        assert (await drain(watch))[0].number == STRIDE + LIVE + 41

    sit_down(story)


def test_where_the_live_numbers_run_out_the_commit_tells_it_all() -> None:
    async def story(lobby: StoreLobby, session: StoreSession) -> None:
        watch = session.watch(after=2 * STRIDE - 1)
        session.seat.broadcast.hear(Activity(Doing.ROLLING, branch="main", operation_id="op"))
        assert await drain(watch) == []
        await session.choose("wait")
        heard = await drain(watch)
        assert kinds(heard)[0] == "narration.reset"
        assert kinds(heard)[-1] == "turn.committed"

    sit_down(story)


def test_each_viewer_hears_its_own() -> None:
    async def story(lobby: StoreLobby, session: StoreSession) -> None:
        watches = {viewer: replace(session, role=viewer).watch() for viewer in Viewer}
        await session.choose("wait")
        texts = {
            viewer: [one.event.change.text for one in await drain(watch) if isinstance(one.event, ChangeNews)]
            for viewer, watch in watches.items()
        }
        assert texts[Viewer.PLAYER] == ["Time: 5 minutes later"]
        assert texts[Viewer.MASTER] == ["Time: 5 minutes later", "plan: to leave -> to stay"]

    sit_down(story)


def hooked(lobby: StoreLobby) -> HookedBook:
    """The book of the session that was begun last."""
    assert isinstance(lobby.store, HookedStore)
    assert lobby.store.opened is not None
    return lobby.store.opened


def test_a_watcher_that_is_cancelled_goes_on_where_it_was() -> None:
    async def main() -> None:
        lobby = replace(make_lobby(room()), store=HookedStore(MemoryStore()))
        session = await lobby.begin("test", "en")
        await session.choose("wait")
        whole = await drain(session.watch(after=0))
        reached = asyncio.Event()

        for halted in ("records",):

            async def halt(name: str, at: str = halted) -> None:
                if name == at:
                    reached.set()
                    await asyncio.Event().wait()

            watch = session.watch(after=0)
            hooked(lobby).hook = halt
            reached.clear()
            reading = asyncio.ensure_future(anext(watch))
            await reached.wait()
            reading.cancel()
            with pytest.raises(asyncio.CancelledError):
                await reading
            hooked(lobby).hook = pass_by
            assert await drain(watch) == whole

    asyncio.run(main())


def test_a_watcher_may_fall_behind_while_a_commit_is_made_ready() -> None:
    async def main() -> None:
        lobby = replace(make_lobby(room()), store=HookedStore(MemoryStore()))
        session = await lobby.begin("test", "en")
        session.seat.broadcast.games = PinnedGames(session.seat.road.book, lobby.shelf)
        watch = session.watch()
        await session.choose("wait")

        async def flood(name: str) -> None:
            if name == "kept":
                for _ in range(QUEUE_MAX + 1):
                    session.seat.broadcast.hear(Activity(Doing.ROLLING, branch="main", operation_id="op"))

        hooked(lobby).hook = flood
        heard = await drain(watch)
        assert kinds(heard)[-1] == "turn.committed"
        assert [news.number for news in heard] == sorted({news.number for news in heard})

    asyncio.run(main())


def test_a_commit_is_heard_once() -> None:
    async def story(lobby: StoreLobby, session: StoreSession) -> None:
        watch = session.watch()
        await session.choose("wait")
        head = await session.seat.road.book.read(await session.seat.head())
        session.seat.broadcast.hear(TurnCommitted(head))
        assert kinds(await drain(watch)).count("turn.committed") == 1

    sit_down(story)


def test_watchers_end_when_the_session_does() -> None:
    async def main() -> None:
        session = await make_lobby(room()).begin("test", "en")
        waiting = asyncio.ensure_future(anext(session.watch(), None))
        await asyncio.sleep(0)
        await session.close()
        assert await waiting is None
        assert [news async for news in session.watch()] == []

    asyncio.run(main())
