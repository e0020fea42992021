"""Covers: kept for a folder as it is, and gone as soon as it changes."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from talewright.pack.cache import cover_cache as room
from talewright.pack.cache.cover_cache import GameCover, read_cover, take_mark, write_cover

COVER = GameCover("fog", ("zh-CN", "en"), {"en": "Fog", "zh-CN": "雾"}, {"en": "It comes in.", "zh-CN": ""})
WHOLE = replace(COVER, tones={"en": "grey", "zh-CN": "灰"}, turns=30, has_scenes=False)


@pytest.fixture(name="game")
def make_game(tmp_path: Path) -> Path:
    game = tmp_path / "fog"
    (game / "scenes").mkdir(parents=True)
    (game / "game.yaml").write_text("game_id: fog", "utf-8")
    (game / "scenes" / "a.yaml").write_text("[]", "utf-8")
    return game


def test_a_cover_is_read_as_it_was_written(game: Path, tmp_path: Path) -> None:
    cache = tmp_path / "new" / "cache"
    assert read_cover(game, cache) is None
    for cover in (COVER, WHOLE):
        write_cover(game, cache, take_mark(game), cover)
        assert read_cover(game, cache) == cover
    assert [file.suffix for file in cache.iterdir()] == [".json"]


def test_a_changed_folder_has_no_cover(game: Path, tmp_path: Path) -> None:
    changes = (
        lambda: (game / "scenes" / "a.yaml").write_text("[1]", "utf-8"),
        lambda: (game / "scenes" / "b.yaml").touch(),
        lambda: (game / "scenes" / "b.yaml").rename(game / "scenes" / "c.yaml"),
        lambda: os.utime(game / "game.yaml", ns=(1, 1)),
        lambda: (game / "scenes" / "c.yaml").unlink(),
    )
    for change in changes:
        write_cover(game, tmp_path, take_mark(game), COVER)
        assert read_cover(game, tmp_path) == COVER
        change()
        assert read_cover(game, tmp_path) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"form": 1}', "null"])
def test_a_damaged_cover_is_none(game: Path, tmp_path: Path, text: str) -> None:
    write_cover(game, tmp_path, take_mark(game), COVER)
    (kept,) = tmp_path.glob("*.cover.json")
    whole = json.loads(kept.read_text("utf-8"))
    kept.write_text(text, "utf-8")
    assert read_cover(game, tmp_path) is None
    kept.write_text(json.dumps({**whole, "form": 0}), "utf-8")
    assert read_cover(game, tmp_path) is None


def test_a_folder_that_holds_too_much_has_no_mark(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "ENTRIES_MAX", 2)
    with pytest.raises(OSError, match="too much"):
        take_mark(game)


def test_a_cache_that_takes_nothing_is_no_error(game: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    write_cover(game, blocked, take_mark(game), COVER)
    assert read_cover(game, blocked) is None
