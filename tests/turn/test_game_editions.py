"""Editions, the road and the moderation: what a turn is handed where nobody says otherwise."""

import asyncio
import time
from dataclasses import fields, replace

from talewright.kernel.story.game_texts import Texts
from talewright.turn.moderation import NoModeration
from talewright.turn.turn_context import PlainRunner, Road, hear_nothing
from talewright.turn.turn_limits import TurnLimits
from talewright.turn.turn_signals import TurnFailed
from tests.turn.making import ferry, lay_bench, make_edition
from tests.turn.stories import GAME


def test_words_in_a_language_or_in_the_games_own() -> None:
    english, chinese = Texts("en", {"title": "A test"}), Texts("zh-CN")
    edition = replace(make_edition(GAME), texts={"en": english, "zh-CN": chinese})
    assert all(edition.words(tag) is chinese for tag in ("zh-CN", "zh-cn", "ZH_cn", "zh-Hans-CN"))
    assert edition.words("fr") is english
    assert edition.words("") is english


def test_nobody_objects_by_default() -> None:
    async def run() -> None:
        assert await NoModeration().hear("anything") is None
        assert await NoModeration().read("anything") is None

    asyncio.run(run())


def test_a_plain_road() -> None:
    async def run() -> None:
        road = (await lay_bench(ferry())).road
        assert (road.teller, road.language, road.limits) == (None, "", TurnLimits())
        assert isinstance(road.runner, PlainRunner)
        assert isinstance(road.moderation, NoModeration)
        usual = {part.name: part.default for part in fields(Road)}
        assert usual["seconds"] is time.monotonic
        assert road.opened.by_digest == {}
        hear_nothing(TurnFailed("error"))

    asyncio.run(run())


def test_the_limits() -> None:
    assert TurnLimits() == TurnLimits(
        asks_max=8,
        repairs_max=2,
        rounds_max=5,
        errands_max=4,
        turn_seconds_max=120.0,
        input_length_max=4_000,
        reply_length_max=400_000,
        failed_answer_length_max=4_000,
        lease_seconds_max=1_800.0,
        asides_commits=8,
    )
