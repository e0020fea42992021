"""Looking back from a session: what set a variable, in words, and never what is private."""

import asyncio
from dataclasses import replace

import pytest

from talewright.chronicle.store import UnsavedError
from talewright.kernel.story.game_texts import Texts
from talewright.play.campaign_past import Provenance
from talewright.play.campaign_view import Viewer
from talewright.play.history import campaign_history, variable_history
from talewright.play.history.campaign_history import walk_back
from talewright.play.history.variable_history import find_variable
from talewright.play.presentation.value_wording import Wording
from talewright.play.sessions.store_session import StoreSession
from talewright.turn.new_campaign import write_first_commit
from tests.play.making import HandShelf, clock, make_lobby, names
from tests.play.scenes import WORDS, room, room_game

GAME = room_game()
EN = Wording(Texts("en", WORDS), "en")


async def played(*choices: str) -> StoreSession:
    session = await make_lobby(room()).begin("test", "en")
    for choice in choices:
        await session.choose(choice)
    return session


def test_a_variable_has_its_history() -> None:
    async def main() -> None:
        session = await played("fight", "wait", "fight")
        told = await session.past.why("hp")
        assert [(each.version, each.text, each.reason, each.said) for each in told] == [
            (4, "Health 20 -> 10", "a punch", "Fight"),
            (2, "Health 30 -> 20", "a punch", "Fight"),
            (0, "Health: 30", "", ""),
        ]
        assert told[0].cause.startswith("a choice in a scene, after a roll: 1d6 (")
        assert told[2] == Provenance(0, "Health: 30", "how the game begins")

    asyncio.run(main())


def test_members_and_what_they_belong_to_are_found_together() -> None:
    async def main() -> None:
        session = await played("wait", "wait")
        texts = [each.text for each in await session.past.why("time")]
        assert texts == ["Time: 5 minutes later", "Time: 5 minutes later", "Time: Day 1, 22:50"]
        assert [each.text for each in await session.past.why("time.minute")][-1] == "Time: minute: 50"
        assert len(await session.past.why("time.hour")) == 1
        assert (await session.past.why("ties"))[0].text == "Ties: Lian 5"

    asyncio.run(main())


@pytest.mark.parametrize(
    "name", ["plan", "code", "ties.spy", "spy", "_engine", "_engine.scene", "nothing", "a..b", ""]
)
def test_what_is_private_and_what_is_not_there_look_the_same(name: str) -> None:
    async def main() -> None:
        session = await played("wait")
        assert await session.past.why(name) == ()

    asyncio.run(main())


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("hp", ("hp",)),
        (" Health ", ("hp",)),
        ("life", ("hp",)),
        ("lian", ("ties", "lian")),
        ("Ties: Lian", ("ties", "lian")),
        ("/ties/lian", ("ties", "lian")),
        ("bag.0", ("bag", "0")),
    ],
)
def test_variables_are_found_by_path_and_by_name(name: str, path: tuple[str, ...]) -> None:
    assert find_variable(GAME, EN, name, Viewer.PLAYER) == path


def test_an_imported_campaign_begins_with_its_save() -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        await write_first_commit(
            lobby.store,
            room(),
            campaign="brought",
            language="en",
            secret=b"s" * 32,
            now=clock(),
            new_id=names(4),
            document={**GAME.initial, "hp": 77},
            imported={"from": "elsewhere"},
        )
        session = await lobby.open("brought")
        assert (await session.past.why("hp"))[-1] == Provenance(0, "Health: 77", "an imported save")

    asyncio.run(main())


def test_a_place_that_came_later_has_no_beginning() -> None:
    async def main() -> None:
        session = await played()
        assert await session.past.why("bag.5") == ()

    asyncio.run(main())


def test_the_way_back_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        session = await played(*["take"] * 6)
        seat = session.seat
        head = await seat.head()
        monkeypatch.setattr(campaign_history, "HISTORY_STRIDE", 2)
        versions = [commit.version async for commit in walk_back(seat.road.book, head)]
        assert versions == [7, 6, 5, 4, 3, 2, 1, 0]
        assert [commit.version async for commit in walk_back(seat.road.book, head, 3)] == [7, 6, 5]
        monkeypatch.setattr(variable_history, "PROVENANCES_MAX", 4)
        assert [each.version for each in await session.past.why("bag")] == [7, 6, 5, 4]
        monkeypatch.setattr(campaign_history, "HISTORY_COMMITS_MAX", 3)
        assert [commit.version async for commit in walk_back(seat.road.book, head, 9)] == [7, 6, 5]

    asyncio.run(main())


def test_what_follows_a_turn_never_fails_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        session = await played("take")
        await session.seat.afterwards.rest()
        book = session.seat.road.book

        async def refuse(projection: object) -> None:
            raise UnsavedError("the disk is full")

        monkeypatch.setattr(type(book), "project", staticmethod(refuse))
        assert (await session.choose("take")).commit
        assert (await session.choose("take")).commit
        await session.close()

    asyncio.run(main())


def test_words_of_another_edition_do_not_hide_the_past() -> None:
    async def main() -> None:
        session = await played("fight")
        shelf = session.seat.road.editions
        assert isinstance(shelf, HandShelf)
        shelf.put(replace(room(), digest="d2", form="d2"))
        await session.choose("take")
        assert [each.version for each in await session.past.why("hp")] == [2, 0]

    asyncio.run(main())
