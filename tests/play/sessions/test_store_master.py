"""The desk of a game master: whole turns from outside through a session, heard by the players."""

import asyncio
import random

import pytest

from talewright.kernel.memory_rules import MemoryRules
from talewright.play import master_desk
from talewright.play.campaign_view import Viewer
from talewright.play.error_codes import code_of
from talewright.play.master_desk import BriefView, OutsideTurnView, ProposedCall, RoundView, write_handle
from talewright.play.news import AcceptedNews, CommittedNews, FailedNews
from talewright.play.session import InputResult, ResultKind, Stamp
from talewright.play.session_roles import RoleError
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_master import StoreMasterDesk, read_handle
from talewright.play.sessions.store_session import StoreSession
from talewright.turn.game_master import master_brief, open_turn_lease
from talewright.turn.game_master.held_turns import TurnHandle
from talewright.turn.game_master.master_brief import HandInError
from talewright.turn.game_master.open_turn_lease import LeaseError
from talewright.turn.turn_limits import TurnLimits
from tests.play.hearing import drain
from tests.play.making import make_lobby
from tests.play.scenes import room
from tests.turn.hostile_games import make_quadratic
from tests.turn.making import altered, bridge

HIDDEN = "the keeper once drowned a man who would not pay, and sold his boots"
LONG = "".join(
    f"He looks at the water and says nothing of it; after {n} breaths he says something. " for n in range(4)
)
SMALL = MemoryRules(summary_every_turns=4, keep_turns=2, window_tokens=3_000, cut_to_tokens=600)


def bridge_lobby() -> StoreLobby:
    """A game with tools, errands and short memory, and nobody here who could tell it."""
    return make_lobby(altered(bridge(), memory=SMALL), language="en")


async def sit_down() -> tuple[StoreLobby, StoreSession]:
    lobby = bridge_lobby()
    (game,) = await lobby.games()
    return lobby, await lobby.begin(game.id, campaign="kept", role=Viewer.MASTER)


async def open_turn(desk: StoreMasterDesk, text: str = "", operation: str = "") -> OutsideTurnView:
    opened = await desk.begin(text, Stamp(operation) if operation else None)
    assert isinstance(opened, OutsideTurnView), opened
    return opened


async def tell(desk: StoreMasterDesk, text: str = "", narration: str = LONG) -> RoundView:
    return await desk.finish((await open_turn(desk, text)).handle, narration)


def list_new(brief: BriefView) -> set[str]:
    return {section.name for section in brief.sections if section.is_new}


def test_a_whole_turn_through_the_desk() -> None:
    async def main() -> None:
        _, session = await sit_down()
        desk = session.master
        assert (await session.view()).free_text
        opening = await tell(desk, narration="A man under a lamp.")
        assert opening.result is not None
        assert opening.result.kind is ResultKind.COMMITTED
        first = await desk.brief()
        assert (first.version, first.summary) == (1, "")
        assert {"pay", "propose_updates"} <= {tool.name for tool in first.tools}
        assert next(tool for tool in first.tools if tool.name == "pay").parameters["type"] == "object"
        assert [(one.system, one.id) for one in first.errands] == [("toll", "rumour")]

        turn = await open_turn(desk, "I pay three", "op-1")
        assert (turn.said, turn.results, turn.rounds) == ("I pay three", (), 0)
        refused = await desk.propose(turn.handle, (ProposedCall("pay", {"coins": "many"}),))
        assert refused.flaws or refused.results[0].refused
        granted = await desk.propose(turn.handle, (ProposedCall("pay", {"coins": 3}, "c1"),))
        assert [(one.id, one.name, one.refused) for one in granted.results] == [("c1", "pay", False)]
        leaky = await desk.finish(turn.handle, f"You hear that {HIDDEN}.")
        assert (bool(leaky.flaws), leaky.result) == (True, None)
        done = await desk.finish(turn.handle, "Three coins, and not a word.", facts=("The toll is three.",))
        assert done.result is not None
        assert (done.result.kind, done.result.operation_id, done.result.repeated) == (
            ResultKind.COMMITTED,
            "op-1",
            False,
        )
        view = await session.view()
        assert view.turn is not None
        assert (view.version, view.turn.said, view.turn.narration) == (
            2,
            "I pay three",
            "Three coins, and not a word.",
        )
        # The same words once more are the same turn.
        again = await desk.finish(turn.handle, "Something else.")
        assert again.result is not None
        assert (again.result.commit, again.result.repeated) == (done.result.commit, True)
        repeated = await desk.begin("I pay three", Stamp("op-1"))
        assert isinstance(repeated, InputResult)
        assert (repeated.commit, repeated.repeated) == (done.result.commit, True)

        second = await desk.brief(first.version)
        assert "turn 2" in list_new(second)
        assert "turn 1" not in list_new(second)
        assert list_new(second) < list_new(await desk.brief())
        await session.close()

    asyncio.run(main())


def test_a_turn_that_is_handed_in_again_is_not_followed_again() -> None:
    async def main() -> None:
        _, session = await sit_down()
        desk = session.master
        first = await open_turn(desk, "", "op-0")
        await desk.finish(first.handle, "A man under a lamp.")
        await tell(desk, "I wait")
        await session.seat.afterwards.rest()
        # The pages of the first turn would be written over those of the second.
        again = await desk.finish(first.handle, "A man under a lamp.")
        assert again.result is not None
        assert again.result.kind is ResultKind.COMMITTED
        assert session.seat.afterwards._newest is None
        await session.close()

    asyncio.run(main())


def test_an_errand_is_answered_and_a_summary_handed_in() -> None:
    async def main() -> None:
        _, session = await sit_down()
        desk = session.master
        await tell(desk)
        with pytest.raises(HandInError) as early:
            await desk.hand_in_summary("Much water.")
        assert code_of(early.value) == "not_wanted"
        await desk.hand_in_answer("toll", "rumour", "They say it leaks.")
        assert (await desk.brief()).errands == ()
        with pytest.raises(HandInError):
            await desk.hand_in_answer("toll", "rumour", "They say it twice.")
        turns = 0
        while not (brief := await desk.brief()).summary:
            turns += 1
            assert turns < 12, "a summary must be due by now"
            await tell(desk, f"I wait, {turns}")
        await desk.hand_in_summary("They waited long at the bridge.")
        assert (await desk.brief()).summary == ""
        await tell(desk, "I go on")
        read = "\n".join(section.text for section in (await desk.brief(brief.version)).sections)
        assert "They waited long at the bridge." in read
        await session.close()

    asyncio.run(main())


def test_a_player_of_the_same_campaign_hears_the_turns_of_the_master() -> None:
    async def main() -> None:
        lobby, session = await sit_down()
        desk = session.master
        await tell(desk)
        player = await lobby.open("kept")
        watch = player.watch()
        await desk.finish((await open_turn(desk, "I wait", "op-0")).handle, "A man under a lamp.")
        heard = await drain(watch)
        assert {(news.branch, news.operation_id) for news in heard} == {("main", "op-0")}
        assert isinstance(heard[0].event, AcceptedNews)
        assert any(isinstance(news.event, CommittedNews) for news in heard)
        # A turn that is given up ends for those who heard of its beginning.
        await desk.give_up((await open_turn(desk, "I leave", "op-1")).handle)
        accepted, failed = await drain(watch)
        assert isinstance(accepted.event, AcceptedNews)
        assert isinstance(failed.event, FailedNews)
        assert (failed.event.reason, failed.branch, failed.operation_id) == ("cancelled", "main", "op-1")
        await player.close()
        await session.close()

    asyncio.run(main())


def test_another_turn_comes_first() -> None:
    async def main() -> None:
        lobby, session = await sit_down()
        desk = session.master
        await tell(desk)
        old = (await session.view()).head
        await tell(desk, "I wait")
        stale = await desk.begin("I wait", Stamp("op-9", old))
        assert isinstance(stale, InputResult)
        assert (stale.kind, stale.reason) == (ResultKind.FAILED, "moved")
        turn = await open_turn(desk, "I wait on")
        other = (await lobby.open("kept", Viewer.MASTER)).master
        with pytest.raises(LeaseError) as taken:
            await other.begin("Mine")
        assert code_of(taken.value) == "lease_lost"
        await session.undo()
        moved = await desk.finish(turn.handle, "Too late.")
        assert moved.result is not None
        assert (moved.result.kind, moved.result.reason) == (ResultKind.FAILED, "moved")
        await other.turns.close()
        await session.close()

    asyncio.run(main())


def test_inputs_that_do_not_fit_and_decisions() -> None:
    async def main() -> None:
        _, session = await sit_down()
        desk = session.master
        await tell(desk)
        for opened, reason in (
            (await desk.begin("x" * (TurnLimits().input_length_max + 1)), "too_long"),
            (await desk.choose("fly"), "no_such_choice"),
            (await desk.answer("nothing", "yes"), "no_such_decision"),
        ):
            assert isinstance(opened, InputResult)
            assert (opened.kind, opened.reason) == (ResultKind.UNSPENT, reason)
        await session.close()

    asyncio.run(main())


@pytest.mark.parametrize("word", ["", "nonsense", "e30=", "WzEsMl0=", "\ud800"])
def test_what_is_no_handle(word: str) -> None:
    async def main() -> None:
        _, session = await sit_down()
        with pytest.raises(LeaseError, match="no handle"):
            await session.master.propose(word, ())
        await session.close()

    asyncio.run(main())
    handle = TurnHandle("main", "op", "somebody")
    assert read_handle(write_handle(handle.branch, handle.operation_id, handle.holder)) == handle


def test_a_player_who_insists_ends_an_open_turn() -> None:
    async def main() -> None:
        lobby = make_lobby(room(), language="en")
        session = await lobby.begin("test", "en", "kept", Viewer.MASTER)
        await finish_opening(session)
        opened = await session.master.begin("I wait")
        assert isinstance(opened, OutsideTurnView)
        player = await lobby.open("kept")
        choice = (await player.view()).choices[0].id
        first = await player.choose(choice, Stamp("one"))
        # What a program sends again is no confirmation, and a session of its own was told nothing yet.
        again = await player.choose(choice, Stamp("one"))
        other = await lobby.open("kept")
        stranger = await other.choose(choice, Stamp("two"))
        assert {one.reason for one in (first, again, stranger)} == {"turn_open"}
        assert "send your words again" in first.message
        done = await player.choose(choice, Stamp("three"))
        assert done.kind is ResultKind.COMMITTED
        with pytest.raises(LeaseError, match="not open"):
            await session.master.finish(opened.handle, "Too late.")
        for one in (session, player, other):
            await one.close()

    asyncio.run(main())


async def finish_opening(session: StoreSession) -> None:
    opened = await session.master.begin("")
    assert isinstance(opened, OutsideTurnView)
    await session.master.finish(opened.handle, "It begins.")


def test_an_open_turn_is_named_and_released() -> None:
    async def main() -> None:
        session = await make_lobby(room(), language="en").begin("test", "en", "kept", Viewer.MASTER)
        await finish_opening(session)
        desk = session.master
        assert await desk.open_turn() is None
        opened = await desk.begin("I wait", Stamp("op"), "mine")
        assert isinstance(opened, OutsideTurnView)
        found = await desk.open_turn(lambda operation: "mine" if operation == "op" else "")
        assert found is not None
        assert (found.said, found.handle, found.rounds) == ("I wait", opened.handle, 0)
        others = (await desk.brief(holder_of=lambda operation: "theirs")).open_turn
        assert others is not None
        assert (others.operation_id, others.handle) == ("op", "")
        await desk.release("another")
        assert await desk.open_turn() == others
        await desk.release("op")
        assert await desk.open_turn() is None
        await session.close()

    asyncio.run(main())


def test_whoever_is_no_master_has_no_desk() -> None:
    async def main() -> None:
        lobby, session = await sit_down()
        await tell(session.master)
        author = await lobby.open("kept", Viewer.AUTHOR)
        with pytest.raises(RoleError) as refused:
            _ = author.master
        assert code_of(refused.value) == "role_refused"
        with pytest.raises(RoleError):
            await session.say("I tell this myself")
        await author.close()
        await session.close()

    asyncio.run(main())


def test_the_lobby_lists_every_tool_of_a_game() -> None:
    async def main() -> None:
        lobby, session = await sit_down()
        (game,) = await lobby.games()
        tools = await lobby.master_tools(game.id, "en")
        assert all(tool in tools for tool in (await session.master.brief()).tools)
        await session.close()

    asyncio.run(main())


def test_a_session_follows_a_branch_that_another_one_made() -> None:
    async def main() -> None:
        lobby, session = await sit_down()
        await tell(session.master, narration="A man under a lamp.")
        other = await lobby.open("kept", role=Viewer.MASTER)
        await other.fork(name="elsewhere")
        assert (await session.view()).branch == "main"
        async with session.seat.lock:
            # A turn is running.
            await session.follow()
        assert (await session.view()).branch == "main"
        await session.follow()
        assert (await session.view()).branch == "elsewhere"
        await other.close()
        await session.close()

    asyncio.run(main())


def test_the_port_and_the_turn_agree_how_long_an_operation_id_may_be() -> None:
    assert master_desk.MASTER_OPERATION_LENGTH_MAX == open_turn_lease.MASTER_OPERATION_LENGTH_MAX
    assert master_desk.PAST_TURN == master_brief.PAST_TURN


def test_a_game_master_is_told_that_the_rules_take_too_long() -> None:
    async def main() -> None:
        lobby = make_lobby(make_quadratic(random.Random(1), 400).edition, language="en")
        (game,) = await lobby.games()
        session = await lobby.begin(game.id, campaign="kept", role=Viewer.MASTER)
        result = (await tell(session.master)).result
        assert result is not None
        assert (result.kind, result.reason) == (ResultKind.FAILED, "too_much_work")
        assert result.message.startswith("The rules of this game take too long here")

    asyncio.run(main())
