"""The lobby at home: campaigns are begun, named, opened, and mended where a crash left them."""

import asyncio
from dataclasses import replace

import pytest

from talewright.chronicle.store import BlobKind, ChronicleDamage, DamagedError, UnknownCampaignError
from talewright.errors import Fault, SourcePlace, TalewrightError
from talewright.kernel.game import TellerWishes
from talewright.play.lobby import CampaignInfo, GameInfo, Lobby
from talewright.play.playable_games import EDITIONS_MAX, PinnedGames
from talewright.play.session import ResultKind, Session
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.turn.new_campaign import write_first_commit
from tests.play.hooked import HookedStore
from tests.play.making import clock, compiled, hand_shelf, make_edition, make_lobby, names
from tests.play.scenes import WORDS, room, room_game
from tests.play.tellers import BROKEN, cards, teller


def _is_a_lobby(lobby: StoreLobby) -> Lobby:
    return lobby


def _is_a_session(session: StoreSession) -> Session:
    return session


def test_games_and_campaigns_are_listed() -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        assert await lobby.games() == (GameInfo("test", "The Room", ("en", "zh-CN")),)
        assert await lobby.campaigns() == ()
        for language in ("en", "zh-CN"):
            await (await lobby.begin("test", language)).close()
        listed = await lobby.campaigns()
        assert [(each.name, each.title, each.language) for each in listed] == [
            ("test-2", "中The Room", "zh-CN"),
            ("test-1", "The Room", "en"),
        ]
        assert isinstance(listed[0], CampaignInfo)
        assert not listed[0].damaged

    asyncio.run(main())


def test_a_game_that_nobody_can_tell_is_not_begun() -> None:
    async def main() -> None:
        lobby = make_lobby(make_edition(replace(room_game(), scenes={}), WORDS))
        with pytest.raises(TalewrightError) as caught:
            await lobby.begin("test")
        assert caught.value.message == "The Room has no scenes; it needs a storyteller"
        assert caught.value.hint == "Set up a model (talewright setup), or play a game that has scenes."
        wished = replace(room_game(), scenes={}, teller=TellerWishes("big-1\x1b"))
        with pytest.raises(TalewrightError) as caught:
            await make_lobby(make_edition(wished, WORDS)).begin("test")
        assert caught.value.hint.endswith("that has scenes. It was written with big-1.")
        assert await lobby.campaigns() == ()

    asyncio.run(main())


def test_a_campaign_may_have_a_name_of_its_own() -> None:
    async def main() -> None:
        lobby = make_lobby(make_edition(replace(room_game(), id="Old Mill!"), WORDS))
        assert (await (await lobby.begin("Old Mill!", campaign="mine")).view()).campaign == "mine"
        assert (await (await lobby.begin("Old Mill!")).view()).campaign == "old-mill--1"

    asyncio.run(main())


@pytest.mark.parametrize(
    ("asked", "usual", "spoken"),
    [
        ("", "", "en"),
        ("zh-CN", "", "zh-CN"),
        ("", "zh-CN", "zh-CN"),
        ("fr", "zh-CN", "zh-CN"),
        ("fr", "de", "en"),
        ("ZH_cn", "", "zh-CN"),
        ("", "zh-Hans-CN", "zh-CN"),
    ],
)
def test_the_language_is_the_one_asked_for_or_the_players_or_the_games(
    asked: str, usual: str, spoken: str
) -> None:
    async def main() -> None:
        session = await make_lobby(room(), language=usual).begin("test", asked)
        assert (await session.view()).language == spoken

    asyncio.run(main())


def test_a_campaign_is_gone_on_with_on_the_branch_that_moved_last() -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        session = await lobby.begin("test", "zh-CN")
        await session.choose("fight")
        await session.undo()
        await session.fork(name="other")
        await session.choose("take")
        await session.close()
        session = await lobby.open("test-1")
        view = await session.view()
        assert (view.branch, view.version, view.language) == ("other", 2, "zh-CN")
        english = await replace(lobby, language="en").open("test-1")
        assert (await english.view()).language == "en"
        with pytest.raises(UnknownCampaignError):
            await lobby.open("nothing")

    asyncio.run(main())


async def found_only(lobby: StoreLobby, *, with_game: bool) -> None:
    """Leave a campaign as a crash in its founding would."""
    book = await write_first_commit(
        lobby.store,
        room(),
        campaign="crashed",
        language="en",
        secret=b"s" * 32,
        now=clock(),
        new_id=names(5),
    )
    if not with_game:
        await book.keep(BlobKind.GAME, room().digest, None)


@pytest.mark.parametrize("with_game", [True, False])
def test_a_campaign_whose_first_turn_was_not_taken_gets_it_when_it_is_opened(with_game: bool) -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        await found_only(lobby, with_game=with_game)
        view = await (await lobby.open("crashed")).view()
        assert (view.version, view.campaign) == (1, "crashed")

    asyncio.run(main())


def test_a_campaign_whose_game_is_gone_for_good_says_so() -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        await found_only(lobby, with_game=False)
        hand_shelf(lobby).newest["test"] = make_edition(room_game(), WORDS, "d2")
        session = await lobby.open("crashed")
        with pytest.raises(DamagedError, match="the game this campaign was played with is missing"):
            await session.view()
        with pytest.raises(DamagedError, match="the game that turn 0 was played with is missing"):
            await session.past.why("hp")

    asyncio.run(main())


def test_an_opening_that_nobody_could_tell_is_tried_again_by_going_on() -> None:
    async def main() -> None:
        silent = make_edition(replace(room_game(), scenes={}), {"title": "Silent"})
        lobby = make_lobby(silent, teller=teller(BROKEN))
        session = await lobby.begin("test", "en")
        view = await session.view()
        assert (view.version, view.turn) == (0, None)
        assert [choice.id for choice in view.choices] == ["retry", "rollback", "quit"]
        assert (await session.undo()).version == 0
        assert (await session.go_on()).kind is ResultKind.DEGRADED
        assert (await session.retry()).kind is ResultKind.DEGRADED
        await session.undo()
        assert (await session.retry()).reason == "nothing_to_retry"
        await session.close()
        session = await replace(lobby, teller=teller(cards("It begins."))).open("test-1")
        assert (await session.view()).version == 1

    asyncio.run(main())


def test_a_damaged_campaign_can_be_read_and_not_played() -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        session = await lobby.begin("test", "en")
        await session.choose("fight")
        await session.close()
        damage = ChronicleDamage("chronicle.jsonl", "a flipped bit", "")
        damaged = replace(lobby, store=HookedStore(lobby.store, damage))
        assert (await damaged.campaigns())[0].damaged
        session = await damaged.open("test-1")
        view = await session.view()
        assert (view.read_only, view.version) == (True, 2)
        assert "is damaged (chronicle.jsonl)" in view.notices[0]
        result = await session.choose("take")
        assert (result.kind, result.reason) == (ResultKind.FAILED, "read_only")
        assert result.message.startswith("This campaign can be read, but not continued")
        for deed in (session.undo(), session.fork(), session.mark("x")):
            with pytest.raises(DamagedError, match="can be read, but not continued"):
                await deed
        assert len(await session.past.turns()) == 2
        watch = session.watch(after=0)
        session.seat.broadcast.close()
        assert [news async for news in watch] == []

    asyncio.run(main())


def test_a_missing_folder_is_told() -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        session = await lobby.begin("test", "en")
        hand_shelf(lobby).newest["test"] = None
        assert (await session.view()).notices == (
            "The folder of this game cannot be found or read. "
            "The campaign continues with its own copy of the game.",
        )
        assert (await session.choose("take")).kind is ResultKind.COMMITTED

    asyncio.run(main())


def test_a_folder_with_a_mistake_is_told_as_such() -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        session = await lobby.begin("test", "en")
        shelf = hand_shelf(lobby)
        shelf.newest["test"] = None
        shelf.faults["test"] = (Fault("bad-yaml", "this line has no colon", SourcePlace("game.yaml", 3)),)
        (told,) = (await session.view()).notices
        assert told.startswith("The folder of this game has a mistake in game.yaml:3:1.")
        assert (await session.choose("take")).kind is ResultKind.COMMITTED

    asyncio.run(main())


def test_a_new_version_is_told_before_and_after_it_is_taken_up() -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        session = await lobby.begin("test", "en")
        newer = make_edition(room_game(), {**WORDS, "scene.room.text.1": "A bright room."}, "d2")
        hand_shelf(lobby).put(newer)
        assert "Your next turn will use it: changed wording." in (await session.view()).notices[0]
        await session.choose("take")
        view = await session.view()
        assert "this campaign now uses it: changed wording." in view.notices[0]
        assert view.turn is not None
        assert "A bright room." in view.turn.narration
        await session.choose("take")
        assert (await session.view()).notices == ()

    asyncio.run(main())


def test_unpacked_editions_are_not_held_without_bound() -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        session = await lobby.begin("test", "en")
        seat = session.seat
        games = PinnedGames(seat.road.book, lobby.shelf)
        commit = await seat.road.book.read(await seat.head())
        for at in range(EDITIONS_MAX + 2):
            edition = make_edition(room_game(), WORDS, f"x{at}")
            hand_shelf(lobby).put(edition)
            await seat.road.book.keep(BlobKind.GAME, edition.digest, edition.form)
            assert (await games.of(replace(commit, game_digest=edition.digest))).digest == f"x{at}"
        await seat.road.book.keep(BlobKind.GAME, "swapped", "x1")
        with pytest.raises(DamagedError, match="another game"):
            await games.find("swapped")

    asyncio.run(main())


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_a_shipped_game_is_begun(language: str) -> None:
    async def main() -> None:
        session = await make_lobby(compiled("mist_harbor")).begin("mist_harbor", language)
        view = await session.view()
        assert view.turn is not None
        assert len(view.turn.narration) > 100
        assert len(view.choices) >= 3
        assert [status.label for status in view.status]
        await session.close()

    asyncio.run(main())
