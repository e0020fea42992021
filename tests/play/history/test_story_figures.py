"""Figures about the story: trends of cards in a window, statistics, and turns found by number."""

import asyncio
from dataclasses import replace

from talewright.play.campaign_past import CardTrend
from talewright.play.sessions.store_session import StoreSession
from tests.play.making import make_edition, make_lobby
from tests.play.scenes import WORDS, room_game


async def played(*choices: str) -> StoreSession:
    game = room_game()
    cards = tuple(replace(card, visible=True) for card in game.cards)
    session = await make_lobby(make_edition(replace(game, cards=cards), WORDS)).begin("test", "en")
    for choice in choices:
        await session.choose(choice)
    return session


def test_a_trend_begins_before_the_last_turns() -> None:
    async def main() -> None:
        session = await played("fight", "wait", "fight", "wait")
        trends = {trend.variable: trend for trend in await session.past.trends()}
        assert trends["hp"] == CardTrend("hp", ((0, 30), (2, 20), (4, 10)))
        trends = {trend.variable: trend for trend in await session.past.trends(2)}
        assert trends["hp"] == CardTrend("hp", ((3, 20), (4, 10)))
        assert await session.past.trends(1) == ()

    asyncio.run(main())


def test_statistics_count_turns_and_branches() -> None:
    async def main() -> None:
        session = await played("wait", "fight")
        await session.fork(name="aside")
        found = await session.past.statistics()
        assert (found.turns, found.counted, found.branches) == (3, 3, 2)
        assert found.began <= found.ended
        assert found.rolls == sum(len(turn.rolls) for turn in await session.past.turns())

    asyncio.run(main())


def test_a_page_of_the_tree_stays_inside_it() -> None:
    async def main() -> None:
        session = await played("wait", "fight", "wait")
        first, *_ = await session.past.turns()
        whole = await session.past.tree(every=True)
        assert (await session.past.tree_page(99, every=True)).rows == whole
        assert (await session.past.tree_page(2, 99, every=True)).rows == whole[-2:]
        around = await session.past.tree_page(1, around=first.commit)
        assert [row.commit for row in around.rows] == [first.commit]
        # What is asked for is never skipped.
        assert first.commit not in [row.commit for row in await session.past.tree()]
        assert whole[0].end == ""

    asyncio.run(main())


def test_turns_are_found_by_number_on_every_branch() -> None:
    async def main() -> None:
        session = await played(*["wait"] * 40)
        turns = await session.past.turns(99)
        assert [turn.version for turn in turns] == list(range(1, 42))
        for first in (1, 2, 20, 40, 41):
            assert await session.past.turns(3, first=first) == turns[first - 1 : first + 2]
        assert await session.past.turns(3, first=42) == ()
        assert await session.past.turns(2, turns[9].commit, 5) == turns[4:6]
        await session.fork(turns[9].commit)
        await session.choose("fight")
        aside = (await session.view()).head
        shown = await session.past.turns(9, first=10)
        assert [turn.commit for turn in shown] == [turns[9].commit, aside]
        assert await session.past.turn(turns[30].commit) == turns[30]

    asyncio.run(main())
