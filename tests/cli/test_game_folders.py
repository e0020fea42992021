"""Folders as arguments: on their own machine, users name games by path in every command that takes one."""

import json
from pathlib import Path
from typing import Any

import pytest

from talewright.bootstrap import mcp_launcher
from talewright.pack.game_folders import write_starter
from tests.cli.desk import Desk


@pytest.fixture(name="folder")
def make_folder(tmp_path: Path) -> Path:
    """A game in no folder of games."""
    folder = tmp_path / "drafts" / "my_road"
    write_starter(folder, "salt_road", "Salt Road")
    return folder


@pytest.mark.parametrize("spell", [str, lambda folder: f"{folder}/", lambda folder: f"{folder}/../my_road"])
def test_a_folder_is_played_and_checked(desk: Desk, folder: Path, spell: Any) -> None:
    played = desk.run("play", spell(folder), "--plain", "--no-git", typed="1\n/quit\n")
    assert played.code == 0, played.err
    assert "Salt Road" in played.out
    assert desk.run("check", spell(folder)).code == 0


def test_a_folder_is_served_to_an_assistant(
    desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[str] = []

    def serve(lobby: Any, asked: mcp_launcher.McpCommandOptions, *_: Any) -> int:
        assert lobby.shelf.edition(asked.game).words("en").get("title") == "Salt Road"
        served.append(asked.game)
        return 0

    monkeypatch.setattr(mcp_launcher, "serve", serve)
    assert desk.run("mcp", "--game", str(folder)).code == 0
    assert served == ["salt_road"]


def test_a_save_is_imported_with_the_game_in_a_folder(desk: Desk, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "save.json"
    save = {"save_version": 1, "game_id": "salt_road", "state": {}}
    file.write_text(json.dumps(save), "utf-8")
    assert desk.run("saves", "import", str(file)).code != 0
    assert desk.run("saves", "import", str(file), "--game", str(folder)).code == 0


def test_a_file_does_not_name_a_folder(desk: Desk, folder: Path, tmp_path: Path) -> None:
    """Whoever wrote it is not the user of this machine."""
    file = tmp_path / "save.json"
    file.write_text(json.dumps({"save_version": 1, "game_id": str(folder), "state": {}}), "utf-8")
    told = desk.run("saves", "import", str(file))
    assert told.code != 0
    assert "there is no game" in told.err
