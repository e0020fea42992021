"""Held inputs follow from the record: another session, or another process, knows them and goes on."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from talewright.chronicle.records import AttemptVerdict
from talewright.play.presentation.choice_wording import CAUTION, CautionAnswer
from talewright.play.session import ResultKind, Stamp
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.stores.folder.folder_store import FolderStore
from talewright.turn.turn_context import Teller
from tests.play.making import make_lobby
from tests.play.scenes import room
from tests.play.sessions.test_store_session_cautions import DARK, Careful
from tests.play.tellers import BROKEN, cards, teller
from tests.stores.sessions import QUICK

FIXED = ["retry", "rollback", "quit"]
"""They stand behind the choices of the scene."""
SCENES = ["wait", "fight", "take"]


def lobby_at(place: Path, told: Teller | None = None, seed: int = 0) -> StoreLobby:
    """A lobby on a folder, as another process would have it."""
    made = make_lobby(room(), teller=told, language="en", seed=seed)
    return replace(made, store=FolderStore(place, git=False, disk=QUICK), moderation=Careful())


async def offers(session: StoreSession) -> tuple[list[str], list[str]]:
    """The choices of a session, and the words that are held back."""
    view = await session.view()
    return [choice.id for choice in view.choices], [line for card in view.decisions for line in card.lines]


def test_an_untold_turn_is_seen_and_taken_again_by_another_session() -> None:
    async def main() -> None:
        lobby = make_lobby(room(), teller=teller(BROKEN, cards("It echoes.")), language="en")
        one = await lobby.begin("test")
        assert (await one.say("I sing.")).kind is ResultKind.DEGRADED
        two = await lobby.open("test-1")
        assert await offers(two) == await offers(one) == ([*SCENES, *FIXED], [])
        assert (await two.choose("retry")).kind is ResultKind.COMMITTED
        view = await two.view()
        assert view.turn is not None
        assert (view.turn.said, view.turn.narration) == ("I sing.", "It echoes.")
        # It was told: neither of them is asked any more.
        assert await offers(one) == await offers(two) == (["m0", "m1", "m2"], [])
        again = await one.choose("retry")
        assert (again.kind, again.reason) == (ResultKind.UNSPENT, "no_such_choice")
        await one.close()
        await two.close()

    asyncio.run(main())


@pytest.mark.parametrize("said", ["I sing.", DARK])
def test_nothing_is_held_where_the_story_was_taken_back(said: str) -> None:
    async def main() -> None:
        told = teller(cards("Hm."), BROKEN)
        session = await replace(make_lobby(room(), teller=told), moderation=Careful()).begin("test", "en")
        assert (await session.say("I look.")).kind is ResultKind.COMMITTED
        await session.say(said)
        before = await offers(session)
        assert before != (["m0", "m1", "m2"], [])
        # The input was meant for the turn that is taken back, and so is what the player was asked.
        await session.undo()
        assert await offers(session) == (SCENES, [])
        await session.close()

    asyncio.run(main())


def test_another_process_goes_on_with_an_untold_turn(tmp_path: Path) -> None:
    async def first() -> None:
        session = await lobby_at(tmp_path, teller(BROKEN)).begin("test", campaign="kept")
        assert (await session.say("I sing.")).kind is ResultKind.DEGRADED
        await session.close()

    async def second() -> None:
        session = await lobby_at(tmp_path, teller(cards("It echoes.")), seed=1).open("kept")
        assert (await offers(session))[0] == [*SCENES, *FIXED]
        assert (await session.retry("I hum.")).kind is ResultKind.COMMITTED
        view = await session.view()
        assert view.turn is not None
        assert (view.turn.said, view.version, view.unfinished) == ("I hum.", 2, "")
        await session.close()

    asyncio.run(first())
    asyncio.run(second())


@pytest.mark.parametrize("option", list(CautionAnswer))
def test_a_caution_is_answered_in_another_process(option: CautionAnswer, tmp_path: Path) -> None:
    async def first() -> None:
        session = await lobby_at(tmp_path, teller()).begin("test", campaign="kept")
        assert (await session.say(DARK)).reason == "risky"
        await session.close()

    async def second() -> None:
        told = teller(cards("He eats."))
        session = await lobby_at(tmp_path, told, seed=1).open("kept")
        assert await offers(session) == (SCENES, [DARK])
        result = await session.answer(CAUTION, option)
        goes_on = option is CautionAnswer.GO_ON
        assert result.kind is (ResultKind.COMMITTED if goes_on else ResultKind.UNSPENT)
        view = await session.view()
        assert view.turn is not None
        assert (view.turn.said == DARK, view.decisions) == (goes_on, ())
        await session.close()

    async def third() -> None:
        session = await lobby_at(tmp_path, teller(), seed=2).open("kept")
        view = await session.view()
        assert (view.decisions, view.unfinished) == ((), "")
        await session.close()

    for part in (first, second, third):
        asyncio.run(part())


@pytest.mark.parametrize("option", [CautionAnswer.REPHRASE, CautionAnswer.WITHDRAW])
def test_words_that_are_given_back_are_recorded(option: CautionAnswer) -> None:
    async def main() -> None:
        lobby = replace(make_lobby(room(), teller=teller(cards("Hm."))), moderation=Careful())
        session = await lobby.begin("test", "en")
        await session.say(DARK, Stamp("op-1"))
        await session.answer(CAUTION, option)
        unspent, given_back = (await session.seat.road.book.find("op-1")).attempts
        assert (unspent.verdict, unspent.body["reason"]) == (AttemptVerdict.UNSPENT, "risky")
        assert (given_back.verdict, given_back.body) == (AttemptVerdict.CANCELLED, {"reason": option.value})
        # Going on takes a turn of its own, not the words that were given back.
        assert (await session.go_on()).kind is ResultKind.COMMITTED
        view = await session.view()
        assert view.turn is not None
        assert view.turn.said == ""
        await session.close()

    asyncio.run(main())


async def undo(session: StoreSession) -> None:
    await session.undo()


async def fork(session: StoreSession) -> None:
    await session.fork()


async def switch(session: StoreSession) -> None:
    await session.fork(name="other")
    await session.switch("main")


async def say(session: StoreSession) -> None:
    assert (await session.say("I nod to the man by the fire")).kind is ResultKind.COMMITTED


LEAVING: tuple[Callable[[StoreSession], Awaitable[None]], ...] = (undo, fork, switch, say)


@pytest.mark.parametrize("leave", LEAVING)
@pytest.mark.parametrize("said", ["I sing.", DARK])
@pytest.mark.parametrize("turns", [0, 1])
def test_nothing_is_left_after_the_story_went_elsewhere(
    said: str, leave: Callable[[StoreSession], Awaitable[None]], turns: int
) -> None:
    async def main() -> None:
        told = teller(*[cards("Hm.")] * turns, *([] if said == DARK else [BROKEN]), cards("Hm."))
        lobby = replace(make_lobby(room(), teller=told, language="en"), moderation=Careful())
        session = await lobby.begin("test")
        for _ in range(turns):
            await session.say("I wave at the man by the fire")
        await session.say(said)
        choices, words = await offers(session)
        assert (choices[-3:] == FIXED, words) == ((False, [DARK]) if said == DARK else (True, []))
        await session.mark("here")
        # A mark moves nothing, and an input that is none was never accepted.
        assert (await session.say(" ")).reason == "empty"
        assert await offers(session) == (choices, words)
        await leave(session)
        other = await lobby.open("test-1")
        for each in (session, other):
            choices, words = await offers(each)
            assert (choices[-3:] != FIXED, words) == (True, [])
            assert (await each.view()).unfinished == ""
        await session.close()
        await other.close()

    asyncio.run(main())


def test_what_could_not_be_told_says_so_elsewhere_too() -> None:
    async def main() -> None:
        lobby = make_lobby(room(), teller=teller(BROKEN), language="en")
        session = await lobby.begin("test")
        await session.say("I sing.")
        held = await session.seat.find_held()
        assert held is not None
        assert (held.untold, held.cautioned, held.head) == ("untold", "", await session.seat.head())
        await session.close()

    asyncio.run(main())
