"""Files of this machine: written new, never over another unless asked, and read up to a limit."""

from pathlib import Path

import pytest

from talewright.errors import TalewrightError
from talewright.play.export import local_files
from talewright.play.export.local_files import find_file, read_save_file, write_new


def test_a_file_in_the_home_folder_can_be_named_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert find_file("~/a.json") == tmp_path / "a.json"
    assert find_file("a.json") == Path("a.json")


def test_no_more_is_read_than_a_save_game_may_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_files, "WHOLE_SAVE_BYTES_MAX", 4)
    file = tmp_path / "a"
    for data, read in ((b"1234", b"1234"), (b"12345", b"12345"), (b"123456", b"12345")):
        file.write_bytes(data)
        assert read_save_file(file) == read
    for missing in (tmp_path, tmp_path / "no"):
        with pytest.raises(TalewrightError, match="cannot be read"):
            read_save_file(missing)


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
