"""Parcels: a campaign into a file and back, no file written over, and campaigns put into the bin."""

import asyncio
import json

import pytest

from talewright.chronicle.store import ChronicleError, UnknownCampaignError
from talewright.play.export.campaign_files import free_name
from talewright.play.export.save_game import SaveGameError
from talewright.play.lobby import ExportForm
from talewright.play.sessions.store_lobby import StoreLobby
from tests.play.making import make_lobby
from tests.play.scenes import room


async def played() -> StoreLobby:
    lobby = make_lobby(room())
    session = await lobby.begin("test", "en")
    await session.choose("fight")
    await session.close()
    return lobby


def test_a_campaign_goes_out_and_comes_in_again() -> None:
    async def main() -> None:
        lobby = await played()
        data = await lobby.write_out("test-1", ExportForm.SAVE)
        assert json.loads(data)["turn_index"] == 2
        assert await lobby.bring_in(data, file_name="My Game.json") == "my_game"
        assert await lobby.bring_in(data, file_name="My Game.json") == "my_game-2"
        assert await lobby.bring_in(data, "mine", "My Game.json") == "mine"
        assert await lobby.bring_in(data) == "imported"
        with pytest.raises(ChronicleError, match="a campaign named 'mine' already exists"):
            await lobby.bring_in(data, "mine")
        view = await (await lobby.open("my_game")).view()
        assert view.status[0].value == 20
        names = {one.name for one in await lobby.campaigns()}
        assert names == {"test-1", "my_game", "my_game-2", "mine", "imported"}

    asyncio.run(main())


@pytest.mark.parametrize(
    ("form", "begins"),
    [(ExportForm.MARKDOWN, b"# The Room"), (ExportForm.HTML, b"<!DOCTYPE html>"), (ExportForm.EPUB, b"PK")],
)
def test_a_story_is_written_for_readers(form: ExportForm, begins: bytes) -> None:
    async def main() -> None:
        lobby = await played()
        data = await lobby.write_out("test-1", form)
        assert data.lower().startswith(begins.lower())
        with pytest.raises(UnknownCampaignError):
            await lobby.write_out("nobody", form)

    asyncio.run(main())


def test_what_is_no_save_game_is_refused() -> None:
    async def main() -> None:
        lobby = await played()
        for data in (b"[]", b"\xff", b""):
            with pytest.raises(SaveGameError):
                await lobby.bring_in(data)
        assert len(await lobby.campaigns()) == 1

    asyncio.run(main())


def test_names_are_made_free() -> None:
    assert free_name("a", set()) == "a"
    assert free_name("a", {"a", "a-2"}) == "a-3"
    assert free_name("a" * 64, {"a" * 64}) == "a" * 56 + "-2"


def test_a_removed_campaign_is_gone_from_the_list_and_its_player_is_told() -> None:
    async def main() -> None:
        lobby = await played()
        session = await lobby.open("test-1")
        place = await lobby.remove("test-1")
        assert place.startswith("test-1-2026")
        assert await lobby.campaigns() == ()
        with pytest.raises(UnknownCampaignError):
            await session.choose("take")
        await session.close()
        for deed in (lobby.open("test-1"), lobby.remove("test-1"), lobby.details("test-1")):
            with pytest.raises(UnknownCampaignError):
                await deed
        view = await (await lobby.begin("test", "en")).view()
        assert (view.campaign, view.version) == ("test-1", 1)

    asyncio.run(main())
