"""The access token: one for all servers of a machine, readable by its owner only, never shown by accident."""

import os
import pickle
import stat
from pathlib import Path

import pytest

from talewright.config.access_token import (
    TOKEN,
    TOKEN_LENGTH_MAX,
    find_token_file,
    generate_token,
    get_token,
    replace_token,
)
from talewright.errors import SettingsError

NONE: dict[str, str] = {}
FIRST, SECOND = "first-token-of-a-test", "second-token-of-a-test"


def test_is_created_once_and_shared(tmp_path: Path) -> None:
    file = find_token_file({"TALEWRIGHT_HOME": str(tmp_path / "home")}, tmp_path)
    made = get_token(NONE, file, lambda: FIRST)
    assert made.key.reveal() == FIRST
    assert made.source == str(file) == str(tmp_path / "home" / "token")
    assert get_token(NONE, file, lambda: SECOND) == made
    assert [path.name for path in file.parent.iterdir()] == ["token"]


@pytest.mark.skipif(os.name == "nt", reason="no such modes")
def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    file = tmp_path / "token"
    before = os.umask(0)
    try:
        get_token(NONE, file)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        replace_token(NONE, file)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    finally:
        os.umask(before)
    file.chmod(0o640)
    with pytest.raises(SettingsError, match="other users") as caught:
        get_token(NONE, file)
    assert "--new-token" in caught.value.hint
    assert get_token(NONE, file.with_name("other")).key != replace_token(NONE, file).key


def test_the_variable_overrides_the_file(tmp_path: Path) -> None:
    file = tmp_path / "token"
    variables = {TOKEN: f" {SECOND} "}
    assert get_token(variables, file).key.reveal() == SECOND
    assert get_token(variables, file).source == TOKEN
    assert not file.exists()
    with pytest.raises(SettingsError, match="is set") as caught:
        replace_token(variables, file)
    assert SECOND not in f"{caught.value} {caught.value.hint}"


def test_replacing_makes_another(tmp_path: Path) -> None:
    file = tmp_path / "token"
    old = get_token(NONE, file)
    new = replace_token(NONE, file)
    assert new.key != old.key
    assert get_token(NONE, file) == new


@pytest.mark.parametrize(
    "text", ["", "short", "has a space in it, and more", "ü" * 20, "x" * 600, "a\r\nb: c" * 9]
)
def test_unfit_tokens_are_refused_without_being_shown(text: str, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(text, encoding="utf-8")
    file.chmod(0o600)
    with pytest.raises(SettingsError) as caught:
        get_token(NONE, file)
    said = f"{caught.value} {caught.value.hint}"
    assert "token" in said
    assert not text or text not in said
    if text:
        with pytest.raises(SettingsError) as caught:
            get_token({TOKEN: text}, file)
        assert text not in f"{caught.value} {caught.value.hint}"


def test_odd_files_and_folders_are_reported(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SettingsError, match="a link") as caught:
        get_token(NONE, file)
    assert TOKEN in caught.value.hint
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    for call in (get_token, replace_token):
        with pytest.raises(SettingsError, match="cannot be used"):
            call(NONE, blocked / "token")


def test_is_not_shown_by_accident(tmp_path: Path) -> None:
    token = get_token(NONE, tmp_path / "token", lambda: FIRST)
    assert FIRST not in f"{token} {token!r} {token.key}"
    with pytest.raises(TypeError):
        pickle.dumps(token)


def test_compares_what_a_request_brings(tmp_path: Path) -> None:
    token = get_token(NONE, tmp_path / "token", lambda: FIRST)
    assert token.matches(FIRST)
    assert not any(map(token.matches, ("", FIRST[:-1], f"{FIRST}x", "ü", "\udc80", FIRST.upper())))


def test_new_tokens_are_long_and_differ() -> None:
    made = {generate_token() for _ in range(20)}
    assert len(made) == 20
    assert all(40 <= len(one) <= TOKEN_LENGTH_MAX for one in made)


def test_the_first_of_two_processes_wins(tmp_path: Path) -> None:
    file = tmp_path / "token"

    def come_second() -> str:
        """Another process writes its token while this one makes its own."""
        get_token(NONE, file, lambda: FIRST)
        return SECOND

    assert get_token(NONE, file, come_second).key.reveal() == FIRST
    assert get_token(NONE, file).key.reveal() == FIRST
    assert [path.name for path in tmp_path.iterdir()] == ["token"]
