"""The past from a seat: any length page by page, trails, the tree, two ways side by side, the inspector."""

import asyncio
from collections.abc import Awaitable
from dataclasses import replace

import pytest

from talewright.chronicle.store import UnknownCommitError
from talewright.common.json_values import Json
from talewright.kernel.story.cards import Card
from talewright.play.campaign_past import CampaignPast, Provenance, TreeRow, VariableTrail
from talewright.play.campaign_view import Viewer
from talewright.play.history import campaign_history, recent_turn_cache, turn_tree, variable_history
from talewright.play.sessions import store_past
from talewright.play.sessions.store_past import StorePast
from talewright.play.sessions.store_session import StoreSession
from tests.kernel.making import integer
from tests.play.making import hand_shelf, make_edition, make_lobby
from tests.play.scenes import WORDS, room, room_game
from tests.play.tellers import cards, teller


def _is_a_past(past: StorePast) -> CampaignPast:
    return past


async def played(*choices: str) -> StoreSession:
    session = await make_lobby(room()).begin("test", "en")
    for choice in choices:
        await session.choose(choice)
    return session


def test_the_way_back_is_walked_page_by_page(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        session = await played(*["take"] * 11)
        monkeypatch.setattr(recent_turn_cache, "HISTORY_COMMITS_MAX", 5)
        seen: list[int] = []
        page = await session.past.turns(99)
        while page:
            seen = [turn.version for turn in page] + seen
            page = await session.past.turns(99, before=page[0].commit)
        assert seen == list(range(1, 13))
        assert [turn.version for turn in await session.past.turns(2)] == [11, 12]
        assert await session.past.turns(0) == ()
        with pytest.raises(UnknownCommitError):
            await session.past.turns(3, before="nothing")

    asyncio.run(main())


def test_a_number_has_a_trail_with_its_causes() -> None:
    async def main() -> None:
        session = await played("fight", "wait", "fight")
        trail = await session.past.trail("hp")
        assert trail is not None
        assert (trail.label, trail.minimum, trail.maximum) == ("Health", 0, 100)
        assert trail.points == ((0, 30), (2, 20), (4, 10))
        assert trail.causes == await session.past.why("Health")
        clock = await session.past.trail("time.minute")
        assert clock is not None
        assert (clock.label, clock.points) == ("Time: minute", ((0, 50), (3, 55)))

    asyncio.run(main())


def test_what_is_no_number_has_causes_alone() -> None:
    async def main() -> None:
        session = await played("take")
        trail = await session.past.trail("bag")
        assert trail is not None
        assert [each.text for each in trail.causes] == ["Bag + a rope", "Bag: coin"]
        assert (trail.points, trail.minimum, trail.maximum) == ((), None, None)
        assert await session.past.trail("place") == VariableTrail(
            "Place", (), (Provenance(0, "Place: home", "how the game begins"),)
        )

    asyncio.run(main())


@pytest.mark.parametrize("name", ["plan", "code", "ties.spy", "spy", "_engine.scene", "nothing", "a..b", ""])
def test_what_is_private_has_no_trail(name: str) -> None:
    async def main() -> None:
        assert await (await played("wait")).past.trail(name) is None

    asyncio.run(main())


def test_a_trail_is_bounded_and_follows_a_game_that_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        session = await lobby.begin("test", "en")
        await session.choose("fight")
        # The new edition has one number more; the next turn fits the state to it.
        game = room_game()
        layout = replace(game.layout, roots={**game.layout.roots, "luck": integer(7, 0, 10)})
        newer = replace(game, layout=layout, initial={**game.initial, "luck": 7})
        newer = replace(newer, cards=(*game.cards, Card("luck", True, 90)))
        hand_shelf(lobby).put(make_edition(newer, WORDS, "d2"))
        await session.choose("take")
        luck = await session.past.trail("luck")
        assert luck == VariableTrail("luck", ((3, 7),), (), 0, 10)
        trail = await session.past.trail("hp")
        assert trail is not None
        assert [cause.version for cause in trail.causes] == [2, 0]
        monkeypatch.setattr(variable_history, "TRAIL_CAUSES_MAX", 1)
        bounded = await session.past.trail("hp")
        assert bounded is not None
        assert [cause.version for cause in bounded.causes] == [2]

    asyncio.run(main())


def test_the_tree_is_drawn_around_where_the_player_stands() -> None:
    async def main() -> None:
        session = await played("take", "take", "take")
        await session.mark("before")
        await session.undo(2)
        await session.fork(name="other")
        await session.choose("fight")
        rows = await session.past.tree()
        assert [(row.depth, row.version, row.skipped, row.forks) for row in rows] == [
            (0, 0, 0, False),
            (0, 0, 1, False),
            (0, 2, 0, False),
            (1, 3, 0, True),
            (1, 4, 0, False),
            (0, 3, 0, False),
        ]
        (here,) = [row for row in rows if row.here]
        assert (here.branches, here.said, here.depth) == (("other",), "Fight", 0)
        assert here.told.startswith("A room with a door.")
        assert [row.marks for row in rows if row.marks] == [("before",)]
        every = await session.past.tree(every=True)
        assert sorted(row.version for row in every) == [0, 1, 2, 3, 3, 4]
        assert all(row.commit and not row.skipped for row in every)
        await session.switch("main")
        (here,) = [row for row in await session.past.tree() if row.here]
        assert (here.branches, here.version) == (("main",), 2)

    asyncio.run(main())


def test_a_turn_says_what_else_could_have_been_done() -> None:
    async def main() -> None:
        session = await played("take")
        await session.say("take a rope")
        await session.undo()
        await session.choose("fight")
        rows = await session.past.tree(every=True)
        untaken = {(row.version, row.said): row.untaken for row in rows}
        # Neither what was chosen, nor what words meant, nor what is still to be chosen.
        assert untaken == {
            (0, ""): (),
            (1, ""): ("Wait", "Fight"),
            (2, "Take the rope"): ("Wait",),
            (3, "take a rope"): (),
            (3, "Fight"): (),
        }

    asyncio.run(main())


async def count_pauses(looking_back: Awaitable[object]) -> int:
    """How often something else has its turn while one looks back."""
    pauses = 0

    async def beat() -> None:
        nonlocal pauses
        while True:
            await asyncio.sleep(0)
            pauses += 1

    heart = asyncio.create_task(beat())
    await looking_back
    heart.cancel()
    return pauses


def test_a_long_look_back_gives_way_to_the_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        session = await played(*["take"] * 9)
        await session.undo(9)
        await session.fork(name="other")
        past = session.past
        assert await count_pauses(past.tree(every=True)) == 0
        monkeypatch.setattr(campaign_history, "STEPS_AT_ONCE", 1)
        records = len([record async for record in session.seat.road.book.records()])
        rows = await past.tree(every=True)
        newest = max(rows, key=lambda row: row.version).commit
        # The heart begins to beat at the first pause.
        assert await count_pauses(past.tree(every=True)) == records + len(rows) - 1
        assert await count_pauses(past.compare("main", "other")) == records - 1
        assert await count_pauses(past.compare("other", newest)) == records + 8

    asyncio.run(main())


def test_left_out_turns_are_counted_and_rows_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        session = await played(*["wait"] * 9)
        monkeypatch.setattr(turn_tree, "WORDS_LENGTH_MAX", 5)
        root, gap, last = await session.past.tree()
        assert (root.version, root.said, root.told) == (0, "", "")
        assert gap == TreeRow(0, skipped=9)
        assert (last.version, last.said, last.told, last.branches) == (10, "Wait", "You w", ("main",))
        assert last.at

    asyncio.run(main())


def test_two_ways_are_held_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        session = await played("take", "wait", "wait")
        await session.undo(2)
        await session.fork(name="other")
        await session.choose("fight")
        await session.undo(0)
        with pytest.raises(UnknownCommitError):
            await session.past.compare("main", "nothing")
        tree = await session.past.tree(every=True)
        old = next(row.commit for row in tree if row.version == 4)
        found = await session.past.compare(old, "other")
        assert found.parted == 2
        assert [turn.said for turn in found.one] == ["Wait", "Wait"]
        assert [turn.said for turn in found.other] == ["Fight"]
        assert "Health 30 -> 20" in found.differences
        assert "Time: 10 minutes earlier" in found.differences
        # What was planned meanwhile is hidden.
        assert not [line for line in found.differences if "to stay" in line or "plan" in line]
        same = await session.past.compare("other", "other")
        assert (same.one, same.other, same.differences) == ((), (), ())
        monkeypatch.setattr(store_past, "COMPARED_TURNS_MAX", 1)
        assert len((await session.past.compare(old, "other")).one) == 1

    asyncio.run(main())


def test_a_turn_is_inspected_part_by_part() -> None:
    async def main() -> None:
        update: Json = {"path": "hp", "op": "dec", "value": 5, "reason": "a fall"}
        lobby = make_lobby(room(), teller=teller(cards("You fall.", update)))
        session = await lobby.begin("test", "en")
        await session.say("I jump")
        head = (await session.view()).head
        author = await lobby.open("test-1", Viewer.AUTHOR)
        inspection = await author.past.inspect(head)
        assert (inspection.version, inspection.commit) == (2, head)
        parts = {part.name: part for part in inspection.parts}
        assert {"sections", "replies", "repairs", "rulings", "cost"} <= set(parts)
        assert any("You fall." in line for line in parts["replies"].lines)
        assert any("hp" in line and line.startswith("granted") for line in parts["rulings"].lines)
        with pytest.raises(UnknownCommitError):
            await author.past.inspect("nothing")
        shown = await session.past.inspect(head)
        assert [part.name for part in shown.parts][:4] == ["said", "narration", "rolls", "changes"]
        assert [part.lines for part in shown.parts][:4] == [
            ("I jump",),
            ("You fall.",),
            (),
            ("0. Health 30 -> 25 (a fall)",),
        ]
        with pytest.raises(UnknownCommitError):
            await session.past.inspect("nothing")

    asyncio.run(main())
