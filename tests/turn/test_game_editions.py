"""Editions, the road and the moderation: what a turn is handed where nobody says otherwise."""

import asyncio
import time
from dataclasses import fields, replace

import pytest

from talewright.chronicle.store import BlobKind, DamagedError
from talewright.kernel.story.game_texts import Texts
from talewright.turn.game_editions import OpenedEditions
from talewright.turn.moderation import NoModeration
from talewright.turn.steps.recalling import open_edition, unpack_pinned
from talewright.turn.turn_context import PlainRunner, Road, hear_nothing
from talewright.turn.turn_limits import TurnLimits
from talewright.turn.turn_signals import TurnFailed
from tests.turn.making import Library, ferry, lay_bench, make_edition
from tests.turn.stories import GAME


def test_words_in_a_language_or_in_the_games_own() -> None:
    english, chinese = Texts("en", {"title": "A test"}), Texts("zh-CN")
    edition = replace(make_edition(GAME), texts={"en": english, "zh-CN": chinese})
    assert all(edition.words(tag) is chinese for tag in ("zh-CN", "zh-cn", "ZH_cn", "zh-Hans-CN"))
    assert edition.words("fr") is english
    assert edition.words("") is english


def test_another_game_under_the_digest_of_a_pinned_one_is_not_played() -> None:
    """Editions are cached by digest: whoever swaps the bytes must not swap the game of others."""

    async def run() -> None:
        bench = await lay_bench(ferry())
        library = Library(None)
        swapped = make_edition(GAME, digest="another")
        library.put(swapped)
        assert await unpack_pinned(library, "another", "another") is swapped
        with pytest.raises(DamagedError, match="another game"):
            await unpack_pinned(library, "another", "the one that was played")
        road = replace(bench.road, editions=library, opened=OpenedEditions())
        await road.book.keep(BlobKind.GAME, "the one that was played", "another")
        with pytest.raises(DamagedError, match="another game"):
            await open_edition(road, "the one that was played")
        assert road.opened.by_digest == {}

    asyncio.run(run())


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
