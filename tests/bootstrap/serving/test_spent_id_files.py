"""Spent ids as files: an id is spent once, for all processes, and forgotten when it is too old anyway."""

import asyncio
import os
import stat
from pathlib import Path

import pytest

from talewright.bootstrap.serving.spent_id_files import SpentIdFiles
from talewright.errors import SettingsError

NOW = 1_800_000_000


def spend(spent: SpentIdFiles, spent_id: str, until: int = NOW + 60, now: int = NOW) -> bool:
    return asyncio.run(spent.spend(spent_id, until, now))


def is_spent(spent: SpentIdFiles, spent_id: str, until: int = NOW + 60) -> bool:
    return asyncio.run(spent.is_spent(spent_id, until))


def test_an_id_is_spent_once_in_any_process(tmp_path: Path) -> None:
    first, second = SpentIdFiles(tmp_path / "a" / "logins"), SpentIdFiles(tmp_path / "a" / "logins")
    assert not is_spent(first, "one")
    assert spend(first, "one")
    assert not spend(second, "one")
    assert is_spent(second, "one")
    # Ids differ in case only, contain whatever they like, and stay in the folder.
    for other in ("ONE", "../../one", "", "é\udc80".encode("utf-8", "replace").decode()):
        assert not is_spent(second, other)
        assert spend(second, other)
    assert is_spent(SpentIdFiles(tmp_path / "a" / "logins"), "ONE")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["logins"]


def test_old_ids_are_forgotten_and_other_files_left_alone(tmp_path: Path) -> None:
    spent = SpentIdFiles(tmp_path)
    (tmp_path / "notes").write_text("mine")
    assert spend(spent, "short", NOW + 60)
    assert spend(spent, "long", NOW + 900)
    assert spend(spent, "next", NOW + 1000, NOW + 61)
    assert not is_spent(spent, "short", NOW + 60)
    assert is_spent(spent, "long", NOW + 900)
    assert (tmp_path / "notes").read_text() == "mine"


@pytest.mark.skipif(os.name == "nt", reason="no such modes")
def test_only_its_owner_may_look(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        spent = SpentIdFiles(tmp_path / "logins")
        spend(spent, "one")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "logins").stat().st_mode) == 0o700
    assert [stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "logins").iterdir()] == [0o600]


def test_a_disk_that_fails_refuses_the_login(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="cannot be recorded"):
        SpentIdFiles(tmp_path / "file" / "logins")
    spent = SpentIdFiles(tmp_path / "logins")
    (tmp_path / "logins").rmdir()
    with pytest.raises(SettingsError, match="cannot be recorded"):
        spend(spent, "one")
