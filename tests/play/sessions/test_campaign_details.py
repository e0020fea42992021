"""Details of a campaign: its last line, who tells it, what it has cost; also damaged or half done."""

import asyncio
from dataclasses import replace

import pytest

from talewright.chronicle.records import Accepted
from talewright.chronicle.store import ChronicleDamage, DamagedError, UnknownCampaignError
from talewright.llm.profiles import Prices, Profile
from talewright.llm.reply_chunks import Usage
from talewright.play.lobby import CampaignDetails
from talewright.play.sessions import campaign_details as room_of_details
from talewright.play.sessions.campaign_details import find_details
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.turn.new_campaign import write_first_commit
from talewright.turn.turn_context import Teller
from tests.play.hooked import HookedStore
from tests.play.making import clock, make_lobby, names
from tests.play.scenes import room, room_game
from tests.play.tellers import cards


def test_a_campaign_that_the_scenes_tell_has_cost_nothing() -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        session = await lobby.begin("test", "en")
        await session.choose("wait")
        await session.close()
        found = await lobby.details("test-1")
        plain = CampaignDetails("test-1", 2, "A room with a door.", dollars=0.0)
        assert replace(found, receipt="") == plain
        assert found.receipt.startswith("talewright-receipt-1:1:")
        for _ in range(3):
            session = await lobby.open("test-1")
            await session.choose("fight")
            await session.close()
        ended = await lobby.details("test-1")
        assert (ended.turn, ended.last, ended.outcome) == (5, "You die.", "lose")
        with pytest.raises(UnknownCampaignError):
            await lobby.details("nothing")

    asyncio.run(main())


def test_what_a_model_has_cost_is_added_up_failed_tries_too() -> None:
    async def main() -> None:
        profile = Profile("big-1", context_tokens=64_000, prices=Prices(1.0, 10.0, 0.5))
        usage = Usage(1_000, 100, 400)
        lines = [
            ScriptedReply(cards("You fall.\n\nFar down.\n"), usage=usage),
            ScriptedReply("no", usage=usage),
        ]
        told = Teller(Scripted([*lines, *[ScriptedReply("no", usage=usage)] * 9], profile=profile))
        lobby = make_lobby(room(), teller=told)
        session = await lobby.begin("test", "en")
        await session.say("I jump")
        once = await lobby.details("test-1")
        assert (once.turn, once.last, once.model, once.tokens) == (2, "Far down.", "big-1", 1_100)
        assert once.dollars == pytest.approx(0.0018)
        await session.say("And again")
        again = await lobby.details("test-1")
        assert again.turn == 2
        assert again.tokens > once.tokens

    asyncio.run(main())


def test_who_tells_it_next_is_asked_where_somebody_knows() -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        await (await lobby.begin("test", "en")).close()
        asked = []

        def tell_who(game: str, campaign: str) -> str:
            asked.append((game, campaign))
            return "big-1 at home"

        knowing = replace(lobby, tell_who=tell_who)
        assert (await knowing.details("test-1")).model == "big-1 at home"
        assert asked == [("test", "test-1")]

    asyncio.run(main())


def test_an_accepted_input_that_was_not_answered_changes_nothing() -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        session = await lobby.begin("test", "en")
        before = await lobby.details("test-1")
        # A process that is killed leaves its input behind and no word more.
        seat = session.seat
        head = await seat.head()
        accepted = room_input(head)
        await seat.road.book.accept(accepted)
        assert await lobby.details("test-1") == before
        again = await lobby.open("test-1")
        assert (await again.view()).unfinished == "Fight"
        await again.go_on()
        assert (await lobby.details("test-1")).turn == 2

    def room_input(head: str) -> Accepted:
        return Accepted("op", "main", head, {"kind": "choose", "choice": "fight"}, "now")

    asyncio.run(main())


def test_a_campaign_that_was_only_founded_has_no_turn() -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        for name, imported in (
            ("new", None),
            ("brought", {"history": [{"narrative": "Long ago.\nIn a town."}]}),
            ("empty", {"history": []}),
        ):
            await write_first_commit(
                lobby.store,
                room(),
                campaign=name,
                language="en",
                secret=b"s" * 32,
                now=clock(),
                new_id=names(len(name)),
                document=room_game().initial,
                imported=imported,
            )
        assert replace(await lobby.details("new"), receipt="") == CampaignDetails("new", dollars=0.0)
        assert (await lobby.details("brought")).last == "In a town."
        assert (await lobby.details("empty")).last == ""

    asyncio.run(main())


def test_of_a_damaged_campaign_what_is_left_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        await (await lobby.begin("test", "en")).close()
        store = HookedStore(lobby.store, ChronicleDamage("chronicle.jsonl", "a flipped bit", ""))

        async def break_off(name: str) -> None:
            if name in broken:
                raise DamagedError("a flipped bit")

        async def open_broken(campaign: str) -> object:
            book = await HookedStore(lobby.store).open(campaign)
            book.hook = break_off  # type: ignore[attr-defined]  # it is a HookedBook
            return book

        monkeypatch.setattr(store, "open", open_broken)
        damaged = HookedStore(lobby.store, ChronicleDamage("chronicle.jsonl", "a flipped bit", ""))
        assert await find_details(damaged, "test-1", "m") == CampaignDetails(
            "test-1", 1, "A room with a door.", "m", None, 0
        )
        broken = ["read"]
        assert await find_details(store, "test-1") == CampaignDetails("test-1")

        async def lost(campaign: str) -> object:
            raise DamagedError("the chronicle is gone")

        monkeypatch.setattr(store, "open", lost)
        assert await find_details(store, "test-1", "m") == CampaignDetails("test-1", model="m")

    asyncio.run(main())


def test_a_long_line_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        await (await lobby.begin("test", "en")).close()
        monkeypatch.setattr(room_of_details, "LINE_LENGTH_MAX", 6)
        assert (await lobby.details("test-1")).last == "A room"

    asyncio.run(main())
