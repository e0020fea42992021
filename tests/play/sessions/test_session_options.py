"""Session options: language, limits and moderation of one session; the lobby's own are the defaults."""

import asyncio
from dataclasses import replace

from talewright.llm.profiles import Profile
from talewright.play.campaign_view import Viewer
from talewright.play.lobby import SessionOptions
from talewright.play.session import ResultKind
from talewright.providers.scripted import Scripted
from talewright.turn.turn_context import Teller
from talewright.turn.turn_limits import TurnLimits
from tests.opened import opened
from tests.play.making import make_lobby
from tests.play.scenes import room
from tests.play.sessions.test_store_session_cautions import DARK, Careful
from tests.play.tellers import cards, teller

SHORT = TurnLimits(input_length_max=12)


def test_each_session_has_its_own_and_the_lobby_the_rest() -> None:
    async def main() -> None:
        lobby = make_lobby(room(), teller=teller(*[cards("Hm.")] * 3), language="en")
        options = SessionOptions("zh-CN", SHORT, Careful())
        mine = await lobby.begin("test", options=options)
        assert (await mine.view()).language == "zh-CN"
        assert (await mine.say("I walk along the quay")).reason == "too_long"
        assert (await mine.say("poison!")).reason == "risky"
        usual = await lobby.open("test-1")
        assert ((await usual.view()).language, usual.seat.road.limits) == ("en", lobby.limits)
        assert (await usual.say(DARK)).kind is ResultKind.COMMITTED
        other = await lobby.open("test-1", Viewer.PLAYER, SessionOptions("zh-CN"))
        assert (await other.view()).language == "zh-CN"
        assert (other.seat.road.limits, other.seat.road.moderation) == (lobby.limits, lobby.moderation)
        for session in (mine, usual, other):
            await session.close()

    asyncio.run(main())


def test_a_language_that_is_asked_for_comes_first() -> None:
    async def main() -> None:
        lobby = replace(make_lobby(room(), language="zh-CN"), limits=SHORT)
        session = await lobby.begin("test", "en", options=SessionOptions("zh-CN"))
        assert ((await session.view()).language, session.seat.road.limits) == ("en", SHORT)
        await session.close()

    asyncio.run(main())


def test_a_slow_model_has_a_limit_of_its_own_and_a_small_one_is_named_at_the_beginning() -> None:
    async def main() -> None:
        small = Scripted([cards("Hm.")] * 3, profile=Profile("tiny", context_tokens=1_024))
        slow = Teller(small, turn_seconds_max=33.0)
        lobby = make_lobby(room(), teller=slow, language="en")
        session = await opened(lobby.begin("test"))
        assert session.seat.road.limits == replace(lobby.limits, turn_seconds_max=33.0)
        assert any(told.startswith("tiny can read only 1,024") for told in (await session.view()).notices)
        await session.say("I wait.")
        assert not any("tokens" in told for told in (await session.view()).notices)
        await session.close()

    asyncio.run(main())
