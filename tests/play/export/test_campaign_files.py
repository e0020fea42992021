"""Files: written new, never over another unless asked, and read with words for what is wrong."""

from pathlib import Path

import pytest

from talewright.errors import TalewrightError
from talewright.play.export.campaign_files import name_after, read_save, spell_save, write_new
from talewright.play.export.save_game import SaveGameError


def test_a_save_game_comes_back_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "save.json"
    write_new(file, spell_save({"save_version": 1, "game_id": "fog", "state": {"port": "雾港"}}))
    assert file.read_bytes().endswith('雾港"\n  }\n}\n'.encode())
    save = read_save(file)
    assert (save.game_id, save.state) == ("fog", {"port": "雾港"})
    file.write_text("no", "utf-8")
    with pytest.raises(SaveGameError):
        read_save(file)
    with pytest.raises(TalewrightError, match="cannot be read"):
        read_save(tmp_path)


def test_a_file_that_is_there_is_written_over_only_where_that_is_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "a"
    write_new(file, b"one")
    for hint in ("Choose another name.", "Or force it."):
        with pytest.raises(TalewrightError, match="exists already") as caught:
            write_new(file, b"two", hint=hint)
        assert caught.value.hint == hint
    assert file.read_bytes() == b"one"
    write_new(file, b"two", force=True)
    assert file.read_bytes() == b"two"
    with pytest.raises(TalewrightError, match="cannot be written"):
        write_new(tmp_path / "no" / "a", b"")


@pytest.mark.parametrize(
    ("file", "name"), [("Mist Harbor.json", "mist_harbor"), ("雾港.json", "imported"), ("a" * 99, "a" * 64)]
)
def test_a_campaign_is_named_after_its_file(file: str, name: str) -> None:
    assert name_after(Path(file)) == name
