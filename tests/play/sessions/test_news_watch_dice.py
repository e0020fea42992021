"""Dice in the news: heard as they fall, once, before the words, and only by those who may see them."""

from dataclasses import replace

from talewright.common.json_values import Json
from talewright.play.campaign_view import Viewer
from talewright.play.news import LIVE, STRIDE, DiceNews, ResetNews
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.turn.turn_signals import DiceRolled, NarrationDelta, NarrationReset, TurnFailed
from tests.play.hearing import drain, kinds
from tests.play.scenes import room
from tests.play.sessions.test_news_bus_broadcast import ACCEPTED, sit_down


def roll_of(text: str, *, hidden: bool = False) -> DiceRolled:

    roll: Json = {"kind": "call", "result": {"text": text, "hidden": hidden}}
    return DiceRolled(roll, room().digest, "main", "op")


def test_dice_are_heard_as_they_fall_and_only_once() -> None:
    async def story(lobby: StoreLobby, session: StoreSession) -> None:
        watch, late = session.watch(), session.watch(after=STRIDE + LIVE)
        await session.choose("fight")
        heard = await drain(watch)
        (dice,) = [news for news in heard if isinstance(news.event, DiceNews)]
        assert dice.is_live
        assert kinds(heard).index("dice.rolled") < kinds(heard).index("narration.delta")
        # Whoever did not hear them fall gets them with the commit.
        (again,) = [news for news in await drain(late) if isinstance(news.event, DiceNews)]
        assert again.event == dice.event

    sit_down(story)


def test_hidden_dice_are_heard_by_nobody_else_and_missing_games_wait_for_the_commit() -> None:
    async def story(lobby: StoreLobby, session: StoreSession) -> None:
        await session.choose("wait")
        watch, master = session.watch(), replace(session, role=Viewer.MASTER).watch()
        hear = session.seat.broadcast.hear
        hear(ACCEPTED)
        hear(roll_of("d6 (1) = 1", hidden=True))
        hear(replace(roll_of("d6 (2) = 2"), game_digest="unknown"))
        hear(replace(roll_of("d6 (3) = 3"), operation_id="never begun"))
        assert kinds(await drain(watch)) == ["turn.accepted"]
        assert kinds(await drain(master)) == ["turn.accepted", "dice.rolled"]

    sit_down(story)


def test_who_comes_in_mid_turn_gets_the_dice_before_the_words() -> None:
    async def story(lobby: StoreLobby, session: StoreSession) -> None:
        await session.choose("wait")
        hear = session.seat.broadcast.hear
        hear(ACCEPTED)
        hear(roll_of("d6 (1) = 1"))
        hear(NarrationReset("", voids_rolls=True, branch="main", operation_id="op"))
        hear(roll_of("d6 (2) = 2"))
        first = session.watch()
        heard = [news.event for news in await drain(first)]
        assert heard[0] == ResetNews("", voids_rolls=True)
        assert [one.roll.text for one in heard[1:] if isinstance(one, DiceNews)] == ["d6 (2) = 2"]
        hear(NarrationDelta("It fell", "main", "op"))
        hear(NarrationReset("It", branch="main", operation_id="op"))
        assert kinds(await drain(session.watch())) == ["narration.reset", "dice.rolled", "narration.reset"]
        hear(TurnFailed("untold", "", "main", "op"))
        assert kinds(await drain(session.watch())) == []

    sit_down(story)


def test_who_is_cut_off_after_any_of_the_repeated_news_still_hears_the_words() -> None:
    async def story(lobby: StoreLobby, session: StoreSession) -> None:
        await session.choose("wait")
        hear = session.seat.broadcast.hear
        hear(ACCEPTED)
        hear(roll_of("d6 (1) = 1"))
        hear(NarrationDelta("You wait.", "main", "op"))
        repeated = await drain(session.watch(after=2 * STRIDE))
        assert kinds(repeated)[-3:] == ["narration.reset", "dice.rolled", "narration.reset"]
        for news in repeated[-3:-1]:
            again = await drain(session.watch(after=news.number))
            assert [one.event for one in again][-1] == ResetNews("You wait.")
        assert await drain(session.watch(after=again[-1].number)) == []

    sit_down(story)
