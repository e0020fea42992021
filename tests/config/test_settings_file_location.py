"""Where the settings lie, on every kind of machine."""

import sys
from pathlib import Path

import pytest

from talewright.config.settings_file import find_settings_file

HOME = Path("/home/somebody")

PLACES = [
    ("linux", {}, "/home/somebody/.config/talewright/settings.toml"),
    ("linux", {"XDG_CONFIG_HOME": "/x"}, "/x/talewright/settings.toml"),
    ("linux", {"XDG_CONFIG_HOME": "x"}, "/home/somebody/.config/talewright/settings.toml"),
    ("linux", {"XDG_CONFIG_HOME": "/x", "TALEWRIGHT_HOME": "/t"}, "/t/settings.toml"),
    ("darwin", {}, "/home/somebody/Library/Application Support/talewright/settings.toml"),
    ("win32", {"APPDATA": "/roaming"}, "/roaming/talewright/settings.toml"),
    ("win32", {}, "/home/somebody/AppData/Roaming/talewright/settings.toml"),
]


@pytest.mark.parametrize(("system", "environment", "file"), PLACES)
def test_where_the_file_lies(
    system: str, environment: dict[str, str], file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert find_settings_file(environment, HOME).as_posix() == file
