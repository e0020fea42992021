"""A desk: commands typed by somebody with a home of their own, a terminal or none, and an oracle to ask."""

import io
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from talewright.cli import main
from tests.cli.campaigns import Answer
from tests.warm_homes import warm

CLEARED = (
    *("TALEWRIGHT_MODEL", "TALEWRIGHT_CHEAP_MODEL", "TALEWRIGHT_BASE_URL", "TALEWRIGHT_API_KEY"),
    *("TALEWRIGHT_TEMPERATURE", "TALEWRIGHT_MAX_OUTPUT_TOKENS", "TALEWRIGHT_DEBUG"),
    *("OPENAI_API_KEY", "OPENROUTER_API_KEY", "DEEPSEEK_API_KEY", "MISTRAL_API_KEY", "GROQ_API_KEY"),
    *("ANTHROPIC_API_KEY", "GEMINI_API_KEY", "LC_ALL", "LC_MESSAGES", "LANG"),
)
"""Variables that the machine of a developer may have and a test must not see."""


class Terminal(io.StringIO):
    """An input that somebody types."""

    def isatty(self) -> bool:
        return True


@dataclass
class Desk:
    """One user of the program."""

    home: Path
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    @property
    def settings(self) -> Path:
        return self.home / "settings.toml"

    def write(self, text: str) -> None:
        """Write the settings."""
        self.home.mkdir(exist_ok=True)
        self.settings.write_text(text, encoding="utf-8")

    def run(self, *words: str, typed: str = "", terminal: bool = False) -> Answer:
        """Run one command with what is typed."""
        self.monkeypatch.setattr(sys, "stdin", Terminal(typed) if terminal else io.StringIO(typed))
        try:
            code = main(words)
        except SystemExit as stop:
            code = int(str(stop.code))
        told = self.capsys.readouterr()
        assert "Traceback" not in told.err
        return Answer(code, told.out, told.err)


def settle(home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Be a user with this home, in this folder."""
    for name in CLEARED:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TALEWRIGHT_HOME", str(home))
    # Whoever runs the tests may have a keyring of their own; it is none of our business.
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    monkeypatch.chdir(folder)


def sit_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Desk:
    """A user with a home that is empty but for the compiled games, in a folder of their own."""
    home, here = tmp_path / "home", tmp_path / "here"
    warm(home)
    here.mkdir()
    settle(home, here, monkeypatch)
    return Desk(home, monkeypatch, capsys)
