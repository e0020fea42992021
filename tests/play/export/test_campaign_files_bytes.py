"""Parcels: a campaign into a file and back, no file written over, and campaigns put into the bin."""

import asyncio
import json
from pathlib import Path

import pytest

from talewright.chronicle.store import ChronicleError, UnknownCampaignError
from talewright.errors import TalewrightError
from talewright.play.export.campaign_files import free_name
from talewright.play.lobby import ExportForm
from talewright.play.local.local_lobby import LocalLobby
from talewright.play.session import ResultKind
from tests.play.making import make_lobby
from tests.play.scenes import room


async def played() -> LocalLobby:
    lobby = make_lobby(room())
    session = await lobby.begin("test", "en")
    await session.choose("fight")
    await session.close()
    return lobby


def test_a_campaign_goes_out_and_comes_in_again(tmp_path: Path) -> None:
    async def main() -> None:
        lobby = await played()
        file = tmp_path / "My Game.json"
        await lobby.write_out("test-1", ExportForm.SAVE, str(file))
        assert json.loads(file.read_text("utf-8"))["turn_index"] == 2
        assert await lobby.bring_in(str(file)) == "my_game"
        assert await lobby.bring_in(str(file)) == "my_game-2"
        assert await lobby.bring_in(str(file), "mine") == "mine"
        with pytest.raises(ChronicleError, match="there is a campaign 'mine' already"):
            await lobby.bring_in(str(file), "mine")
        view = await (await lobby.open("my_game")).view()
        assert view.status[0].value == 20
        assert {one.name for one in await lobby.campaigns()} == {"test-1", "my_game", "my_game-2", "mine"}

    asyncio.run(main())


@pytest.mark.parametrize(
    ("form", "begins"),
    [(ExportForm.MARKDOWN, b"# The Room"), (ExportForm.HTML, b"<!DOCTYPE html>"), (ExportForm.EPUB, b"PK")],
)
def test_a_story_is_written_for_readers(form: ExportForm, begins: bytes, tmp_path: Path) -> None:
    async def main() -> None:
        lobby = await played()
        file = tmp_path / f"story.{form.value}"
        await lobby.write_out("test-1", form, str(file))
        assert file.read_bytes().lower().startswith(begins.lower())
        with pytest.raises(TalewrightError, match="exists already"):
            await lobby.write_out("test-1", form, str(file))
        with pytest.raises(TalewrightError, match="cannot be written"):
            await lobby.write_out("test-1", form, str(tmp_path / "no" / "folder"))

    asyncio.run(main())


def test_a_file_in_the_home_folder_can_be_named_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("USERPROFILE", str(tmp_path))
        lobby = await played()
        await lobby.write_out("test-1", ExportForm.SAVE, "~/a.json")
        assert (tmp_path / "a.json").is_file()
        assert await lobby.bring_in("~/a.json") == "a"

    asyncio.run(main())


def test_what_is_no_save_game_is_refused(tmp_path: Path) -> None:
    async def main() -> None:
        lobby = await played()
        (tmp_path / "no.json").write_text("[]", "utf-8")
        with pytest.raises(TalewrightError, match="the file is no save game"):
            await lobby.bring_in(str(tmp_path / "no.json"))
        with pytest.raises(TalewrightError, match="cannot be read"):
            await lobby.bring_in(str(tmp_path / "nothing.json"))
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
        assert (await session.choose("take")).kind is ResultKind.FAILED
        await session.close()
        for deed in (lobby.open("test-1"), lobby.remove("test-1"), lobby.details("test-1")):
            with pytest.raises(UnknownCampaignError):
                await deed
        view = await (await lobby.begin("test", "en")).view()
        assert (view.campaign, view.version) == ("test-1", 1)

    asyncio.run(main())
