"""Sessions at home: turns, what can be gone back to, and what becomes of a turn that fails."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from talewright.chronicle.store import ChronicleError, UnknownCommitError
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import StopReason
from talewright.play.session import InputResult, ResultKind, Stamp
from talewright.play.sessions.session_navigation import NAME_LENGTH_MAX
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.scripted import ScriptedReply
from talewright.turn.turn_context import Teller
from tests.play.making import make_lobby
from tests.play.scenes import room
from tests.play.tellers import BROKEN, Hesitant, cards, teller

Story = Callable[[StoreSession], Awaitable[None]]


def sit_down(story: Story, tell: Teller | None = None, language: str = "en") -> None:
    """Play a story in the room."""

    async def main() -> None:
        session = await make_lobby(room(), teller=tell, language=language).begin("test")
        await story(session)
        await session.close()

    asyncio.run(main())


async def hp(session: StoreSession) -> str:
    return (await session.view()).status[0].text


def test_turns_are_taken_by_choices_and_by_words() -> None:
    async def story(session: StoreSession) -> None:
        result = await session.choose("fight")
        view = await session.view()
        assert replace(result, operation_id="") == InputResult(ResultKind.COMMITTED, commit=view.head)
        assert (await session.say("take the rope")).kind is ResultKind.COMMITTED
        assert (await session.view()).version == 3

    sit_down(story)


@pytest.mark.parametrize(
    ("language", "message"),
    [("en", "No choice matches that."), ("zh-CN", "没有与这句话匹配的选项。")],
)
def test_words_that_fit_nothing_spend_no_turn(language: str, message: str) -> None:
    async def story(session: StoreSession) -> None:
        result = await session.say("sing to the moon about nothing at all")
        assert (result.kind, result.reason) == (ResultKind.UNSPENT, "unmatched")
        assert result.message.startswith(message)
        assert (await session.go_on()).reason == "no_teller"
        assert (await session.answer("d", "o")).reason == "no_such_decision"
        assert (await session.choose("retry")).reason == "no_such_choice"
        assert (await session.view()).version == 1

    sit_down(story, language=language)


def test_the_same_operation_gives_the_same_answer() -> None:
    async def story(session: StoreSession) -> None:
        first = await session.choose("fight", Stamp("op-1"))
        again = await session.choose("fight", Stamp("op-1"))
        assert (first.repeated, again.repeated) == (False, True)
        assert first.commit == again.commit
        assert await hp(session) == "20/100"

    sit_down(story)


def test_a_turn_meant_for_another_place_is_not_taken() -> None:
    async def story(session: StoreSession) -> None:
        seen = (await session.view()).head
        await session.choose("wait")
        result = await session.choose("fight", Stamp("op-1", seen))
        assert (result.kind, result.reason) == (ResultKind.FAILED, "moved")
        assert await hp(session) == "30/100"

    sit_down(story)


def test_whoever_comes_while_a_turn_runs_waits() -> None:
    async def story(session: StoreSession) -> None:
        results = await asyncio.gather(session.choose("fight"), session.choose("take"))
        assert [result.kind for result in results] == [ResultKind.COMMITTED] * 2
        assert (await session.view()).version == 3

    sit_down(story)


def test_undo_goes_back_and_never_before_the_first_turn() -> None:
    async def story(session: StoreSession) -> None:
        for _ in range(3):
            await session.choose("take")
        undone = (await session.view()).head
        assert (await session.undo()).version == 3
        assert (await session.undo(0)).version == 3
        assert (await session.undo(99)).version == 1
        assert (await session.undo()).version == 1
        again = await session.choose("take")
        assert again.commit != undone
        assert (await session.seat.road.book.read(undone)).id == undone

    sit_down(story)


def test_a_fork_goes_on_by_itself() -> None:
    async def story(session: StoreSession) -> None:
        first = (await session.view()).head
        await session.choose("fight")
        view = await session.fork(first)
        assert (view.branch, view.version, view.branches) == ("branch-1", 1, ("branch-1", "main"))
        await session.choose("take")
        assert await hp(session) == "30/100"
        assert (await session.fork(name="mine")).version == 2
        assert (await session.fork()).branch == "branch-2"
        with pytest.raises(ChronicleError, match="a branch named 'mine' already exists"):
            await session.fork(name="mine")
        with pytest.raises(UnknownCommitError):
            await session.fork("nowhere", "x")

    sit_down(story)


def test_a_switch_is_kept_for_the_next_visit() -> None:
    async def story(session: StoreSession) -> None:
        await session.fork(name="side")
        await session.choose("fight")
        assert (await session.switch("main")).version == 1
        outlook = await session.seat.road.book.look()
        assert outlook.branch == "main"
        with pytest.raises(UnknownCommitError, match="there is no branch 'nowhere'") as caught:
            await session.switch("nowhere")
        assert caught.value.hint == "Branches: main, side."

    sit_down(story)


def test_marks_are_named_and_loaded_on_branches_of_their_own() -> None:
    async def story(session: StoreSession) -> None:
        await session.mark("quick")
        await session.choose("fight")
        assert (await session.view()).marks == ("quick",)
        view = await session.load("quick")
        assert (view.branch, view.version) == ("quick-1", 1)
        await session.choose("take")
        await session.mark("quick")
        assert (await session.load("quick")).branch == "quick-2"
        assert (await session.view()).version == 2
        with pytest.raises(UnknownCommitError, match="there is no mark 'slow'") as caught:
            await session.load("slow")
        assert caught.value.hint == "Marks: quick."

    sit_down(story)


@pytest.mark.parametrize("name", ["", " a", "a\nb", "a\x1bb", "x" * (NAME_LENGTH_MAX + 1)])
def test_names_are_one_line(name: str) -> None:
    async def story(session: StoreSession) -> None:
        with pytest.raises(ChronicleError, match="is not a valid name"):
            await session.mark(name)
        with pytest.raises(UnknownCommitError) as caught:
            await session.load(name)
        assert caught.value.hint == "Set a mark first."

    sit_down(story)


def test_a_turn_is_taken_again() -> None:
    async def story(session: StoreSession) -> None:
        await session.choose("fight")
        old = (await session.view()).head
        result = await session.retry()
        view = await session.view()
        assert result.kind is ResultKind.COMMITTED
        assert view.head == result.commit != old
        assert view.version == 2
        edited = await session.retry("take the rope")
        assert edited.kind is ResultKind.COMMITTED
        assert await hp(session) == "30/100"

    sit_down(story)


def test_where_no_turn_comes_of_a_retry_the_old_one_stands() -> None:
    async def story(session: StoreSession) -> None:
        await session.choose("fight")
        old = (await session.view()).head
        assert (await session.retry("sing to the moon")).reason == "unmatched"
        assert (await session.view()).head == old
        assert (await session.retry(stamp=Stamp("op", "elsewhere"))).reason == "moved"
        assert (await session.view()).head == old

    sit_down(story)


def test_the_same_retry_is_made_once() -> None:
    async def story(session: StoreSession) -> None:
        await session.choose("fight")
        first = await session.retry(stamp=Stamp("op-1"))
        again = await session.retry(stamp=Stamp("op-1"))
        assert (again.commit, again.repeated) == (first.commit, True)
        assert (await session.view()).version == 2

    sit_down(story)


def test_the_opening_is_taken_again_but_has_no_words_to_change() -> None:
    async def story(session: StoreSession) -> None:
        old = (await session.view()).head
        result = await session.retry("hello")
        assert (result.kind, result.reason) == (ResultKind.UNSPENT, "nothing_to_retry")
        assert result.message == "There is no turn to retry."
        assert (await session.retry()).kind is ResultKind.COMMITTED
        assert (await session.view()).head != old

    sit_down(story)


FORM = "The storyteller answered, but not in the form this game needs. Nothing has changed."
DECLINED = "The storyteller refused to write this. Nothing has changed."


@pytest.mark.parametrize(
    ("reply", "reason", "told"),
    [
        (BROKEN, "untold", "The storyteller could not be reached. Nothing has changed."),
        ("no JSON at all", "untold", FORM),
        (ScriptedReply("I cannot.", stop=StopReason.REFUSAL), "declined", DECLINED),
        (ScriptedReply(error=ProviderError(Trouble.REQUEST, "400")), "untold", "The storyteller refused the"),
    ],
)
def test_which_trouble_it_was_is_said_and_the_games_own_choices_stay(
    reply: str | ScriptedReply, reason: str, told: str
) -> None:
    async def story(session: StoreSession) -> None:
        result = await session.say("I sing.")
        assert (result.kind, result.reason) == (ResultKind.DEGRADED, reason)
        assert result.message.startswith(told)
        choices = [choice.id for choice in (await session.view()).choices]
        assert choices == ["wait", "fight", "take", "retry", "rollback", "quit"]
        # Nobody else could tell it now; the scenes do.
        assert (await session.choose("wait")).kind is ResultKind.COMMITTED

    sit_down(story, teller(*[reply] * 8))


def test_after_a_turn_that_nobody_could_tell_there_are_three_more_choices() -> None:
    async def story(session: StoreSession) -> None:
        result = await session.say("I sing.")
        assert (result.kind, result.reason) == (ResultKind.DEGRADED, "untold")
        assert "CNRY" not in result.message
        view = await session.view()
        assert [choice.id for choice in view.choices][-3:] == ["retry", "rollback", "quit"]
        assert view.version == 1
        left = await session.choose("quit")
        assert (left.kind, left.reason, left.message) == (
            ResultKind.UNSPENT,
            "quit",
            "Everything up to here is saved.",
        )
        await session.mark("quick")
        assert (await session.choose("retry")).kind is ResultKind.COMMITTED
        view = await session.view()
        assert view.turn is not None
        assert (view.turn.said, view.turn.narration) == ("I sing.", "It echoes.")
        assert [choice.id for choice in view.choices] == ["m0", "m1", "m2"]
        assert (await session.say("Louder.")).kind is ResultKind.DEGRADED
        assert (await session.choose("rollback")).message == "You are back at the previous turn."
        view = await session.view()
        assert (view.version, [choice.id for choice in view.choices]) == (1, ["wait", "fight", "take"])

    sit_down(story, teller(BROKEN, cards("It echoes."), BROKEN))


def test_other_words_may_be_tried_after_a_turn_that_nobody_could_tell() -> None:
    async def story(session: StoreSession) -> None:
        await session.say("I sing.")
        assert (await session.retry("I hum.")).kind is ResultKind.COMMITTED
        view = await session.view()
        assert view.turn is not None
        assert (view.turn.said, view.version) == ("I hum.", 2)

    sit_down(story, teller(BROKEN, cards("It echoes.")))


def test_a_turn_that_is_stopped_waits_and_is_gone_on_with() -> None:
    async def main() -> None:
        slow = Hesitant([cards("Never told."), cards("It echoes.")])
        lobby = make_lobby(room(), teller=Teller(slow))
        session = await lobby.begin("test", "en")
        await session.cancel()
        saying = asyncio.create_task(session.say("I sing.", Stamp("op-1")))
        await slow.reached.wait()
        await session.cancel()
        result = await saying
        assert (result.kind, result.reason) == (ResultKind.FAILED, "cancelled")
        assert (await session.view()).unfinished == "I sing."
        slow.let_on.set()
        await session.close()
        session = await lobby.open("test-1")
        result = await session.go_on()
        assert result.kind is ResultKind.COMMITTED
        trail = await session.seat.road.book.find("op-1")
        assert trail.commit is not None
        assert trail.commit.id == result.commit
        assert (await session.view()).unfinished == ""
        await session.close()

    asyncio.run(main())


def test_a_caller_that_is_cancelled_is_cancelled() -> None:
    async def main() -> None:
        slow = Hesitant([cards("It echoes.")])
        session = await make_lobby(room(), teller=Teller(slow)).begin("test", "en")
        saying = asyncio.create_task(session.say("I sing."))
        await slow.reached.wait()
        saying.cancel()
        with pytest.raises(asyncio.CancelledError):
            await saying
        assert (await session.view()).unfinished == "I sing."
        await session.close()

    asyncio.run(main())


def test_a_retry_that_is_stopped_leaves_the_old_turn() -> None:
    async def main() -> None:
        slow = Hesitant([cards("First."), cards("Second.")], prompt_replies=1)
        session = await make_lobby(room(), teller=Teller(slow)).begin("test", "en")
        await session.say("I sing.")
        old = (await session.view()).head
        retrying = asyncio.create_task(session.retry())
        await slow.reached.wait()
        assert (await session.view()).head == old
        await session.close()
        assert (await retrying).reason == "cancelled"
        outlook = await session.seat.road.book.look()
        assert outlook.head == old

    asyncio.run(main())


def test_history_is_bounded_and_newest_last() -> None:
    async def story(session: StoreSession) -> None:
        for choice in ("wait", "fight", "take"):
            await session.choose(choice)
        assert [turn.said for turn in await session.past.turns(2)] == ["Fight", "Take the rope"]
        assert [turn.version for turn in await session.past.turns()] == [1, 2, 3, 4]
        assert await session.past.turns(0) == ()

    sit_down(story)
