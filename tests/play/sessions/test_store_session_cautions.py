"""Cautions: words are held back until the player says what is to become of them."""

import asyncio
from dataclasses import replace

import pytest

from talewright.play.news import FailedNews
from talewright.play.presentation.choice_wording import CAUTION, CautionAnswer
from talewright.play.session import InputResult, ResultKind, Stamp
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.scripted import Scripted
from talewright.turn.moderation import Objection
from talewright.turn.turn_context import Teller
from tests.play.making import make_lobby
from tests.play.scenes import room
from tests.play.tellers import cards

DARK = "I poison the soup of the man by the fire"


class Careful:
    """A moderation that cautions about poison."""

    async def hear(self, text: str) -> Objection | None:
        return Objection("dark", grave=False) if "poison" in text else None

    async def read(self, text: str) -> Objection | None:
        return None


def careful_lobby(*lines: str, language: str = "en") -> tuple[StoreLobby, Scripted]:
    """A lobby that cautions, and the storyteller in it."""
    provider = Scripted(lines)
    lobby = make_lobby(room(), teller=Teller(provider), language=language)
    return replace(lobby, moderation=Careful()), provider


async def begin(*lines: str, language: str = "en") -> tuple[StoreSession, Scripted]:
    lobby, provider = careful_lobby(*lines, language=language)
    return await lobby.begin("test"), provider


@pytest.mark.parametrize(
    ("language", "question", "labels"),
    [
        ("en", "That may go beyond", ["Rephrase it", "Continue anyway", "Drop it"]),
        ("zh-CN", "这样说可能会超出", ["换个说法", "仍然继续", "放弃"]),
    ],
)
def test_the_card_with_three_answers(language: str, question: str, labels: list[str]) -> None:
    async def run() -> None:
        session, provider = await begin(language=language)
        before = await session.view()
        result = await session.say(f"{DARK}\x1b")
        assert (result.kind, result.reason) == (ResultKind.UNSPENT, "risky")
        view = await session.view()
        (card,) = view.decisions
        assert (card.id, card.lines, card.takes_note) == (CAUTION, (DARK,), False)
        assert card.question.startswith(question)
        assert card.question == result.message
        assert [option for option, _ in card.options] == [answer.value for answer in CautionAnswer]
        assert [label for _, label in card.options] == labels
        assert (view.head, provider.requests) == (before.head, [])
        await session.close()

    asyncio.run(run())


def test_whoever_goes_on_says_the_same_words_and_the_teller_is_reminded() -> None:
    async def run() -> None:
        session, provider = await begin(cards("He eats."))
        await session.say(DARK)
        result = await session.answer(CAUTION, CautionAnswer.GO_ON)
        assert result.kind is ResultKind.COMMITTED
        view = await session.view()
        assert view.turn is not None
        assert (view.turn.said, view.turn.narration, view.decisions) == (DARK, "He eats.", ())
        assert "[CARE]" in provider.requests[0].messages[-1].text
        # It was answered: there is no such card any more.
        again = await session.answer(CAUTION, CautionAnswer.GO_ON)
        assert (again.kind, again.reason) == (ResultKind.UNSPENT, "no_such_decision")
        await session.close()

    asyncio.run(run())


def test_whoever_rephrases_gets_the_words_back() -> None:
    async def run() -> None:
        session, provider = await begin(cards("He eats."), cards("He eats."))
        await session.say(DARK)
        result = await session.answer(CAUTION, CautionAnswer.REPHRASE)
        assert (result.kind, result.reason, result.text) == (ResultKind.UNSPENT, "rephrase", DARK)
        assert result.message.startswith("Rephrase what you said.")
        assert (await session.view()).decisions == ()
        assert (await session.say("I salt the soup a little")).kind is ResultKind.COMMITTED
        # Or says at once how else to put it.
        await session.say(DARK)
        said = await session.answer(CAUTION, CautionAnswer.REPHRASE, "I pepper the soup a little")
        assert said.kind is ResultKind.COMMITTED
        assert "[CARE]" not in provider.requests[-1].messages[-1].text
        await session.close()

    asyncio.run(run())


@pytest.mark.parametrize(("language", "words"), [("en", "Dropped."), ("zh-CN", "已放弃")])
def test_whoever_withdraws_has_said_nothing(language: str, words: str) -> None:
    async def run() -> None:
        session, provider = await begin(language=language)
        before = await session.view()
        await session.say(DARK)
        result = await session.answer(CAUTION, CautionAnswer.WITHDRAW)
        assert (result.kind, result.reason, result.text) == (ResultKind.UNSPENT, "withdraw", "")
        assert result.message.startswith(words)
        assert (await session.view()) == before
        assert provider.requests == []
        await session.close()

    asyncio.run(run())


def test_an_answer_that_is_none_leaves_the_card() -> None:
    async def run() -> None:
        session, _ = await begin()
        await session.say(DARK)
        result = await session.answer(CAUTION, "shrug")
        assert (result.kind, result.reason) == (ResultKind.UNSPENT, "no_such_decision")
        assert len((await session.view()).decisions) == 1
        await session.mark("here")
        assert len((await session.view()).decisions) == 1
        await session.fork()
        assert (await session.view()).decisions == ()
        await session.close()

    asyncio.run(run())


def test_other_words_make_the_card_go() -> None:
    async def run() -> None:
        session, _ = await begin(cards("Hm."))
        await session.say(DARK)
        assert (await session.say("I wave at the man by the fire")).kind is ResultKind.COMMITTED
        assert (await session.view()).decisions == ()
        await session.close()

    asyncio.run(run())


def test_a_retry_with_words_that_are_held_back_goes_on_in_place_of_the_old_turn() -> None:
    async def run() -> None:
        session, _ = await begin(cards("First."), cards("Second."))
        first = await session.say("I wave at the man by the fire")
        held = await session.retry(DARK)
        assert (held.kind, held.reason) == (ResultKind.UNSPENT, "risky")
        assert (await session.view()).head == first.commit
        result = await session.answer(CAUTION, CautionAnswer.GO_ON)
        assert result.kind is ResultKind.COMMITTED
        book = session.seat.road.book
        new, old = await book.read(result.commit), await book.read(first.commit)
        assert (new.parent, new.version) == (old.parent, old.version)
        await session.close()

    asyncio.run(run())


def test_somebody_else_has_played_meanwhile() -> None:
    async def run() -> None:
        lobby, _ = careful_lobby(cards("Other."))
        session = await lobby.begin("test")
        await session.say(DARK)
        other = await lobby.open("test-1")
        assert (await other.say("I wave at the man by the fire")).kind is ResultKind.COMMITTED
        # The story has gone on: nobody is asked about those words any more.
        assert (await session.view()).decisions == ()
        result = await session.answer(CAUTION, CautionAnswer.GO_ON)
        assert (result.kind, result.reason) == (ResultKind.UNSPENT, "no_such_decision")
        await session.say(DARK)
        stale = Stamp("0" * 32, "not here")
        again = await session.answer(CAUTION, CautionAnswer.GO_ON, stamp=stale)
        assert again.reason == "moved"
        await other.close()
        await session.close()

    asyncio.run(run())


def test_the_news_carry_the_three_answers() -> None:
    async def run() -> None:
        session, _ = await begin()
        watch = session.watch()
        await session.say(DARK)
        await session.close()
        heard = [news async for news in watch]
        (failed,) = (news.event for news in heard if isinstance(news.event, FailedNews))
        card = failed.decision
        assert card is not None
        assert (failed.reason, failed.message) == ("risky", card.question)
        assert [option for option, _ in card.options] == ["rephrase", "go_on", "withdraw"]

    asyncio.run(run())


def test_a_result_has_no_words_otherwise() -> None:
    assert InputResult(ResultKind.COMMITTED).text == ""
