"""The curtain: raised only where a new campaign is certain, and never in the way of what follows."""

import io
from pathlib import Path

import pytest

from talewright.bootstrap.splash import PlayCommandOptions, show_splash
from talewright.faces.plain.plain_output import PlainOutput
from talewright.pack.cache.cover_cache import GameCover, take_mark, write_cover
from talewright.pack.user_folders import UserFolders

COVER = GameCover(
    "fog", ("zh-CN", "en"), {"en": "Fog", "zh-CN": "雾"}, {"en": "It comes in.", "zh-CN": "雾来了。"}
)


@pytest.fixture(name="places")
def make_places(tmp_path: Path) -> UserFolders:
    (tmp_path / "games" / "fog").mkdir(parents=True)
    (tmp_path / "games" / "fog" / "game.yaml").touch()
    write_cover(tmp_path / "games" / "fog", tmp_path / "cache", take_mark(tmp_path / "games" / "fog"), COVER)
    return UserFolders(tmp_path / "saves", tmp_path / "cache", (tmp_path / "games",))


def show(places: UserFolders, **asked: object) -> tuple[str, str]:
    out = io.StringIO()
    wishes = PlayCommandOptions(**{"game": "fog", "saves": places.saves, **asked})  # type: ignore[arg-type]  # each is tried
    shown = show_splash(wishes, places, PlainOutput(out, None))
    return shown, out.getvalue()


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({}, "Fog\n\nIt comes in.\n"),
        ({"locale": "zh-TW"}, "雾\n\n雾来了。\n"),
        ({"language": "en"}, "Fog\n\nIt comes in.\n"),
        ({"locale": "en-US"}, "Fog\n\nIt comes in.\n"),
        ({"language": "zh", "locale": "en-US"}, "雾\n\n雾来了。\n"),
        ({"locale": "fr"}, "Fog\n\nIt comes in.\n"),
        ({"language": "fr"}, ""),
        ({"game": ""}, ""),
        ({"game": "unknown"}, ""),
    ],
)
def test_the_beginning_is_shown(places: UserFolders, asked: dict[str, str], told: str) -> None:
    shown, out = show(places, **asked)
    assert out == told
    assert shown == told.partition("\n\n")[2].strip()


def test_where_campaigns_are_kept_only_a_new_one_is_certain(places: UserFolders) -> None:
    places.saves.mkdir()
    (places.saves / ".founding-x").mkdir()
    assert show(places)[0] == "It comes in."
    (places.saves / "fog-1").mkdir()
    assert show(places) == ("", "")
    assert show(places, new=True)[0] == "It comes in."


def test_a_game_that_begins_with_a_scene_has_no_curtain(places: UserFolders) -> None:
    folder = places.games[0] / "fog"
    write_cover(folder, places.cache, take_mark(folder), GameCover("fog", ("en",), {"en": "Fog"}, {"en": ""}))
    assert show(places) == ("", "")
