"""The table `[terminal]`: read whatever it says, and never a reason not to start."""

from pathlib import Path

import pytest

from talewright.config.settings_file import TerminalPreference, edit, fit_preferences, read_terminal
from talewright.config.settings_parser import read_settings


def test_what_is_liked_is_read(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    assert read_terminal(file) == {}
    file.write_text('\ufeffmodel = "x"\n[terminal]\ntheme = "dark"\nanimations = false\n', "utf-8")
    assert read_terminal(file) == {"theme": "dark", "animations": False}


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"terminal = 3",
        b"[terminal",
        b"\xff\xfe",
        b"[[terminal]]\ntheme = 'x'",
        b"[terminal]\ntheme = 3\nsizes = [1]\nwhen = 2020-01-01\n",
    ],
)
def test_what_cannot_be_read_says_nothing(text: bytes, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(text)
    assert read_terminal(file) == {}
    assert read_terminal(tmp_path) == {}


def test_only_what_is_known_and_of_its_kind_is_taken() -> None:
    known: dict[str, TerminalPreference] = {"theme": "dark", "animations": True, "cards_open": True}
    found: dict[str, TerminalPreference] = {
        "theme": "light",
        "animations": "no",
        "unknown": True,
        "cards_open": False,
    }
    assert fit_preferences(known, found) == {"theme": "light", "cards_open": False}


@pytest.mark.parametrize("table", ["terminal = 3\n", "[terminal]\nanything = [1, 2]\ntheme = 7\n"])
def test_the_rest_of_the_settings_does_not_mind(table: str) -> None:
    assert read_settings(f'model = "none"\n{table}', "f").usual.model == "none"


def test_likings_are_written_as_toml() -> None:
    text = edit('model = "x"\n', {("terminal",): {"theme": "light", "animations": False, "inspector": True}})
    assert text == 'model = "x"\n\n[terminal]\ntheme = "light"\nanimations = false\ninspector = true\n'
    assert edit(text, {("terminal",): {"animations": True}}).count("animations = true") == 1
